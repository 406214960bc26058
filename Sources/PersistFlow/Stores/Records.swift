import PersistIndex
import PersistSyntax

// MARK: - Records of GRDB, and tables of what stands on it

extension Program {
  /// Whether a type is a record of GRDB.
  package func isRecord(_ type: TypeID) -> Bool {
    Frameworks.recordBases.contains { inherits(type, from: $0) }
  }

  /// Whether a type is a table of SQLiteData.
  package func isTable(_ type: TypeID) -> Bool { types[type].attributes.contains("Table") }

  /// The type that a chain begins with, such as `Store.Record` of `Store.Record.all()`, and what
  /// follows.
  package func typeBeginning(_ chain: Ref) -> (type: TypeID, rest: [Ref])? {
    let parts = children(chain)
    var found: (type: TypeID, rest: [Ref])?
    for (index, part) in parts.enumerated() {
      guard kind(part) == (index == 0 ? .name : .member), index + 1 < parts.count,
        case .metatype(.declared(let type, _)) = index == 0
          ? self.type(of: part) : self.type(ofChain: chain, upTo: parts[index + 1])
      else { break }
      found = (type, Array(parts[(index + 1)...]))
    }
    return found
  }

  /// The class whose objects a type holds, or its record type.
  func stored(in type: SwiftType) -> TypeID? {
    if let model = model(in: type) { return model }
    switch type {
    case .declared(let id, _): return isRecord(id) || isTable(id) ? resolveAlias(id) : nil
    case .optional(let inner), .array(let inner), .set(let inner): return stored(in: inner)
    case .dictionary(let key, let value): return stored(in: value) ?? stored(in: key)
    default: return nil
    }
  }

  /// The calls that read records from a database.
  var recordFetches: [Ref] {
    guard usesGRDB else { return [] }
    return Frameworks.recordFetches.flatMap { calls(named: $0) }
      .filter { recordFetched(by: $0) != nil }
  }

  /// The record type that a call reads from a database: `Trip.filter(…).fetchOne(db)`.
  func recordFetched(by call: Ref) -> TypeID? {
    Frameworks.recordFetches.contains(calledName(call)) ? record(beginning: call) : nil
  }

  /// The record type that a call inserts: `trip.insert(db)`.
  func recordInserted(by call: Ref) -> TypeID? {
    guard Frameworks.recordInsertions.contains(calledName(call)), takesDatabase(call) else {
      return nil
    }
    if case .declared(let type, _) = receiverType(ofCall: call).unwrapped, isRecord(type) {
      return resolveAlias(type)
    }
    return nil
  }

  /// The record type all of whose rows a call deletes: `Trip.deleteAll(db)`.
  func recordEmptied(by call: Ref) -> TypeID? {
    guard calledName(call) == Frameworks.rowDeletion, arguments(call).count == 1,
      let chain = parent(call), kind(chain) == .chain,
      children(chain, .call).allSatisfy({ $0 >= call || calledName($0) == Frameworks.allRows })
    else { return nil }
    return record(beginning: call)
  }

  /// The record types all of whose rows a text deletes: `DELETE FROM trip`.
  func recordsEmptied(bySQL call: Ref) -> [TypeID] {
    guard let text = manifestText(argument(call, "sql")) else { return [] }
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.lowercased() }
    guard words.count == 3, words[0] == "delete", words[1] == "from" else { return [] }
    let values = KnownValues(self)
    return types(inheritingFrom: Frameworks.recordBases).filter {
      values.table(ofRecord: $0)?.lowercased() == words[2]
    }
  }

  /// The record type that a call begins with which takes a database.
  func record(beginning call: Ref) -> TypeID? {
    guard takesDatabase(call), let chain = parent(call), kind(chain) == .chain,
      let type = typeBeginning(chain)?.type, isRecord(type) || isTable(type)
    else { return nil }
    return resolveAlias(type)
  }

  private func takesDatabase(_ call: Ref) -> Bool {
    arguments(call).first.map { label($0) == .none && type(of: $0).isExternal("Database") } ?? false
  }
}
