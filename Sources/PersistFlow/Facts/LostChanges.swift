import PersistIndex
import PersistSyntax

/// A change of what a context holds that nothing saves afterwards.
package struct LostChange: Sendable {
  /// The method that is called, or the member that is set.
  package let node: Ref
  package let context: Owner
  /// Whether a property keeps the context: then nothing saves it anywhere.
  package let isKept: Bool
  /// Whether the function that makes the context hands it out.
  package let isHandedOut: Bool
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
  /// The instances that save a context themselves.
  private var savers: [Owner: Set<InstanceID>] = [:]
  /// Those that may save any context.
  private var openSavers: Set<InstanceID> = []
  private var places: [BodyID: StepPlaces] = [:]
  /// The changes of contexts that are known, in source order.
  private(set) var all: [Change] = []

  init(_ solver: Solver, _ instances: [InstanceID], of framework: Owner.Framework) {
    self.solver = solver
    self.framework = framework
    var indices: [Owner: [Ref: Int]] = [:]
    for id in instances {
      let instance = solver.instance(id)
      for call in instance.calls { callers[call.target, default: []].append((id, call.node)) }
      for use in instance.uses where use.kind == .save || use.kind == .change {
        let contexts = Contexts(use.value, in: solver, of: framework)
        guard use.kind == .change else {
          if contexts.isOpen { openSavers.insert(id) }
          for owner in contexts.known { savers[owner, default: []].insert(id) }
          continue
        }
        guard let owner = contexts.only else { continue }
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

  /// Whether the type that makes or changes a context has others saved, and nothing saves this one.
  /// Where nothing near is saved, what saves can't be seen.
  func isLeftOut(_ change: Change) -> Bool {
    guard openSavers.isEmpty, savers[change.context, default: []].isEmpty else { return false }
    let types = typesAround(change.node).union(change.context.site.map(typesAround) ?? [])
    return savers.contains { owner, instances in
      let places = instances.map { solver.bodies[solver.instance($0).key.body].place }
      return ([owner.site].compactMap { $0 } + places).contains {
        !types.isDisjoint(with: typesAround($0))
      }
    }
  }

  /// The type that a place stands in, and those whose properties lead to what is named there.
  private func typesAround(_ place: Ref) -> Set<TypeID> {
    let program = solver.program
    let parts = program.parent(place).map(program.children) ?? []
    let owners = parts.compactMap { program.property(usedBy: $0) }
      .compactMap { program.properties[$0].owner }
    return Set(owners + [program.enclosingType(place)].compactMap { $0 })
      .filter { program.types[$0].kind != .extensionDecl }
  }

  /// Whether a change is lost on each way to it. A context that is `returned` by the function that
  /// makes it may be saved by whoever gets it.
  mutating func isLost(_ change: Change, returned: Set<Ref>) -> Bool {
    let saving = reaching(openSavers.union(savers[change.context] ?? []))
    var pending = change.instances.map { (id: $0, node: change.node) }
    var seen: Set<Instance.Call> = []
    while let (id, node) = pending.popLast() {
      guard seen.insert(Instance.Call(node: node, target: id)).inserted else { continue }
      if saves(change.context, in: id, after: node, saving) { return false }
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

  /// Whether an instance may save a context behind a step, by itself or by a call.
  private mutating func saves(
    _ context: Owner, in id: InstanceID, after node: Ref, _ saving: Set<InstanceID>
  ) -> Bool {
    guard saving.contains(id) else { return false }
    let instance = solver.instance(id)
    let calls = instance.calls.filter { saving.contains($0.target) }.map(\.node)
    let uses = instance.uses.filter { use in
      guard use.kind == .save else { return false }
      let saved = Contexts(use.value, in: solver, of: framework)
      return saved.isOpen || saved.known.contains(context)
    }
    let places = places(of: instance.key.body)
    return (calls + uses.map(\.node)).contains { places.mayRun($0, after: node) }
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
