import PersistIndex

/// Writes tables that GRDB's builder makes, and those made by SQL, in one form.
enum CreatedTable {
  private static let types = [
    "text": "TEXT", "integer": "INTEGER", "double": "DOUBLE", "real": "REAL", "numeric": "NUMERIC",
    "boolean": "BOOLEAN", "blob": "BLOB", "date": "DATE", "datetime": "DATETIME", "any": "ANY",
  ]
  private static let beginnings: Set<String> = [
    "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED",
  ]

  /// The statement in the common form, where it makes a table.
  static func canonical(_ statement: Form) -> Form {
    if let sql = statement.executedSQL, sql.hasPrefix("CREATE TABLE ") {
      return statement.executing(ordered(sql: sql))
    }
    guard statement.startsWithLocal,
      case .call(.member(let database, "create"), let arguments, let closures) = statement,
      let name = arguments.first?.labelled("table"), closures.count == 1,
      case .closure(let count, let lines) = closures[0]
    else { return statement }
    let isPlain = arguments.dropFirst().allSatisfy {
      $0 == .labelled("ifNotExists", .words("true"))
    }
    let definitions = lines.map { definition($0) }
    guard isPlain, let table = name.literal, count == 1, lines.first?.startsWithLocal ?? false,
      definitions.allSatisfy({ $0 != nil })
    else {
      return .call(
        .member(database, "create"), arguments,
        closures: [.closure(count, lines.map { ordered($0) })])
    }
    let sql =
      "CREATE TABLE \(table) ( " + definitions.compactMap { $0 }.joined(separator: " , ") + " )"
    return .call(.member(database, "execute"), [.text(ordered(sql: sql))], closures: [])
  }

  /// The statements without the column that a reference names where it is the key of a table that
  /// they make, which is what it stands for without a name.
  static func withoutKnownKeys(_ statements: [Form]) -> [Form] {
    var keys: [(table: String, column: String)] = []
    for sql in statements.flatMap(\.texts) where sql.hasPrefix("CREATE TABLE ") {
      guard let parts = parts(ofTable: SQLText(sql).statements.first ?? []) else { continue }
      let single = parts.columns.filter { $0.joined(separator: " ").contains("PRIMARY KEY") }
      guard single.count == 1, single[0][0] != "PRIMARY", let table = parts.head.last else {
        continue
      }
      keys.append((table, single[0][0]))
    }
    return statements.map { statement in
      statement.mapped { form in
        guard case .text(let text) = form else { return form }
        return .text(
          keys.reduce(text) { text, key in
            text.replacing(
              "REFERENCES \(key.table) ( \(key.column) )", with: "REFERENCES \(key.table)")
          })
      }
    }
  }

  // MARK: The builder

  /// What a line of the builder says of a column or key, as SQL, where all of it can be told.
  private static func definition(_ line: Form) -> String? {
    let calls = line.callChain.calls
    guard let first = calls.first, calls.allSatisfy({ $0.closures.isEmpty }) else { return nil }
    let arguments = first.arguments
    var words: [String]
    switch (first.name, arguments.first?.literal) {
    case ("autoIncrementedPrimaryKey", let column?) where arguments.count == 1:
      words = [column, "INTEGER", "PRIMARY KEY AUTOINCREMENT"]
    case ("primaryKey", let column?) where arguments.count == 2:
      guard let type = arguments[1].implicitName.flatMap({ types[$0] }) else { return nil }
      words = [column, type, "PRIMARY KEY"] + (type == "INTEGER" ? [] : ["NOT NULL"])
    case ("column", let column?) where arguments.count <= 2:
      words = [column]
      guard arguments.count == 2 else { break }
      guard let type = arguments[1].implicitName.flatMap({ types[$0] }) else { return nil }
      words.append(type)
    case ("primaryKey", nil) where arguments.count == 1 && calls.count == 1:
      return arguments[0].columns.map { "PRIMARY KEY ( \($0) )" }
    case ("uniqueKey", nil) where arguments.count == 1 && calls.count == 1:
      return arguments[0].columns.map { "UNIQUE ( \($0) )" }
    default: return nil
    }
    for call in calls.dropFirst() {
      guard let constraint = constraint(call.name, call.arguments) else { return nil }
      words.append(constraint)
    }
    return words.joined(separator: " ")
  }

  private static func constraint(_ name: String, _ arguments: [Form]) -> String? {
    switch (name, arguments.count) {
    case ("notNull", 0): return "NOT NULL"
    case ("unique", 0): return "UNIQUE"
    case ("primaryKey", 0): return "PRIMARY KEY"
    case ("collate", 1): return arguments[0].implicitName.map { "COLLATE " + $0.uppercased() }
    case ("defaults", 1):
      guard let value = arguments[0].labelled("to") else { return nil }
      if let text = value.literal { return "DEFAULT '\(text)'" }
      guard case .words(let word) = value else { return nil }
      if word == "true" || word == "false" { return "DEFAULT " + (word == "true" ? "1" : "0") }
      return word.allSatisfy(\.isNumber) ? "DEFAULT " + word : nil
    case ("references", 1...): return reference(arguments)
    default: return nil
    }
  }

  private static func reference(_ arguments: [Form]) -> String? {
    guard let table = arguments[0].literal else { return nil }
    var words = ["REFERENCES", table]
    let order = ["column", "onDelete", "onUpdate", "deferred"]
    for argument in arguments.dropFirst()
    where !order.contains(where: { argument.labelled($0) != nil }) {
      return nil
    }
    for label in order {
      guard let value = arguments.lazy.compactMap({ $0.labelled(label) }).first else { continue }
      switch label {
      case "column":
        guard let column = value.literal else { return nil }
        words.append("( \(column) )")
      case "deferred":
        guard value == .words("true") else { return nil }
        words.append("DEFERRABLE INITIALLY DEFERRED")
      default:
        guard let action = value.implicitName?.camelWords.joined(separator: " ") else { return nil }
        words.append((label == "onDelete" ? "ON DELETE " : "ON UPDATE ") + action.uppercased())
      }
    }
    return words.joined(separator: " ")
  }

  /// A line of the builder with what it says of a column in one order.
  private static func ordered(_ line: Form) -> Form {
    let (base, calls) = line.callChain
    guard calls.count > 2, calls[0].name == "column", case .local = base else { return line }
    let rest = calls[1...].sorted { $0.text < $1.text }
    return ([calls[0]] + rest).reduce(base) { $1.applied(to: $0) }
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

/// A method that a chain calls.
private struct ChainedCall {
  let name: String
  let arguments: [Form]
  let closures: [Form]

  var text: String { applied(to: .nothing).description }

  func applied(to receiver: Form) -> Form {
    .call(.member(receiver, name), arguments, closures: closures)
  }
}

extension Form {
  /// The methods that a chain calls one on the other, and what the first is called on.
  fileprivate var callChain: (base: Form, calls: [ChainedCall]) {
    var base = self
    var calls: [ChainedCall] = []
    while case .call(.member(let receiver, let name), let arguments, let closures) = base {
      calls.append(ChainedCall(name: name, arguments: arguments, closures: closures))
      base = receiver
    }
    return (base, calls.reversed())
  }

  /// The name of `.text`.
  fileprivate var implicitName: String? {
    guard case .words(let words) = self, words.hasPrefix(". ") else { return nil }
    return String(words.dropFirst(2))
  }

  /// The names of a list of columns.
  fileprivate var columns: String? {
    guard case .list(let columns) = self else { return nil }
    let names = columns.map(\.literal)
    guard names.allSatisfy({ $0 != nil }) else { return nil }
    return names.compactMap { $0 }.joined(separator: " , ")
  }
}
