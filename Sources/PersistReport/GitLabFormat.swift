import PersistRules

/// Findings as GitLab's code quality report.
package struct GitLabFormat: Sendable {
  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// The whole array, with a line break at the end.
  package var text: String {
    let fingerprints = report.fingerprints
    let issues = report.findings.map { finding in
      [
        "description": .string(finding.message),
        "check_name": .string(finding.rule.text),
        "fingerprint": .string(fingerprints[finding]?.digest ?? finding.rule.text),
        "severity": .string(finding.severity.gitLabName),
        "location": [
          "path": .string(finding.location.path),
          "lines": ["begin": .integer(finding.location.start.line)],
        ],
      ] as JSON
    }
    return JSON.array(issues).text
  }
}

extension Severity {
  fileprivate var gitLabName: String {
    switch self {
    case .note: "info"
    case .warning: "minor"
    case .error: "critical"
    }
  }
}
