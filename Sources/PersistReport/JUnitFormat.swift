import PersistRules

/// Findings as tests in JUnit's XML: a suite a file, a case a finding, which fails where the run does
/// and else passes with the finding as its output.
package struct JUnitFormat: Sendable {
  /// How every document begins.
  package static let beginning =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"persistlint\" "

  private let report: Report

  private let failing: Severity

  package init(_ report: Report, failingFrom failing: Severity = .note) {
    self.report = report
    self.failing = failing
  }

  /// The whole document, with a line break at the end; one passing case when nothing was found.
  package var text: String {
    let count = max(1, report.findings.count)
    var text = JUnitFormat.beginning
    text +=
      "tests=\"\(count)\" failures=\"\(failures(report.findings))\" errors=\"0\">\n"
    if report.findings.isEmpty {
      text += suite("persistlint", tests: 1, failures: 0)
      text += "    <testcase name=\"no findings\" classname=\"persistlint\"/>\n  </testsuite>\n"
    }
    for (path, findings) in report.findingsByFile {
      text += suite(path, tests: findings.count, failures: failures(findings))
      for finding in findings { text += testCase(finding) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private func failures(_ findings: [Finding]) -> Int {
    findings.count { $0.severity >= failing }
  }

  private func suite(_ name: String, tests: Int, failures: Int) -> String {
    "  <testsuite name=\"\(name.xml)\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\">\n"
  }

  private func testCase(_ finding: Finding) -> String {
    let start = finding.location.start
    let place = "\(finding.location.path):\(start.line):\(start.column)"
    let name = "\(finding.rule) at \(start.line):\(start.column)"
    let text =
      "\(place): \(finding.severity.rawValue): \(finding.message) [\(finding.rule)]".xml
    let outcome =
      finding.severity >= failing
      ? "<failure message=\"\(finding.message.xml)\" type=\"\(finding.severity.rawValue)\">"
        + "\(text)</failure>"
      : "<system-out>\(text)</system-out>"
    return """
          <testcase name="\(name.xml)" classname="\(finding.location.path.xml)">
            \(outcome)
          </testcase>

      """
  }
}
