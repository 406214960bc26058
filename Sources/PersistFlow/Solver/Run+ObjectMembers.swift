import PersistIndex
import PersistSyntax

// MARK: - Members of objects that are told apart

extension Run {
  /// A member of an object that is told apart from others.
  func getToken(_ name: Name, _ receiver: OriginsID, at node: Ref) -> OriginsID {
    if Frameworks.contextProperties.contains(name) || Frameworks.safeMembers.contains(name)
      || Frameworks.looks.contains(name)
    {
      return look(name, receiver, at: node)
    }
    guard let property = property(name, of: receiver, usedBy: node) else {
      return solver.table[receiver].isOpen ? OriginTable.unknown : OriginTable.plain
    }
    if let getter = facts.getter(of: property) {
      return invokeBody(getter, receiver, [], at: node)
    }
    if program.isStored(property) || facts.isKept(property) {
      note(receiver, property, isWrite: false, at: node)
    }
    return relatives(property, receiver, at: node)
  }

  /// The property of an object that a member means; for one that a protocol asks for, what the model
  /// has.
  private func property(_ name: Name, of objects: OriginsID, usedBy node: Ref) -> PropertyID? {
    guard let known = program.property(usedBy: node) else {
      return facts.property(name, ofOneOf: objects, solver.table)
    }
    let isAskedFor = program.properties[known].owner.map { program.types[$0].kind == .protocolDecl }
    guard isAskedFor == true, facts.getter(of: known) == nil else { return known }
    return facts.property(name, ofOneOf: objects, solver.table) ?? known
  }

  /// The objects that identifiers stand for; nil where one of them isn't known.
  func identified(by set: OriginsID?) -> OriginsID? {
    guard isTracking, let set, !solver.table[set].isOpen else { return nil }
    var objects: [OriginID] = []
    for origin in solver.table.members(set) where origin != .null {
      guard case .identifier(let inner) = origin else { return nil }
      objects += solver.table[inner].known
    }
    return objects.isEmpty ? nil : now(solver.table.id(Origins(known: objects.sorted())))
  }

  private func look(_ name: Name, _ receiver: OriginsID, at node: Ref) -> OriginsID {
    let isLast = program.parent(node).map { program.children($0).last == node } ?? true
    let isForced = program.isForced(node)
    if isForced, Frameworks.contextProperties.contains(name) {
      note(receiver, nil, isWrite: false, at: node)
    }
    if isLast || isForced, Frameworks.looks.contains(name) {
      let ends = solver.table.members(receiver).compactMap { origin -> OriginID? in
        if case .gone(let end) = origin { end.object } else { nil }
      }
      revive { ends.contains($0.object) }
    }
    guard Frameworks.contextProperties.contains(name) else {
      return Frameworks.identifiers.contains(name) ? identifier(of: receiver) : OriginTable.plain
    }
    for origin in solver.table.members(receiver) {
      if let framework = origin.frameworkOfObject {
        return solver.table.one(.owner(Owner(framework: framework, home: .unknown, site: nil)))
      }
    }
    return OriginTable.unknown
  }

  /// Takes a search for an object as a look whether it is still there.
  func lookUp(in call: Ref) {
    for (index, step) in body.steps.enumerated()
    where step.operation == .get && Frameworks.identifiers.contains(step.name)
      && program.contains(call, body.ref(step))
    {
      let objects = solver.table.all(in: values[index])
      revive { objects.contains($0.object) }
    }
  }

  private func identifier(of objects: OriginsID) -> OriginsID {
    solver.table.mapped(objects) { origin in
      guard origin.isObject, let id = origin.numberOfObject ?? number(solver.table.one(origin))
      else { return OriginTable.plain }
      return solver.table.one(.identifier(solver.table.id(Origins(known: [id]))))
    }
  }

  /// What a property of an object hands out: another object, several, or data.
  private func relatives(_ property: PropertyID, _ receiver: OriginsID, at node: Ref) -> OriginsID {
    let type = program.type(ofProperty: property)
    guard let model = program.model(in: type) ?? facts.realmModel(in: type) else {
      return OriginTable.plain
    }
    let isMany = program.isToMany(property) || type.isList
    let other = solver.table.mapped(receiver) { origin in
      guard let framework = origin.frameworkOfObject,
        let id = origin.numberOfObject ?? number(solver.table.one(origin))
      else { return OriginTable.plain }
      return token(.related(property, of: id), framework, model, isMany: isMany)
    }
    if isMany { return solver.table.one(.collection(solver.table.closed(other))) }
    if case .optional = type { return solver.table.union(other, OriginTable.null) }
    return other
  }

  /// A member of something of which only the types tell what it is.
  func getTracked(_ name: Name, at node: Ref) -> OriginsID? {
    guard let property = program.property(usedBy: node),
      let owner = program.properties[property].owner, !facts.isModel(owner),
      !program.properties[property].isStatic, facts.getter(of: property) == nil,
      !program.properties[property].isComputed
    else { return nil }
    // One of many: which one, nobody knows.
    return object(of: program.type(ofProperty: property), .made(node), at: node)
  }

  /// What a property wrapper asks the store for again each time.
  func wrappedObjects(_ property: PropertyID, _ value: OriginsID) -> OriginsID {
    switch solver.table.members(value).first {
    case .collection, .holder: break
    default: return value
    }
    let declaration = program.properties[property].ref
    return object(
      of: program.type(ofProperty: property), .made(declaration), at: declaration)
  }

  /// Notes that a property of what may be gone is set.
  func noteWrite(_ name: Name, _ objects: OriginsID, at node: Ref) {
    guard let known = property(name, of: objects, usedBy: node),
      program.isStored(known) || facts.isKept(known)
    else { return }
    note(objects, known, isWrite: true, at: node)
  }

  /// Notes a read or write of what may be gone.
  func note(_ set: OriginsID, _ property: PropertyID?, isWrite: Bool, at node: Ref) {
    let whole = solver.table[set]
    let members = whole.known.map { solver.table[origin: $0] }.filter { $0 != .null }
    var ends: [End] = []
    var areAllGone = !whole.isOpen
    for origin in members {
      guard case .gone(let end) = origin else {
        if case .token(let token) = origin, token.isMany { return }
        areAllGone = false
        continue
      }
      if end.isSaved { ends.append(end) }
    }
    guard !ends.isEmpty, !whole.isOpen else { return }
    add(
      GoneRead(
        node: node, property: property, isWrite: isWrite, ends: ends, isCertain: areAllGone))
  }

  func add(_ read: GoneRead) {
    var own: [End] = []
    for end in read.ends {
      if end.deletion == nil {
        // What does no harm hides nothing that does.
        let known = effects.reads[end.object]
        if known.map({ !program.mayCrash($0) && program.mayCrash(read) }) ?? true {
          effects.reads[end.object] = read
        }
      } else {
        own.append(end)
      }
    }
    guard !own.isEmpty else { return }
    let found = GoneRead(
      node: read.node, inner: read.inner, innerProperty: read.innerProperty,
      property: read.property, isWrite: read.isWrite, ends: own, isCertain: read.isCertain)
    goneReads.removeAll { $0.node == read.node }
    goneReads.append(found)
  }
}

extension Origin {
  /// The framework of an object that is told apart from others.
  var frameworkOfObject: Owner.Framework? {
    switch self {
    case .token(let token): token.framework
    case .gone(let end): end.framework
    default: nil
    }
  }

  /// The object that a deleted one was.
  var numberOfObject: OriginID? {
    if case .gone(let end) = self { end.object } else { nil }
  }
}
