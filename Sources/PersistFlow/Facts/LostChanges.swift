import PersistIndex
import PersistSyntax

/// A change of what a context holds that nothing saves afterwards.
package struct LostChange: Sendable {
  /// The method that is called, or the member that is set.
  package let node: Ref
  package let context: Owner
  /// Whether a property keeps the context: then nothing saves it, or only what changes it too.
  package let isKept: Bool
  /// Whether other code changes the context and saves it then.
  package let isSavedElsewhere: Bool
  /// Whether only some ways leave the code before the save.
  package let isSavedOnOthers: Bool
  /// Whether the function that makes the context hands it out.
  package let isHandedOut: Bool
  /// The method of the actor whose context it is that leads there.
  package let method: Ref?
}

/// Finds the changes that are lost: from them on no way leads to a save of their context.
struct LostChanges {
  /// A change of one context, with the instances in which it is that one's.
  struct Change {
    let node: Ref
    let context: Owner
    fileprivate(set) var instances: [InstanceID]
  }

  private let solver: Solver
  private let framework: Owner.Framework
  private var callers: [InstanceID: [(from: InstanceID, call: Ref)]] = [:]
  private var calledNodes: Set<Ref> = []
  /// The instances that save a context themselves.
  private var savers: [Owner: Set<InstanceID>] = [:]
  /// Those that may save any context.
  private var openSavers: Set<InstanceID> = []
  private var places: [BodyID: StepPlaces] = [:]
  /// Whether each way to a save of a context comes past a change.
  private var followsChanges: [Owner: Bool] = [:]
  /// The changes of contexts that are known, in source order.
  private(set) var all: [Change] = []
  /// The changes of which nobody knows whose they are, by instance.
  private var vague: [InstanceID: [Ref]] = [:]
  private var changing: [Owner: [InstanceID: [Ref]]] = [:]

  init(_ solver: Solver, _ instances: [InstanceID], of framework: Owner.Framework) {
    self.solver = solver
    self.framework = framework
    var indices: [Owner: [Ref: Int]] = [:]
    for id in instances {
      let instance = solver.instance(id)
      for call in instance.calls {
        callers[call.target, default: []].append((id, call.node))
        calledNodes.insert(call.node)
      }
      for use in instance.uses where use.kind == .save || use.kind == .change {
        let contexts = Contexts(use.value, in: solver, of: framework)
        guard use.kind == .change else {
          if !changes(instance), solver.program.isUnused(use.node) { continue }
          if contexts.isOpen { openSavers.insert(id) }
          for owner in contexts.known { savers[owner, default: []].insert(id) }
          continue
        }
        guard let owner = contexts.only else {
          vague[id, default: []].append(use.node)
          continue
        }
        if let index = indices[owner]?[use.node] {
          all[index].instances.append(id)
        } else {
          indices[owner, default: [:]][use.node] = all.count
          all.append(Change(node: use.node, context: owner, instances: [id]))
        }
      }
    }
    all.sort { ($0.node, $0.context.site ?? $0.node) < ($1.node, $1.context.site ?? $1.node) }
  }

  /// Whether an instance changes something, or calls what does.
  private func changes(_ instance: Instance) -> Bool {
    let called = instance.calls.map { solver.instance($0.target) }
    return ([instance] + called).contains { $0.uses.contains { $0.kind == .change } }
  }

  /// Whether the type that makes or changes a context has others saved, and nothing saves this one.
  /// Where nothing near is saved, what saves can't be seen; only an actor can save its own.
  func isLeftOut(_ change: Change) -> Bool {
    guard openSavers.isEmpty, savers[change.context, default: []].isEmpty else { return false }
    if change.context.isExecutors { return true }
    let types = typesAround(change.node).union(change.context.site.map(typesAround) ?? [])
    return savers.contains { owner, instances in
      let places = instances.map { solver.bodies[solver.instance($0).key.body].place }
      return ([owner.site].compactMap { $0 } + places).contains {
        !types.isDisjoint(with: typesAround($0))
      }
    }
  }

  /// The method of an actor of Core Data that others call and that leads to a change of its context,
  /// the first of several.
  func method(leadingTo change: Change) -> Ref? {
    guard change.context.isExecutors, case .actor(let actor) = change.context.home else {
      return nil
    }
    func body(_ id: InstanceID) -> Body { solver.bodies[solver.instance(id).key.body] }
    var found: [Ref] = []
    var pending = change.instances
    var seen = Set(pending)
    while let id = pending.popLast() {
      let callers = (callers[id] ?? []).map(\.from)
      pending += callers.filter { seen.insert($0).inserted }
      guard body(id).kind == .function, body(id).owner == actor,
        !callers.contains(where: { body($0).owner == actor })
      else { continue }
      found.append(body(id).place)
    }
    return found.min()
  }

  /// The type that a place stands in, and those whose properties lead to what is named there.
  private func typesAround(_ place: Ref) -> Set<TypeID> {
    let program = solver.program
    let parts =
      program.parent(place).map {
        program.descendants($0, .name) + program.descendants($0, .member)
      } ?? []
    let owners = parts.compactMap { program.property(usedBy: $0) }
      .compactMap { program.properties[$0].owner }
    return Set(owners + [program.enclosingType(place)].compactMap { $0 })
      .filter { program.types[$0].kind != .extensionDecl }
  }

  /// Whether no save follows a change of a context, while each way to a save of that context comes past
  /// a change: nobody saves what others have changed.
  mutating func isLeftBehind(_ change: Change) -> Bool {
    let saving = savers[change.context, default: []]
    guard openSavers.isEmpty, !saving.isEmpty, saves(after: change).isEmpty else { return false }
    if let known = followsChanges[change.context] { return known }
    let isOwn = saving.allSatisfy { saver in
      saves(of: change.context, in: saver).allSatisfy {
        isBehindChange(of: change.context, saver, $0)
      }
    }
    followsChanges[change.context] = isOwn
    return isOwn
  }

  /// Whether each way to a step of an instance comes past a change of a context, or of one that nobody
  /// knows.
  private mutating func isBehindChange(
    of context: Owner, _ id: InstanceID, _ node: Ref
  ) -> Bool {
    let changing = changing(context)
    var pending = [(id: id, node: node)]
    var seen: Set<Instance.Call> = []
    while let (id, node) = pending.popLast() {
      guard seen.insert(Instance.Call(node: node, target: id)).inserted else { continue }
      let places = places(of: solver.instance(id).key.body)
      if changing[id, default: []].contains(where: { places.mayRun(node, after: $0) }) { continue }
      let callers = callers[id] ?? []
      if callers.isEmpty, !isCalledElsewhere(id) { return false }
      for caller in callers { pending.append((caller.from, caller.call)) }
    }
    return true
  }

  /// Whether all calls of a function that an instance runs lead to other instances.
  private func isCalledElsewhere(_ id: InstanceID) -> Bool {
    guard let function = solver.bodies[solver.instance(id).key.body].function else { return false }
    let calls = solver.program.callers(of: function).filter { !solver.program.isExempt($0) }
    return !calls.isEmpty && calls.allSatisfy(calledNodes.contains)
  }

  /// Where instances change a context, or one that nobody knows, by themselves or by what they call.
  private mutating func changing(_ context: Owner) -> [InstanceID: [Ref]] {
    if let known = changing[context] { return known }
    var found = vague
    for change in all where change.context == context {
      for id in change.instances { found[id, default: []].append(change.node) }
    }
    var pending = Array(found.keys)
    var seen = Set(pending)
    while let next = pending.popLast() {
      for caller in callers[next] ?? [] {
        found[caller.from, default: []].append(caller.call)
        if seen.insert(caller.from).inserted { pending.append(caller.from) }
      }
    }
    changing[context] = found
    return found
  }

  /// Where an instance itself saves a context.
  private func saves(of context: Owner, in id: InstanceID) -> [Ref] {
    solver.instance(id).uses.filter { use in
      guard use.kind == .save else { return false }
      let saved = Contexts(use.value, in: solver, of: framework)
      return saved.isOpen || saved.known.contains(context)
    }.map(\.node)
  }

  /// The instances that may save the context of a change behind it, before its entry ends.
  private mutating func saves(after change: Change) -> Set<InstanceID> {
    let savers = savers[change.context] ?? []
    let saving = reaching(savers)
    var found: [InstanceID] = []
    var pending = change.instances.map { (id: $0, node: change.node) }
    var seen: Set<Instance.Call> = []
    while let (id, node) = pending.popLast() {
      guard seen.insert(Instance.Call(node: node, target: id)).inserted else { continue }
      found += saves(change.context, in: id, after: node, saving)
      let place = solver.bodies[solver.instance(id).key.body].place
      guard !isBegunApart(place) else { continue }
      for caller in callers[id] ?? [] { pending.append((caller.from, caller.call)) }
    }
    var reached = Set(found)
    while let next = found.popLast() {
      for call in solver.instance(next).calls
      where saving.contains(call.target) && reached.insert(call.target).inserted {
        found.append(call.target)
      }
    }
    return reached.intersection(savers)
  }

  /// Whether the code that hands over a body goes on without it: a task's, or what runs when
  /// something happens.
  private func isBegunApart(_ place: Ref) -> Bool {
    let program = solver.program
    guard program.kind(place) == .closure else { return false }
    if program.time(of: place) == .muchLater { return true }
    switch program.beginning(of: place) {
    case .task, .concurrentTask, .detachedTask: return true
    default: return false
    }
  }

  /// Whether a change is lost on each way to it. A context that is `returned` by the function that
  /// makes it may be saved by whoever gets it.
  mutating func isLost(_ change: Change, returned: Set<Ref>) -> Bool {
    let saving = reaching(openSavers.union(savers[change.context] ?? []))
    var pending = change.instances.map { (id: $0, node: change.node) }
    var seen: Set<Instance.Call> = []
    while let (id, node) = pending.popLast() {
      guard seen.insert(Instance.Call(node: node, target: id)).inserted else { continue }
      if !saves(change.context, in: id, after: node, saving).isEmpty { return false }
      let place = solver.bodies[solver.instance(id).key.body].place
      // Whoever calls the function that makes the context never gets it.
      if let site = change.context.site, solver.program.contains(place, site),
        !returned.contains(place)
      {
        continue
      }
      let callers = callers[id] ?? []
      // Nobody sees who gets what it returns.
      if callers.isEmpty, returned.contains(place) { return false }
      for caller in callers { pending.append((caller.from, caller.call)) }
    }
    return true
  }

  /// Whether the code that makes a context for itself comes to its end on some way from a change past
  /// no save, though others lead to one. What decides that may not depend on what is changed.
  func isLeftOnSomeWay(_ change: Change) -> Bool {
    let program = solver.program
    guard change.instances.count == 1, let id = change.instances.first,
      let site = change.context.site, let function = program.enclosingFunction(site),
      program.enclosingFunction(change.node) == function
    else { return false }
    let saving = reaching(openSavers.union(savers[change.context] ?? []))
    guard saving.allSatisfy({ $0 == id || isAround(change.node, $0, saving, change.context) })
    else { return false }
    let instance = solver.instance(id)
    let calls = instance.calls.filter { saving.contains($0.target) }.map(\.node)
    let saves = calls + saves(of: change.context, in: id)
    guard !saves.isEmpty else { return false }
    var order = Order(program: program, attempts: .always)
    let names = program.namesChanged(at: change.node)
    order.isNeedless = { condition, _ in !program.isDecided(condition, apartFrom: names) }
    let events = saves.map { [program.wholeCall($0)] }
    let ways = MissingWays(
      order, solver.facts, instance.key.body, events, after: change.node)
    return !ways.ends.returned.isEmpty
  }

  /// Whether an instance that leads to a save does so elsewhere, or only by the code of a change.
  private func isAround(
    _ change: Ref, _ id: InstanceID, _ saving: Set<InstanceID>, _ context: Owner
  ) -> Bool {
    func holdsChange(_ id: InstanceID) -> Bool {
      solver.program.contains(solver.bodies[solver.instance(id).key.body].place, change)
    }
    return !holdsChange(id)
      || saves(of: context, in: id).isEmpty
        && solver.instance(id).calls.allSatisfy {
          !saving.contains($0.target) || holdsChange($0.target)
        }
  }

  /// The instances that lead to some others, with these.
  private func reaching(_ targets: Set<InstanceID>) -> Set<InstanceID> {
    var found = targets
    var pending = Array(targets)
    while let next = pending.popLast() {
      for caller in callers[next] ?? [] where found.insert(caller.from).inserted {
        pending.append(caller.from)
      }
    }
    return found
  }

  /// Who may save a context behind a step of an instance: what it calls, and it itself.
  private mutating func saves(
    _ context: Owner, in id: InstanceID, after node: Ref, _ saving: Set<InstanceID>
  ) -> [InstanceID] {
    guard saving.contains(id) else { return [] }
    let instance = solver.instance(id)
    let calls = instance.calls.filter { saving.contains($0.target) }
    let uses = saves(of: context, in: id)
    let places = places(of: instance.key.body)
    return calls.filter { places.mayRun($0.node, after: node) }.map(\.target)
      + uses.filter { places.mayRun($0, after: node) }.map { _ in id }
  }

  private mutating func places(of body: BodyID) -> StepPlaces {
    if let known = places[body] { return known }
    let made = StepPlaces(solver.bodies[body], solver.program)
    places[body] = made
    return made
  }
}

/// Where the steps of a body stand, by their nodes.
private struct StepPlaces {
  private var places: [Ref: [(block: Int32, index: Int)]] = [:]
  /// The blocks that each block leads to.
  private let reached: [Set<Int32>]

  init(_ body: Body, _ program: Program) {
    for (number, block) in body.blocks.enumerated() {
      for (index, value) in block.steps.enumerated() {
        let step = body.steps[Int(value)]
        let node = body.ref(step)
        var nodes = [node]
        if step.operation == .call, let called = program.calledNode(node) { nodes.append(called) }
        for node in nodes { places[node, default: []].append((Int32(number), index)) }
      }
    }
    reached = body.blocks.map { block in
      var found = Set(block.terminator.targets)
      var pending = Array(found)
      while let next = pending.popLast() {
        for target in body.blocks[Int(next)].terminator.targets
        where found.insert(target).inserted { pending.append(target) }
      }
      return found
    }
  }

  /// Whether a step may run behind another one; one that stands nowhere may.
  func mayRun(_ node: Ref, after first: Ref) -> Bool {
    guard let later = places[node], let before = places[first] else { return true }
    return before.contains { start in
      later.contains { end in
        reached[Int(start.block)].contains(end.block)
          || start.block == end.block && end.index >= start.index
      }
    }
  }
}

extension Program {
  /// The call that a node is, or whose name it is.
  fileprivate func wholeCall(_ node: Ref) -> Ref {
    guard kind(node) != .call, let chain = parent(node) else { return node }
    return children(chain, .call).first { $0 > node } ?? node
  }

  /// The locals that a change names: the object that is set, or what is handed over.
  fileprivate func namesChanged(at node: Ref) -> Set<Declared> {
    guard let chain = parent(node) else { return [] }
    return Set(descendants(chain, .name).compactMap { declared($0) })
  }

  /// Whether a condition is decided by what callers hand over, or by constants, and by nothing that
  /// depends on some locals or says whether there is anything to save.
  fileprivate func isDecided(_ condition: Ref, apartFrom names: Set<Declared>) -> Bool {
    guard
      let statement = ancestors(condition).first(where: {
        [.ifStatement, .guardStatement, .block, .closure].contains(kind($0))
      }), [.ifStatement, .guardStatement].contains(kind(statement))
    else { return false }
    let parts = children(statement).prefix { kind($0) != .block }
    return parts.allSatisfy { part in
      descendants(part, .name).allSatisfy { name in
        switch declared(name) {
        case .local(let local):
          !names.contains(.local(local)) && isConstant(local, apartFrom: names)
        case .functions: true
        case nil: nameText(name).first?.isUppercase != true
        default: false
        }
      } && descendants(part, .member).allSatisfy { !Frameworks.questionsOfSaves.contains(name($0)) }
    }
  }

  /// Whether a local never changes, and its value names none of some others.
  private func isConstant(_ local: Ref, apartFrom names: Set<Declared>) -> Bool {
    if kind(local) == .parameter { return true }
    guard kind(local) == .boundName, let binder = parent(local),
      node(binder).flags.contains(.isLet) || kind(binder) == .optionalBinding,
      let value = value(ofBinding: binder)
    else { return false }
    return descendants(value, .name).allSatisfy { name in
      declared(name).map { !names.contains($0) } ?? true
    }
  }
}
