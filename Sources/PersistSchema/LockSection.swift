/// A part of the lock file that is about one kind of thing besides schema versions.
///
/// Its header is `[kind] sum`; each of its lines is a row of words, in an order that means
/// something or is sorted, as the kind wants it.
package struct LockSection: Hashable, Sendable {
  /// What a section is about, in the order in which sections stand in the file.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// GRDB's registered migrations.
    case migrations
    /// The classes of Realm's configurations.
    case realms
    /// What stores say of the versions that wrote them: checksums and entity hashes.
    case stores
  }

  package let kind: Kind
  /// The words of each line.
  package var lines: [[String]]

  package init(_ kind: Kind, lines: [[String]]) {
    self.kind = kind
    self.lines = lines
  }

  /// The header and the lines as they stand in the file; nothing for a section without lines.
  var text: [String] {
    guard !lines.isEmpty else { return [] }
    let rows = lines.map(Self.row)
    return ["[\(kind.rawValue)] \(Self.sum(rows))"] + rows
  }

  /// The kind and the sum of a header; nil for any other line.
  static func header(_ line: Substring) -> (kind: String, sum: Substring)? {
    guard line.first == "[", let end = line.firstIndex(of: "]") else { return nil }
    let kind = line[line.index(after: line.startIndex)..<end]
    return (String(kind), line[line.index(after: end)...].drop { $0 == " " })
  }

  /// The words of a line.
  static func words(_ line: Substring) -> [String] {
    line.split(separator: " ").map { $0 == emptyWord ? "" : LockText.unescape($0) }
  }

  /// The sum that guards a section's lines against edits and bad merges.
  static func sum(_ rows: some Sequence<some StringProtocol>) -> String {
    var sum = Fingerprint()
    for row in rows { sum.combine(String(row)) }
    return sum.description
  }

  private static let emptyWord = "%"

  private static func row(_ words: [String]) -> String {
    words.map { $0.isEmpty ? emptyWord : LockText.escapeVersion($0) }.joined(separator: " ")
  }
}
