import PersistIndex
import PersistSyntax

/// One run of a body with what comes in: its blocks in turn, until nothing changes.
final class Run {
  let solver: Solver
  let id: InstanceID
  let key: InstanceKey
  let body: Body
  /// What each step has made.
  @exclusivity(unchecked) var values: [OriginsID]
  /// The locals where each block begins; nil for a block that nothing leads to.
  @exclusivity(unchecked) private var entries: [[OriginsID]?]
  /// What is known of objects where each block begins.
  @exclusivity(unchecked) private var states: [ObjectState]
  /// What is known of objects where the body begins.
  var begun: ObjectState {
    get { states[0] }
    set { states[0] = newValue }
  }
  /// What is known of objects at the step that runs.
  @exclusivity(unchecked) var state = ObjectState()
  /// What objects are where the body is left.
  @exclusivity(unchecked) private(set) var finalState: ObjectState?
  /// What was known before the last call, which may fail.
  @exclusivity(unchecked) private var beforeCall: (locals: [OriginsID], state: ObjectState)?
  /// What the last step of a loop has found out of the collection, and whether it was the first.
  @exclusivity(unchecked) var loopEnds: (ends: [OriginID: OriginsID], isFirst: Bool)?
  /// The objects by their numbers in the calls that were made last, with the calls.
  @exclusivity(unchecked) var substitutions: [InstanceID: ([OriginID], Ref)] = [:]
  /// What the child tasks that this body begins return, by their group.
  @exclusivity(unchecked) var collected: [Ref: OriginsID] = [:]
  /// The call whose wait the code that is begun now runs after.
  @exclusivity(unchecked) var delay: (wait: Ref, kind: End.Kind)?
  /// What it does to the objects that come in.
  @exclusivity(unchecked) var effects = Effects()
  /// The reads of objects that it has deleted before.
  @exclusivity(unchecked) var goneReads: [GoneRead] = []
  /// Whether it tells objects apart.
  let isTracking: Bool
  private let order: BlockOrder
  /// The blocks to look at again, by their place in the order.
  @exclusivity(unchecked) private var isPending: [Bool]
  /// The first place from which blocks may be pending.
  @exclusivity(unchecked) private var cursor = 0
  /// The locals at the step that runs.
  @exclusivity(unchecked) var locals: [OriginsID] = []
  @exclusivity(unchecked) var result = OriginTable.nothing
  /// What `self` is where the body ends.
  @exclusivity(unchecked) private(set) var finalReceiver = OriginTable.nothing
  /// What `self` is now: it stands behind the locals.
  var receiver: OriginsID {
    get { locals[body.locals.count] }
    set { locals[body.locals.count] = newValue }
  }
  /// What the receivers and the `inout` arguments of calls are behind them.
  @exclusivity(unchecked) var receiversAfter: [Value: OriginsID] = [:]
  @exclusivity(unchecked) var argumentsAfter: [Value: [Int: OriginsID]] = [:]
  /// The call that is made now, with the parameters that take its arguments.
  @exclusivity(unchecked) var making: (call: Value, parameters: [Int]) = (-1, [])
  /// What the parameters have become where the body ends.
  @exclusivity(unchecked) var changed: [Int: OriginsID] = [:]
  @exclusivity(unchecked) private(set) var calls: [Instance.Call] = []
  @exclusivity(unchecked) private var madeCalls: Set<Instance.Call> = []
  @exclusivity(unchecked) private(set) var uses: [Use] = []
  @exclusivity(unchecked) private var indicesOfUses: [UseKey: Int] = [:]
  @exclusivity(unchecked) private(set) var waits: [Wait] = []
  /// What new objects were related to before they came into a context, and where.
  @exclusivity(unchecked) var related: [OriginID: [Relation]] = [:]
  /// What has been inserted into a context so far.
  @exclusivity(unchecked) private(set) var adopted: [OriginID: OriginsID] = [:]
  /// Whether it keeps something of an owner in a property or a shared variable.
  @exclusivity(unchecked) private(set) var keepsOwned = false
  @exclusivity(unchecked) private var rounds = 0
  /// Steps taken so far.
  @exclusivity(unchecked) private(set) var steps = 0
  /// Whether a write transaction is open: as where the body is called, unless it begins one.
  let transaction: Transaction
  /// The stored properties of its own instance that the body assigns.
  let ownFields: [Name]

  private static let mostRounds = 4_000

  init(_ solver: Solver, _ id: InstanceID) {
    self.solver = solver
    self.id = id
    key = solver.instance(id).key
    isTracking = solver.analysis == .lifetimes
    body = solver.bodies[key.body]
    values = Array(each: OriginTable.nothing, count: body.steps.count)
    entries = Array(each: nil, count: body.blocks.count)
    states = Array(each: ObjectState(), count: isTracking ? body.blocks.count : 0)
    order = body.order
    isPending = Array(each: false, count: body.blocks.count)
    ownFields = isTracking ? [] : solver.ownFields(of: key.body)
    transaction = body.asksForTransaction ? .unknown : key.transaction
  }

  var program: Program { solver.program }
  var facts: ProgramFacts { solver.facts }

  func start() {
    entries[0] =
      Array(each: OriginTable.nothing, count: body.locals.count) + [key.receiver]
      + ownFields.map { _ in OriginTable.nothing }
    isPending[0] = true
    if isTracking { beginObjects() }
    while rounds < Self.mostRounds {
      while cursor < isPending.count, !isPending[cursor] { cursor += 1 }
      guard cursor < isPending.count else { break }
      let place = cursor
      isPending[place] = false
      cursor = place + 1
      let next = order.blocks[place]
      rounds += 1
      locals = entries[Int(next)] ?? []
      if isTracking { state = states[Int(next)] }
      let block = body.blocks[Int(next)]
      steps += block.steps.count + 1
      for value in block.steps {
        values[Int(value)] = solver.table.union(values[Int(value)], take(value))
      }
      leave(block.terminator)
    }
    solver.finish(self)
  }

  private func leave(_ terminator: Terminator) {
    switch terminator {
    case .return(let value):
      if isTracking { finish(with: state) }
      finalReceiver = solver.table.union(finalReceiver, receiver)
      if !isTracking { changeParameters() }
      if value >= 0 {
        if key.executor == .pool, body.isAsync, !isTracking { noteResult(value) }
        result = solver.table.union(result, values[Int(value)])
      } else {
        result = solver.table.union(result, OriginTable.plain)
      }
    case .branch(let value, let first, let second) where isTracking:
      branch(value, first, second)
    case .branch(let value, let first, let second):
      switch truth(of: values[Int(value)]) {
      case true: go(to: first)
      case false: go(to: second)
      case nil:
        let before = locals
        let asked = objectAskedForContext(by: value)
        if let asked, !asked.isFree { release(asked.object) }
        go(to: second)
        locals = before
        if let asked, asked.isFree { release(asked.object) }
        go(to: first)
      }
    case .throw, .end: break
    case .mayThrow(let next, let handler) where isTracking:
      go(to: next)
      // What fails leaves the objects where they were.
      let wait = state.wait
      if let beforeCall { (locals, state) = beforeCall }
      // But it may have waited before.
      if let wait, wait != state.wait { suspend(at: wait) }
      state.hasFailed = true
      go(to: handler)
    case .loop(let inner, let after) where isTracking:
      let before = (locals, state)
      go(to: inner)
      (locals, state) = before
      leaveLoop()
      go(to: after)
    case .jump(let next): go(to: next)
    case .loop(let next, let other), .mayThrow(let next, let other):
      go(to: other)
      go(to: next)
    }
  }

  /// Goes on where a condition holds, and where it doesn't, each with the objects as they are.
  private func branch(_ value: Value, _ first: Int32, _ second: Int32) {
    let step = body.steps[Int(value)]
    let decided = truth(of: values[Int(value)])
    let before = (locals, state)
    if decided != true { go(to: second) }
    (locals, state) = before
    guard decided != false else { return }
    // A value that isn't there is an exception where a `guard` asks for it.
    if step.operation == .isNil, let statement = program.parent(body.ref(step)),
      program.kind(statement) == .guardStatement
    {
      state.hasFailed = true
    }
    go(to: first)
  }

  /// Takes in what holds where the body is left.
  private func finish(with state: ObjectState) {
    guard let known = finalState, known.hasFailed == state.hasFailed else {
      if finalState == nil || !state.hasFailed { finalState = state }
      return
    }
    finalState = joined(known, state)
  }

  private func go(to block: Int32) {
    guard let known = entries[Int(block)] else {
      entries[Int(block)] = locals
      if isTracking { states[Int(block)] = state }
      return wait(for: block)
    }
    if isTracking { return meet(at: block, known) }
    var joined = known
    for index in joined.indices where joined[index] != locals[index] {
      joined[index] = solver.table.union(joined[index], locals[index])
    }
    joinOwnFields(&joined, known)
    guard joined != known else { return }
    entries[Int(block)] = joined
    wait(for: block)
  }

  /// Joins what is known of objects with what another way knows; a way that an error has led to
  /// counts only where there is no other.
  private func meet(at block: Int32, _ known: [OriginsID]) {
    let other = states[Int(block)]
    if other.hasFailed != state.hasFailed {
      guard !state.hasFailed else { return }
      entries[Int(block)] = locals
      states[Int(block)] = state
      return wait(for: block)
    }
    var all = known
    for index in all.indices where all[index] != locals[index] {
      all[index] = solver.table.union(all[index], locals[index])
    }
    let state = joined(other, state)
    guard all != known || state != other else { return }
    entries[Int(block)] = all
    states[Int(block)] = state
    wait(for: block)
  }

  private func wait(for block: Int32) {
    let place = order.places[Int(block)]
    isPending[place] = true
    cursor = min(cursor, place)
  }

  /// Whether a condition surely holds, or surely doesn't.
  private func truth(of set: OriginsID) -> Bool? {
    let whole = solver.table[set]
    guard !whole.isOpen, whole.known.count == 1,
      case .literal(let name) = solver.table[origin: whole.known[0]]
    else { return nil }
    return name == "true" ? true : name == "false" ? false : nil
  }

  // MARK: What a run leaves behind

  /// The result of a body that runs here; what its type says where it doesn't matter.
  func result(of target: InstanceID?, _ code: BodyID) -> OriginsID {
    guard let target else { return facts.typicalResult(of: code, solver.table) }
    let result = mapped(back: solver.instance(target).result, from: target)
    guard let type = facts.resultType(of: code) else { return result }
    return typed(facts.admitted(result, by: type, solver.table), type)
  }

  /// Runs a body, unless nothing can come of it; the caller looks again when that changes.
  func invoke(_ key: InstanceKey, at node: Ref, isLater: Bool = false) -> InstanceID? {
    if isTracking { return track(key, at: node, isLater: isLater) }
    var key = key
    if self.key.home != nil, key.home == nil, key.receiver == receiver,
      key.executor == self.key.executor
    {
      key.home = self.key.home
    }
    guard solver.isWanted(key, from: id) else { return nil }
    let target = solver.call(key, from: id)
    record(Instance.Call(node: node, target: target))
    for (object, owned) in inOrder(solver.instance(target).adopted) { adopt(object, as: owned) }
    return target
  }

  /// Notes a call once.
  func record(_ call: Instance.Call) {
    if madeCalls.insert(call).inserted { calls.append(call) }
  }

  // MARK: Insertions

  /// Makes a new object one of a context, from here on: each variable that holds it has that then.
  func adopt(_ object: OriginID, as owned: OriginsID) {
    adopted[object] = solver.table.union(adopted[object] ?? OriginTable.nothing, owned)
    for index in locals.indices {
      locals[index] = solver.table.replacing(object, by: owned, in: locals[index])
    }
  }

  /// A value that came in before something was inserted.
  func current(_ set: OriginsID) -> OriginsID {
    var result = set
    for (object, owned) in inOrder(adopted) {
      result = solver.table.replacing(object, by: owned, in: result)
    }
    return result
  }

  private func inOrder(_ adopted: [OriginID: OriginsID]) -> [(OriginID, OriginsID)] {
    adopted.count < 2 ? adopted.map { ($0, $1) } : adopted.sorted { $0.key < $1.key }
  }

  private struct UseKey: Hashable {
    let kind: Use.Kind
    let node: Ref
  }

  /// Notes a use; several of one place are one of all that is used there.
  func note(
    _ kind: Use.Kind, _ value: OriginsID, at node: Ref, isWrite: Bool = false,
    context: OriginsID = OriginTable.nothing, isHeld: Bool = false
  ) {
    let key = UseKey(kind: kind, node: node)
    let use = Use(
      kind: kind, node: node, value: value, isWrite: isWrite, transaction: transaction,
      context: context, isHeld: isHeld)
    guard let index = indicesOfUses[key] else {
      indicesOfUses[key] = uses.count
      uses.append(use)
      return
    }
    let known = uses[index]
    uses[index] = Use(
      kind: kind, node: node, value: solver.table.union(known.value, value),
      isWrite: known.isWrite || isWrite, transaction: transaction,
      context: solver.table.union(known.context, context), isHeld: known.isHeld || isHeld)
  }

  /// Notes a wait, or what ends one.
  func noteWait(_ kind: Wait.Kind, _ value: OriginsID, at node: Ref) {
    guard let index = waits.firstIndex(where: { $0.kind == kind && $0.node == node }) else {
      waits.append(Wait(kind: kind, node: node, value: value))
      return
    }
    waits[index].value = solver.table.union(waits[index].value, value)
  }

  /// The call that the run has made last.
  var lastCall: Instance.Call? { calls.last }

  func read(_ cell: Cell) -> OriginsID { solver.read(cell, by: id) }

  func write(_ value: OriginsID, to cell: Cell) {
    // What is kept may have come from anywhere, and so may what is kept beside it.
    var value = value
    if isTracking {
      // Objects have names in one body alone.
      value = solver.table.rewritten(value) { _, origin in
        origin.isObject ? OriginTable.unknown : nil
      }
      // What tells nothing is known by its type.
      guard solver.table.isTelling(value) else { return }
    } else if case .local = cell {
    } else {
      value = fed(value, to: cell)
    }
    if !keepsOwned { keepsOwned = solver.holdsOwned(value) }
    solver.write(value, to: cell)
  }

  // MARK: Steps

  private func take(_ value: Value) -> OriginsID {
    let step = body.steps[Int(value)]
    switch step.operation {
    case .parameter:
      let index = Int(step.index)
      return index < key.arguments.count ? parameter(index) : OriginTable.unknown
    case .capture: return current(captured(Int(step.index)))
    case .selfValue: return receiver
    case .load: return loaded(step)
    case .store:
      let stored = operand(0, of: step)
      store(stored, step)
      return stored
    case .call:
      if isTracking {
        beforeCall = (locals, state)
        let made = call(body.calls[Int(step.index)], value, step)
        wait(for: body.calls[Int(step.index)], at: body.ref(step))
        return made
      }
      let site = body.calls[Int(step.index)]
      let made = call(site, value, step)
      forgetOwnFields(behind: site, at: body.ref(step))
      return made
    case .receiverAfter:
      return body.operands(of: step).first.flatMap { receiversAfter[$0] }.map(now)
        ?? OriginTable.unknown
    case .argumentAfter: return argumentAfter(step)
    case .storeArgument:
      change(Int(step.index), to: operand(0, of: step))
      return OriginTable.plain
    case .get: return ownField(step) ?? get(step)
    case .set: return set(step, operands(of: step))
    case .childTask:
      let begun = Operands(receiver: OriginTable.nothing)
      if !isTracking { solver.note(.later, at: body.ref(step)) }
      return callValues(
        operand(0, of: step), begun, on: isTracking ? nil : .pool, at: body.ref(step))
    case .await:
      if isTracking, let wait = solver.waits.wait(of: step, in: body) { suspend(at: wait) }
      forgetOwnFields()
      if !isTracking, key.executor == .pool, body.isAsync, mayLeaveThread(step) {
        return leaveThread(with: operands(of: step))
      }
      return solver.make(step, operands(of: step), body, key)
    case .next:
      let list = operand(0, of: step)
      if isTracking { return nextObject(of: list, at: body.ref(step)) }
      noteList(list, .none, at: body.ref(step))
      return element(of: list)
    case .cast: return cast(step, operand(0, of: step))
    case .function: return function(step, operands(of: step))
    case .getElement: return subscripted(step, operands(of: step))
    case .setElement: return setSubscript(step, operands(of: step))
    default: return solver.make(step, operands(of: step), body, key)
    }
  }

  /// What a step gets from earlier ones.
  private func operands(of step: Instruction) -> [OriginsID] {
    body.operands(of: step).map { $0 < 0 ? OriginTable.plain : values[Int($0)] }
  }

  func operand(_ index: Int, of step: Instruction) -> OriginsID {
    let value = body.operands[Int(step.firstOperand) + index]
    return value < 0 ? OriginTable.plain : values[Int(value)]
  }

  /// An element of a collection; a live list belongs to the owner of its objects.
  private func parameter(_ index: Int) -> OriginsID {
    let types = solver.parameterTypes(of: key.body)
    guard index < types.count else { return key.arguments[index] }
    var given = facts.admitted(key.arguments[index], by: types[index], solver.table)
    if !isTracking, given == OriginTable.unknown,
      Frameworks.queues.contains(where: types[index].isExternal),
      let code = body.function.flatMap({ facts.defaults(of: $0).first { $0.0 == index }?.1 })
    {
      // Where nobody gives another queue, it is the one that the function names.
      let made = InstanceKey(
        body: code, receiver: OriginTable.unknown, arguments: [], captures: [],
        executor: key.executor)
      given = result(of: invoke(made, at: solver.bodies[code].place), code)
    }
    guard isTracking, solver.table.unwrapped(given) == OriginTable.unknown else {
      return isTracking ? now(given) : typed(given, types[index])
    }
    let type = facts.type(ofParameter: index, of: body) ?? types[index]
    return object(of: type, .parameter(body.place, index), at: facts.parameter(index, of: body))
  }

  func captured(_ index: Int) -> OriginsID {
    let declaration = body.captures[index]
    // The first captured value is `self`.
    let given = index + 1 < key.captures.count ? key.captures[index + 1] : nil
    if isTracking { return captured(declaration, given) }
    guard mayBeReplaced(declaration) else { return given ?? OriginTable.unknown }
    return solver.table.union(given ?? OriginTable.nothing, read(.local(declaration)))
  }

  /// A captured value; where nobody was seen to make the closure, what its type says.
  private func captured(_ declaration: Ref, _ given: OriginsID?) -> OriginsID {
    let given = given ?? OriginTable.unknown
    guard given == OriginTable.unknown else { return now(given) }
    return object(
      of: program.type(ofLocal: declaration), .parameter(declaration, 0), at: declaration)
  }
}
