import PersistRules
import Testing

@Suite struct BaselineTests {
  @Test func textIsSortedWithOneFindingALine() {
    let baseline = Baseline([
      finding("b-rule", "Z.open"), finding("a-rule", ""), finding("b-rule", "A.init(url:)"),
      finding("b-rule", "Z.open"),
    ])
    #expect(
      baseline.text == """
        persistlint baseline 1
        a-rule
        b-rule A.init(url:)
        b-rule Z.open
        b-rule Z.open

        """)
  }

  @Test func readingGivesBackWhatWasWritten() throws {
    let baseline = Baseline([finding("a", "x y `z w`"), finding("a", ""), finding("b", "Ä🗻")])
    #expect(try Baseline(text: baseline.text) == baseline)
    #expect(try Baseline(text: baseline.text.replacing("\n", with: "\r\n")) == baseline)
    #expect(try Baseline(text: baseline.text + "\n# a remark\n") == baseline)
  }

  @Test func placesAndMessagesDoNotCount() {
    let baseline = Baseline([finding("a", "Store.open")])
    let moved = finding("a", "Store.open", path: "New/Place.swift", line: 99, message: "7 others")
    let comparison = baseline.compare([moved])
    #expect(comparison.new.isEmpty && comparison.known == [moved] && comparison.fixed.isEmpty)
  }

  @Test func oneMoreInTheSameSymbolIsNew() {
    let first = finding("a", "Store.open", line: 1)
    let second = finding("a", "Store.open", line: 2)
    let comparison = Baseline([first]).compare([first, second])
    #expect(comparison.known == [first] && comparison.new == [second])
  }

  @Test func whatIsFoundNoMoreIsFixedAndCanBeTakenOut() throws {
    let stays = finding("a", "x")
    let baseline = Baseline([stays, finding("a", "y"), finding("a", "x"), finding("b", "z")])
    let fixed = baseline.compare([stays]).fixed
    #expect(fixed.map(\.description) == ["a x", "a y", "b z"])
    #expect(baseline.without(fixed) == Baseline([stays]))
  }

  @Test(arguments: ["", "{}", "persistlint baseline 2\n", "\u{FEFF}x"])
  func otherFilesAreRefused(text: String) {
    #expect(throws: Baseline.Refusal.noBaseline) { try Baseline(text: text) }
  }

  @Test func strangeLinesAreNamed() {
    #expect(throws: Baseline.Refusal.strangeLine(3)) {
      try Baseline(text: "persistlint baseline 1\na x\n<<<<<<< HEAD\n")
    }
  }

  private func finding(
    _ rule: RuleID, _ symbol: String, path: String = "a.swift", line: Int = 1,
    message: String = "m"
  ) -> Finding {
    let start = Position(offset: line * 10, line: line, column: 1)
    return Finding(
      rule: rule, severity: .error, message: message,
      location: Location(path: path, start: start, end: start), symbol: symbol)
  }
}
