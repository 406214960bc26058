import Foundation
import PersistPages
import PersistReport
import PersistRules
import Testing

@Suite struct SARIFFormatTests {
  @Test func cleanRunHasAnEmptyListAndAllRules() throws {
    let run = try run(Sample.report([]))
    #expect((run["results"] as? [Any])?.isEmpty == true)
    #expect(run["columnKind"] as? String == "utf16CodeUnits")
    let rules = try #require(value(run, "tool", "driver", "rules") as? [[String: Any]])
    #expect(
      rules.map { $0["id"] as? String } == ["fatal-error-on-store-open", "disk-space-unchecked"])
    #expect(rules[0]["name"] as? String == "FatalErrorOnStoreOpen")
    #expect(value(rules[0], "fullDescription", "text") as? String == "The app dies. It dies again.")
    #expect(value(rules[0], "properties", "problem.severity") as? String == "error")
    #expect(value(rules[1], "defaultConfiguration", "enabled") as? Bool == false)
  }

  @Test func precisionIsThatOfThePage() throws {
    func precision(_ severity: Severity?, _ precision: Precision? = nil) throws -> String? {
      let page = RulePage(
        id: "a", group: "store", title: "", impact: "", impactDescription: "", severity: severity,
        tags: [],
        since: "", precision: precision, body: "")
      let report = Report(
        findings: [], pages: [page], sources: [:], statistics: Sample.report([]).statistics,
        version: "1")
      return value(try run(report), "tool", "driver", "rules", 0, "properties", "precision")
        as? String
    }
    #expect(try precision(.error) == "high" && precision(.warning) == "high")
    #expect(try precision(.note) == "medium" && precision(nil) == "medium")
    #expect(try precision(.error, .veryHigh) == "very-high")
  }

  @Test func columnsAreUTF16() throws {
    let result = try #require(results(Sample.report([Sample.finding()])).first)
    let region = try #require(
      value(result, "locations", 0, "physicalLocation", "region") as? [String: Int])
    #expect(region == ["startLine": 3, "startColumn": 25, "endLine": 3, "endColumn": 35])
    #expect(
      value(result, "locations", 0, "logicalLocations", 0, "fullyQualifiedName") as? String
        == "Store.open")
  }

  @Test func relatedLocationsAreLinkedFromTheMessage() throws {
    let related = RelatedLocation(location: Sample.location(of: "SwiftData"), message: "the [open]")
    let result = try #require(
      results(Sample.report([Sample.finding("x[0](y) ends", related: [related])])).first)
    #expect(
      value(result, "message", "text") as? String
        == "x[0]\\(y) ends. See [the \\[open\\]](1).")
    #expect(value(result, "relatedLocations", 0, "id") as? Int == 1)
  }

  @Test func stepsBecomeACodeFlow() throws {
    let step = RelatedLocation(location: Sample.location(of: "open"), message: "throws on")
    let result = try #require(results(Sample.report([Sample.finding(flow: [step, step])])).first)
    let steps = value(result, "codeFlows", 0, "threadFlows", 0, "locations") as? [Any]
    #expect(steps?.count == 2)
    #expect(
      value(result, "codeFlows", 0, "threadFlows", 0, "locations", 0, "location", "message", "text")
        as? String == "throws on")
  }

  @Test func fingerprintsHoldWhenLinesAreAddedAbove() throws {
    let findings = [Sample.finding(), Sample.finding("again", on: "name")]
    let moved = findings.map { finding in
      let start = finding.location.start
      let place = Position(offset: start.offset + 9, line: start.line + 3, column: start.column)
      return Finding(
        rule: finding.rule, severity: .error, message: "other words",
        location: Location(path: "Moved.swift", start: place, end: place), symbol: finding.symbol)
    }
    let before = try fingerprints(Sample.report(findings))
    #expect(before.count == 2 && Set(before).count == 2)
    #expect(try fingerprints(Sample.report(moved)) == before)
  }

  @Test func suppressionDoesNotMoveOtherFingerprints() throws {
    let first = Sample.finding("a", on: "name")
    let second = Sample.finding("b", on: "fatalError")
    let both = try fingerprints(Sample.report([first, second]))
    let suppressed = SuppressedFinding(finding: first, kind: .inSource, justification: "known")
    #expect(try fingerprints(Sample.report([second], suppressed: [suppressed])) == [both[1]])
  }

  @Test func lineHashIsThatOfTheLine() throws {
    let result = try #require(results(Sample.report([Sample.finding()])).first)
    #expect(
      value(result, "partialFingerprints", "primaryLocationLineHash") as? String
        == LineHash.hashes(of: Array(Sample.source.utf8))[2])
  }

  @Test func suppressedFindingsStayOutUnlessAskedFor() throws {
    let suppressed = SuppressedFinding(
      finding: Sample.finding(), kind: .inSource, justification: "a cache")
    let report = Sample.report([], suppressed: [suppressed])
    #expect(try results(report).isEmpty)
    let result = try #require(
      results(SARIFFormat(report, includesSuppressed: true).text).first)
    #expect(value(result, "suppressions", 0, "kind") as? String == "inSource")
    #expect(value(result, "suppressions", 0, "justification") as? String == "a cache")
  }

  @Test func unreadableFilesAreNotifications() throws {
    let run = try run(
      Sample.report([], notices: [Notice(path: "a b%.swift", message: "not UTF-8")]))
    let notification = try #require(value(run, "invocations", 0, "toolExecutionNotifications", 0))
    #expect(value(notification, "message", "text") as? String == "not UTF-8")
    #expect(
      value(notification, "locations", 0, "physicalLocation", "artifactLocation", "uri") as? String
        == "a%20b%25.swift")
  }

  @Test func mostSevereAreKeptOverTheLimit() throws {
    var findings = (0..<5_000).map { Sample.finding("note \($0)", severity: .note) }
    findings.append(Sample.finding("the error"))
    let run = try run(Sample.report(findings))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 5_000)
    #expect(value(results[4_999], "message", "text") as? String == "the error")
    #expect(value(results[4_998], "message", "text") as? String == "note 4998")
    let text = value(run, "invocations", 0, "toolExecutionNotifications", 0, "message", "text")
    #expect((text as? String)?.hasPrefix("5001 findings: only the 5000 most severe") == true)
  }

  @Test func categoryNamesTheRun() throws {
    let text = SARIFFormat(Sample.report([]), category: "ios").text
    #expect(value(try run(text), "automationDetails", "id") as? String == "persistlint/ios/")
  }

  @Test func anyTextIsEscaped() throws {
    let message = "\"\\\u{0}\u{1B}\n\u{2028}🗻</script>%,:]]>"
    let path = "Ä/#?\"<>.swift"
    let result = try #require(
      results(Sample.report([Sample.finding(message, path: path)])).first)
    #expect(value(result, "message", "text") as? String == message.onOneLine)
    #expect(
      value(result, "locations", 0, "physicalLocation", "artifactLocation", "uri") as? String
        == "%C3%84/%23%3F%22%3C%3E.swift")
  }

  // MARK: - Reading

  private func run(_ report: Report) throws -> [String: Any] {
    try run(SARIFFormat(report).text)
  }

  private func run(_ text: String) throws -> [String: Any] {
    let log = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(value(log, "version") as? String == "2.1.0")
    return try #require(value(log, "runs", 0) as? [String: Any])
  }

  private func results(_ report: Report) throws -> [[String: Any]] {
    try results(SARIFFormat(report).text)
  }

  private func results(_ text: String) throws -> [[String: Any]] {
    try #require(run(text)["results"] as? [[String: Any]])
  }

  private func fingerprints(_ report: Report) throws -> [String] {
    try results(report).compactMap {
      value($0, "partialFingerprints", "persistlint/v1") as? String
    }
  }

  private func value(_ json: Any, _ path: any Sendable...) -> Any? {
    path.reduce(json as Any?) { value, step in
      switch step {
      case let key as String: (value as? [String: Any])?[key]
      case let index as Int:
        (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
      default: nil
      }
    }
  }
}
