import PersistIndex
import PersistVersions

/// What a step of a migration does to tables; names are in lower case, as SQLite compares them.
struct TableWork {
  /// What is done.
  enum Kind: Equatable {
    case create, drop, alter, change
    /// An index, a trigger, a pragma, or anything `IF EXISTS`: rows and columns stay.
    case harmless
    case read
  }

  let kind: Kind
  /// The tables that it names, the one it changes first.
  let tables: [String]
  /// The SQL's tokens; empty for calls of the table builder.
  let tokens: [String]

  /// Whether rows or columns are lost, or missing, when it fails.
  var isWrite: Bool { [.create, .drop, .alter, .change].contains(kind) }

  /// Whether it only takes a column away.
  var dropsColumn: Bool {
    kind == .alter && tokens.contains { $0.uppercased() == "DROP" }
  }

  init(_ kind: Kind, _ tables: [String], tokens: [String] = []) {
    self.kind = kind
    self.tables = tables.map { $0.lowercased() }
    self.tokens = tokens
  }

  /// Reads one statement of SQL.
  init(sql tokens: [String]) {
    let words = tokens.map { $0.uppercased() }
    let isGuarded =
      words.first == "DROP" && words.contains("EXISTS")
      || words.prefix(4).contains { ["INDEX", "TRIGGER", "VIEW"].contains($0) }
    let named = { (word: String) -> [String] in
      words.indices.filter { words[$0] == word }.compactMap { index in
        var next = index + 1
        while next < words.count,
          ["IF", "NOT", "EXISTS", "OR", "IGNORE", "REPLACE"].contains(words[next])
        {
          next += 1
        }
        return next < tokens.count ? SQLText.name(tokens[next]) : nil
      }
    }
    let tables = named("INTO") + named("TABLE") + named("UPDATE") + named("FROM") + named("JOIN")
    let kind: Kind
    switch words.first {
    case "CREATE": kind = isGuarded ? .harmless : .create
    case "DROP": kind = isGuarded ? .harmless : .drop
    case "ALTER": kind = .alter
    case "INSERT", "UPDATE", "DELETE", "REPLACE": kind = .change
    case "WITH":
      kind = words.contains { ["INSERT", "UPDATE", "DELETE"].contains($0) } ? .change : .read
    case "SELECT": kind = .read
    default: kind = .harmless
    }
    self.init(kind, tables, tokens: tokens)
  }
}

extension MigrationStep {
  private static let writes: Set<String> = [
    "insert", "save", "update", "upsert", "delete", "updateChanges", "inserted", "saved",
    "insertAndFetch", "saveAndFetch", "updateAndFetch", "deleteAll", "updateAll", "deleteOne",
  ]

  /// The SQL that the step runs, where it is known but for single values.
  var sql: SQLText? {
    guard
      ["execute", "literal", "makeStatement", "allStatements", "fetchAll", "fetchOne"]
        .contains(name)
    else { return nil }
    let given = arguments.first { $0.label == "sql" || $0.label == "literal" }?.value.template
    let texts = receiver.texts
    return (given ?? (texts.count == 1 ? texts[0] : nil)).map { SQLText($0) }
  }

  /// What the step does to tables.
  var work: [TableWork] {
    if let sql { return sql.statements.map { TableWork(sql: $0) } }
    switch name {
    case "create":
      return literal("table").map { [TableWork(.create, [$0])] }
        ?? (arguments.contains { $0.label == "table" || $0.label == "virtualTable" }
          ? [TableWork(.create, [])] : [])
    case "drop":
      if let table = literal("table") { return [TableWork(.drop, [table])] }
      return arguments.contains { $0.label == "table" } ? [TableWork(.drop, [])] : []
    case "rename":
      guard arguments.contains(where: { $0.label == "table" }) else { return [] }
      return [TableWork(.alter, [literal("table"), literal("to")].compactMap { $0 })]
    case "alter": return [TableWork(.alter, [literal("table")].compactMap { $0 })]
    default:
      guard Self.writes.contains(name), takesDatabase else { return [] }
      return [TableWork(.change, [])]
    }
  }

  /// Whether the first argument is a database, as far as can be seen: a value without a label that
  /// is the parameter of a closure or function.
  private var takesDatabase: Bool {
    arguments.first.map { $0.label.isEmpty && $0.value.isGiven } ?? false
  }
}

extension RegisteredMigration {
  /// The tables that it makes, by their names in lower case, with the step that makes each.
  var tablesMade: [String: Int] {
    var made: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      for work in step.work where work.kind == .create {
        if let table = work.tables.first { made[table] = index }
      }
    }
    return made
  }
}
