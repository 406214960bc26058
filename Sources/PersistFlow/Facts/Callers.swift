import PersistIndex
import PersistSyntax

/// What the callers of code say of where it runs, and of what it is given.
struct Callers {
  let solver: Solver
  let reached: [Solver.Reached]
  private var indices: [InstanceID: Int] = [:]
  /// Code that something of the sources was seen to call.
  private var called: Set<BodyID> = []
  private var callers: [InstanceID: [(from: InstanceID, call: Ref)]] = [:]
  /// The properties that hold each owner.
  private var keepers: [Owner: Set<PropertyID>]
  /// The places that make what some code runs inside `perform` of.
  private var performed: Set<Ref> = []
  /// The calls by which objects leave the queue of their context.
  private var exits: [Owner: Set<Ref>] = [:]
  /// Whether `perform` is called on contexts of which nobody knows which they are.
  private var performsOthers = false

  init(_ solver: Solver) {
    self.solver = solver
    reached = solver.reached()
    keepers = solver.keepers()
    for (index, entry) in reached.enumerated() {
      indices[entry.id] = index
      let body = solver.instance(entry.id).key.body
      for call in solver.instance(entry.id).calls {
        let target = solver.instance(call.target).key.body
        if target != body { called.insert(target) }
        callers[call.target, default: []].append((entry.id, call.node))
      }
      guard case .owner(let owner) = solver.instance(entry.id).key.executor else { continue }
      if let site = owner.site { performed.insert(site) } else { performsOthers = true }
    }
    for entry in reached { findExits(of: entry.id) }
  }

  private mutating func findExits(of id: InstanceID) {
    let instance = solver.instance(id)
    guard case .owner(let owner) = instance.key.executor,
      solver.table.all(in: instance.result).contains(where: {
        solver.table[origin: $0] == .managed(owner)
      })
    else { return }
    for (from, call) in callers[id] ?? []
    where solver.instance(from).key.executor != instance.key.executor {
      exits[owner, default: []].insert(solver.program.calledNode(call) ?? call)
    }
  }

  /// Whether what an instance does counts: only code that nothing runs leads to what something runs
  /// elsewhere, but such code is looked at for itself.
  func counts(_ id: InstanceID) -> Bool {
    indices[id].map { reached[$0].isRun || solver.isUnnamed(id) } ?? true
  }

  /// The call that leads to an instance on a shortest way; nil for a root.
  func caller(of id: InstanceID) -> (from: InstanceID, call: Ref)? {
    guard let index = indices[id], let from = reached[index].from, let call = reached[index].call
    else { return nil }
    return (from, call)
  }

  /// The executor whose thread runs code: a thread that waits for a queue runs its work itself, unless
  /// that is the main queue.
  func thread(of id: InstanceID) -> Executor {
    var current = id
    while let (from, call) = caller(of: current) {
      let (executor, before) = (
        solver.instance(current).key.executor, solver.instance(from).key.executor
      )
      let isLent = executor != .main && solver.manners[call]?.contains(.waitedFor) ?? false
      guard executor == before || isLent else { break }
      current = from
    }
    return solver.instance(current).key.executor
  }

  /// Whether the thread that has begun code stands still until it has run.
  func isWaitedFor(_ id: InstanceID) -> Bool {
    var current = id
    while let (from, call) = caller(of: current) {
      if solver.instance(from).key.executor != solver.instance(id).key.executor {
        return solver.manners[call]?.contains(.waitedFor) ?? false
      }
      current = from
    }
    return false
  }

  /// The calls that hand an owner to an instance on the executor on which it runs itself. Code that
  /// something runs elsewhere or later begins a way of its own.
  func callersHanding(_ owner: Owner, to id: InstanceID) -> [(from: InstanceID, call: Ref)] {
    guard isHanded(owner, to: id) else { return [] }
    let key = solver.instance(id).key
    let isClosure = solver.bodies[key.body].kind == .closure
    return (callers[id] ?? []).filter { caller in
      guard solver.instance(caller.from).key.executor == key.executor else { return false }
      return !isClosure || solver.manners[caller.call]?.isEmpty ?? true
    }
  }

  /// The call by which the objects of a context leave its queue, where there is only one.
  func exit(of owner: Owner) -> Ref? { exits[owner].flatMap { $0.count == 1 ? $0.first : nil } }

  /// The calls of a function from code that runs on the same executor, or that hands it what belongs
  /// to an owner.
  func callers(of id: InstanceID, handing owner: Owner) -> [Ref] {
    let key = solver.instance(id).key
    guard solver.bodies[key.body].kind == .function else { return [] }
    let beside = (callers[id] ?? []).filter { caller in
      let from = solver.instance(caller.from).key
      return from.executor == key.executor && from.body != key.body && counts(caller.from)
        && solver.manners[caller.call]?.isEmpty ?? true
    }.map(\.call)
    let sending = callersSending(owner, to: id).filter { !$0.isWrong }.map(\.call)
    return (beside + sending).map { solver.program.calledNode($0) ?? $0 }
  }

  /// The bodies that bring code to the executor on which it runs.
  func beginnings(of id: InstanceID) -> Set<Ref> {
    let executor = solver.instance(id).key.executor
    var found: Set<Ref> = []
    var pending = [id]
    var seen: Set<InstanceID> = [id]
    while let current = pending.popLast() {
      let all = callers[current] ?? []
      let beside = all.filter {
        solver.instance($0.from).key.executor == executor
          && solver.manners[$0.call]?.isEmpty ?? true
      }
      if beside.count < all.count || all.isEmpty {
        found.insert(solver.bodies[solver.instance(current).key.body].place)
      }
      for caller in beside where seen.insert(caller.from).inserted { pending.append(caller.from) }
    }
    return found
  }

  /// The calls that hand a queue to an instance.
  func callersGiving(_ queue: OriginsID, to id: InstanceID) -> [(from: InstanceID, call: Ref)] {
    let key = solver.instance(id).key
    let queues = Set(solver.table[queue].known)
    let isGiven = (key.arguments + key.captures.dropFirst()).contains { value in
      solver.table.all(in: value).contains { queues.contains($0) }
    }
    return isGiven ? callers[id] ?? [] : []
  }

  /// The calls that hand an object over to a function that runs elsewhere than they do, and whether
  /// they stand in a closure that has taken it to where it doesn't belong itself.
  func callersSending(_ owner: Owner, to id: InstanceID)
    -> [(from: InstanceID, call: Ref, isWrong: Bool)]
  {
    let key = solver.instance(id).key
    guard solver.bodies[key.body].kind != .closure,
      key.arguments.contains(where: { isPart(owner, of: $0) })
    else { return [] }
    return (callers[id] ?? []).compactMap { caller in
      let from = solver.instance(caller.from).key
      guard from.executor != key.executor, solver.manners[caller.call]?.isEmpty ?? true else {
        return nil
      }
      let way = OwnedUse.Case(
        owner: owner, executor: from.executor, isWrite: false, transaction: .unknown)
      return (caller.from, caller.call, way.isWrong && isCaptured(owner, by: caller.from))
    }
  }

  // MARK: Outside of `perform`

  /// Whether code whose callers don't say where it runs is surely not on the queue of a context: the
  /// context is made on the way, or nothing that runs on its queue leads there.
  func isOutside(_ id: InstanceID, of owner: Owner, at node: Ref) -> Bool {
    guard owner.home == .own, !owner.isGiven, let site = owner.site else { return false }
    var current = id
    var place = node
    var isHandedOn = false
    var seen: Set<InstanceID> = [id]
    while true {
      let body = solver.bodies[solver.instance(current).key.body]
      if solver.facts.hasOwnExecutor(body) || asksForThread(body, before: place) { return false }
      // Nobody who leads here is on the queue of a context that is made only here.
      if body.kind != .closure, solver.program.enclosingBody(site) == body.place,
        keeper(of: owner, site) == nil
      {
        return true
      }
      // Code that was begun by itself may have callers as well.
      let others = callers[current] ?? []
      guard
        let (from, call) = caller(of: current) ?? others.first(where: { !seen.contains($0.from) }),
        seen.insert(from).inserted
      else { break }
      if let manner = solver.manners[call], !manner.isEmpty {
        // Code that nobody has seen run is on no queue that nothing runs on.
        isHandedOn = manner == .untold
        guard isHandedOn else { return false }
        break
      }
      guard solver.instance(from).key.executor == .unknown else { return false }
      current = from
      place = call
    }
    let root = solver.bodies[solver.instance(current).key.body]
    // What was begun before its callers were known is judged by them.
    guard !called.contains(solver.instance(current).key.body) || isHandedOn else { return false }
    guard let kept = keeper(of: owner, site) else { return root.kind != .closure && !isHandedOn }
    if let function = root.function, root.kind == .function,
      solver.program.mayBeCalledByOthers(function)
        || isPublic(solver.program.functions[function].ref)
    {
      return false
    }
    guard !isPublic(kept) else { return false }
    if !performed.contains(site), !performsOthers { return true }
    guard root.kind != .closure, !isHandedOn else { return false }
    guard let function = root.function, root.kind == .function else {
      return root.kind == .initializer || root.kind == .getter && !performed.contains(site)
    }
    return !solver.isCalledUnseen(solver.program.functions[function].name)
  }

  /// Whether code looks on which thread it runs before it comes to a place, so that it may know what
  /// it does there.
  private func asksForThread(_ body: Body, before place: Ref) -> Bool {
    body.steps.contains { step in
      solver.facts.asksForThread(step, in: body) && mayDecide(body.ref(step), over: place)
    }
  }

  /// Whether what follows from a question reaches a place: an `if` that only does something else before
  /// goes on in either case.
  private func mayDecide(_ question: Ref, over place: Ref) -> Bool {
    let program = solver.program
    let choice = program.ancestors(question).first {
      [.ifStatement, .guardStatement, .closure, .functionDecl].contains(program.kind($0))
    }
    guard let choice, program.kind(choice) == .ifStatement, !program.contains(choice, place) else {
      return true
    }
    let ends: [Node.Kind] = [
      .returnStatement, .throwStatement, .breakStatement, .continueStatement,
    ]
    return ends.contains { !program.descendants(choice, $0).isEmpty }
      || !program.descendants(choice, .expression).allSatisfy { program.assignment($0) == nil }
  }

  /// Whether some property holds a context.
  func isKept(_ owner: Owner) -> Bool { owner.site.map { keeper(of: owner, $0) != nil } ?? true }

  /// A property that holds an owner beyond the call that makes it.
  private func keeper(of owner: Owner, _ site: Ref) -> Ref? {
    let program = solver.program
    if let id = keepers[owner]?.min() { return id < 0 ? site : program.properties[id].ref }
    for scope in program.ancestors(site) {
      guard let id = solver.bodies.loweredBody(at: scope) else { continue }
      let body = solver.bodies[id]
      if body.kind == .closure { continue }
      return body.kind == .initialValue ? body.property.map { program.properties[$0].ref } : nil
    }
    return nil
  }

  private func isPublic(_ declaration: Ref) -> Bool {
    let program = solver.program
    return ([declaration] + program.ancestors(declaration)).prefix(3).contains { node in
      program.children(node, .modifier).contains { ["public", "open"].contains(program.name($0)) }
    }
  }

  // MARK: What is handed over

  /// Whether a closure has taken an owner, or an object of it, along.
  func isCaptured(_ owner: Owner, by id: InstanceID) -> Bool {
    let key = solver.instance(id).key
    guard solver.bodies[key.body].kind == .closure else { return false }
    return key.home != nil || key.captures.contains { isPart(owner, of: $0) }
      || !key.captures.isEmpty && isHanded(owner, to: id)
  }

  /// Whether objects of an owner come in as arguments alone.
  func isArgument(_ owner: Owner, of id: InstanceID) -> Bool {
    let key = solver.instance(id).key
    return key.arguments.contains { isPart(owner, of: $0) }
      && !key.captures.contains { isPart(owner, of: $0) }
  }

  /// Whether an owner, or an object of it, comes in where a body is called: as an argument, in a
  /// closure, or with the instance whose code runs.
  func isHanded(_ owner: Owner, to id: InstanceID) -> Bool {
    let key = solver.instance(id).key
    if owner.isGiven, keepsOwned(key.receiver) { return true }
    if isPart(owner, of: key.receiver) || key.arguments.contains(where: { isPart(owner, of: $0) })
      || key.captures.dropFirst().contains(where: { isPart(owner, of: $0) })
    {
      return true
    }
    // The main queue's context is right wherever code runs on main: whoever leaves main is wrong, and
    // code that always runs elsewhere leaves it by itself.
    if owner.home == .main {
      return solver.facts.executor(ofEntry: solver.bodies[key.body]) != key.executor
    }
    // A context with a queue of its own is used wrongly where it is used without `perform`.
    guard owner.home != .own, let kept = keepers[owner] else { return false }
    return solver.table.members(key.receiver).contains { origin in
      guard let type = origin.declaredType, origin != .type(type) else { return false }
      return kept.contains { $0 >= 0 && solver.program.properties[$0].owner == type }
    }
  }

  private func keepsOwned(_ receiver: OriginsID) -> Bool {
    solver.table.members(receiver).contains { origin in
      origin.declaredType.map { origin != .type($0) && solver.facts.keepsOwned($0) } ?? false
    }
  }

  private func isPart(_ owner: Owner, of set: OriginsID) -> Bool {
    solver.table.all(in: set).contains { id in
      switch solver.table[origin: id] {
      case .owner(let other), .managed(let other): other == owner
      default: false
      }
    }
  }
}
