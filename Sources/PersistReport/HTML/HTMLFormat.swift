import PersistPages
import PersistRules

/// Findings as one page for a browser: grouped by rule or by file, with code, steps, fixes and the
/// pages of the rules.
package struct HTMLFormat: Sendable {
  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// The whole page.
  package var text: String {
    HTMLPage(
      title: "persistlint: \(report.countsOfFindings)", style: HTMLFormat.style,
      script: HTMLFormat.script, body: body
    ).text
  }

  private var body: String {
    let fingerprints = report.fingerprints
    let groups = Dictionary(grouping: report.findings, by: \.rule)
    var body = """
      <header>
      <h1>persistlint</h1>
      <p>\(report.counts.html)</p>
      </header>

      """
    if !report.findings.isEmpty { body += controls }
    body += "<main id=\"findings\">\n"
    if report.findings.isEmpty { body += "<p class=\"good\">Nothing was found.</p>\n" }
    for (rule, findings) in groups.sorted(by: { $0.key < $1.key }) {
      body += section(rule, findings, fingerprints)
    }
    body += "</main>\n<p id=\"nothing\" class=\"soft\" hidden>No finding fits the filter.</p>\n"
    body += notices
    return body
  }

  private var controls: String {
    let boxes = Severity.allCases.reversed().map { severity in
      let count = report.findings.count { $0.severity == severity }
      return "<label class=\"\(severity.rawValue)\"><input type=\"checkbox\" name=\"severity\" "
        + "value=\"\(severity.rawValue)\" checked\(count == 0 ? " disabled" : "")> "
        + "\(counted(count, severity.rawValue))</label>\n"
    }
    return """
      <form class="controls" role="search">
      <input type="search" id="filter" placeholder="Filter by rule, file or words" aria-label="Filter">
      <span class="boxes">\(boxes.joined())</span>
      <label>Group by <select id="group"><option value="rule">rule</option>\
      <option value="file">file</option></select></label>
      <output id="count" aria-live="polite"></output>
      <span class="keys soft">Keys: <kbd>/</kbd> filter, <kbd>j</kbd> <kbd>k</kbd> next and previous</span>
      </form>

      """
  }

  private func section(
    _ rule: RuleID, _ findings: [Finding], _ fingerprints: [Finding: Fingerprint]
  ) -> String {
    let page = report.pages.first { $0.id == rule }
    var html = "<section data-key=\"\(rule.text.html)\">\n<h2>\(rule.text.html) "
    html += "<span class=\"soft\">\(findings.count)</span></h2>\n"
    if let page {
      html +=
        "<p>\(page.title.htmlWithCode). <span class=\"soft\">\(page.impactDescription.htmlWithCode)</span></p>\n"
      html += "<details class=\"page\"><summary>The rule’s page</summary>\n"
      html += "\(PageHTML(page.body).text)<p><a href=\"\(page.address.html)\" rel=\"noreferrer\">"
      html += "\(page.address.html)</a></p>\n</details>\n"
    }
    for finding in findings {
      html += article(finding, id: fingerprints[finding]?.digest ?? "")
    }
    return html + "</section>\n"
  }

  private func article(_ finding: Finding, id: String) -> String {
    let place = finding.location
    let shown = "\(place.path):\(place.start.line):\(place.start.column)"
    var html = """
      <article id="f\(id)" tabindex="-1" data-severity="\(finding.severity.rawValue)" \
      data-rule="\(finding.rule.text.html)" data-file="\(place.path.onOneLine.html)">
      <h3><span class="tag \(finding.severity.rawValue)">\(finding.severity.rawValue)</span> \
      <a href="#f\(id)">\(shown.onOneLine.html)</a> <span class="rule soft">\(finding.rule.text.html)</span></h3>
      <p>\(finding.message.htmlWithCode)</p>
      \(code(at: place, around: 2))
      """
    if !finding.symbol.isEmpty {
      html += "<p class=\"soft\">in <code>\(finding.symbol.onOneLine.html)</code></p>\n"
    }
    if !finding.related.isEmpty { html += places(finding.related, "ul", "See also") }
    if !finding.flow.isEmpty { html += places(finding.flow, "ol", "How it comes here") }
    if let fix = finding.fix { html += difference(of: fix) }
    return html + "</article>\n"
  }

  private func places(_ related: [RelatedLocation], _ list: String, _ title: String) -> String {
    let items = related.map { related in
      let place = related.location
      return "<li>\(related.message.htmlWithCode) <span class=\"soft\">"
        + "\("\(place.path):\(place.start.line)".onOneLine.html)</span>\n"
        + "\(code(at: place, around: 0))</li>\n"
    }
    return
      "<details open><summary>\(title)</summary><\(list)>\n\(items.joined())</\(list)></details>\n"
  }

  private func difference(of fix: Fix) -> String {
    var paths: [String] = []
    for edit in fix.edits where !paths.contains(edit.range.path) { paths.append(edit.range.path) }
    var lines = ""
    for path in paths {
      guard let old = report.sources[path] else { continue }
      let text = UnifiedDifference(path: path, old: old, new: [fix].apply(to: old, path: path)).text
      for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
        let kind = line.hasPrefix("+") ? "added" : line.hasPrefix("-") ? "removed" : ""
        lines += "<span class=\"row \(kind)\">\(String(line).html)</span>"
      }
    }
    let state = fix.isSafe ? "safe" : "to be reviewed"
    return "<details><summary>Fix: \(fix.title.htmlWithCode) <span class=\"soft\">(\(state))</span>"
      + "</summary><pre>\(lines)</pre></details>\n"
  }

  /// The lines of a place, with so many before and behind; nothing where the source isn't known.
  private func code(at place: Location, around: Int) -> String {
    guard let source = report.sources[place.path] else { return "" }
    let lines = source.split(
      separator: 0x0A, maxSplits: Int.max, omittingEmptySubsequences: false)
    let index = place.start.line - 1
    guard lines.indices.contains(index) else { return "" }
    let shown = max(0, index - around)...min(lines.count - 1, index + around)
    let width = String(shown.upperBound + 1).count
    var html = ""
    for number in shown {
      let digits = String(number + 1)
      let margin = String(repeating: " ", count: width - digits.count) + digits
      let isPlace = number == index
      let text =
        isPlace
        ? marked(lines[number], from: place.start, to: place.end)
        : Self.text(lines[number])
      html +=
        "<span class=\"row\(isPlace ? " here" : "")\"><span class=\"soft\">\(margin)  </span>\(text)</span>"
    }
    return "<pre><code>\(html)</code></pre>\n"
  }

  private func marked(_ line: ArraySlice<UInt8>, from start: Position, to end: Position) -> String {
    let first = min(line.startIndex + max(0, start.column - 1), line.endIndex)
    let last =
      end.line == start.line
      ? min(max(line.startIndex + end.column - 1, first), line.endIndex) : line.endIndex
    return Self.text(line[..<first]) + "<mark>\(Self.text(line[first..<last]))</mark>"
      + Self.text(line[last...])
  }

  /// At most so many characters of a line; a generated file may be one line of megabytes.
  private static let longestLine = 400

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(longestLine * 4), as: UTF8.self)
    let line = text.filter { $0 != "\r" && $0 != "\u{FEFF}" }
    return line.count > longestLine ? String(line.prefix(longestLine)).html + "…" : line.html
  }

  private var notices: String {
    var html = ""
    if !report.suppressed.isEmpty {
      html += "<p class=\"soft\">\(counted(report.suppressed.count, "finding")) suppressed.</p>\n"
    }
    guard !report.notices.isEmpty else { return html }
    let items = report.notices.map { "<li>\($0.message.onOneLine.html)</li>\n" }.joined()
    return html + "<section><h2>Notices</h2>\n<ul>\n\(items)</ul></section>\n"
  }
}
