import PersistSyntax

// MARK: - Writing to databases of GRDB

extension Program {
  /// The calls that write to a database of GRDB, by its connection or by a record; in source order.
  package var databaseWrites: [Ref] {
    guard files.contains(where: { $0.imports("GRDB") || $0.imports("SQLiteData") }) else {
      return []
    }
    let written = Words.databaseWrites.flatMap { calls(named: $0) }.filter {
      writesByConnection($0)
    }
    let recorded = Words.recordWrites.union(Words.requestWrites).flatMap { calls(named: $0) }
      .filter { writesRecord($0) }
    let executed = calls(named: Words.execution).filter { executesWrite($0) }
    return (written + recorded + executed).sorted()
  }

  /// Whether a call runs a statement that changes rows; what rebuilds a search index changes none, and
  /// what `defer` clears away is no change of a user.
  private func executesWrite(_ call: Ref) -> Bool {
    guard receiverType(ofCall: call).unwrapped.isExternal("Database"),
      let statement = child(call, .argument), ["sql", "literal"].contains(label(statement)),
      let string = descendants(statement, .string).first,
      !ancestors(call).contains(where: { kind($0) == .deferStatement })
    else { return false }
    let words = text(string).uppercased()
      .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    guard let first = words.first, Words.writingStatements.contains(String(first)) else {
      return false
    }
    return words.count < 4 || words[2] != words[3]
  }

  private func writesByConnection(_ call: Ref) -> Bool {
    switch callTarget(call) {
    case .externalMethod(.external(let type, _), _):
      return (Words.databaseConnections.contains(type) || type == "Database") && !keepsHouse(call)
    default: return false
    }
  }

  /// Whether the closure of a write stores nothing: it is empty, to wait for other writes, or only
  /// looks after the file.
  private func keepsHouse(_ call: Ref) -> Bool {
    guard let last = arguments(call).last, let closure = closure(of: last) else { return false }
    let calls = descendants(closure, .call)
    if calls.isEmpty { return statements(in: closure).isEmpty }
    return calls.allSatisfy { inner in
      if ["checkpoint", "vacuum", "clearSchemaCache"].contains(calledName(inner)) { return true }
      guard calledName(inner) == "execute", let sql = argument(inner, "sql"),
        let word = manifestText(sql)?.split(whereSeparator: { !$0.isLetter }).first
      else { return false }
      return ["PRAGMA", "VACUUM", "ANALYZE", "REINDEX"].contains(word.uppercased())
    }
  }

  /// Whether a call is a record's own write, with the database as its first argument. What has such a
  /// method and isn't known is a record too, unless a function of the sources may be meant.
  private func writesRecord(_ call: Ref) -> Bool {
    guard let first = children(call, .argument).first, label(first) == .none,
      self.type(of: first).isExternal("Database")
    else { return false }
    switch receiverType(ofCall: call).unwrapped {
    case .declared(let type, _):
      return functions(calledBy: call).isEmpty
        && Words.recordBases.contains { inherits(type, from: $0) }
    case .metatype(.declared(let type, _)):
      return Words.requestWrites.contains(calledName(call)) && functions(calledBy: call).isEmpty
        && Words.recordBases.contains { inherits(type, from: $0) }
    case .external(Words.recordRequest, _):
      return Words.requestWrites.contains(calledName(call))
    case .unknown:
      guard case .unknownMethod(let name) = callTarget(call) else { return false }
      return !functions(named: name).contains { id in
        functions[id].parameters.first.map { $0.label == .none } ?? false
      }
    default: return false
    }
  }
}
