import PersistIndex
import PersistSyntax

// MARK: - Contexts, realms and their objects that a call makes

extension Run {
  func makeOwner(_ result: API.Result, _ operands: Operands, _ node: Ref) -> OriginsID {
    switch result {
    case .mainOwner(let framework):
      return solver.table.one(.owner(Owner(framework: framework, home: .main, site: nil)))
    case .ownOwner(let framework):
      return solver.table.one(.owner(Owner(framework: framework, home: .own, site: node)))
    case .makersOwner(let framework) where isTracking:
      return solver.table.one(.owner(Owner(framework: framework, home: .own, site: node)))
    case .object(let operand) where isTracking:
      return fetched(by: value(operand, operands) ?? OriginTable.unknown, isMany: false, at: node)
    case .makersOwner(let framework):
      if framework == .swiftData, isTaken(node) {
        return solver.table.one(.owner(Owner(framework: framework, home: .unknown, site: node)))
      }
      // What an actor makes as it is made is its own.
      if framework == .swiftData, body.kind == .initializer,
        case .actor(let type) = facts.isolation(of: body)
      {
        return solver.table.one(.owner(Owner(framework: framework, home: .actor(type), site: node)))
      }
      let home = self.home(ofNew: framework, operands, at: node)
      return solver.table.one(.owner(Owner(framework: framework, home: home, site: node)))
    case .thawed where isTracking:
      let realm = Owner(framework: .realm, home: .own, site: node)
      guard case .declared = facts.type(at: node).unwrapped else { return OriginTable.unknown }
      return fetched(by: solver.table.one(.owner(realm)), isMany: false, at: node)
    case .thawed:
      let home = self.home(ofNew: .realm, operands, at: node)
      return version(of: operands.receiver, at: node, in: home)
    case .frozen:
      return isTracking ? OriginTable.plain : version(of: operands.receiver, at: node, in: .frozen)
    case .chosenOwner(let operand): return chosenOwner(operands.value(operand), node)
    case .object(let operand):
      return mapped(value(operand, operands)) { origin in
        switch origin {
        case .owner(let owner), .managed(let owner): .managed(owner)
        default: nil
        }
      }
    case .owner(let operand):
      return mapped(value(operand, operands)) { origin in
        if case .managed(let owner) = origin { .owner(owner) } else { nil }
      }
    default: return OriginTable.unknown
    }
  }

  /// A value of a realm as another realm of the same file has it.
  private func version(of value: OriginsID, at node: Ref, in home: Owner.Home) -> OriginsID {
    let realm = Owner(framework: .realm, home: home, site: node)
    if solver.table.unwrapped(value) == OriginTable.unknown {
      switch facts.type(at: node).unwrapped {
      case .declared: return solver.table.one(.managed(realm))
      case .external(Frameworks.realm, _): return solver.table.one(.owner(realm))
      case .array(.declared(let id, _)) where program.isRealmObject(id):
        return solver.table.one(.holder("List", node, solver.table.one(.managed(realm))))
      default: return OriginTable.unknown
      }
    }
    return solver.table.held(by: realm, value)
  }

  /// What a call returns: contexts that the called function makes are others each time.
  func fresh(_ set: OriginsID, from target: InstanceID?, at node: Ref) -> OriginsID {
    guard !isTracking, let target, solver.table.lead(of: set) == .surely,
      solver.makesContexts(solver.instance(target).key.body),
      !solver.instance(target).uses.contains(where: { $0.kind == .handed })
    else { return set }
    let place = solver.bodies[solver.instance(target).key.body].place
    return solver.table.mapped(set) { origin in
      guard case .owner(var owner) = origin, owner.home == .own, owner.framework == .coreData,
        let made = owner.call ?? owner.site, program.contains(place, made)
      else { return solver.table.one(origin) }
      owner.call = node
      return solver.table.one(.owner(owner))
    }
  }

  /// Where belongs what this code opens.
  private func home(ofNew framework: Owner.Framework, _ operands: Operands, at node: Ref)
    -> Owner.Home
  {
    if operands.value(.labelled("actor")) != nil { return .unknown }
    let given = operands.value(.labelled("queue"))
    if framework == .realm, let given { noteConcurrent(given, at: node) }
    let queue = given.map { executors(opening: $0) } ?? []
    switch queue.count > 1 ? .unknown : queue.first ?? key.executor {
    case .main: return .main
    case .queue(let site): return .queue(site)
    case .actor(let type): return .actor(type)
    case .background: return .background
    case .pool where framework == .realm: return .turn
    case .unknown where framework == .realm:
      guard body.kind == .initialValue else { return .given(body.place) }
      // A static variable is made wherever it is asked for first.
      return body.isStatic || body.owner == nil ? .shared : .unknown
    case .unknown, .pool, .owner, .outside: return .unknown
    }
  }

  /// Where belongs what is opened for a queue: without one it is for the code that opens it.
  private func executors(opening queue: OriginsID) -> [Executor] {
    let given = solver.table.unwrapped(queue)
    let isOptional = given != queue
    guard !isOptional || given != OriginTable.nothing else { return [] }
    return executors(ofQueue: given) + (isOptional ? [key.executor] : [])
  }

  /// Notes that a realm is opened for a queue that runs several closures at once.
  private func noteConcurrent(_ queue: OriginsID, at node: Ref) {
    guard let place = program.argument(node, "queue") else { return }
    for origin in solver.table.members(queue) {
      let made: Ref
      switch origin {
      case .queue(.global): made = place
      case .queue(.concurrent(let site)): made = site
      default: continue
      }
      let owner = Owner(framework: .realm, home: .left, site: made)
      note(.opening, solver.table.one(.owner(owner)), at: place, context: queue)
      return
    }
  }

  /// Whether a closure's list of captures makes a value, for the closure.
  private func isTaken(_ node: Ref) -> Bool {
    let around = program.ancestors(node).first {
      program.kind($0) == .capture || program.kind($0) == .closure
    }
    return around.map { program.kind($0) == .capture } ?? false
  }

  func mapped(_ set: OriginsID?, _ change: (Origin) -> Origin?) -> OriginsID {
    guard let set else { return OriginTable.unknown }
    var result = solver.table[set].isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in solver.table.members(set) {
      let made = change(origin).map { solver.table.one($0) } ?? OriginTable.unknown
      if origin != .null { result = solver.table.union(result, made) }
    }
    return result
  }

  /// Whether a call is made on the context of a container that the same body has made: nobody else
  /// has it yet.
  func isOfNewContainer(_ call: Ref) -> Bool {
    guard let head = program.callee(call).first, case .local? = program.declared(head),
      let value = program.fixedValue(of: head), let made = program.onlyCall(of: value),
      program.contains(body.place, made)
    else { return false }
    return program.calledType(made).map(Frameworks.containers.contains) ?? false
  }

  /// A context of the queue that `concurrencyType` names.
  private func chosenOwner(_ set: OriginsID?, _ node: Ref) -> OriginsID {
    guard let set else { return OriginTable.unknown }
    var result = solver.table[set].isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in solver.table.members(set) {
      guard case .enumCase(let name, _) = origin, let home = Frameworks.queueTypes[name] else {
        continue
      }
      let owner = Owner(framework: .coreData, home: home, site: node)
      result = solver.table.union(result, solver.table.one(.owner(owner)))
    }
    // A member of a framework's type is what it is named.
    return solver.table.unwrapped(
      solver.table.sets[Int(result)].known.isEmpty
        ? OriginTable.unknown : solver.table.closed(result))
  }

  /// A value of which nothing else is known as what its type says, if that belongs to a realm.
  func typed(_ value: OriginsID, _ type: SwiftType) -> OriginsID {
    guard solver.table.unwrapped(value) == OriginTable.unknown, facts.isOfRealm(type.unwrapped)
    else { return value }
    return facts.value(of: type, solver.table)
  }

  func number(_ origin: Origin) -> OriginID {
    solver.table.number(of: origin)
  }
}
