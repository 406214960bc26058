/// The findings that a project has accepted: what is in it isn't reported again.
///
/// A line is a rule and a symbol, so that moved code, renamed files and reworded messages change
/// nothing; two findings of one rule in one symbol are two equal lines. A line `#: FILE` above them
/// says where they were found, for runs that look at a part of the project.
package struct Baseline: Sendable, Equatable {
  /// One accepted finding.
  package struct Entry: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rule: RuleID
    package let symbol: String
    /// The file in which it was found; nil where the baseline doesn't say.
    package let path: String?

    package var description: String { symbol.isEmpty ? rule.text : "\(rule) \(symbol)" }

    package static func < (left: Entry, right: Entry) -> Bool {
      (left.path ?? "", left.rule.text, left.symbol)
        < (right.path ?? "", right.rule.text, right.symbol)
    }

    /// What a finding has to share with the entry to be the accepted one.
    fileprivate var key: Key { Key(rule: rule, symbol: symbol) }
  }

  fileprivate struct Key: Hashable {
    let rule: RuleID
    let symbol: String
  }

  /// Why a text is no baseline; `line` counts from 1.
  package enum Refusal: Error, Equatable {
    case noBaseline
    case strangeLine(Int)
  }

  /// Findings sorted by whether the baseline knows them, and its entries that are found no more.
  package struct Comparison: Sendable {
    package var new: [Finding] = []
    package var known: [Finding] = []
    package var fixed: [Entry] = []
    /// The entries that findings match, each with the file of its finding.
    package var matched: [Entry] = []
  }

  private static let header = "persistlint baseline 1"
  /// How a baseline of any version begins.
  package static let heading = "persistlint baseline "
  private static let fileMark = "#: "

  /// Sorted.
  package private(set) var entries: [Entry]

  /// A baseline of these entries.
  package init(entries: [Entry]) { self.entries = entries.sorted() }

  /// A baseline of these findings; `path` says how the file of a finding is called there.
  package init(_ findings: [Finding], path: (String) -> String = { $0 }) {
    self.init(entries: findings.map { Entry($0, path: path) })
  }

  /// Reads what `text` made; other lines that begin with `#` and empty ones are skipped.
  package init(text: String) throws(Refusal) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first.map(String.init) == Baseline.header else { throw .noBaseline }
    entries = []
    var path: String?
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      if line.hasPrefix(Baseline.fileMark) { path = String(line.dropFirst(3)) }
      if line.first == "#" { continue }
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let rule = parts[0]
      guard rule.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
        throw .strangeLine(index + 1)
      }
      entries.append(
        Entry(rule: RuleID(String(rule)), symbol: parts.dropFirst().joined(), path: path))
    }
    entries.sort()
  }

  /// The file's text: a heading, then one line an entry, with a line above those of each file.
  package var text: String {
    var lines = [Baseline.header]
    var path: String?
    for entry in entries {
      if let next = entry.path, next != path {
        lines.append(Baseline.fileMark + next)
        path = next
      }
      lines.append(entry.description)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Tells new findings from known ones; the findings stay in their order. An entry of the same
  /// file is matched before one of another.
  package func compare(
    _ findings: [Finding], path: (String) -> String = { $0 }
  ) -> Comparison {
    var left: [Entry: Int] = [:]
    for entry in entries { left[entry, default: 0] += 1 }
    let found = findings.map { Entry($0, path: path) }
    var isKnown = found.map { entry in
      guard let count = left[entry], count > 0 else { return false }
      left[entry] = count - 1
      return true
    }
    var others: [Key: [Entry]] = [:]
    for entry in entries.reversed() where left[entry, default: 0] > 0 {
      left[entry, default: 1] -= 1
      others[entry.key, default: []].append(entry)
    }
    for index in found.indices where !isKnown[index] {
      isKnown[index] = others[found[index].key]?.popLast() != nil
    }
    var comparison = Comparison()
    for (index, finding) in findings.enumerated() {
      if isKnown[index] {
        comparison.known.append(finding)
        comparison.matched.append(found[index])
      } else {
        comparison.new.append(finding)
      }
    }
    comparison.fixed = others.values.flatMap { $0 }.sorted()
    return comparison
  }
}

extension Baseline.Entry {
  /// What identifies the finding; line breaks in a name would break the file's lines.
  fileprivate init(_ finding: Finding, path: (String) -> String) {
    rule = finding.rule
    symbol = finding.symbol.withoutLineBreaks
    self.path = path(finding.location.path).withoutLineBreaks
  }
}

extension String {
  fileprivate var withoutLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}
