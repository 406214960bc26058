/// A table or index as the database's own schema lists it.
package struct SQLiteTable: Sendable {
  /// What an entry of the schema is.
  package enum Kind: String, Sendable { case table, index, view, trigger }

  package let kind: Kind
  package let name: String
  /// The table that an index belongs to.
  package let table: String
  /// The page at which its tree begins; 0 for views and triggers.
  package let root: Int
  /// The statement that made it.
  package let sql: String

  /// The names of the columns in their order, constraints left out.
  package var columns: [String] { SQLiteColumns(sql).columns.map(\.name) }
}

extension SQLiteFile {
  /// The entries of the schema; false in `isWhole` when some could not be read.
  package var tables: (entries: [SQLiteTable], isWhole: Bool) {
    var entries: [SQLiteTable] = []
    let isWhole = forEachRow(ofTreeAt: 1) { row in
      if row.values.count >= 5, let kind = row.values[0].text.flatMap(SQLiteTable.Kind.init),
        let name = row.values[1].text, let table = row.values[2].text
      {
        entries.append(
          SQLiteTable(
            kind: kind, name: name, table: table,
            root: Int(exactly: row.values[3].integer ?? 0) ?? 0, sql: row.values[4].text ?? ""))
      }
      return entries.count < StoreLimits.schemaEntries
    }
    return (entries, isWhole)
  }

  /// The values of one column, row by row; an alias of the row id has the row's id.
  package func values(ofColumn column: String, in table: SQLiteTable) -> [SQLiteValue] {
    guard let index = table.columns.firstIndex(of: column) else { return [] }
    var values: [SQLiteValue] = []
    forEachRow(ofTreeAt: table.root) { row in
      values.append(row.values.count > index ? row.values[index] : .null)
      return values.count < StoreLimits.namedRows
    }
    return values
  }
}

/// The columns of a `CREATE TABLE` statement.
struct SQLiteColumns {
  private(set) var columns: [StoreFile.Column] = []
  /// What holds for several columns, as it is written: `UNIQUE (name, day)`.
  private(set) var constraintTexts: [String] = []
  private static let constraints: Set<String> = [
    "PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT",
  ]

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else { return }
    var depth = 0
    var start = open + 1
    var quote: UInt8?
    for index in open..<bytes.count {
      let byte = bytes[index]
      if let ending = quote {
        if byte == ending { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
      case UInt8(ascii: "["): quote = UInt8(ascii: "]")
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 {
          add(bytes[start..<index])
          return
        }
      case UInt8(ascii: ",") where depth == 1:
        add(bytes[start..<index])
        start = index + 1
      default: break
      }
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let text = bytes.drop { $0 <= 0x20 }
    guard let first = text.first else { return }
    let endings: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
      UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "["): UInt8(ascii: "]"),
    ]
    if let ending = endings[first] {
      let name = text.dropFirst().prefix { $0 != ending }
      add(name, declaration: text.dropFirst(name.count + 2))
      return
    }
    let name = text.prefix { $0 > 0x20 && $0 != 0x28 }
    if Self.constraints.contains(String(decoding: name, as: UTF8.self).uppercased()) {
      constraintTexts.append(Self.onOneLine(text))
    } else {
      add(name, declaration: text.dropFirst(name.count))
    }
  }

  private mutating func add(_ name: ArraySlice<UInt8>, declaration: ArraySlice<UInt8>) {
    columns.append(
      StoreFile.Column(
        name: String(decoding: name, as: UTF8.self), declaration: Self.onOneLine(declaration)))
  }

  private static func onOneLine(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}
