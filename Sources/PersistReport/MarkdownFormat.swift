import PersistRules

/// Findings as a table for a comment on a change.
package struct MarkdownFormat: Sendable {
  /// How every table begins.
  package static let beginning = "### persistlint\n\n"

  private let report: Report
  private let largestSize: Int

  /// `largestSize` is in bytes; a comment on GitHub takes 65,536 characters.
  package init(_ report: Report, largestSize: Int = 60_000) {
    self.report = report
    self.largestSize = largestSize
  }

  /// A heading, the table, and how many findings had no room.
  package var text: String {
    var text = "\(MarkdownFormat.beginning)\(report.countsOfFindings)\n"
    guard !report.findings.isEmpty else { return text }
    text += "\n| | place | finding | rule |\n|---|---|---|---|\n"
    let pages = Dictionary(
      report.pages.map { ($0.id, $0.address) }, uniquingKeysWith: { first, _ in first })
    for (index, finding) in report.mostSevereFirst.enumerated() {
      let row = row(finding, address: pages[finding.rule])
      guard text.utf8.count + row.utf8.count <= largestSize else {
        return text + "\n… and \(report.findings.count - index) more\n"
      }
      text += row
    }
    return text
  }

  private func row(_ finding: Finding, address: String?) -> String {
    let place = "\(finding.location.path):\(finding.location.start.line)"
    let rule = finding.rule.text.markdownCell
    let link = address.map { "[\(rule)](\($0))" } ?? rule
    let cells = [finding.severity.rawValue, place.markdownCell, finding.message.markdownCell, link]
    return "| \(cells.joined(separator: " | ")) |\n"
  }
}

extension Report {
  /// The findings by severity, and within one in the order of the report.
  fileprivate var mostSevereFirst: [Finding] {
    Severity.allCases.reversed().flatMap { severity in
      findings.filter { $0.severity == severity }
    }
  }
}

extension String {
  /// The text for a cell: code between backticks stays code, all else shows as it is.
  fileprivate var markdownCell: String {
    let parts = onOneLine.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return onOneLine.markdownProse }
    return parts.enumerated().map { index, part in
      index % 2 == 0
        ? String(part).markdownProse : "`\(String(part).replacing("|", with: "\\|"))`"
    }.joined()
  }

  private var markdownProse: String {
    var text = ""
    for character in self {
      switch character {
      case "|", "*", "_", "[", "]", "`", "\\", "~", "#": text += "\\\(character)"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "&": text += "&amp;"
      case "@": text += "&#64;"
      default: text.append(character)
      }
    }
    return text
  }
}
