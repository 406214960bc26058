import PersistSchema

/// Brings the statements of a migration into the form in which they are compared.
enum MigrationForm {
  private static let writes = [
    "execute", "insert", "create", "alter", "drop", "rename", "update", "delete", "save", "upsert",
    "deleteAll", "updateAll",
  ]

  /// The statements without values that nothing uses and without conditions that follow from what
  /// they guard.
  static func canonical(_ statements: [Form]) -> [Form] {
    var guards = ImpliedGuards()
    var rest = simple(statements, &guards)
    var index = rest.count - 1
    while index >= 0 {
      if declaresUnusedLocal(rest, index) { rest.remove(at: index) }
      index -= 1
    }
    rest = rest.map { CreatedTable.canonical($0).mapped(tolerant) }
    sortIndexes(&rest)
    return CreatedTable.withoutKnownKeys(rest)
  }

  /// A sum of statements, their locals numbered by the order in which they come.
  static func sum(_ statements: [Form]) -> String {
    var sum = Fingerprint()
    var numbers: [Substring: Int] = [:]
    for statement in statements { sum.combine(statement.text(&numbers)) }
    return sum.description
  }

  /// One statement each: unguarded, and SQL that says several things said one by one.
  private static func simple(_ statements: [Form], _ guards: inout ImpliedGuards) -> [Form] {
    var found: [Form] = []
    for (index, statement) in statements.enumerated() {
      guards.note(statement)
      if guards.leavesInVain(statement, before: statements[(index + 1)...]) { continue }
      if let inner = guards.unguarded(statement) {
        found += simple(inner, &guards)
        continue
      }
      var form = statement
      // What was there already when it failed is there all the same.
      if case .row(let parts) = form, parts.first == .words("try?"),
        SchemaWork(Form(Array(parts.dropFirst()))).isDefinition
      {
        form = Form(Array(parts.dropFirst()))
      }
      found += oneByOne(executed(form))
    }
    return found
  }

  /// `#sql("…").execute(db)` as `db.execute(sql: "…")`.
  private static func executed(_ statement: Form) -> Form {
    guard
      case .call(.member(.call(.words("# sql"), let sql, _), "execute"), let given, []) = statement,
      sql.count == 1, sql[0].template != nil, given.count == 1, case .local = given[0]
    else { return statement }
    return .call(.member(given[0], "execute"), sql, closures: [])
  }

  private static func oneByOne(_ statement: Form) -> [Form] {
    guard let sql = statement.executedSQL else { return [statement] }
    let statements = SQLText(sql).statements
    guard statements.count > 1 else { return [statement] }
    return statements.map { statement.executing($0.joined(separator: " ")) }
  }

  /// Indexes that are made one after another may come in any order.
  private static func sortIndexes(_ statements: inout [Form]) {
    var start = 0
    while start < statements.count {
      var end = start
      while end < statements.count, makesIndex(statements[end]) { end += 1 }
      if end > start + 1 { statements[start..<end].sort { $0.description < $1.description } }
      start = max(end, start + 1)
    }
  }

  private static func makesIndex(_ statement: Form) -> Bool {
    guard let call = statement.firstCall, let first = call.arguments.first else { return false }
    if call.name == "create" { return first.labelled("index")?.template != nil }
    guard call.name == "execute", let sql = first.template else { return false }
    return sql.hasPrefix("CREATE INDEX ") || sql.hasPrefix("CREATE UNIQUE INDEX ")
  }

  /// A part of a statement without what lets it pass where its work is done already: it does the
  /// same wherever it did something.
  private static func tolerant(_ form: Form) -> Form {
    switch form {
    case .text(let text):
      return .text(
        text.replacing("IF NOT EXISTS ", with: "").replacing("IF EXISTS ", with: ""))
    case .call(let callee, let arguments, let closures):
      let rest = arguments.dropFirst().filter { $0 != .labelled("ifNotExists", .words("true")) }
      return .call(callee, arguments.prefix(1) + rest, closures: closures)
    default: return form
    }
  }

  /// Whether a statement declares a local that no later one names, with a value that changes nothing.
  private static func declaresUnusedLocal(_ statements: [Form], _ index: Int) -> Bool {
    guard case .declaration(let local, let value) = statements[index] else { return false }
    return !value.all.contains { form in
      form.called.map { call in writes.contains { call.name.hasSuffix($0) } } ?? false
    } && !statements[(index + 1)...].contains { $0.locals.contains("%\(local)") }
  }
}

extension Form {
  /// The call whose arguments open first in the text of a statement.
  var firstCall: (name: String, receiver: Form?, arguments: [Form])? {
    if case .call(let callee, _, _) = self { return callee.firstCall ?? called }
    return parts.lazy.compactMap(\.firstCall).first
  }

  /// The SQL that a statement has a database execute, and nothing else.
  var executedSQL: String? {
    guard startsWithLocal, case .call(.member(_, "execute"), let arguments, []) = self,
      arguments.count == 1
    else { return nil }
    return arguments[0].template
  }

  /// The statement with other SQL.
  func executing(_ sql: String) -> Form {
    guard case .call(let callee, _, let closures) = self else { return self }
    return .call(callee, [.text(sql)], closures: closures)
  }
}
