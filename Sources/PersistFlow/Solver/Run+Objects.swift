import PersistIndex
import PersistSyntax

// MARK: - What becomes of objects

extension Run {
  /// A value as it is now: what it holds may have been deleted since.
  func now(_ set: OriginsID) -> OriginsID {
    guard isTracking, !state.objects.isEmpty else { return set }
    return solver.table.rewritten(set) { id, origin in
      switch origin {
      case .token: state.objects[id]
      case .gone(let end): state.objects[end.object]
      default: nil
      }
    }
  }

  /// Makes an object something else from here on, wherever it is held.
  func become(_ object: OriginID, _ new: OriginsID) {
    state.objects[object] = new
    replace(object, new)
  }

  func replace(_ old: OriginID, _ new: OriginsID) {
    for index in locals.indices {
      locals[index] = solver.table.rewritten(locals[index]) { id, _ in id == old ? new : nil }
    }
  }

  /// The number of the only origin of a set.
  func number(_ set: OriginsID) -> OriginID? { solver.table[set].known.first }

  /// An object that a place gives anew: what it gave before is another one.
  func fresh(_ token: Token) -> OriginsID {
    let set = solver.table.one(.token(token))
    guard let id = number(set) else { return set }
    if locals.contains(where: { solver.table.all(in: $0).contains(id) }) {
      var old = token
      old.isOld = true
      replace(id, solver.table.one(.token(old)))
    }
    state.objects[id] = set
    state.inserted.remove(id)
    return set
  }

  /// What a type says of a value that comes from a place: an object, or several.
  func object(of type: SwiftType, _ site: Token.Site, isMany: Bool = false, at place: Ref)
    -> OriginsID
  {
    func inner(_ type: SwiftType, isMany: Bool) -> OriginsID {
      object(of: type, site, isMany: isMany, at: place)
    }
    switch type {
    case .declared(let id, _) where facts.isModel(id):
      return token(site, facts.framework(of: id), program.resolveAlias(id), isMany: isMany)
    case .external, .declared:
      let only = program.narrowed(type)
      if only != type { return inner(only, isMany: isMany) }
      // Some model, nobody says which.
      if let framework = facts.framework(ofAny: type) {
        return token(site, framework, nil, isMany: isMany)
      }
      guard case .external(let name, _) = type,
        let framework = Frameworks.framework(ofContext: name)
      else { break }
      return solver.table.one(.owner(Owner(framework: framework, home: .unknown, site: place)))
    case .optional(let type):
      return solver.table.union(inner(type, isMany: isMany), OriginTable.null)
    case .array(let type), .set(let type):
      return solver.table.one(.collection(inner(type, isMany: true)))
    case .dictionary(_, let type): return solver.table.one(.dictionary(inner(type, isMany: true)))
    default: break
    }
    return facts.value(of: type, solver.table)
  }

  func token(
    _ site: Token.Site, _ framework: Owner.Framework, _ model: TypeID?, isMany: Bool,
    contexts: OriginsID = OriginTable.nothing
  ) -> OriginsID {
    var token = Token(
      site: site, framework: framework, model: model, isMany: isMany, contexts: contexts)
    if case .held(let property, _) = site { token.isNew = program.holdsUnstoredModel(property) }
    switch site {
    case .made, .element: return fresh(token)
    case .held, .parameter, .related, .given: break
    }
    let set = solver.table.one(.token(token))
    // What can't change has been there before the wait.
    if case .held(let property, _) = site, !token.isNew, let id = number(set),
      state.objects[id] == nil,
      let wait = state.wait, facts.isSteady(property)
    {
      state.objects[id] = solver.table.one(.gone(suspended(id, token, at: wait)))
    }
    return now(set)
  }

  /// Whether nothing is known of a value, or of what a collection holds.
  func isVague(_ set: OriginsID) -> Bool {
    let value = solver.table.unwrapped(set)
    if value == OriginTable.unknown { return true }
    return !solver.table[value].known.isEmpty
      && solver.table.members(value).allSatisfy { origin in
        switch origin {
        case .collection(let inner), .dictionary(let inner): inner == OriginTable.unknown
        default: false
        }
      }
  }

  /// An object that contexts fetch, several, or all of a class.
  func fetched(
    by contexts: OriginsID, isMany: Bool, isWholeClass: Bool = false, at node: Ref
  ) -> OriginsID {
    var framework: Owner.Framework?
    for origin in solver.table.members(contexts) {
      if case .owner(let owner) = origin { framework = owner.framework }
    }
    let type = facts.type(at: node)
    let model = program.model(in: type) ?? facts.realmModel(in: type) ?? castModel(of: making.call)
    guard let framework = framework ?? model.map({ facts.framework(of: $0) }) else {
      return OriginTable.unknown
    }
    return fresh(
      Token(
        site: .made(node), framework: framework, model: model, isMany: isMany,
        isWholeClass: isWholeClass, contexts: contexts))
  }

  /// Whether the call that is made now asks a context for all objects of a class.
  func asksForAll(_ row: API) -> Bool {
    guard making.call >= 0, body.steps[Int(making.call)].operation == .call else { return false }
    let site = body.calls[Int(body.steps[Int(making.call)].index)]
    guard site.name == row.name, let request = site.arguments.first?.value, request >= 0 else {
      return false
    }
    return row.name == Frameworks.objects
      || row.name == Frameworks.fetch && isWide(request, in: body)
  }

  /// Whether a request is made without a filter, and isn't changed afterwards.
  private func isWide(_ request: Value, in body: Body) -> Bool {
    var seen: Set<BodyID> = []
    return isWide(request, in: body, &seen)
  }

  private func isWide(_ request: Value, in body: Body, _ seen: inout Set<BodyID>) -> Bool {
    let step = body.steps[Int(request)]
    switch step.operation {
    case .call:
      if case .functions(let ids) = facts.target(body.ref(step)) {
        let made = ids.compactMap { facts.body(of: $0) }
        return !made.isEmpty
          && made.filter { seen.insert($0).inserted }.map { solver.bodies[$0] }.allSatisfy { code in
            !code.results.isEmpty && code.results.allSatisfy { isWide($0, in: code, &seen) }
          }
      }
      let site = body.calls[Int(step.index)]
      return Frameworks.requests.contains(site.name)
        && site.arguments.allSatisfy { !Frameworks.filterLabels.contains($0.label) }
    case .load:
      let stores = body.steps.filter { $0.operation == .store && $0.index == step.index }
      guard stores.count == 1, let given = body.operands(of: stores[0]).first, given >= 0 else {
        return false
      }
      return isWide(given, in: body, &seen)
        && !body.steps.contains {
          $0.operation == .set && Frameworks.narrowing.contains($0.name)
        }
    default: return false
    }
  }

  /// A new object of a model.
  func made(_ type: TypeID, at node: Ref) -> OriginsID {
    fresh(
      Token(
        site: .made(node), framework: facts.framework(of: type),
        model: program.resolveAlias(type), isNew: true))
  }

  /// What of several objects one place takes: each time another one. Code that takes them one after
  /// the other comes to those that were deleted, too.
  func singles(_ set: OriginsID, at node: Ref, takesAll: Bool = false) -> OriginsID {
    guard isTracking else { return set }
    return solver.table.mapped(set) { origin in
      // Which one of several it is nobody knows.
      if case .instance = origin { return OriginTable.unknown }
      if !takesAll, isSome(origin) { return OriginTable.nothing }
      guard case .token(let whole) = origin, whole.isMany,
        let id = number(solver.table.one(origin))
      else { return solver.table.one(origin) }
      return token(
        .element(node, of: id), whole.framework, whole.model, isMany: false,
        contexts: whole.contexts)
    }
  }

  /// Whether an origin stands for some objects of several that were deleted.
  private func isSome(_ origin: Origin) -> Bool {
    if case .gone(let end) = origin { end.kind == .some } else { false }
  }

  /// A part of several objects, such as those that a filter leaves; a copy is one of a live list.
  func some(of set: OriginsID, at node: Ref, isCopy: Bool = false) -> OriginsID {
    guard isTracking, solver.table.holdsTokens(set) else { return set }
    return solver.table.rewritten(set) { id, origin in
      if isSome(origin) { return isCopy ? nil : OriginTable.nothing }
      guard case .token(let whole) = origin, whole.isMany, !isCopy || whole.isLive else {
        return nil
      }
      return token(
        .element(node, of: id), whole.framework, whole.model, isMany: true,
        contexts: whole.contexts)
    }
  }

  /// What a row does to objects.
  func change(_ row: API, _ operands: Operands, at node: Ref) {
    if Frameworks.finders.contains(row.name) { lookUp(in: node) }
    if row.name == Frameworks.containing { lookFor(operands.arguments.map(\.value)) }
    for use in row.uses where use == .receiver {
      note(operands.receiver, nil, isWrite: row.isWrite, at: place(of: node))
    }
    if let effect = row.lifetime, effect != .save {
      apply(effect, to: operands.receiver, at: node)
    }
    guard let deleted = row.deletes else { return }
    let types = solver.table.members(operands.arguments.first?.value ?? OriginTable.nothing)
    if case .type(let type)? = types.first {
      guard operands.arguments.count == 1 else { return }
      return wipe(type, by: operands.receiver, at: node)
    }
    guard let value = operands.value(deleted) else { return }
    delete(value, by: operands.receiver, at: node)
  }

  /// Takes objects for alive that somebody looks for among others, where only some were deleted.
  private func lookFor(_ values: [OriginsID]) {
    let looked = values.flatMap { solver.table.members($0) }.flatMap { origin in
      if case .identifier(let inner) = origin { return Array(solver.table.members(inner)) }
      return [origin]
    }
    let objects = Set(
      looked.compactMap { origin -> OriginID? in
        if case .gone(let end) = origin, isSome(origin) { end.object } else { nil }
      })
    if !objects.isEmpty { revive { objects.contains($0.object) } }
  }

  /// Deletes all of a collection where a closure has deleted the element that it was given.
  func endEach(of collection: OriginsID, _ given: [(label: Name, value: OriginsID)]) {
    guard let first = given.first?.value, let element = number(first),
      let end = state.objects[element]
    else { return }
    for origin in solver.table.members(collection) {
      guard case .collection(let inner) = origin else { continue }
      for id in solver.table[inner].known {
        if case .token(let whole) = solver.table[origin: id], whole.isMany {
          endAll(id, like: end)
        }
      }
    }
  }

  // MARK: Loops

  /// The next element of a loop; what the last round has done to its element is told at the exit.
  func nextObject(of list: OriginsID, at node: Ref) -> OriginsID {
    let set = now(list)
    var ends: [OriginID: OriginsID] = [:]
    var isFirst = false
    for origin in solver.table.members(set) {
      guard case .collection(let inner) = origin else { continue }
      for member in solver.table.members(inner) {
        guard case .token(let whole) = member, whole.isMany,
          let id = number(solver.table.one(member)),
          let element = number(
            solver.table.one(
              .token(
                Token(
                  site: .element(node, of: id), framework: whole.framework, model: whole.model,
                  contexts: whole.contexts))))
        else { continue }
        if let end = state.objects[element] { ends[id] = end } else { isFirst = true }
      }
    }
    loopEnds = (ends, isFirst)
    let next = singles(element(of: set), at: node, takesAll: true)
    // What this round takes, and what hangs on that, is nothing that the last one has deleted.
    revive { !$0.kind.isPossible && isTaken($0.object, in: node) }
    return awaited(next, in: node)
  }

  /// What a loop takes from its list, which is older than what the last round has waited for.
  private func awaited(_ next: OriginsID, in loop: Ref) -> OriginsID {
    guard let wait = state.wait, wait != loop, program.contains(loop, wait) else { return next }
    return solver.table.rewritten(next) { id, origin in
      guard case .token(let token) = origin, !token.isNew else { return nil }
      guard case .element(loop, let whole) = token.site else { return state.objects[id] }
      guard state.objects[whole] != solver.table.id(Origins(known: [whole])) else { return nil }
      become(id, solver.table.one(.gone(suspended(id, token, at: wait))))
      return state.objects[id]
    }
  }

  /// Whether an object, or what it was read from, is taken anew in each round of a loop.
  private func isTaken(_ object: OriginID, in loop: Ref) -> Bool {
    var current = object
    while true {
      guard case .token(let token) = solver.table[origin: current] else { return false }
      switch token.site {
      case .made(let place): return program.contains(loop, place)
      case .element(let place, let whole):
        if program.contains(loop, place) { return true }
        current = whole
      case .related(_, let whole): current = whole
      default: return false
      }
    }
  }

  /// Goes on behind a loop: where each round has deleted its element, all are gone.
  func leaveLoop() {
    guard let (ends, isFirst) = loopEnds else { return }
    if isFirst, ends.isEmpty { state.hasFailed = true }
    for (whole, set) in ends.sorted(by: { $0.key < $1.key }) { endAll(whole, like: set) }
  }

  /// Deletes all of a collection whose elements have each come to such an end, or some of it.
  func endAll(_ whole: OriginID, like set: OriginsID) {
    let members = solver.table.members(set)
    let ends = members.compactMap { if case .gone(let end) = $0 { end } else { nil } }
    guard !solver.table[set].isOpen, let end = ends.first else { return }
    guard ends.count == members.count else { return endSome(of: whole, like: end) }
    if case .token(let token) = solver.table[origin: whole], token.isLive, let node = end.deletion {
      return endClass(of: token, by: end.contexts, at: node, isSaved: end.isSaved)
    }
    become(whole, solver.table.one(.gone(end.of(whole))))
    // What was chosen from other objects is gone from those as well.
    guard case .token(let token) = solver.table[origin: whole], token.isMany else { return }
    if case .element(_, let all) = token.site { endSome(of: all, like: end) }
    if let node = end.deletion {
      endClass(of: token, by: end.contexts, at: node, isSaved: end.isSaved)
    }
  }

  /// Deletes some of several objects, nobody knows which.
  private func endSome(of whole: OriginID, like end: End) {
    guard end.kind == .deleted, case .token(let token) = solver.table[origin: whole], token.isMany
    else { return }
    var some = end.of(whole)
    some.kind = .some
    become(
      whole, solver.table.union(solver.table.one(.token(token)), solver.table.one(.gone(some))))
  }
}

extension End {
  /// The same end of another object.
  fileprivate func of(_ object: OriginID) -> End {
    End(
      object: object, framework: framework, deletion: deletion, contexts: contexts, save: save,
      isSaved: isSaved, kind: kind)
  }
}
