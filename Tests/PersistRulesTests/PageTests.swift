import PersistIndex
import PersistPages
import PersistRules
import PersistSchema
import PersistSyntax
import Testing

/// What linting a sample gives.
struct Outcome {
  var findings: [Finding]
  var suppressed: Int

  /// Lints files as one program by all rules that are on, and by the page's own rule.
  init(_ files: [Page.File], rule: String) {
    let on = Set(RulePage.all.filter { $0.severity != nil }.map(\.id)).union([RuleID(rule)])
    self.init(files, rules: on)
  }

  /// Lints files as one program by some rules.
  init(_ files: [Page.File], rules: Set<RuleID>) {
    let sources = files.filter { !$0.isShipped }.map {
      SourceFile(path: $0.path, outline: Outline(SourceText($0.code)))
    }
    let program = Program(sources)
    program.schemaInput.base = Self.base(files.filter(\.isShipped))
    let judgement = program.judge(Registry.check(program, ids: rules))
    findings = judgement.findings
    suppressed = judgement.suppressed.count
  }

  /// The lock that freezing every version of the shipped files gives.
  private static func base(_ files: [Page.File]) -> SchemaBase? {
    guard !files.isEmpty else { return nil }
    let sources = files.map { SourceFile(path: $0.path, outline: Outline(SourceText($0.code))) }
    let shipped = SchemaProgram(sources)
    var lock = LockFile(
      versions: shipped.frozenShapes(includingNewest: true), plans: shipped.planStates)
    let program = Program(sources)
    lock.migrators = program.migrators.map(\.frozen)
    lock.realms = program.realmConfigurations.compactMap(\.frozen)
    return SchemaBase(lock, path: LockFile.name)
  }
}

@Suite struct PageTests {
  @Test(arguments: Page.all) func incorrectCodeIsReportedWhereTheCaretsStand(page: Page) {
    for sample in page.samples where !sample.isCorrect {
      expect(sample.files, in: page, sample, as: "as it stands")
    }
  }

  @Test(arguments: Page.all) func correctCodeIsSilentForEveryRule(page: Page) {
    for sample in page.samples where sample.isCorrect {
      let found = Outcome(sample.files, rule: page.id).findings
      #expect(found.isEmpty, "\(page.name):\(sample.line): \(found.map(\.description))")
    }
  }

  @Test(arguments: Page.all, Disguise.visible)
  func incorrectCodeIsReportedInDisguise(page: Page, disguise: Disguise) {
    for sample in page.samples where !sample.isCorrect {
      expect(sample.files.map(disguise.apply), in: page, sample, as: disguise.rawValue) {
        disguise.move($0, in: sample.files)
      }
    }
  }

  @Test(arguments: Page.all, Disguise.hidden)
  func codeThatIsNoCodeIsSilent(page: Page, disguise: Disguise) {
    for sample in page.samples where !sample.isCorrect {
      let found = Outcome(sample.files.map(disguise.apply), rule: page.id).findings
      #expect(found.isEmpty, "\(page.name):\(sample.line): \(found.map(\.description))")
    }
  }

  @Test(arguments: Page.all.filter { $0.id != "invalid-suppression" })
  func suppressedCodeIsSilentAndTheSuppressionCounts(page: Page) {
    for sample in page.samples where !sample.isCorrect {
      let files = sample.files.map { suppress($0, rule: page.id) }
      let outcome = Outcome(files, rule: page.id)
      let left = outcome.findings.filter {
        ["invalid-suppression", page.id].contains($0.rule.text)
      }
      #expect(left.isEmpty, "\(page.name):\(sample.line): \(left.map(\.description))")
      #expect(outcome.suppressed >= 1, "\(page.name):\(sample.line)")
    }
  }

  private func suppress(_ file: Page.File, rule: String) -> Page.File {
    let lines = Set(Expectation.expectations(in: file, rule: rule).map(\.line))
    var code = ""
    for (index, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if lines.contains(index + 1) { code += "// persistlint:ignore[\(rule)] the page shows it\n" }
      code += line + "\n"
    }
    return Page.File(path: file.path, code: code, isShipped: file.isShipped)
  }

  private func expect(
    _ files: [Page.File], in page: Page, _ sample: Page.Sample, as form: String,
    move: (Expectation) -> Expectation = { $0 }
  ) {
    let found = Outcome(files, rule: page.id).findings.filter { $0.rule.text == page.id }
    let expected = sample.files.filter { !$0.isShipped }.flatMap {
      Expectation.expectations(in: $0, rule: page.id).map(move)
    }
    #expect(!expected.isEmpty, "\(page.name):\(sample.line): no carets under Incorrect code")
    var rest = found
    for expectation in expected {
      let match = rest.firstIndex { $0.meets(expectation) }
      #expect(
        match != nil,
        "\(page.name):\(sample.line) \(form): missing \(expectation); found \(found.map(\.description))"
      )
      if let match { rest.remove(at: match) }
    }
    #expect(rest.isEmpty, "\(page.name):\(sample.line) \(form): also \(rest.map(\.description))")
  }
}

extension Finding {
  fileprivate var description: String {
    "\(location.path):\(location.start.line):\(location.start.column)-\(location.end.column): "
      + "\(severity): \(message) [\(rule)]"
  }

  fileprivate func meets(_ expectation: Expectation) -> Bool {
    let wanted = expectation.message
    let saysSo =
      wanted.hasSuffix("…")
      ? message.hasPrefix(wanted.dropLast()) : wanted.isEmpty || wanted == message
    return location.path == expectation.path && location.start.line == expectation.line
      && location.start.column == expectation.columns.lowerBound
      && location.end.column == expectation.columns.upperBound && saysSo
      && (expectation.severity.map { $0 == severity.rawValue } ?? true)
  }
}
