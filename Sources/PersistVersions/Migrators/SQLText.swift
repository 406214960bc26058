/// The statements of SQL in a text, as far as they can be told apart without a schema.
package struct SQLText: Sendable {
  /// The tokens of each statement; names and keywords as written, comments left out.
  package let statements: [[String]]

  /// Begins a part of a string that isn't known.
  package static let hole = "\u{E002}"
  static let holeEnd = "\u{E003}"

  private static let keywords: Set<String> = [
    "ADD", "ALTER", "AND", "AS", "ASC", "AUTOINCREMENT", "BEGIN", "BY", "CASCADE", "CASE", "CHECK",
    "COLLATE", "COLUMN", "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE", "DEFAULT", "DELETE", "DESC",
    "DISTINCT", "DROP", "EACH", "ELSE", "END", "EXISTS", "FOR", "FOREIGN", "FROM", "GROUP", "IF",
    "IGNORE", "IN", "INDEX", "INSERT", "INTO", "IS", "JOIN", "KEY", "LEFT", "LIKE", "LIMIT", "NOT",
    "NULL", "ON", "OR", "ORDER", "PRAGMA", "PRIMARY", "REFERENCES", "RENAME", "REPLACE", "RESTRICT",
    "ROWID", "SELECT", "SET", "STRICT", "TABLE", "TEMP", "TEMPORARY", "THEN", "TO", "TRIGGER",
    "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "VIEW", "VIRTUAL", "WHEN", "WHERE", "WITH",
    "WITHOUT",
  ]

  private static let beginnings: Set<String> = [
    "CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE", "SELECT", "PRAGMA", "WITH", "REPLACE",
    "VACUUM", "ANALYZE", "REINDEX",
  ]

  /// Takes a text apart; any text has some reading.
  package init(_ text: String) {
    var statements: [[String]] = [[]]
    var rest = text[...]
    var isTrigger = false
    while let token = Self.next(&rest) {
      if token == ";" {
        let last = statements[statements.count - 1].last?.uppercased()
        if !isTrigger || last == "END" {
          statements.append([])
          isTrigger = false
          continue
        }
      }
      statements[statements.count - 1].append(token)
      let count = statements[statements.count - 1].count
      if count <= 3, token.uppercased() == "TRIGGER" { isTrigger = true }
    }
    self.statements = statements.filter { !$0.isEmpty }
  }

  /// Whether a text begins as SQL does.
  static func isSQL(_ text: String) -> Bool {
    var rest = text[...]
    guard let first = next(&rest) else { return false }
    return beginnings.contains(first.uppercased())
  }

  /// A text without what makes no difference to SQLite, where it is SQL.
  static func normalized(_ text: String) -> String { isSQL(text) ? SQLText(text).normalized : text }

  /// The text without what makes no difference to SQLite.
  package var normalized: String {
    statements.map { tokens in
      tokens.map { token in
        let upper = token.uppercased()
        return Self.keywords.contains(upper) ? upper : token
      }.joined(separator: " ")
    }.joined(separator: " ; ")
  }

  /// The name without its quotes.
  package static func name(_ token: String) -> String {
    guard let first = token.first, let last = token.last, token.count > 1,
      ["\"", "`", "["].contains(first), last == (first == "[" ? "]" : first)
    else { return token }
    return String(token.dropFirst().dropLast())
  }

  private static func next(_ rest: inout Substring) -> String? {
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    guard let first = rest.first else { return nil }
    let token: Substring
    switch first {
    case "'", "\"", "`": token = quoted(rest, by: first)
    case "[":
      let end = rest.firstIndex(of: "]").map { rest.index(after: $0) } ?? rest.endIndex
      token = rest[..<end]
    case "\u{E002}":
      let end =
        rest.firstIndex(of: "\u{E003}").map { rest.index(after: $0) } ?? rest.endIndex
      token = rest[..<end]
    default:
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" || $0 == "." }
      token = word.isEmpty ? rest.prefix(1) : word
    }
    rest = rest[token.endIndex...]
    return String(token)
  }

  private static func quoted(_ text: Substring, by quote: Character) -> Substring {
    var at = text.index(after: text.startIndex)
    while at < text.endIndex {
      if text[at] == quote {
        let next = text.index(after: at)
        if next < text.endIndex, text[next] == quote {
          at = text.index(after: next)
          continue
        }
        return text[..<next]
      }
      at = text.index(after: at)
    }
    return text
  }
}
