import PersistRules

/// Findings as a compiler prints them: `path:line:column: error: message [rule-id]`.
package struct TextFormat: Sendable {
  /// Where the text goes, and with what it may be adorned.
  package struct Style: Sendable {
    package var isColoured: Bool
    package var showsSource: Bool
    /// Shows the steps of a failure through functions as notes too.
    package var showsFlow: Bool
    /// Put before each path, with a `/` between; Xcode wants absolute paths.
    package var root: String?
    /// The cells of a line at which words are wrapped; nil for one line a finding.
    package var width: Int?

    package init(
      isColoured: Bool = false, showsSource: Bool = false, showsFlow: Bool = false,
      root: String? = nil, width: Int? = nil
    ) {
      self.isColoured = isColoured
      self.showsSource = showsSource
      self.showsFlow = showsFlow
      self.root = root
      self.width = width
    }
  }

  /// What may follow an escape character in the text: the codes that paint, and the one that ends.
  static let colours = ["0", "1", "2", "36", "1;31", "1;32", "1;35", "1;36"].map { "[\($0)m" }

  /// More places than these explain nothing to a reader; JSON and SARIF have all.
  static let mostRelated = 6

  private let report: Report
  private let style: Style

  package init(_ report: Report, style: Style = Style()) {
    self.report = report
    self.style = style
  }

  /// All findings, each with its notes; empty when there is none.
  package var text: String {
    var text = ""
    for finding in report.findings {
      text += line(
        at: finding.location, finding.severity, "\(finding.message) [\(finding.rule)]")
      text += source(at: finding.location)
      let flow = style.showsFlow ? finding.flow : []
      for related in finding.related.prefix(TextFormat.mostRelated) + flow {
        text += line(at: related.location, .note, related.message)
        text += source(at: related.location)
      }
      let more = finding.related.count - TextFormat.mostRelated
      if more > 0 {
        text += line(at: finding.location, .note, "and \(counted(more, "more place"))")
      }
      // With the source between, the eye needs a gap to find the next finding.
      if style.showsSource, finding != report.findings.last { text += "\n" }
    }
    return TextFormat.withoutCommands(text)
  }

  /// The text with nothing in it that Azure Pipelines or TeamCity take for a command, which may
  /// stand anywhere in a line of a job's log; as long as before.
  private static func withoutCommands(_ text: String) -> String {
    guard text.contains("##") else { return text }
    return ["vso[", "teamcity["].reduce(text) { text, command in
      text.replacing("##" + command, with: "#_" + command)
    }
  }

  private func line(at location: Location, _ severity: Severity, _ message: String) -> String {
    let path = style.root.map { location.path.hasPrefix("/") ? "" : $0 + "/" } ?? ""
    let place =
      "\(path)\(location.path):\(location.start.line):\(location.start.column):".onOneLine
    let head = "\(paint(place, "1")) \(paint("\(severity):", severity.colour)) "
    let used = place.terminalWidth + severity.rawValue.count + 3
    let lines =
      style.width.map { message.onOneLine.wrapped(to: $0, behind: used, indentation: 4) }
      ?? [message.onOneLine]
    let painted = lines.map { $0.isEmpty ? "" : paint($0, severity == .note ? nil : "1") }
    return head + painted.joined(separator: "\n    ") + "\n"
  }

  private func source(at location: Location) -> String {
    guard style.showsSource, let source = report.sources[location.path],
      let line = SourceLine(at: location.start, in: source), !line.bytes.isEmpty
    else { return "" }
    let endColumn =
      location.end.line == location.start.line ? location.end.column : line.bytes.count + 1
    return Excerpt(line, from: location.start.column, to: endColumn).lines { paint($0, "1;32") }
  }

  private func paint(_ text: String, _ code: String?) -> String {
    guard style.isColoured, let code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension Severity {
  fileprivate var colour: String {
    switch self {
    case .note: "1;36"
    case .warning: "1;35"
    case .error: "1;31"
    }
  }
}
