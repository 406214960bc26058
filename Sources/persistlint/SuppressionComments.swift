import PersistIndex
import PersistRules
import PersistSyntax

/// Comments that silence findings, each on a line of its own above what it is for.
struct SuppressionComments {
  let reason: String

  /// One a line of code, with all rules that found something there.
  ///
  /// Nothing for findings outside of Swift, inside of a text of several lines, or about comments that
  /// silence nothing.
  func fixes(for findings: [Finding], in input: LintInput) -> [Fix] {
    let silenced = findings.filter { $0.rule != InvalidSuppression.id }
    let byPath = Dictionary(grouping: silenced, by: \.location.path)
    return input.files.filter { $0.kind == .swift }.flatMap { file in
      fixes(for: byPath[file.path] ?? [], in: file)
    }
  }

  /// The comment for one finding; nil where none can stand.
  func fix(for finding: Finding, in file: InputFile) -> Fix? {
    guard file.kind == .swift, finding.rule != InvalidSuppression.id else { return nil }
    return fixes(for: [finding], in: file).first
  }

  private func fixes(for findings: [Finding], in file: InputFile) -> [Fix] {
    guard !findings.isEmpty else { return [] }
    let bytes = file.bytes
    let outline = file.outline ?? Outline(file.text)
    let lineBreak = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
    let lines = Dictionary(grouping: findings, by: \.location.start.line)
    return lines.sorted { $0.key < $1.key }.compactMap { line, findings in
      guard let first = findings.first else { return nil }
      var start = min(first.location.start.offset, bytes.count)
      while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
      guard !outline.holds(start) else { return nil }
      let indentation = bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 }
      let rules = Set(findings.map(\.rule.text)).sorted().joined(separator: ", ")
      let comment =
        String(decoding: indentation, as: UTF8.self) + "// persistlint:ignore[\(rules)] \(reason)"
      let place = Position(offset: start, line: line, column: 1)
      return Fix(
        title: "Silence \(rules)", isSafe: true,
        edits: [
          Fix.Edit(
            range: Location(path: file.path, start: place, end: place),
            replacement: comment + (lineBreak ? "\r\n" : "\n"))
        ])
    }
  }
}

extension Outline {
  /// Whether a token goes on over the offset, as the text of several lines does.
  fileprivate func holds(_ offset: Int) -> Bool {
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if Int(tokens[middle].offset) < offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 && tokens[low - 1].end > offset
  }
}
