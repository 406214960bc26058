import PersistIndex
import PersistSyntax

/// A comment `persistlint:ignore[rule-id] reason`, for its own line or for the next line of code.
package struct Suppression: Sendable {
  package let path: String
  /// The line, from 1, whose findings it suppresses.
  package let line: Int
  package let rules: [RuleID]
  /// Why; "" when the comment does not say.
  package let reason: String
  /// The comment from `persistlint:` on.
  package let location: Location

  static let marker = "persistlint:ignore"
}

/// What is left of findings when the comments have been heard.
package struct Judgement: Sendable {
  package var findings: [Finding]
  package var suppressed: [(finding: Finding, reason: String)]
}

extension Program {
  /// All suppressions in the comments of all files.
  package var suppressions: [Suppression] { files.flatMap(\.suppressions) }

  /// Takes out what comments suppress, and reports the comments that suppress nothing.
  package func judge(_ findings: [Finding]) -> Judgement {
    let suppressions = suppressions
    guard !suppressions.isEmpty else { return Judgement(findings: findings, suppressed: []) }
    let byPath = Dictionary(grouping: suppressions.indices) { suppressions[$0].path }
    var used: Set<Int> = []
    var result = Judgement(findings: [], suppressed: [])
    for finding in findings {
      let match = byPath[finding.location.path]?.first { index in
        suppressions[index].line == finding.location.start.line
          && finding.rule != InvalidSuppression.id
          && suppressions[index].rules.contains(finding.rule)
      }
      if let match {
        used.insert(match)
        result.suppressed.append((finding, suppressions[match].reason))
      } else {
        result.findings.append(finding)
      }
    }
    for index in suppressions.indices where !used.contains(index) {
      if let unused = InvalidSuppression.unused(suppressions[index]) {
        result.findings.append(unused)
      }
    }
    result.findings = result.findings.sortedForReport
    return result
  }
}

extension SourceFile {
  /// The suppressions in this file's comments, in source order.
  var suppressions: [Suppression] {
    outline.tokens.comments.compactMap { comment in
      let range = Int(comment.offset)..<Int(comment.offset) + Int(comment.length)
      guard let offset = startOfMarker(in: range) else { return nil }
      return suppression(outline.text[offset..<range.upperBound], at: offset, in: range)
    }
  }

  /// Where the marker stands when it is the first thing in a comment.
  private func startOfMarker(in comment: Range<Int>) -> Int? {
    let bytes = outline.text.bytes
    var offset = comment.lowerBound
    while offset < comment.upperBound,
      [UInt8(ascii: "/"), UInt8(ascii: "*"), 0x20, 0x09].contains(bytes[offset])
    {
      offset += 1
    }
    guard offset < comment.upperBound, bytes[offset] == Suppression.marker.utf8.first,
      bytes[offset..<comment.upperBound].starts(with: Suppression.marker.utf8)
    else { return nil }
    return offset
  }

  private func suppression(_ text: String, at offset: Int, in comment: Range<Int>) -> Suppression {
    var rest = text.dropFirst(Suppression.marker.count)
    var rules: [RuleID] = []
    if rest.first == "[", let close = rest.firstIndex(of: "]") {
      rules = rest[..<close].dropFirst().split(separator: ",").map {
        RuleID(String($0.filter { !$0.isWhitespace }))
      }
      rest = rest[close...].dropFirst()
    }
    var reason = rest.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
    if reason.hasSuffix("*/") { reason = reason.dropLast(2) }
    let words = reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let end = min(comment.upperBound, offset + text.utf8.count)
    return Suppression(
      path: path, line: line(suppressedBy: comment), rules: rules, reason: words,
      location: Location(path: path, start: position(of: offset), end: position(of: end)))
  }

  /// The line of a comment behind code; for a comment by itself the next line that holds code.
  private func line(suppressedBy comment: Range<Int>) -> Int {
    let line = lineAndColumn(of: comment.lowerBound).line
    var low = 0
    var high = outline.tokens.count
    while low < high {
      let middle = (low + high) / 2
      if Int(outline.tokens[middle].offset) < comment.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low > 0, lineAndColumn(of: outline.tokens[low - 1].end).line == line { return line }
    return max(line, lineAndColumn(of: Int(outline.tokens[low].offset)).line)
  }
}
