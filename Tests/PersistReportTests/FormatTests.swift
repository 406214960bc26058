import Foundation
import PersistReport
import PersistRules
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Each format is read back by a reader of its own, with paths and messages made to break it.
@Suite struct FormatTests {
  static let nasty = [
    "%", ",", ":", "::error::x", "a\nb", "a\r\n::error::b", "\"quoted\" 'single'", "<b>&amp;</b>",
    "]]>", "\u{0}\u{7}\u{1B}[31m\u{7F}\u{85}\u{FFFF}", "🗻é漢字", "a|b `c|d` *e* [f](g) @team #1",
    "%0A%25", "##[error]x", "\u{2028}",
  ]

  // MARK: - GitHub

  @Test func annotationHasAllProperties() {
    let finding = Sample.finding("the app ends", severity: .warning)
    #expect(
      GitHubFormat(Sample.report([finding])).text == """
        ::warning file=App/Store.swift,line=3,endLine=3,col=27,endColumn=37,\
        title=fatal-error-on-store-open::the app ends

        """)
  }

  @Test func annotationOverSeveralLinesHasNoColumns() {
    let from = Position(offset: 0, line: 1, column: 1)
    let to = Position(offset: 20, line: 2, column: 2)
    let finding = Finding(
      rule: "a", severity: .note, message: "m",
      location: Location(path: "", start: from, end: to))
    #expect(GitHubFormat(Sample.report([finding])).text == "::notice line=1,endLine=2,title=a::m\n")
  }

  @Test(arguments: nasty) func annotationStaysOneCommand(text: String) throws {
    let report = Sample.report([Sample.finding(text, path: text)])
    let lines = GitHubFormat(report).text.split(whereSeparator: \.isNewline)
    let line = try #require(lines.first)
    #expect(lines.count == 1)
    let command = try #require(line.firstMatch(of: /^::error file=([^:,]*),line=3,.*?::(.*)$/))
    #expect(unescaped(command.1)?.onOneLine == text.onOneLine)
    #expect(unescaped(command.2)?.onOneLine == text.onOneLine)
  }

  @Test func tenOfEachSeverityThenTheCount() {
    let errors = (0..<12).map { Sample.finding("e\($0)") }
    let notes = (0..<11).map { Sample.finding("n\($0)", severity: .note) }
    let lines = GitHubFormat(Sample.report(notes + errors)).text.split(separator: "\n")
    #expect(lines.count == 21)
    #expect(lines[0].hasSuffix("::e0") && lines[9].hasSuffix("::e9"))
    #expect(lines[10].hasSuffix("::n0"))
    #expect(lines[20] == "not shown as annotations: 2 errors, 1 note")
  }

  @Test func plainTextCannotStartACommand() {
    let guarded = GitHubFormat.withoutCommands(" ::error::x\nok ##[set-env name=A]b\nfine\n")
    #expect(guarded == "./ ::error::x\nok ## [set-env name=A]b\nfine\n")
  }

  @Test func stepSummaryStaysUnderOneMebibyte() {
    let long = String(repeating: "x", count: 1_000)
    let findings = (0..<2_000).map { Sample.finding("\($0) \(long)") }
    let summary = GitHubFormat(Sample.report(findings)).stepSummary
    #expect(summary.utf8.count < 1 << 20)
    #expect(summary.contains("\n… and ") && summary.hasSuffix(" more\n"))
  }

  // MARK: - GitLab

  @Test(arguments: nasty) func gitLabIssueHasItsFields(text: String) throws {
    let report = Sample.report([Sample.finding(text, severity: .warning, path: text)])
    let issues = try #require(json(GitLabFormat(report).text) as? [[String: Any]])
    #expect(issues[0]["description"] as? String == text.onOneLine)
    #expect(issues[0]["check_name"] as? String == "fatal-error-on-store-open")
    #expect(issues[0]["severity"] as? String == "minor")
    let location = try #require(issues[0]["location"] as? [String: Any])
    #expect(location["path"] as? String == text)
    #expect((location["lines"] as? [String: Int])?["begin"] == 3)
  }

  @Test func gitLabFingerprintsAreUniqueAndHoldWhenLinesMove() throws {
    let findings = [Sample.finding("a", on: "name"), Sample.finding("b", on: "fatalError")]
    let prints = try fingerprints(findings)
    #expect(Set(prints).count == 2)
    let moved = [Sample.finding("c", on: "import"), Sample.finding("d", on: "open")]
    #expect(try fingerprints(moved) == prints)
  }

  // MARK: - XML

  @Test(arguments: nasty) func checkstyleIsReadBack(text: String) throws {
    let report = Sample.report([Sample.finding(text, severity: .note, path: text)])
    let elements = try xml(CheckstyleFormat(report).text)
    #expect(elements.map(\.name) == ["checkstyle", "file", "error"])
    #expect(elements[1].attributes["name"] == text.inXML)
    #expect(elements[2].attributes["message"] == text.onOneLine.inXML)
    #expect(elements[2].attributes["severity"] == "info")
    #expect(elements[2].attributes["source"] == "persistlint.fatal-error-on-store-open")
    #expect(elements[2].attributes["line"] == "3" && elements[2].attributes["column"] == "27")
  }

  @Test(arguments: nasty) func jUnitIsReadBack(text: String) throws {
    let report = Sample.report([Sample.finding(text, path: text)])
    let elements = try xml(JUnitFormat(report).text)
    #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase", "failure"])
    #expect(elements[0].attributes["failures"] == "1")
    #expect(elements[1].attributes["name"] == text.inXML)
    #expect(elements[3].attributes["message"] == text.onOneLine.inXML)
  }

  @Test func cleanJUnitHasOnePassingCase() throws {
    let elements = try xml(JUnitFormat(Sample.report([])).text)
    #expect(elements.map(\.name) == ["testsuites", "testsuite", "testcase"])
    #expect(elements[0].attributes["tests"] == "1" && elements[0].attributes["failures"] == "0")
  }

  @Test func findingsOfAFileStandTogether() throws {
    let findings = [
      Sample.finding(path: "a.swift"), Sample.finding("b", path: "a.swift"),
      Sample.finding(path: "b.swift"),
    ]
    let elements = try xml(CheckstyleFormat(Sample.report(findings)).text)
    #expect(
      elements.map(\.name) == ["checkstyle", "file", "error", "error", "file", "error"])
  }

  // MARK: - Markdown and JSON

  @Test func markdownIsATableWithTheWorstFirst() {
    let findings = [
      Sample.finding("`a|b` may [x](y) <i> @team", severity: .note), Sample.finding(),
    ]
    #expect(
      MarkdownFormat(Sample.report(findings)).text == """
        ### persistlint

        1 error, 1 note

        | | place | finding | rule |
        |---|---|---|---|
        | error | App/Store.swift:3 | the app ends here | [fatal-error-on-store-open](\
        https://github.com/persistlint/persistlint/blob/main/Rules/fatal-error-on-store-open.md) |
        | note | App/Store.swift:3 | `a\\|b` may \\[x\\](y) &lt;i&gt; &#64;team | \
        [fatal-error-on-store-open](https://github.com/persistlint/persistlint/blob/main/Rules/\
        fatal-error-on-store-open.md) |

        """)
  }

  @Test(arguments: nasty) func markdownRowStaysOneRow(text: String) {
    let table = MarkdownFormat(Sample.report([Sample.finding(text, path: text)])).text
    #expect(table.split(whereSeparator: \.isNewline).count == 5)
  }

  @Test(arguments: nasty) func jsonHasEveryField(text: String) throws {
    let related = RelatedLocation(location: Sample.location(of: "open"), message: text)
    let finding = Sample.finding(
      text, path: text, symbol: text, related: [related], flow: [related])
    let hidden = SuppressedFinding(
      finding: Sample.finding(), kind: .external, justification: text)
    let report = Sample.report(
      [finding], suppressed: [hidden], notices: [Notice(path: text, message: text)])
    let document = try #require(json(JSONFormat(report).text) as? [String: Any])
    #expect(document["version"] as? Int == 1)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings[0]["message"] as? String == text.onOneLine)
    #expect(findings[0]["symbol"] as? String == text)
    #expect((findings[0]["related"] as? [Any])?.count == 1)
    #expect((findings[0]["flow"] as? [Any])?.count == 1)
    let location = try #require(findings[0]["location"] as? [String: Any])
    #expect(location["path"] as? String == text)
    #expect(
      location["start"] as? [String: Int] == ["line": 3, "column": 27, "offset": 57])
    let suppressed = try #require(document["suppressed"] as? [[String: Any]])
    #expect(suppressed[0]["reason"] as? String == text.onOneLine)
    #expect(suppressed[0]["suppression"] as? String == "external")
    #expect((document["notices"] as? [[String: String]])?[0]["message"] == text)
  }

  // MARK: - Reading

  private func fingerprints(_ findings: [Finding]) throws -> [String] {
    let issues = try #require(
      json(GitLabFormat(Sample.report(findings)).text) as? [[String: Any]])
    return issues.compactMap { $0["fingerprint"] as? String }
  }

  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  private func unescaped(_ text: Substring) -> String? { String(text).removingPercentEncoding }

  private func xml(_ text: String) throws -> [Element] {
    let reader = ElementReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    return reader.elements
  }
}

private struct Element {
  let name: String
  let attributes: [String: String]
}

private final class ElementReader: NSObject, XMLParserDelegate {
  var elements: [Element] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements.append(Element(name: name, attributes: attributes))
  }
}

extension String {
  /// What XML can carry of the text.
  fileprivate var inXML: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          let isForbidden =
            scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
            || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFFFF
          return isForbidden ? "\u{FFFD}" : scalar
        }))
  }
}
