import Foundation
import PersistIndex
import PersistRules
import Testing

/// Who does what a finding of a schema rule says has no new error in the next run.
@Suite struct AdviceTests {
  @Test(arguments: Page.all) func takingTheAdviceBringsNoNewError(page: Page) {
    for sample in page.samples {
      check(sample.files.map(Expectation.withoutCarets), "\(page.name):\(sample.line)")
    }
  }

  @Test func examplesTakeTheAdviceAsWell() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples")
    for app in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() {
      let folder = root.appendingPathComponent(app)
      let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [])
        .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      let files = try paths.map { path in
        Page.File(
          path: path,
          code: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8),
          isShipped: false)
      }
      check(files, app)
    }
  }

  /// A rule that gives its advice in other words would leave the test above with nothing to take.
  @Test func eachKindOfAdviceIsTaken() {
    var kinds: Set<String> = []
    for page in Page.all {
      for sample in page.samples {
        let files = sample.files.map(Expectation.withoutCarets)
        for finding in found(in: files) where advised(finding, files) != nil {
          kinds.insert(finding.rule.text)
        }
      }
    }
    #expect(kinds == Set(Self.rules))
  }

  private static let rules = [
    "container-not-on-newest-schema", "migration-plan-unused", "migration-stage-missing",
    "model-missing-from-schema", "schema-version-not-in-plan",
  ]

  private func found(in files: [Page.File]) -> [Finding] {
    let words = ["VersionedSchema", "ModelContainer", "modelContainer"]
    guard files.contains(where: { file in words.contains { file.code.contains($0) } }) else {
      return []
    }
    return Outcome(files, rule: "migration-plan-unused").findings
  }

  private func check(_ files: [Page.File], _ name: String) {
    let before = found(in: files)
    var known: [String: Int] = [:]
    for finding in before where finding.severity == .error {
      known[finding.rule.text, default: 0] += 1
    }
    for finding in before {
      guard let advised = advised(finding, files) else { continue }
      let after = found(in: advised)
      #expect(
        !after.contains { $0.rule == finding.rule && $0.message == finding.message }
          || before.count { $0.rule == finding.rule && $0.message == finding.message } > 1,
        "\(name): still \(finding.description)")
      var counts: [String: Int] = [:]
      for new in after where new.severity == .error {
        counts[new.rule.text, default: 0] += 1
        #expect(
          counts[new.rule.text, default: 0] <= known[new.rule.text, default: 0],
          "\(name): \(finding.message) brings \(new.description)")
      }
    }
  }

  // MARK: Taking advice

  /// The files with the advice of a finding taken; nil where it asks a person to decide.
  private func advised(_ finding: Finding, _ files: [Page.File]) -> [Page.File]? {
    let message = finding.message
    switch finding.rule.text {
    case "migration-stage-missing":
      guard !message.hasPrefix("on "), let stage = message.part(after: "add `", before: "`"),
        stage.hasPrefix(".lightweight")
      else { return nil }
      return edited(files, finding.location.path) {
        $0.inserting(stage + ", ", intoListAfter: "stages", from: finding.location.start.offset)
      }
    case "migration-plan-unused":
      guard let plan = message.part(after: "; pass `", before: "`") else { return nil }
      return edited(files, finding.location.path) {
        $0.insertingArgument(plan, ofCallAt: finding.location.end.offset)
      }
    case "model-missing-from-schema":
      guard let model = message.part(after: "add `", before: "`"),
        let container = finding.related.last?.location
      else { return nil }
      return edited(files, container.path) { code in
        code.inserting(model + ", ", behind: "for: ", from: container.end.offset)
      }
    case "container-not-on-newest-schema":
      guard message.hasSuffix("newest version"), !message.hasPrefix("on "),
        let old = message.part(after: "container uses `", before: "`"),
        let newest = message.part(after: "plan ends with `", before: "`")
      else { return nil }
      return edited(files, finding.location.path) { code in
        code.replacing(
          old + ".", with: newest + ".",
          in: finding.location.start.offset..<finding.location.end.offset)
      }
    case "schema-version-not-in-plan":
      guard let version = message.part(after: "names `", before: "`"),
        message.hasSuffix("add it to `schemas`")
      else { return nil }
      return edited(files, finding.location.path) {
        $0.inserting(version + ".self, ", intoListAfter: "schemas", from: 0)
      }
    default: return nil
    }
  }

  private func edited(
    _ files: [Page.File], _ path: String, _ edit: (String) -> String?
  ) -> [Page.File]? {
    guard let index = files.firstIndex(where: { $0.path == path && !$0.isShipped }),
      let code = edit(files[index].code)
    else { return nil }
    var files = files
    files[index] = Page.File(path: path, code: code, isShipped: false)
    return files
  }
}

extension String {
  fileprivate func part(after start: String, before end: String) -> String? {
    guard let from = range(of: start),
      let to = range(of: end, range: from.upperBound..<endIndex)
    else { return nil }
    return String(self[from.upperBound..<to.lowerBound])
  }

  private func index(ofByte offset: Int) -> Index {
    utf8.index(startIndex, offsetBy: Swift.min(offset, utf8.count))
  }

  fileprivate func inserting(_ text: String, behind mark: String, from offset: Int) -> String? {
    guard let found = range(of: mark, range: index(ofByte: offset)..<endIndex) else { return nil }
    var code = self
    let isList = self[found.upperBound...].hasPrefix("[")
    let isSchema = self[found.upperBound...].hasPrefix("Schema(")
    guard !isSchema else { return nil }
    code.insert(
      contentsOf: text, at: isList ? self.index(after: found.upperBound) : found.upperBound)
    return code
  }

  /// The text at the beginning of the array that a member is, the nearest one behind a place or, if
  /// there is none, before it.
  fileprivate func inserting(
    _ text: String, intoListAfter member: String, from offset: Int
  ) -> String? {
    let place = index(ofByte: offset)
    let mark = "\(member): ["
    let found =
      range(of: mark, range: place..<endIndex)
      ?? range(of: mark, options: .backwards, range: startIndex..<place)
    guard let found, let body = range(of: "{", range: found.upperBound..<endIndex),
      let list = range(of: "[", range: body.upperBound..<endIndex)
    else { return nil }
    let between = self[body.upperBound..<list.lowerBound]
    guard between.allSatisfy(\.isWhitespace) else { return nil }
    var code = self
    code.insert(contentsOf: text, at: list.upperBound)
    return code
  }

  /// The argument before `configurations:`, or at the end of the call whose name ends at a place.
  fileprivate func insertingArgument(_ argument: String, ofCallAt offset: Int) -> String? {
    let start = index(ofByte: offset)
    guard self[start...].hasPrefix("(") else { return nil }
    var depth = 0
    var place = start
    while place < endIndex {
      if self[place] == "(" { depth += 1 }
      if self[place] == ")" { depth -= 1 }
      if depth == 0 { break }
      if depth == 1, self[place...].hasPrefix("configurations:") {
        var code = self
        code.insert(contentsOf: argument + ", ", at: place)
        return code
      }
      place = self.index(after: place)
    }
    guard place < endIndex else { return nil }
    var code = self
    code.insert(contentsOf: ", " + argument, at: place)
    return code
  }

  fileprivate func replacing(_ old: String, with new: String, in bytes: Range<Int>) -> String? {
    let range = index(ofByte: bytes.lowerBound)..<index(ofByte: bytes.upperBound)
    guard self[range].contains(old) else { return nil }
    return replacingCharacters(
      in: range, with: self[range].replacingOccurrences(of: old, with: new))
  }
}
