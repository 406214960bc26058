import PersistRules
import PersistSyntax
import Testing

/// Puts the fixes of a rule into files until there are none left, as `--fix` does.
struct Mending {
  private(set) var files: [Page.File]
  /// How often fixes were put in.
  private(set) var rounds = 0
  private(set) var titles: [String] = []
  /// The findings of the rule before the first fix.
  let before: [Finding]
  /// The findings of the rule that are left.
  private(set) var left: [Finding]

  init(_ files: [Page.File], rule: String, isSafe: Bool = true) {
    self.files = files
    before = Self.findings(files, rule)
    left = before
    while rounds < 10 {
      let fixes = left.compactMap(\.fix).filter { $0.isSafe || !isSafe }.withoutOverlaps
      if fixes.isEmpty { return }
      titles += fixes.map(\.title)
      rounds += 1
      self.files = self.files.map { file in
        guard !file.isShipped else { return file }
        let bytes = fixes.apply(to: Array(file.code.utf8), path: file.path)
        return Page.File(
          path: file.path, code: String(decoding: bytes, as: UTF8.self), isShipped: false)
      }
      left = Self.findings(self.files, rule)
    }
  }

  private static func findings(_ files: [Page.File], _ rule: String) -> [Finding] {
    Outcome(files, rule: rule).findings.filter { $0.rule.text == rule }
  }

  /// The only file that isn't frozen.
  var code: String { files.last { !$0.isShipped }?.code ?? "" }
}

/// Whether code has a partner for each bracket, and nothing that the outline can't read but the
/// arguments of attributes.
func parses(_ code: String) -> Bool {
  let outline = Outline(SourceText(code))
  let tokens = outline.tokens
  return (0..<tokens.count).allSatisfy { !tokens[$0].kind.isBracket || tokens[$0].partner != nil }
    && outline.nodes.indices.allSatisfy { index in
      outline.nodes[index].kind != .unknown || isInAttribute(index, outline)
    }
}

private func isInAttribute(_ index: Int, _ outline: Outline) -> Bool {
  var node = index
  while node != 0, outline.nodes[node].kind != .attribute { node = Int(outline.nodes[node].parent) }
  return node != 0
}

@Suite struct FixPageTests {
  @Test(arguments: Page.all.filter { !$0.mended.isEmpty })
  func fixesMakeOfIncorrectCodeWhatThePageShows(page: Page) {
    for mended in page.mended {
      let files = mended.sample.files.map(Expectation.withoutCarets)
      let mending = Mending(files, rule: page.id, isSafe: mended.isSafe)
      let code = mending.files.first { $0.path == mended.file.path && !$0.isShipped }?.code
      #expect(code == mended.file.code, "\(page.name):\(mended.line)")
    }
  }

  /// Whatever a fix is offered for is gone or milder when it is put in, and the code can still be
  /// read; also in disguise.
  @Test(arguments: Page.all) func whatIsFixedIsGone(page: Page) {
    for sample in page.samples where !sample.isCorrect {
      let files = sample.files.map(Expectation.withoutCarets)
      let place = "\(page.name):\(sample.line)"
      let plain = Mending(files, rule: page.id, isSafe: false)
      expectEnd(of: plain, from: files, place)
      guard plain.rounds > 0 else { continue }
      for disguise in Disguise.visible {
        let disguised = files.map(disguise.apply)
        let mending = Mending(disguised, rule: page.id, isSafe: false)
        expectEnd(of: mending, from: disguised, "\(place), \(disguise.rawValue)")
        for file in mending.files where disguise == .withCRLF {
          #expect(!file.code.replacing("\r\n", with: "").contains("\n"), "\(place): \(file.code)")
        }
      }
    }
  }

  private func expectEnd(of mending: Mending, from files: [Page.File], _ place: String) {
    let hopeless = mending.before.count { $0.fix == nil }
    #expect(mending.rounds < 10, "\(place): there is no end")
    let worst = mending.before.map(\.severity).max() ?? .note
    let left = mending.left.filter { $0.severity == worst }
    #expect(left.count <= hopeless, "\(place): \(left.map(\.message))")
    for file in mending.files where !files.contains(where: { $0.code == file.code }) {
      #expect(parses(file.code), "\(place): \(file.code)")
    }
  }
}
