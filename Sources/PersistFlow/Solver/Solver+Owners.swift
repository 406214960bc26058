import PersistIndex
import PersistSyntax

// MARK: - Owners in values

extension Solver {
  /// The owners of what properties and channels hold.
  func keptOwners() -> Set<Owner> {
    keptValues.reduce(into: []) { $0.formUnion(owners(in: $1)) }
  }

  /// The places that make the holders which properties and channels hold.
  func keptHolders() -> Set<Ref> {
    keptValues.reduce(into: []) { found, value in
      for case .holder(_, let site, _) in table.members(value) { found.insert(site) }
    }
  }

  private var keptValues: Set<OriginsID> {
    var kept: Set<OriginsID> = []
    for (cell, value) in cells.lazy.map({ ($0, $1.value) }) {
      if cell == .saves { continue }
      if case .local = cell { continue }
      // The parent of a context is not kept by that.
      if case .channel(Frameworks.parentOfContext, _) = cell { continue }
      kept.insert(value)
    }
    for instance in instances where bodies[instance.key.body].kind == .initialValue {
      if bodies[instance.key.body].property != nil { kept.insert(instance.result) }
    }
    return kept
  }

  /// The owners of what a value is and holds.
  func owners(in set: OriginsID) -> Set<Owner> {
    var found: Set<Owner> = []
    guard leadsToOwner(set) else { return found }
    for id in table.all(in: set) {
      switch table[origin: id] {
      case .owner(let owner), .managed(let owner): found.insert(owner)
      default: continue
      }
    }
    return found
  }

  /// The properties that hold each owner; -1 stands for what can't be told.
  func keepers() -> [Owner: Set<PropertyID>] {
    var found: [Owner: Set<PropertyID>] = [:]
    for instance in instances {
      let body = bodies[instance.key.body]
      guard body.kind == .initialValue, let property = body.property else { continue }
      for id in table.all(in: instance.result) {
        if case .owner(let owner) = table[origin: id] {
          found[owner, default: []].insert(property)
        }
      }
    }
    for (cell, value) in cells.lazy.map({ ($0, $1.value) }) {
      switch cell {
      case .local, .channel, .saves: continue
      default: break
      }
      for id in table.all(in: value) {
        if case .owner(let owner) = table[origin: id] {
          found[owner, default: []].insert(cell.property ?? -1)
        }
      }
    }
    return found
  }
}

// MARK: - Functions that make contexts

extension Solver {
  /// Whether a function or getter returns contexts and keeps nothing of what it makes.
  func makesContexts(_ id: BodyID) -> Bool {
    if let known = makers[id] { return known }
    let body = bodies[id]
    let makes =
      (body.kind == .function || body.kind == .getter) && !body.isCut && facts.returnsContext(id)
      && body.steps.allSatisfy { !mayKeep($0, in: body) }
    makers[id] = makes
    return makes
  }

  /// Tells contexts of one function apart no more by the calls that got them.
  func forgetCalls(_ key: inout InstanceKey) {
    key.receiver = table.whicheverCall(key.receiver)
    key.arguments = key.arguments.map { table.whicheverCall($0) }
    key.captures = key.captures.map { table.whicheverCall($0) }
    if case .owner(let owner) = key.executor { key.executor = .owner(owner.whicheverCall) }
  }

  /// Whether a step may put a value where it outlives the body.
  private func mayKeep(_ step: Instruction, in body: Body) -> Bool {
    switch step.operation {
    case .set: step.operandCount < 2 || program.property(usedBy: body.ref(step)) != nil
    case .setElement: true
    case .store: step.index < 0
    case .call:
      if body.calls[Int(step.index)].arguments.isEmpty {
        false
      } else {
        switch facts.target(body.ref(step)) {
        case .externalInitializer: false
        // Only a context keeps nothing of what it gets.
        case .externalMethod(let type, _): !program.isManagedContext(type)
        default: true
        }
      }
    default: false
    }
  }
}

// MARK: - What comes in

extension Solver {
  /// What stands before a member, as far as its written type tells.
  func valueByType(before member: Ref) -> OriginsID {
    if let known = valuesByType[member] { return known }
    let chain = program.parent(member)
    let value = chain.map {
      facts.value(of: program.type(ofChain: $0, upTo: member).unwrapped, table)
    }
    valuesByType[member] = value ?? OriginTable.unknown
    return value ?? OriginTable.unknown
  }

  /// What a body gets, as far as calls are told apart by it: data isn't.
  func arguments(_ given: [OriginsID], of body: BodyID) -> [OriginsID] {
    let types = analysis == .owners && !given.isEmpty ? parameterTypes(of: body) : []
    return given.indices.map { index in
      let isData = index < types.count && facts.isData(types[index])
      return isData ? OriginTable.plain : table.generalized(given[index])
    }
  }
}
