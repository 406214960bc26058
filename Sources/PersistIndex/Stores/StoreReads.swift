import PersistSyntax

// MARK: - Reads that tell whether a store is sound

extension Program {
  /// Whether code reads something from a store, by itself or in what it calls.
  package func readsStore(_ root: Ref) -> Bool {
    nodesRun(in: root).contains { node in
      guard kind(node) == .call else { return false }
      return isStoreRead(node)
        || functions(calledBy: node).contains { function in
          body(of: function).map { body in
            reaches(body) { descendants($0, .call).contains { isStoreRead($0) } }
          } ?? false
        }
    }
  }

  /// Whether a call of a framework reads from a store.
  package func isStoreRead(_ call: Ref) -> Bool {
    guard Words.storeReads.contains(calledName(call)),
      case .externalMethod(.external(let type, _), _) = callTarget(call)
    else { return false }
    return Words.storeReaders.contains(type)
  }
}

extension Program {
  /// Whether something holds for a body, or for one that it calls.
  package func reaches(_ body: Ref, where holds: (Ref) -> Bool) -> Bool {
    var seen: Set<Ref> = [body]
    var bodies = [body]
    var calls = 0
    while !bodies.isEmpty, isWithin(calls, .callsWithin) {
      if bodies.contains(where: holds) { return true }
      bodies = bodies.flatMap { answer(BodiesCalled(body: $0)) }.filter {
        seen.insert($0).inserted
      }
      calls += 1
    }
    return false
  }

  fileprivate func findBodies(calledIn body: Ref) -> [Ref] {
    var seen: Set<Ref> = []
    return descendants(body, .call).flatMap { functions(calledBy: $0) }.compactMap { id in
      functions[id].body.map { Ref(file: Int(functions[id].ref.file), node: $0) }
    }.filter { seen.insert($0).inserted }
  }
}

/// The bodies of the functions that a body calls.
private struct BodiesCalled: Query {
  let body: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findBodies(calledIn: body) }
}
