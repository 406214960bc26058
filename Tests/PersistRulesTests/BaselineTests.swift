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
        #: a.swift
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
    let comparison = baseline.compare([stays])
    #expect(comparison.fixed.map(\.description) == ["a x", "a y", "b z"])
    #expect(Baseline(entries: comparison.matched) == Baseline([stays]))
  }

  @Test func theEntryOfTheSameFileIsMatchedFirst() {
    let (first, second) = (finding("a", "open"), finding("a", "open", path: "b.swift"))
    let baseline = Baseline([first, second])
    #expect(baseline.compare([second]).fixed.map(\.path) == ["a.swift"])
    #expect(baseline.compare([first]).fixed.map(\.path) == ["b.swift"])
    #expect(Baseline([second]).compare([first, second]).new == [first])
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
