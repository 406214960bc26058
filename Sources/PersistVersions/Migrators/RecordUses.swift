import PersistIndex
import PersistSyntax

// MARK: - Who uses what migrations use

extension Program {
  /// The closures and functions that are nothing but migrations' code.
  package func migrationCode(_ migrators: [Migrator]) -> [Ref] {
    var code: Set<Ref> = []
    for migration in migrators.flatMap(\.migrations) {
      code.insert(migration.call)
      code.formUnion(migration.functions.map { functions[$0].ref })
      for function in Set(migration.steps.flatMap { $0.path }.flatMap { functions(calledBy: $0) }) {
        code.insert(functions[function].ref)
      }
      if let last = arguments(migration.call).last, let value = children(last).first,
        let function = namedFunction(value)
      {
        code.insert(functions[function].ref)
      }
    }
    return code.sorted()
  }

  /// Whether code that is neither a migration's nor the type's own names a type.
  package func isUsed(_ type: TypeID, outside code: [Ref]) -> Bool {
    let own = [types[type].ref] + types[type].extensions
    // A copy that a migration declares for itself can't be named elsewhere.
    if code.contains(where: { contains($0, own[0]) }) { return false }
    let name = types[type].name
    for file in files(using: name) where !files[file].isTest {
      let outline = files[file].outline
      for node in outline.nodes.indices {
        switch outline.nodes[node].kind {
        case .name, .member: guard outline.name(of: node) == name else { continue }
        case .type:
          guard
            (Int(outline.nodes[node].first)..<Int(outline.nodes[node].end)).contains(where: {
              outline.tokens[$0].kind == .identifier && outline.name(ofToken: $0) == name
            })
          else { continue }
        default: continue
        }
        let ref = Ref(file: file, node: node)
        if (own + code).contains(where: { contains($0, ref) }) || isExempt(ref) { continue }
        return true
      }
    }
    return false
  }
}

// MARK: - Record types that migrations use

extension Program {
  private static let fetches: Set<String> = [
    "fetchAll", "fetchOne", "fetchCursor", "fetchSet", "find",
  ]

  private static let stores: Set<String> = [
    "insert", "save", "update", "upsert", "inserted", "saved", "updateChanges", "insertAndFetch",
    "saveAndFetch", "updateAndFetch", "upserted", "upsertAndFetch",
  ]

  /// The record type whose columns a step reads or writes.
  package func record(of step: MigrationStep) -> TypeID? {
    guard let node = calledNode(step.call), kind(node) == .member, let chain = parent(step.call)
    else { return nil }
    if let type = tableOfQuery(step) { return type }
    let isFetch = Self.fetches.contains(step.name)
    // What SQLite says of tables is no table that changes.
    if let sql = step.literal("sql")?.lowercased(),
      sql.hasPrefix("pragma") || sql.contains("sqlite_master")
    {
      return nil
    }
    guard isFetch || Self.stores.contains(step.name),
      step.arguments.first.map({ $0.label.isEmpty && $0.value.isGiven }) ?? false
    else { return nil }
    switch type(ofChain: chain, upTo: node).unwrapped {
    case .declared(let type, _): return isRecord(type) ? type : nil
    case .metatype(.declared(let type, _)): return isFetch && isRecord(type) ? type : nil
    default: break
    }
    // A request: `Trip.filter(…).fetchAll(db)`.
    guard isFetch, let (type, rest) = typeBeginning(chain), isRecord(type),
      rest.filter({ $0 < node && kind($0) == .member }).allSatisfy({
        !["select", "asRequest", "annotated", "including"].contains(nameText($0))
      })
    else { return nil }
    return type
  }

  /// The type all of whose columns a query of SQLiteData names:
  /// `Reminder.upsert { draft }.execute(db)`.
  private func tableOfQuery(_ step: MigrationStep) -> TypeID? {
    if step.name == "seed" { return seededTable(step.call) }
    guard Self.runs.contains(step.name), let node = calledNode(step.call),
      let chain = parent(step.call),
      step.arguments.first.map({ $0.label.isEmpty && $0.value.isGiven }) ?? false,
      let (type, rest) = typeBeginning(chain), isTable(type),
      namesAllColumns(rest.filter { $0 < node }, isRead: step.name != "execute")
    else { return nil }
    return type
  }

  /// Calls that run a query and use its columns.
  private static let runs: Set<String> = ["execute", "fetchAll", "fetchOne", "fetchCursor"]

  /// The table whose rows `db.seed { Reminder(…) }` inserts.
  private func seededTable(_ call: Ref) -> TypeID? {
    guard case .external("Database", _) = receiverType(ofCall: call).unwrapped else { return nil }
    return arguments(call).flatMap { descendants($0, .call) }.lazy.compactMap { made in
      if case .initializer(let type, _) = self.callTarget(made) { return type }
      guard let chain = self.parent(made), let (type, rest) = self.typeBeginning(chain),
        let first = rest.first, self.nameText(first) == "Draft"
      else { return nil }
      return type
    }.first { self.isTable($0) }
  }

  /// Whether a query that begins with a table names each column that the table has today: it
  /// writes whole rows, or reads them.
  private func namesAllColumns(_ query: [Ref], isRead: Bool) -> Bool {
    var names = isRead
    for (index, part) in query.enumerated() where kind(part) == .member {
      let call = query.dropFirst(index + 1).first.flatMap { kind($0) == .call ? $0 : nil }
      let given = call.map { arguments($0) } ?? []
      switch nameText(part) {
      case "insert", "upsert":
        // `insert { $0.title } values: { "a" }` names the columns that it writes.
        names = !given.contains { ["values", "select"].contains(labelText($0)) }
      case "update":
        names = given.contains { labelText($0).isEmpty && closureGiven(by: $0) == nil }
      case "returning": names = names || given.contains { tokens(of: $0).contains("self") }
      case "select", "count", "delete": names = false
      default: continue
      }
    }
    return names
  }
}
