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
    case .external(let name, _):
      guard let framework = Frameworks.framework(ofContext: name) else { break }
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
    let token = Token(
      site: site, framework: framework, model: model, isMany: isMany, contexts: contexts)
    switch site {
    case .made, .element: return fresh(token)
    case .held, .parameter, .related, .given: break
    }
    let set = solver.table.one(.token(token))
    // What can't change has been there before the wait.
    if case .held(let property, _) = site, let id = number(set), state.objects[id] == nil,
      let wait = state.wait, facts.isLasting(property)
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

  /// An object that contexts fetch, or several.
  func fetched(by contexts: OriginsID, isMany: Bool, at node: Ref) -> OriginsID {
    var framework: Owner.Framework?
    for origin in solver.table.members(contexts) {
      if case .owner(let owner) = origin { framework = owner.framework }
    }
    let type = facts.type(at: node)
    let model = program.model(in: type) ?? facts.realmModel(in: type)
    guard let framework = framework ?? model.map({ facts.framework(of: $0) }) else {
      return OriginTable.unknown
    }
    return token(.made(node), framework, model, isMany: isMany, contexts: contexts)
  }

  /// A new object of a model.
  func made(_ type: TypeID, at node: Ref) -> OriginsID {
    fresh(
      Token(
        site: .made(node), framework: facts.framework(of: type),
        model: program.resolveAlias(type), isNew: true))
  }

  /// What of several objects one place takes: each time another one.
  func singles(_ set: OriginsID, at node: Ref) -> OriginsID {
    guard isTracking else { return set }
    return solver.table.mapped(set) { origin in
      // Which one of several it is nobody knows.
      if case .instance = origin { return OriginTable.unknown }
      guard case .token(let whole) = origin, whole.isMany,
        let id = number(solver.table.one(origin))
      else { return solver.table.one(origin) }
      return token(
        .element(node, of: id), whole.framework, whole.model, isMany: false,
        contexts: whole.contexts)
    }
  }

  /// A part of several objects, such as those that a filter leaves.
  func some(of set: OriginsID, at node: Ref) -> OriginsID {
    guard isTracking, solver.table.holdsTokens(set) else { return set }
    return solver.table.rewritten(set) { id, origin in
      guard case .token(let whole) = origin, whole.isMany else { return nil }
      return token(
        .element(node, of: id), whole.framework, whole.model, isMany: true,
        contexts: whole.contexts)
    }
  }

  /// What a row does to objects.
  func change(_ row: API, _ operands: Operands, at node: Ref) {
    if Frameworks.finders.contains(row.name) { lookUp(in: node) }
    for use in row.uses where use == .receiver {
      note(operands.receiver, nil, isWrite: row.isWrite, at: place(of: node))
    }
    if let effect = row.lifetime, effect != .save {
      apply(effect, to: operands.receiver, at: node)
    }
    guard let deleted = row.deletes else { return }
    let types = operands.arguments.first.map { solver.table.members($0.value) } ?? []
    if case .type(let type)? = types.first {
      guard operands.arguments.count == 1 else { return }
      return wipe(type, by: operands.receiver, at: node)
    }
    guard let value = operands.value(deleted) else { return }
    delete(value, by: operands.receiver, at: node)
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
  func nextObject(of set: OriginsID, at node: Ref) -> OriginsID {
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
    return singles(element(of: set), at: node)
  }

  /// Goes on behind a loop: where each round has deleted its element, all are gone.
  func leaveLoop() {
    guard let (ends, isFirst) = loopEnds else { return }
    if isFirst, ends.isEmpty { state.hasFailed = true }
    for (whole, set) in ends.sorted(by: { $0.key < $1.key }) { endAll(whole, like: set) }
  }

  /// Deletes all of a collection whose elements have each come to such an end.
  func endAll(_ whole: OriginID, like set: OriginsID) {
    let members = solver.table.members(set)
    guard !solver.table[set].isOpen, !members.isEmpty,
      members.allSatisfy({ if case .gone = $0 { true } else { false } }),
      case .gone(let end)? = members.first
    else { return }
    become(
      whole,
      solver.table.one(
        .gone(
          End(
            object: whole, framework: end.framework, deletion: end.deletion,
            contexts: end.contexts, save: end.save, isSaved: end.isSaved, kind: end.kind))))
  }
}
