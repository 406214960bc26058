import PersistRules

/// Findings as workflow commands, which GitHub shows as annotations on a change.
package struct GitHubFormat: Sendable {
  /// A step shows so many annotations of each severity.
  private static let shownCount = 10
  /// In bytes; GitHub refuses a step's summary of 1 MiB.
  private static let largestSummary = 1_000_000

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// A line a finding, errors first, and how many more there are.
  package var text: String {
    var text = ""
    var hidden: [String] = []
    for severity in Severity.allCases.reversed() {
      let findings = report.findings.filter { $0.severity == severity }
      for finding in findings.prefix(GitHubFormat.shownCount) { text += command(finding) }
      let more = findings.count - GitHubFormat.shownCount
      if more > 0 { hidden.append(counted(more, severity.rawValue)) }
    }
    if !hidden.isEmpty {
      text += "not shown as annotations: \(hidden.joined(separator: ", "))\n"
    }
    return text
  }

  /// The Markdown for the summary of the step.
  package var stepSummary: String {
    MarkdownFormat(report, largestSize: GitHubFormat.largestSummary).text
  }

  /// The text with no line that the executor would take for a command; lines end where any reader
  /// may end one.
  package static func withoutCommands(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else {
      return text
    }
    var guarded = ""
    var line: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      line.append(scalar)
      if scalar == "\n" || scalar == "\r" {
        guarded += withoutCommand(line)
        line = []
      }
    }
    return guarded + withoutCommand(line)
  }

  private static func withoutCommand(_ line: [Unicode.Scalar]) -> String {
    var text = ""
    let start = line.drop { $0.properties.isWhitespace || $0.value < 0x20 }
    if start.starts(with: [":", ":"]) { text = "./" }
    for scalar in line {
      // An older form, which begins anywhere in a line.
      if scalar == "[", text.hasSuffix("##") { text += " " }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  private func command(_ finding: Finding) -> String {
    let location = finding.location
    var properties = [
      ("file", location.path),
      ("line", String(location.start.line)),
      ("endLine", String(location.end.line)),
    ]
    if location.start.line == location.end.line {
      properties.append(("col", String(location.start.column)))
      properties.append(("endColumn", String(location.end.column)))
    }
    properties.append(("title", finding.rule.text))
    let written = properties.filter { !$0.1.isEmpty }.map { "\($0.0)=\(property($0.1))" }
    return "::\(finding.severity.command) \(written.joined(separator: ","))::"
      + "\(data(finding.message))\n"
  }

  private func data(_ text: String) -> String { escape(text, ["%", "\r", "\n"]) }

  private func property(_ text: String) -> String { escape(text, ["%", "\r", "\n", ":", ","]) }

  private func escape(_ text: String, _ escaped: Set<Unicode.Scalar>) -> String {
    var escapedText = ""
    for scalar in text.unicodeScalars {
      if escaped.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escapedText += (digits.count == 1 ? "%0" : "%") + digits
      } else if scalar.isControl, scalar != "\t" {
        escapedText += String(scalar).onOneLine
      } else {
        escapedText.unicodeScalars.append(scalar)
      }
    }
    return escapedText
  }
}

extension Severity {
  fileprivate var command: String {
    switch self {
    case .note: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
