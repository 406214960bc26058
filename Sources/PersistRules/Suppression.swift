import PersistIndex
import PersistPages
import PersistSyntax

/// A comment that keeps findings from being reported, with the reason why.
///
/// `persistlint:ignore[rule-id] reason` is for its own line or for the next line of code;
/// `persistlint:ignore-file[…]` for the file; `persistlint:ignore-begin[…]` for the lines up to the
/// next `persistlint:ignore-end`.
package struct Suppression: Sendable {
  /// What is wrong with a comment that has to have another one.
  package enum Flaw: Sendable {
    case neverEnds, endsNothing
    /// No suppression is written with this word.
    case unknownWord(String)
  }

  package let path: String
  /// The lines, from 1, whose findings it suppresses.
  package internal(set) var lines: ClosedRange<Int>
  package let rules: [RuleID]
  /// Why; "" when the comment does not say.
  package let reason: String
  /// The comment from `persistlint:` on.
  package let location: Location
  package internal(set) var flaw: Flaw?
  /// What goes when the suppression does: the comment, or its line; for a range both comments.
  package internal(set) var removal: [Location]
  /// What stands between the brackets; nothing without them, and for a range, which has two.
  package internal(set) var list: Location?

  static let marker = "\(SourceFile.suppressionMarker)"
}

/// What is left of findings when the comments have been heard.
package struct Judgement: Sendable {
  package var findings: [Finding]
  package var suppressed: [(finding: Finding, reason: String)]
}

extension Program {
  /// All suppressions in the comments of all files.
  package var suppressions: [Suppression] {
    files.lazy.filter(\.mayHaveSuppressions).flatMap(\.suppressions)
  }

  /// Takes out what comments suppress, and reports the comments that suppress nothing.
  ///
  /// `ids` are the rules that judged; nil for those that are on by default. A suppression of another
  /// rule may be needed, and so may any where the program is only a part of the project. One that
  /// lacks its reason is reported for that alone, where reasons are required.
  package func judge(
    _ findings: [Finding], by ids: Set<RuleID>? = nil, isPart: Bool = false,
    requiresReason: Bool = true
  ) -> Judgement {
    let suppressions = suppressions
    guard !suppressions.isEmpty else { return Judgement(findings: findings, suppressed: []) }
    let last = findings.map(\.location.start.line).max() ?? 0
    let byPath = Dictionary(grouping: suppressions.indices) { suppressions[$0].path }
      .mapValues { SuppressionsByLine($0, suppressions, lines: last) }
    var used: [Int: Set<RuleID>] = [:]
    var result = Judgement(findings: [], suppressed: [])
    for finding in findings {
      let line = finding.location.start.line
      // The narrowest one is meant; a wider one around it may be for others.
      let match =
        finding.rule == InvalidSuppression.id
        ? nil
        : byPath[finding.location.path]?.narrowest(around: line) { index in
          suppressions[index].rules.contains { $0.means(finding.rule) }
        }
      if let match {
        used[match, default: []].insert(finding.rule)
        result.suppressed.append((finding, suppressions[match].reason))
      } else {
        result.findings.append(finding)
      }
    }
    let judging = isPart ? [] : Registry.judging(self, ids: ids)
    for (index, suppression) in suppressions.enumerated() {
      guard suppression.flaw == nil, !requiresReason || !suppression.reason.isEmpty else {
        continue
      }
      let idle = suppression.rules.filter { rule in
        guard let meant = RulePage.rules(named: rule.text) else { return false }
        return !judging.isDisjoint(with: meant)
          && !(used[index].map { !$0.isDisjoint(with: meant) } ?? false)
      }
      if let unused = InvalidSuppression.unused(suppression, idle) {
        result.findings.append(unused)
      }
    }
    result.findings = result.findings.sortedForReport
    return result
  }
}

extension RuleID {
  /// Whether this is the other rule, or the name of its group.
  fileprivate func means(_ rule: RuleID) -> Bool {
    self == rule || RulePage.rules(named: text)?.contains(rule) ?? false
  }
}

extension SourceFile {
  /// The suppressions in this file's comments, in source order.
  var suppressions: [Suppression] {
    var suppressions: [Suppression] = []
    var open: [Int] = []
    for comment in outline.tokens.comments {
      let range = Int(comment.offset)..<Int(comment.offset) + Int(comment.length)
      guard let offset = startOfMarker(in: range) else { continue }
      let text = outline.text[offset..<range.upperBound]
      var (suppression, scope) = suppression(text, at: offset, in: range)
      switch scope {
      case nil:
        guard suppression.flaw != nil else { continue }
      case .line, .file: break
      case .begin:
        open.append(suppressions.count)
        suppression.flaw = .neverEnds
      case .end:
        let begin = open.lastIndex {
          suppression.rules.isEmpty || suppressions[$0].rules == suppression.rules
        }
        if let begin {
          let index = open.remove(at: begin)
          let first = suppressions[index].lines.lowerBound
          suppressions[index].lines = first...max(first, suppression.lines.lowerBound)
          suppressions[index].flaw = nil
          suppressions[index].removal += suppression.removal
          suppressions[index].list = nil
          continue
        }
        suppression.flaw = .endsNothing
      }
      suppressions.append(suppression)
    }
    return suppressions
  }

  private enum Scope: String {
    case line = "ignore"
    case begin = "ignore-begin"
    case end = "ignore-end"
    case file = "ignore-file"
  }

  /// Where the marker stands when it is the first thing in a comment.
  private func startOfMarker(in comment: Range<Int>) -> Int? {
    let bytes = outline.text.bytes
    var offset = comment.lowerBound
    while offset < comment.upperBound, Self.isCommentMark(bytes[offset]) { offset += 1 }
    guard offset < comment.upperBound, bytes[offset] == Suppression.marker.utf8.first,
      bytes[offset..<comment.upperBound].starts(with: Suppression.marker.utf8)
    else { return nil }
    return offset
  }

  private func suppression(
    _ text: String, at offset: Int, in comment: Range<Int>
  ) -> (Suppression, Scope?) {
    var rest = text.dropFirst(Suppression.marker.count)
    let word = rest.prefix { $0.isLetter || $0 == "-" }
    let scope = Scope(rawValue: String(word))
    let flaw = scope == nil ? Suppression.Flaw(in: rest) : nil
    rest = rest.dropFirst(word.count)
    var rules: [RuleID] = []
    var list: Location?
    if rest.first == "[", let close = rest.firstIndex(of: "]") {
      let start = offset + text[..<rest.startIndex].utf8.count + 1
      let length = rest[..<close].utf8.count - 1
      list = Location(
        path: path, start: position(of: start), end: position(of: start + length))
      rules = rest[..<close].dropFirst().split(separator: ",").map {
        RuleID(String($0.filter { !$0.isWhitespace }))
      }
      rest = rest[close...].dropFirst()
    }
    var reason = rest.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
    if reason.hasSuffix("*/") { reason = reason.dropLast(2) }
    // A comment with an unknown word is meant as a suppression, but is none.
    if scope == nil { rules = [] }
    let words = reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let end = min(comment.upperBound, offset + text.utf8.count)
    let location = Location(path: path, start: position(of: offset), end: position(of: end))
    let own = line(suppressedBy: comment)
    let lines =
      switch scope {
      case .line, nil: own...own
      case .begin, .end: location.start.line...Int.max
      case .file: 1...Int.max
      }
    let suppression = Suppression(
      path: path, lines: lines, rules: rules, reason: words, location: location, flaw: flaw,
      removal: [wholeLine(around: comment)], list: list)
    return (suppression, scope)
  }

  /// The comment with the spaces before it, and its whole line where nothing else stands there.
  private func wholeLine(around comment: Range<Int>) -> Location {
    let bytes = outline.text.bytes
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    var start = comment.lowerBound
    while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
    var end = min(comment.upperBound, bytes.count)
    while end < bytes.count, isSpace(bytes[end]) { end += 1 }
    let isBehindMark = start == 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let beginsLine = start == 0 || isBehindMark || isBreak(bytes[start - 1])
    let endsLine = end == bytes.count || isBreak(bytes[end])
    if !endsLine { (start, end) = (comment.lowerBound, comment.upperBound) }
    if beginsLine, endsLine, end < bytes.count {
      end += bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A ? 2 : 1
    }
    return Location(path: path, start: position(of: start), end: position(of: end))
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

extension Suppression.Flaw {
  /// What was meant as a suppression with another word; nothing for prose.
  fileprivate init?(in rest: Substring) {
    let text = rest.drop(while: \.isWhitespace)
    let word = text.prefix { $0.isLetter || $0 == "-" }
    let isMeant = text.startIndex == rest.startIndex && !word.isEmpty
    guard isMeant || word.hasPrefix("ignore") || word.hasPrefix("disable") else { return nil }
    self = .unknownWord(rest[..<word.endIndex].split(whereSeparator: \.isNewline).joined())
  }
}

/// The suppressions of a file by the lines that they are for.
///
/// Lines are cut into blocks of 1, 2, 4, … lines, and each suppression stands at the few blocks that
/// make up its lines: a line has to look at one block of each size, however many suppressions lie
/// inside of one another elsewhere.
private struct SuppressionsByLine {
  private struct Block: Hashable {
    let size: Int
    let number: Int
  }

  /// Places in `narrowestFirst`, in order.
  private var places: [Block: [Int]] = [:]
  /// Indices of suppressions.
  private let narrowestFirst: [Int]
  private var largest = 0

  init(_ indices: [Int], _ all: [Suppression], lines count: Int) {
    narrowestFirst = indices.sorted { (all[$0].lines.count, $0) < (all[$1].lines.count, $1) }
    for (place, index) in narrowestFirst.enumerated() {
      let lines = all[index].lines
      var first = lines.lowerBound
      let end = min(lines.upperBound, max(count, first)) + 1
      while first < end {
        var size = first == 0 ? 0 : first.trailingZeroBitCount
        while first + (1 << size) > end { size -= 1 }
        places[Block(size: size, number: first >> size), default: []].append(place)
        largest = max(largest, size)
        first += 1 << size
      }
    }
  }

  /// The narrowest for a line of those that mean something.
  func narrowest(around line: Int, where isMeant: (Int) -> Bool) -> Int? {
    (0...largest).compactMap { size in
      places[Block(size: size, number: line >> size)]?.first { isMeant(narrowestFirst[$0]) }
    }.min().map { narrowestFirst[$0] }
  }
}
