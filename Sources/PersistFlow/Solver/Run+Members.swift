import PersistIndex
import PersistSyntax

// MARK: - Members

extension Run {
  func get(_ step: Instruction) -> OriginsID {
    let node = body.ref(step)
    guard step.operandCount > 0 else {
      return step.index >= 0 ? value(ofVariable: Int(step.index), node) : OriginTable.unknown
    }
    return get(step.name, of: operand(0, of: step), at: node)
  }

  /// The value of a member of what a set may be.
  func get(_ name: Name, of receiver: OriginsID, at node: Ref) -> OriginsID {
    if receiver == OriginTable.plain { return OriginTable.plain }
    if receiver == OriginTable.unknown, !isTracking { return getByType(name, at: node) }
    let whole = solver.table[receiver]
    var result = OriginTable.nothing
    let parts = split(receiver)
    for (type, framework) in parts.frameworks {
      result = solver.table.union(
        result, getFramework(name, of: type, framework, at: node))
    }
    for number in parts.others {
      result = solver.table.union(result, get(name, ofOne: number, at: node))
    }
    let isTold = !parts.frameworks.isEmpty || !parts.others.isEmpty
    if isTracking, !isTold, let known = getTracked(name, at: node) { return known }
    if whole.known.isEmpty || whole.isOpen && !isTold {
      return solver.table.union(result, getByType(name, at: node))
    }
    let isFramework = isTracking && !parts.frameworks.isEmpty && parts.others.isEmpty
    if whole.isOpen, !isFramework { return solver.table.opened(result) }
    return isTold ? result : OriginTable.plain
  }

  /// What a value may be, frameworks' objects of one type together: what is used at a place is one
  /// of them.
  func split(_ set: OriginsID) -> (frameworks: [(Name, OriginsID)], others: [OriginID]) {
    var frameworks: [(Name, OriginsID)] = []
    var others: [OriginID] = []
    for number in solver.table.sets[Int(set)].known {
      let one = solver.table.one(ofNumber: number)
      if one == OriginTable.null || one == OriginTable.plain { continue }
      guard let type = Frameworks.type(of: solver.table[origin: number]) else {
        others.append(number)
        continue
      }
      if let index = frameworks.firstIndex(where: { $0.0 == type }) {
        frameworks[index].1 = solver.table.union(frameworks[index].1, one)
      } else {
        frameworks.append((type, one))
      }
    }
    if solver.table[set].isOpen {
      for index in frameworks.indices {
        frameworks[index].1 = solver.table.opened(frameworks[index].1)
      }
    }
    return (frameworks, others)
  }

  /// A member of frameworks' objects of one type.
  private func getFramework(
    _ name: Name, of type: Name, _ receiver: OriginsID, at node: Ref
  ) -> OriginsID {
    if name == Frameworks.frozenFlag {
      return solver.table.isFrozen(receiver)
        ? solver.table.one(.literal("true")) : OriginTable.plain
    }
    switch solver.table.members(receiver).first {
    case .managed: return getManaged(name, receiver, at: node)
    case .token, .gone: return getToken(name, receiver, at: node)
    case .owner: return getOwner(name, of: type, receiver, at: node)
    default:
      if let row = solver.rows.row(name, of: type) {
        return evaluate(row, Operands(receiver: receiver), at: node)
      }
      return getExtension(name, of: type, receiver, at: node) ?? OriginTable.unknown
    }
  }

  /// The value of a member of something of which only the written type is known.
  private func getByType(_ name: Name, at node: Ref) -> OriginsID {
    guard program.kind(node) == .member else { return OriginTable.unknown }
    let known = solver.valueByType(before: node)
    if known == OriginTable.unknown, let row = facts.tellingRow(name, of: .unknown) {
      return evaluate(row, Operands(receiver: known), at: node)
    }
    let isKnown = known != OriginTable.unknown && known != OriginTable.nothing
    guard isKnown else { return OriginTable.unknown }
    var result = OriginTable.nothing
    for number in solver.table.sets[Int(known)].known {
      result = solver.table.union(result, get(name, ofOne: number, at: node))
    }
    return result
  }

  private func get(_ name: Name, ofOne number: OriginID, at node: Ref) -> OriginsID {
    switch solver.table[origin: number] {
    case .type(let type): return getStatic(name, of: type, at: node)
    case .externalType(let type):
      if let row = solver.rows.row(name, of: type, isStatic: true) {
        return evaluate(row, Operands(receiver: OriginTable.nothing), at: node)
      }
      if let id = program.foreignType(named: type).flatMap({ staticProperty(name, of: $0) }) {
        return value(of: id, of: solver.table.one(ofNumber: number), at: node)
      }
      return solver.table.opened(solver.table.one(.enumCase(name, [])))
    case .object(let type, _), .instance(let type), .structure(let type, _):
      return getMember(name, of: type, number, at: node)
    case .tuple(let parts, let labels):
      let index =
        labels.firstIndex { $0 == name } ?? parts.indices.first { Name(String($0)) == name }
      return index.map { parts[$0] } ?? OriginTable.unknown
    default: return OriginTable.plain
    }
  }

  /// A static property that the sources add to a framework's type.
  private func staticProperty(_ name: Name, of type: TypeID) -> PropertyID? {
    guard case .property(let id)? = facts.member(name, of: type, isStatic: true),
      program.properties[id].isStatic
    else { return nil }
    return id
  }

  /// A member that the sources add to a framework's type.
  private func getExtension(
    _ name: Name, of type: Name, _ receiver: OriginsID, at node: Ref
  ) -> OriginsID? {
    for owner in [type] + (Frameworks.supertypes[type] ?? []) {
      guard let foreign = program.foreignType(named: owner),
        case .property(let id)? = facts.member(name, of: foreign)
      else { continue }
      return value(of: id, of: receiver, at: node)
    }
    return nil
  }

  private func getStatic(_ name: Name, of type: TypeID, at node: Ref) -> OriginsID {
    switch facts.member(name, of: type, isStatic: true) {
    case .property(let id): return value(of: id, of: solver.table.one(.type(type)), at: node)
    case .type(let nested): return solver.table.one(.type(nested))
    case .functions(let ids):
      guard ids.count == 1, let id = ids.first else { return OriginTable.unknown }
      return solver.table.one(.function(id, solver.table.one(.type(type))))
    case nil where name == Frameworks.allCases && program.types[type].kind == .enumDecl:
      return solver.table.one(.collection(OriginTable.unknown))
    default:
      return solver.table.one(name == "self" ? .type(type) : .enumCase(name, []))
    }
  }

  private func getMember(_ name: Name, of type: TypeID, _ number: OriginID, at node: Ref)
    -> OriginsID
  {
    if facts.isModel(type) { return OriginTable.plain }
    let origin = solver.table.one(ofNumber: number)
    switch facts.member(name, of: type, isStatic: false) {
    case .property(let id): return value(of: id, of: origin, at: node)
    case .functions(let ids):
      guard ids.count == 1, let id = ids.first else { return OriginTable.unknown }
      return solver.table.one(.function(id, origin))
    default:
      if name == Frameworks.actorContext, let own = ownContext(of: type) { return own }
      for base in facts.externalBases(of: type) {
        guard let row = solver.rows.row(name, of: base) else { continue }
        return evaluate(row, Operands(receiver: origin), at: node)
      }
      return getDynamic(solver.table[origin: number], of: type, at: node) ?? OriginTable.unknown
    }
  }

  // MARK: Properties

  /// The value of a property of something: what its getter returns, or what was stored.
  private func value(of id: PropertyID, of receiver: OriginsID, at node: Ref)
    -> OriginsID
  {
    let property = program.properties[id]
    if property.isStatic { return value(ofVariable: id, node) }
    if let wrapped = facts.wrapped(by: id, solver.table) {
      return isTracking ? wrappedObjects(id, wrapped) : wrapped
    }
    if let getter = facts.getter(of: id) {
      return invokeBody(getter, receiver, [], at: node)
    }
    if let value = facts.wrapper(of: id), let owner = program.properties[value].owner,
      let getter = facts.getter(of: value)
    {
      let made = invokeBody(getter, solver.table.one(.instance(owner)), [], at: node)
      if made != OriginTable.unknown { return made }
    }
    // What a protocol asks for and no known type has.
    if property.isComputed { return OriginTable.unknown }
    var result = OriginTable.nothing
    for number in solver.table.sets[Int(receiver)].known {
      result = solver.table.union(result, stored(id, in: number, receiver, at: node))
    }
    if facts.keepsWrapper(id) { return handedOut(by: result, at: node) }
    if facts.freezes(id), !isTracking {
      return solver.table.frozen(result, at: property.ref)
    }
    // A realm that is opened later may be one of any thread.
    if let home = key.home, receiver == self.receiver,
      property.isLet || !facts.isOfRealm(program.type(ofProperty: id).unwrapped)
    {
      return belonging(result, program.type(ofProperty: id), home)
    }
    return result
  }

  private func stored(
    _ id: PropertyID, in own: OriginID, _ receiver: OriginsID, at node: Ref
  ) -> OriginsID {
    let origin = solver.table[origin: own]
    if case .structure(_, let fields) = origin,
      let field = fields.first(where: { $0.property == id })
    {
      return field.value
    }
    if !isTracking, facts.holdsData(id) { return OriginTable.plain }
    var result: OriginsID
    switch origin {
    case .object(let type, _):
      result = solver.table.union(
        read(.field(own, id)), read(.field(number(.instance(type)), id)))
    // What others have put into such a value says nothing of a decoded one.
    case _ where facts.mayBeDecoded(id): result = OriginTable.unknown
    case .structure: result = read(.field(number(origin.anywhere), id))
    default:
      result = solver.table.union(read(.anyField(id)), read(.field(own, id)))
    }
    if facts.mayBeDecoded(id) { result = solver.table.union(result, OriginTable.unknown) }
    result = solver.table.union(result, read(.named(program.properties[id].name)))
    result = solver.table.union(result, beginning(of: id, receiver, at: node))
    if facts.holdsReceiver(id) { solver.readReceivers.insert(id) }
    if isEmpty(result, id) { solver.noteEmptyRead(of: id, in: number(origin.anywhere)) }
    result = facts.admitted(result, by: program.type(ofProperty: id), solver.table)
    if isTracking { return held(id, in: number(origin.anywhere), or: result, at: node) }
    if solver.table.unwrapped(result) == OriginTable.unknown,
      let kept = facts.keptOnMain(by: id, solver.table)
    {
      result = kept
    }
    result = typed(result, program.type(ofProperty: id))
    // Not all who assign a flag are looked at.
    return program.properties[id].isLet ? result : solver.table.undecided(result)
  }

  /// Whether nobody was seen to give a property a value: it has none, or begins as `nil`.
  private func isEmpty(_ value: OriginsID, _ id: PropertyID) -> Bool {
    value == OriginTable.null
      || value == OriginTable.nothing && facts.initialValue(of: id) == nil
  }

  /// What a property holds before anything is assigned to it.
  private func beginning(of id: PropertyID, _ receiver: OriginsID, at node: Ref)
    -> OriginsID
  {
    if let known = solver.beginnings[id] { return known }
    let property = program.properties[id]
    if let initial = facts.initialValue(of: id) {
      let code = solver.bodies[initial]
      let isNothing = code.results.allSatisfy { code.steps[Int($0)].operation == .none }
      // Nothing has to run for a `nil`.
      if !code.results.isEmpty, isNothing {
        solver.beginnings[id] = OriginTable.null
        return OriginTable.null
      }
      let owner = property.owner.map { solver.table.one(.instance($0)) } ?? OriginTable.nothing
      let isLazy = property.modifiers.contains("lazy")
      let key = InstanceKey(
        body: initial, receiver: isLazy ? receiver : owner, arguments: [], captures: [],
        executor: isLazy || property.isStatic
          ? facts.executor(ofLateValue: solver.bodies[initial])
          : facts.executor(ofEntry: solver.bodies[initial]))
      return pattern(of: id, self.result(of: invoke(key, at: node), initial))
    }
    let made = beginning(of: property)
    solver.beginnings[id] = made
    return made
  }

  /// The same for a property without an initial value.
  private func beginning(of property: PropertyDeclaration) -> OriginsID {
    guard let node = property.type else { return OriginTable.nothing }
    let type = program.type(ofTypeNode: Ref(file: Int(property.ref.file), node: node))
    var result = OriginTable.nothing
    if case .optional = type, !property.isLet { result = OriginTable.null }
    // A framework's object that comes from outside is known by its type; what may be nil is often set
    // by the code that tells more.
    let known = result == OriginTable.null ? Frameworks.containerTypes : Frameworks.statelessTypes
    if case .external(let name, _) = type.unwrapped, known.contains(name) {
      result = solver.table.union(result, facts.value(of: type.unwrapped, solver.table))
    }
    return result
  }

  /// The part of an initial value that a name in a tuple stands for: `let (stream, feed) = …`.
  private func pattern(of id: PropertyID, _ whole: OriginsID) -> OriginsID {
    let property = program.properties[id]
    guard program.kind(property.ref) == .boundName,
      let binding = program.ancestors(property.ref).first(where: { program.kind($0) == .binding }),
      let first = program.firstChild(binding)
    else { return whole }
    let names = program.descendants(first, .boundName).map { program.name($0) }
    guard let index = names.firstIndex(of: property.name) else { return OriginTable.unknown }
    var result = OriginTable.nothing
    for origin in solver.table.members(whole) {
      if case .tuple(let parts, _) = origin, parts.indices.contains(index) {
        result = solver.table.union(result, parts[index])
      } else {
        result = OriginTable.unknown
      }
    }
    return result
  }

  /// The value of a global or static variable.
  private func value(ofVariable id: PropertyID, _ node: Ref) -> OriginsID {
    if let getter = facts.getter(of: id) {
      let owner = program.properties[id].owner.map { solver.table.one(.type($0)) }
      return invokeBody(getter, owner ?? OriginTable.nothing, [], at: node)
    }
    let owner = program.properties[id].owner.map { solver.table.one(.type($0)) }
    let first = beginning(of: id, owner ?? OriginTable.nothing, at: node)
    var whole = solver.table.union(first, read(.global(id)))
    if isEmpty(whole, id) { solver.noteEmptyRead(of: id, in: -1) }
    whole = facts.admitted(whole, by: program.type(ofProperty: id), solver.table)
    if isTracking { return held(id, in: -1, or: whole, at: node) }
    return program.properties[id].isLet ? whole : solver.table.undecided(whole)
  }

  // MARK: Frameworks' objects

  private func getOwner(_ name: Name, of type: Name, _ receiver: OriginsID, at node: Ref)
    -> OriginsID
  {
    if isTracking, name == Frameworks.hasChanges { return solver.table.one(.literal("true")) }
    if let row = solver.rows.row(name, of: type) {
      if row.isMethod { return solver.table.one(.method(name, receiver)) }
      return evaluate(row, Operands(receiver: receiver), at: node)
    }
    if let found = getExtension(name, of: type, receiver, at: node) { return found }
    if name == Frameworks.parentOfContext { return parent(of: receiver) }
    if Frameworks.contextState.contains(name) { note(.context, receiver, at: node) }
    return OriginTable.plain
  }

  func set(_ step: Instruction, _ operands: [OriginsID]) -> OriginsID {
    let node = body.ref(step)
    guard operands.count == 2 else {
      if step.index >= 0, let value = operands.first {
        if isTracking {
          state.fields[ObjectState.FieldKey(origin: -1, property: Int(step.index))] = value
        }
        write(value, to: .global(Int(step.index)))
      }
      return OriginTable.plain
    }
    let whole = operands[0]
    let value = operands[1]
    if !isTracking, !step.isWriteBack { noteSetting(step, of: whole, value, at: node) }
    var result = solver.table[whole].isOpen ? OriginTable.unknown : OriginTable.nothing
    // What is changed here is one of the objects that it may be.
    let objects = split(whole).frameworks
    for id in solver.table[whole].known {
      let origin = solver.table[origin: id]
      let type = Frameworks.type(of: origin)
      let group = objects.first { $0.0 == type }?.1 ?? solver.table.one(origin)
      let changed = set(step, origin, of: group, value, at: node)
      result = solver.table.union(result, changed)
    }
    if solver.table[whole].known.isEmpty { setByType(step, value, at: node) }
    let first = body.operands(of: step).first.map { body.steps[Int($0)].operation }
    if first == .selfValue {
      receiver = result
      keepOwnField(step, value)
    }
    return result
  }

  private func set(
    _ step: Instruction, _ origin: Origin, of group: OriginsID, _ value: OriginsID, at node: Ref
  ) -> OriginsID {
    let same = solver.table.one(origin)
    switch origin {
    case .object(let type, _) where facts.isModel(type):
      noteRelated(value, from: body.operands(of: step).last, of: same, at: node)
      return same
    case .token, .gone:
      if !step.isWriteBack { noteWrite(step.name, group, at: node) }
      return same
    case .object(let type, _), .instance(let type):
      if let id = facts.storedProperty(step.name, of: type) {
        store(value, in: id, of: origin, at: node)
      } else if step.name == Frameworks.actorExecutor, program.isManagedActor(type) {
        write(value, to: .channel(Frameworks.actorContext, program.types[type].ref))
      } else if !step.isWriteBack {
        setFramework(step.name, of: facts.externalBases(of: type), same, value, at: node)
      }
      return same
    case .structure(let type, let fields):
      guard case .property(let id)? = facts.member(step.name, of: type) else { return same }
      write(value, to: .anyField(id))
      let others = fields.filter { $0.property != id }
      return solver.table.one(
        .structure(
          type,
          (others + [Origin.Field(property: id, value: value)]).sorted {
            $0.property < $1.property
          }))
    case .type(let type):
      if case .property(let id)? = facts.member(step.name, of: type) {
        write(value, to: .global(id))
      }
      return same
    case .managed(let owner):
      if owner.framework == .realm, setUnkept(step, of: same, value, at: node) { return same }
      noteChange(step, of: group, value, at: node)
      return same
    case .tuple(let parts, let labels):
      var parts = parts
      let index =
        labels.firstIndex { $0 == step.name }
        ?? parts.indices.first { Name(String($0)) == step.name }
      if let index { parts[index] = value }
      return solver.table.one(.tuple(parts, labels))
    case .queue(.operations(let site)) where step.name == Frameworks.underlyingQueue:
      write(value, to: .channel("underlying", site))
      return same
    default:
      if !step.isWriteBack, let type = Frameworks.type(of: origin) {
        setFramework(step.name, of: [type], same, value, at: node)
      }
      return same
    }
  }

  /// Sets what Realm doesn't keep of an object: a plain property, or one that stands for kept ones.
  private func setUnkept(
    _ step: Instruction, of object: OriginsID, _ value: OriginsID, at node: Ref
  ) -> Bool {
    guard let id = program.property(usedBy: node), !facts.isKept(id) else { return false }
    if program.properties[id].isComputed, !step.isWriteBack {
      for setter in facts.setters(of: id) { _ = invokeBody(setter, object, [value], at: node) }
    }
    return true
  }

  private func store(
    _ value: OriginsID, in id: PropertyID, of origin: Origin, at node: Ref
  ) {
    // Observers don't run while an initializer of their own type does.
    let isBegun = body.kind != .initializer || program.properties[id].owner != body.owner
    for setter in facts.setters(of: id)
    where isBegun || solver.bodies[setter].kind != .observer {
      _ = invokeBody(setter, solver.table.one(origin), [value], at: node)
    }
    guard !program.properties[id].isComputed else { return }
    keep(value, at: node)
    if isTracking {
      state.fields[ObjectState.FieldKey(origin: number(origin.anywhere), property: id)] = value
    }
    write(value, to: .field(number(origin), id))
    write(value, to: .anyField(id))
  }
}
