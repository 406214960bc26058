/// The findings that a project has accepted: what is in it isn't reported again.
///
/// A line is a rule and a symbol, so that moved code, renamed files and reworded messages change
/// nothing; two findings of one rule in one symbol are two equal lines.
package struct Baseline: Sendable, Equatable {
  /// One accepted finding.
  package struct Entry: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rule: RuleID
    package let symbol: String

    package var description: String { symbol.isEmpty ? rule.text : "\(rule) \(symbol)" }

    package static func < (left: Entry, right: Entry) -> Bool {
      (left.rule.text, left.symbol) < (right.rule.text, right.symbol)
    }
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
  }

  private static let header = "persistlint baseline 1"
  /// How a baseline of any version begins.
  package static let heading = "persistlint baseline "

  /// Sorted.
  package private(set) var entries: [Entry]

  /// A baseline of these findings.
  package init(_ findings: [Finding]) {
    entries = findings.map { Entry($0) }.sorted()
  }

  /// Reads what `text` made; lines that begin with `#` and empty ones are skipped.
  package init(text: String) throws(Refusal) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first.map(String.init) == Baseline.header else { throw .noBaseline }
    entries = []
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty && line.first != "#" {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let rule = parts[0]
      guard rule.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
        throw .strangeLine(index + 1)
      }
      entries.append(Entry(rule: RuleID(String(rule)), symbol: parts.dropFirst().joined()))
    }
    entries.sort()
  }

  /// The file's text: a heading, then one line an entry.
  package var text: String {
    ([Baseline.header] + entries.map(\.description)).joined(separator: "\n") + "\n"
  }

  /// Tells new findings from known ones; the findings stay in their order.
  package func compare(_ findings: [Finding]) -> Comparison {
    var left: [Entry: Int] = [:]
    for entry in entries { left[entry, default: 0] += 1 }
    var comparison = Comparison()
    for finding in findings {
      let entry = Entry(finding)
      if let count = left[entry], count > 0 {
        left[entry] = count - 1
        comparison.known.append(finding)
      } else {
        comparison.new.append(finding)
      }
    }
    for entry in entries.reversed() where left[entry, default: 0] > 0 {
      left[entry, default: 1] -= 1
      comparison.fixed.append(entry)
    }
    comparison.fixed.reverse()
    return comparison
  }

  /// The baseline without entries that are found no more.
  package func without(_ fixed: [Entry]) -> Baseline {
    var gone: [Entry: Int] = [:]
    for entry in fixed { gone[entry, default: 0] += 1 }
    var rest = self
    rest.entries = entries.filter { entry in
      guard let count = gone[entry], count > 0 else { return true }
      gone[entry] = count - 1
      return false
    }
    return rest
  }
}

extension Baseline.Entry {
  /// What identifies the finding; line breaks in a symbol would break the file's lines.
  fileprivate init(_ finding: Finding) {
    rule = finding.rule
    symbol = String(finding.symbol.map { $0.isNewline ? " " : $0 })
  }
}
