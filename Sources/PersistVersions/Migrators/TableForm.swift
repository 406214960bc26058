/// Writes tables that GRDB's builder makes, and those made by SQL, in one form.
enum TableForm {
  private static let types = [
    "text": "TEXT", "integer": "INTEGER", "double": "DOUBLE", "real": "REAL", "numeric": "NUMERIC",
    "boolean": "BOOLEAN", "blob": "BLOB", "date": "DATE", "datetime": "DATETIME", "any": "ANY",
  ]
  private static let beginnings: Set<String> = [
    "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED",
  ]

  /// The statement in the common form, where it makes a table.
  static func canonical(_ statement: String) -> String {
    if let (head, body) = statement.lastBlock, let create = head.firstRange(of: ".create(table:"),
      head.hasPrefix("%")
    {
      let lines = body.parts(at: ";")
      guard let sql = sql(of: head[create.upperBound...], lines) else {
        return head + "{" + lines.map { ordered($0) }.joined(separator: ";") + "}"
      }
      return head[..<create.lowerBound] + ".execute("
        + MigrationText(literal: ordered(sql: sql)).description + ")"
    }
    guard let call = statement.firstRange(of: ".execute("), statement.hasPrefix("%"),
      let sql = MigrationText(String(statement[call.upperBound...].dropLast())).template,
      sql.hasPrefix("CREATE TABLE ")
    else { return statement }
    return statement[..<call.upperBound] + MigrationText(literal: ordered(sql: sql)).description
      + ")"
  }

  /// The statements without the column that a reference names where it is the key of a table that
  /// they make, which is what it stands for without a name.
  static func withoutKnownKeys(_ statements: [String]) -> [String] {
    var keys: [(table: String, column: String)] = []
    for sql in statements.flatMap(\.literals) where sql.hasPrefix("CREATE TABLE ") {
      guard let parts = parts(ofTable: SQLText(sql).statements.first ?? []) else { continue }
      let single = parts.columns.filter { $0.joined(separator: " ").contains("PRIMARY KEY") }
      guard single.count == 1, single[0][0] != "PRIMARY", let table = parts.head.last else {
        continue
      }
      keys.append((table, single[0][0]))
    }
    return statements.map { statement in
      keys.reduce(statement) { text, key in
        text.replacing("REFERENCES \(key.table) ( \(key.column) )", with: "REFERENCES \(key.table)")
      }
    }
  }

  // MARK: The builder

  /// The SQL of a table that the builder makes, where all of it can be told.
  private static func sql(of arguments: Substring, _ lines: [String]) -> String? {
    guard arguments.hasSuffix(")"), let first = lines.first, first.hasPrefix("|1|%"),
      let table = MigrationText(String(arguments.dropLast()).withoutTolerance).literal
    else { return nil }
    let definitions = lines.map { line in definition(line.replacing("|1|", with: "")) }
    guard definitions.allSatisfy({ $0 != nil }) else { return nil }
    return "CREATE TABLE \(table) ( " + definitions.compactMap { $0 }.joined(separator: " , ")
      + " )"
  }

  private static func definition(_ line: String) -> String? {
    let calls = line.parts(at: ".").dropFirst()
    guard let first = calls.first, let (name, arguments) = first.call else { return nil }
    var words: [String]
    let literal = arguments.first.flatMap { MigrationText($0).literal }
    switch (name, literal) {
    case ("autoIncrementedPrimaryKey", let column?) where arguments.count == 1:
      words = [column, "INTEGER", "PRIMARY KEY AUTOINCREMENT"]
    case ("primaryKey", let column?) where arguments.count == 2:
      guard let type = type(arguments[1]) else { return nil }
      words = [column, type, "PRIMARY KEY"] + (type == "INTEGER" ? [] : ["NOT NULL"])
    case ("column", let column?) where arguments.count <= 2:
      guard arguments.count == 2 else {
        words = [column]
        break
      }
      guard let type = type(arguments[1]) else { return nil }
      words = [column, type]
    case ("primaryKey", nil) where arguments.count == 1 && calls.count == 1:
      return arguments[0].columns.map { "PRIMARY KEY ( \($0) )" }
    case ("uniqueKey", nil) where arguments.count == 1 && calls.count == 1:
      return arguments[0].columns.map { "UNIQUE ( \($0) )" }
    default: return nil
    }
    for call in calls.dropFirst() {
      guard let constraint = constraint(call) else { return nil }
      words.append(constraint)
    }
    return words.joined(separator: " ")
  }

  private static func type(_ argument: String) -> String? {
    guard argument.hasPrefix(".") else { return nil }
    return types[String(argument.dropFirst()).trimmingSpaces]
  }

  private static func constraint(_ text: String) -> String? {
    guard let (name, arguments) = text.call else { return nil }
    switch (name, arguments.count) {
    case ("notNull", 0): return "NOT NULL"
    case ("unique", 0): return "UNIQUE"
    case ("primaryKey", 0): return "PRIMARY KEY"
    case ("collate", 1) where arguments[0].hasPrefix("."):
      return "COLLATE " + String(arguments[0].dropFirst()).trimmingSpaces.uppercased()
    case ("defaults", 1):
      guard arguments[0].hasPrefix("to:") else { return nil }
      let value = String(arguments[0].dropFirst(3))
      if let text = MigrationText(value).literal { return "DEFAULT '\(text)'" }
      if value == "true" || value == "false" { return "DEFAULT " + (value == "true" ? "1" : "0") }
      return value.allSatisfy(\.isNumber) ? "DEFAULT " + value : nil
    case ("references", 1...): return reference(arguments)
    default: return nil
    }
  }

  private static func reference(_ arguments: [String]) -> String? {
    guard let table = MigrationText(arguments[0]).literal else { return nil }
    var words = ["REFERENCES", table]
    let order = ["column:", "onDelete:", "onUpdate:", "deferred:"]
    for argument in arguments.dropFirst() where !order.contains(where: argument.hasPrefix) {
      return nil
    }
    for label in order {
      guard let argument = arguments.first(where: { $0.hasPrefix(label) }) else { continue }
      let value = String(argument.dropFirst(label.count))
      switch label {
      case "column:":
        guard let column = MigrationText(value).literal else { return nil }
        words.append("( \(column) )")
      case "deferred:":
        guard value == "true" else { return nil }
        words.append("DEFERRABLE INITIALLY DEFERRED")
      default:
        guard value.hasPrefix(".") else { return nil }
        let action = String(value.dropFirst()).trimmingSpaces.camelWords.joined(separator: " ")
        words.append((label == "onDelete:" ? "ON DELETE " : "ON UPDATE ") + action.uppercased())
      }
    }
    return words.joined(separator: " ")
  }

  /// A line of the builder with what it says of a column in one order.
  private static func ordered(_ line: String) -> String {
    let calls = line.parts(at: ".")
    guard calls.count > 3, calls[1].hasPrefix("column(") else { return line }
    return (calls[..<2] + calls[2...].sorted()).joined(separator: ".")
  }

  // MARK: SQL

  /// A `CREATE TABLE` without quotes around its names, what it says of a column in one order.
  private static func ordered(sql: String) -> String {
    let statements = SQLText(sql).statements
    guard statements.count == 1, let parts = parts(ofTable: statements[0]) else { return sql }
    let columns = parts.columns.map { ordered(column: $0) }
    return (parts.head + ["("] + columns.joined(separator: [","]) + [")"] + parts.tail)
      .joined(separator: " ")
  }

  private static func ordered(column tokens: [String]) -> [String] {
    var groups: [[String]] = [[]]
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if depth == 0, index > 0, beginnings.contains(token.uppercased()),
        !["NOT", "DEFAULT", "SET"].contains(tokens[index - 1].uppercased()),
        groups[groups.count - 1].first?.uppercased() != "CONSTRAINT",
        index + 1 == tokens.count || tokens[index + 1].uppercased() != "DEFERRABLE"
      {
        groups.append([])
      }
      depth += token == "(" ? 1 : token == ")" ? -1 : 0
      groups[groups.count - 1].append(token)
    }
    guard groups.count > 1, !tokens.contains(where: { $0.uppercased() == "CONSTRAINT" }) else {
      return tokens
    }
    let rest = groups[1...].sorted { $0.joined(separator: " ") < $1.joined(separator: " ") }
    return groups[0] + rest.flatMap { $0 }
  }

  /// The parts of a `CREATE TABLE`: what stands before its columns, the columns and what follows.
  private static func parts(
    ofTable tokens: [String]
  ) -> (head: [String], columns: [[String]], tail: [String])? {
    guard let open = tokens.firstIndex(of: "("), tokens.first?.uppercased() == "CREATE",
      !tokens[..<open].contains(where: { $0.uppercased() == "AS" })
    else { return nil }
    var columns: [[String]] = [[]]
    var depth = 0
    for index in open..<tokens.count {
      let token = tokens[index]
      depth += token == "(" ? 1 : token == ")" ? -1 : 0
      if depth == 0 {
        return (tokens[..<open].map(bare), columns, Array(tokens[(index + 1)...]))
      }
      if index == open { continue }
      if depth == 1, token == "," {
        columns.append([])
      } else {
        let isValue = tokens[index - 1].uppercased() == "DEFAULT"
        columns[columns.count - 1].append(isValue ? token : bare(token))
      }
    }
    return nil
  }

  private static func bare(_ token: String) -> String {
    let name = SQLText.name(token)
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : token
  }
}

extension String {
  /// The name and the arguments of a call: `column("title",. text)`.
  fileprivate var call: (name: String, arguments: [String])? {
    guard let open = firstIndex(of: "("), last == ")" else { return nil }
    return (String(self[..<open]), String(self[index(after: open)...].dropLast()).parts(at: ","))
  }

  /// The names of a list of columns.
  fileprivate var columns: String? {
    guard hasPrefix("["), hasSuffix("]") else { return nil }
    let names = String(dropFirst().dropLast()).parts(at: ",").map { MigrationText($0).literal }
    guard names.allSatisfy({ $0 != nil }) else { return nil }
    return names.compactMap { $0 }.joined(separator: " , ")
  }

  fileprivate var withoutTolerance: String {
    replacing(",ifNotExists:true", with: "").replacing(",options:.ifNotExists", with: "")
  }
}
