import PersistRules

/// Findings as failed tests in JUnit's XML: a suite a file, a case a finding.
package struct JUnitFormat: Sendable {
  /// How every document begins.
  package static let beginning =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"persistlint\" "

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// The whole document, with a line break at the end; one passing case when nothing was found.
  package var text: String {
    let count = max(1, report.findings.count)
    var text = JUnitFormat.beginning
    text +=
      "tests=\"\(count)\" failures=\"\(report.findings.count)\" errors=\"0\">\n"
    if report.findings.isEmpty {
      text += suite("persistlint", tests: 1, failures: 0)
      text += "    <testcase name=\"no findings\" classname=\"persistlint\"/>\n  </testsuite>\n"
    }
    for (path, findings) in report.findingsByFile {
      text += suite(path, tests: findings.count, failures: findings.count)
      for finding in findings { text += testCase(finding) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private func suite(_ name: String, tests: Int, failures: Int) -> String {
    "  <testsuite name=\"\(name.xml)\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\">\n"
  }

  private func testCase(_ finding: Finding) -> String {
    let start = finding.location.start
    let place = "\(finding.location.path):\(start.line):\(start.column)"
    let name = "\(finding.rule) at \(start.line):\(start.column)"
    return """
          <testcase name="\(name.xml)" classname="\(finding.location.path.xml)">
            <failure message="\(finding.message.xml)" type="\(finding.severity.rawValue)">\
      \(place.xml): \(finding.severity.rawValue): \(finding.message.xml) [\(finding.rule.text.xml)]\
      </failure>
          </testcase>

      """
  }
}
