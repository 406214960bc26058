import PersistIndex
import PersistSyntax

// MARK: - Deletions and saves

extension Run {
  /// Deletes what a value is or holds.
  func delete(_ set: OriginsID, by contexts: OriginsID, at node: Ref) {
    let whole = solver.table[set]
    let known = whole.known.filter { solver.table[origin: $0] != .null }
    // Which of several objects is deleted nobody knows.
    let objects = Set(known.map { solver.table[origin: $0].numberOfObject ?? $0 })
    guard !whole.isOpen, objects.count == 1, let id = objects.first else { return }
    switch solver.table[origin: id] {
    case .token(let token):
      guard !token.isMany, !known.contains(where: isDeleted) else { return }
      // What may be gone since a wait is gone now.
      for other in known where other != id {
        replace(other, solver.table.id(Origins(known: [id])))
      }
      end(id, token, by: contexts, at: node)
    case .collection(let inner), .holder(_, _, let inner):
      guard !solver.table[inner].isOpen else { return }
      for inside in solver.table[inner].known {
        guard case .token(let token) = solver.table[origin: inside] else { continue }
        if !token.isLive { end(inside, token, by: contexts, at: node) }
        endClass(of: token, by: contexts, at: node, isSaved: token.framework == .realm)
      }
    default: return
    }
  }

  private func end(
    _ id: OriginID, _ token: Token, by contexts: OriginsID, at node: Ref,
    isSaved: Bool? = nil, kind: End.Kind = .deleted, ways: Set<Ref> = []
  ) {
    // A realm forgets an object at once.
    let isSaved = isSaved ?? (token.framework == .realm)
    let gone = solver.table.one(
      .gone(
        End(
          object: id, framework: token.framework, deletion: node, contexts: contexts,
          save: isSaved ? node : nil, isSaved: isSaved, kind: kind, ways: ways)))
    become(id, ways.isEmpty ? gone : solver.table.union(solver.table.one(.token(token)), gone))
    if kind == .deleted, ways.isEmpty {
      endPartners(of: id, token, by: contexts, isSaved: isSaved, at: node)
    }
  }

  /// Deletes what the rules of the schema delete with an object.
  func endPartners(
    of id: OriginID, _ token: Token, by contexts: OriginsID, isSaved: Bool, at node: Ref
  ) {
    for other in objectsInScope() {
      guard case .token(let partner) = solver.table[origin: other], other != id else { continue }
      let isTaken: Bool
      if isPart(other, of: id, isMany: token.isMany) {
        isTaken = true
      } else if case .related(let property, other) = token.site, let model = token.model {
        isTaken = facts.cascadesBack(property, from: model)
      } else {
        isTaken = false
      }
      guard isTaken else { continue }
      end(other, partner, by: contexts, at: node, isSaved: isSaved)
    }
  }

  /// Whether an object is deleted with another one: one of a whole collection, or by cascades.
  private func isPart(_ object: OriginID, of owner: OriginID, isMany: Bool) -> Bool {
    var current = object
    // What an object was read from was there before it.
    while true {
      guard case .token(let token) = solver.table[origin: current] else { return false }
      switch token.site {
      case .element(_, owner): return isMany
      case .element(_, let whole): current = whole
      case .related(let property, let other):
        guard program.cascades(property) else { return false }
        if other == owner { return true }
        current = other
      default: return false
      }
    }
  }

  /// The objects that variables hold, those that are still there.
  func objectsInScope() -> [OriginID] {
    var found: Set<OriginID> = []
    for local in locals + key.captures + Array(state.fields.values)
    where solver.table.holdsTokens(local) {
      for id in solver.table.all(in: local) {
        if case .token = solver.table[origin: id] { found.insert(id) }
      }
    }
    for (id, set) in state.objects where !isGone(set) { found.insert(id) }
    return found.filter { id in !(state.objects[id].map { isGone($0) } ?? false) }.sorted()
  }

  func isGone(_ set: OriginsID) -> Bool {
    let whole = solver.table[set]
    return !whole.isOpen && !whole.known.isEmpty
      && whole.known.allSatisfy { id in
        if case .gone = solver.table[origin: id] { true } else { false }
      }
  }

  /// Deletes all objects of a model that were there before; a live list is empty then.
  func wipe(_ model: TypeID, by contexts: OriginsID, at node: Ref, isSaved: Bool = false) {
    let model = program.resolveAlias(model)
    state.wiped[model] = End(
      object: -1, framework: facts.framework(of: model), deletion: node, contexts: contexts,
      save: isSaved ? node : nil, isSaved: isSaved)
    for id in objectsInScope() {
      guard case .token(let token) = solver.table[origin: id], token.model == model,
        !token.isNew, !token.isLive
      else { continue }
      end(id, token, by: contexts, at: node, isSaved: isSaved)
    }
  }

  /// Deletes whatever else holds objects of a class when all of them are deleted.
  func endClass(of token: Token, by contexts: OriginsID, at node: Ref, isSaved: Bool) {
    guard token.isWholeClass, let model = token.model else { return }
    wipe(model, by: contexts, at: node, isSaved: isSaved)
  }

  private func isDeleted(_ id: OriginID) -> Bool {
    if case .gone(let end) = solver.table[origin: id] { !end.kind.isPossible } else { false }
  }

  // MARK: Waits

  /// Leaves nothing certain of objects while code waits that other code may delete meanwhile.
  func suspend(at wait: Ref) {
    state.wait = wait
    for id in objectsInScope() {
      guard case .token(let token) = solver.table[origin: id], !isUnknown(id, token), !token.isOld
      else {
        continue
      }
      become(id, solver.table.one(.gone(suspended(id, token, at: wait))))
    }
  }

  /// Whether no other code can know an object yet, for no context has got it.
  func isUnknown(_ id: OriginID, _ token: Token) -> Bool {
    token.isNew && !state.inserted.contains(id)
  }

  func suspended(
    _ id: OriginID, _ token: Token, at wait: Ref, _ kind: End.Kind = .perhaps
  ) -> End {
    End(
      object: id, framework: token.framework, deletion: wait, contexts: OriginTable.nothing,
      save: wait, isSaved: true, kind: kind)
  }

  /// A value as code finds it that runs after a wait.
  func suspended(_ set: OriginsID, at wait: Ref, _ kind: End.Kind) -> OriginsID {
    solver.table.rewritten(set) { id, origin in
      guard case .token(let token) = origin, !isUnknown(id, token) else { return nil }
      return solver.table.one(.gone(suspended(id, token, at: wait, kind)))
    }
  }

  /// Runs code that something keeps, as it finds its objects at some time.
  func keep(_ value: OriginsID, at node: Ref) {
    guard isTracking, solver.table.holdsTokens(value) else { return }
    for id in solver.table.all(in: value) {
      guard case .closure(_, let captures) = solver.table[origin: id],
        captures.contains(where: solver.table.holdsTokens)
      else { continue }
      delay = (node, .kept)
      callValues(
        solver.table.id(Origins(known: [id])),
        Operands(receiver: OriginTable.nothing, isLater: true), at: node)
      delay = nil
    }
  }

  /// Notes that a call waits for what leaves the process.
  func wait(for site: CallSite, at node: Ref) {
    guard site.isAwaited, solver.waits.leaves(node, site, in: body),
      let mark = program.awaitMark(around: node)
    else { return }
    suspend(at: mark)
  }

  // MARK: Contexts

  /// What a method of a context does to the objects that were deleted before.
  func apply(_ effect: API.Lifetime, to contexts: OriginsID, at node: Ref) {
    switch effect {
    case .save: save(contexts, at: node)
    case .rollback: revive { !$0.isSaved }
    case .reset: reset(contexts, at: node)
    }
  }

  /// Has contexts forget their objects, surely or on some ways.
  func reset(_ contexts: OriginsID, at node: Ref, ways: Set<Ref> = []) {
    guard contexts != OriginTable.nothing, !solver.table[contexts].isOpen else { return }
    for id in objectsInScope() {
      guard case .token(let token) = solver.table[origin: id], token.contexts == contexts,
        !token.isLive
      else { continue }
      let kind: End.Kind = token.framework == .realm ? .deleted : .reset
      end(id, token, by: contexts, at: node, isSaved: true, kind: kind, ways: ways)
    }
    state.reset[contexts] = End(
      object: -1, framework: .coreData, deletion: node, contexts: contexts, save: node,
      isSaved: true, kind: .reset, ways: ways)
  }

  /// Saves the deletions that a context may hold.
  func save(_ contexts: OriginsID, at node: Ref) {
    state.saved = state.saved.map { solver.table.union($0, contexts) } ?? contexts
    for (model, end) in state.wiped where !end.isSaved {
      state.wiped[model]?.isSaved = true
      state.wiped[model]?.save = node
    }
    for (object, set) in state.objects.sorted(by: { $0.key < $1.key }) {
      var result = set
      for id in solver.table[set].known {
        guard case .gone(var end) = solver.table[origin: id], !end.isSaved,
          !areApart(end.contexts, contexts)
        else { continue }
        end.isSaved = true
        end.save = node
        let saved = solver.table.one(.gone(end))
        result = solver.table.rewritten(result) { other, _ in other == id ? saved : nil }
        replace(id, saved)
      }
      state.objects[object] = result
    }
  }

  /// Whether two contexts surely are two: one of them was made on the way.
  private func areApart(_ left: OriginsID, _ right: OriginsID) -> Bool {
    guard let one = context(left), let other = context(right), one != other else { return false }
    return one.framework != .realm
      && [one, other].contains { $0.site != nil && $0.home != .unknown }
  }

  private func context(_ set: OriginsID) -> Owner? {
    let whole = solver.table[solver.table.unwrapped(set)]
    guard !whole.isOpen, whole.known.count == 1,
      case .owner(let owner) = solver.table[origin: whole.known[0]]
    else { return nil }
    return owner
  }

  /// Gives objects back that were deleted so, or that were looked at.
  func revive(_ isMeant: (End) -> Bool) {
    for (object, set) in state.objects.sorted(by: { $0.key < $1.key }) {
      for id in solver.table[set].known {
        guard case .gone(let end) = solver.table[origin: id], isMeant(end) else { continue }
        let alive = solver.table.id(Origins(known: [object]))
        state.objects[object] = solver.table.rewritten(state.objects[object] ?? set) { other, _ in
          other == id ? alive : nil
        }
        replace(id, alive)
      }
    }
  }
}
