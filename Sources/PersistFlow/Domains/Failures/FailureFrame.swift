import PersistIndex
import PersistSyntax

/// One body, block by block, as a failure goes through it.
final class FailureFrame {
  let run: FailureRun
  let program: Program
  let body: Body
  private let start: FailureState
  @exclusivity(unchecked) private var values: [FailureMark]
  @exclusivity(unchecked) var locals: [FailureMark] = []
  @exclusivity(unchecked) var state = FailureState()
  @exclusivity(unchecked) private var block: Int32 = 0
  /// Whether nothing but what decides of the failure leads to the block.
  @exclusivity(unchecked) private var isDecided = false
  @exclusivity(unchecked) var assigned = FailureAssignments()
  /// What the assignments to properties name.
  @exclusivity(unchecked) var targets: [PropertyID: Ref] = [:]
  /// Whether the step that was taken last fails, and what is known then.
  @exclusivity(unchecked) var failing: ExitTraits?
  /// Whether this is the last time that the blocks are gone through, of this body and of those around.
  @exclusivity(unchecked) private(set) var isLast = false
  /// What is known where each block begins.
  @exclusivity(unchecked) private(set) var states: [FailureState?]
  /// The blocks in which something tells of the failure.
  @exclusivity(unchecked) private var reporting: Set<Int32> = []
  @exclusivity(unchecked) private var incoming: [[Int32: Edge]]
  @exclusivity(unchecked) private var returns: [Int32: Return] = [:]
  @exclusivity(unchecked) private var thrown: [Int32: ExitTraits] = [:]
  /// What the variables hold at each end: those of the body, then those that it has captured.
  @exclusivity(unchecked) private var ends: [Int32: Edge] = [:]
  private let first: [FailureMark]

  private struct Edge {
    let locals: [FailureMark]
    let assigned: FailureAssignments
    let state: FailureState
    /// Whether an error leads here.
    var isError = false
    /// Whether the failure is what leads here.
    var isDecided = false
  }

  private struct Return {
    let mark: FailureMark
    let state: FailureState
    let assigned: FailureAssignments
  }

  init(_ run: FailureRun, _ body: Body, _ captures: [FailureMark], _ start: FailureState) {
    self.run = run
    program = run.program
    self.body = body
    self.start = start
    let taken = body.captures.indices.map { captures.indices.contains($0) ? captures[$0] : .other }
    first = body.locals.map { _ in .other } + taken
    values = Array(repeating: .other, count: body.steps.count)
    states = Array(repeating: nil, count: body.blocks.count)
    incoming = Array(repeating: [:], count: body.blocks.count)
  }

  func mark(_ value: Value) -> FailureMark { value < 0 ? .other : values[Int(value)] }

  /// Goes through the blocks a second time with what loops leave behind and what tells of the failure.
  func follow(isLast: Bool) -> FailureRun.Result {
    incoming[0][-1] = Edge(locals: first, assigned: FailureAssignments(), state: start)
    let order = body.order
    var paths: [FailurePath] = []
    for pass in 0..<2 {
      self.isLast = isLast && pass == 1
      (returns, thrown, ends) = ([:], [:], [:])
      blocks: for next in order.blocks where enter(next, order) {
        let code = body.blocks[Int(next)]
        failing = nil
        for step in code.steps {
          values[Int(step)] = take(step)
          if body.ref(body.steps[Int(step)]) == run.place { state.isPast = true }
          if state.hasFailed, endsProcess(step) {
            for target in code.terminator.targets { incoming[Int(target)][block] = nil }
            continue blocks
          }
          if failing != nil, self.isLast, !state.hasFailed {
            forceIfTried(body.ref(body.steps[Int(step)]))
          }
        }
        leave(code)
      }
      guard !start.hasFailed else { continue }
      paths = failurePaths(where: \.hasFailed)
      reporting = blocks(of: paths.filter { program.reportsFailure($0) })
    }
    if self.isLast {
      run.outcome.paths += paths
      if !start.hasFailed { run.outcome.fallbacks += failurePaths(where: \.isInVain) }
    }
    return result()
  }

  /// Whether a step is a call behind which nothing runs.
  private func endsProcess(_ step: Value) -> Bool {
    body.steps[Int(step)].operation == .call
      && program.isProcessEnd(body.ref(body.steps[Int(step)]))
  }

  // MARK: Blocks

  /// Joins what leads to a block; false where nothing does.
  private func enter(_ next: Int32, _ order: BlockOrder) -> Bool {
    let edges = order.sorted(incoming[Int(next)])
    guard !edges.isEmpty else { return false }
    block = next
    let (failed, other) = parted(edges)
    isDecided = failed.contains { $0.isDecided || isHandler(next) && $0.state.isThrown }
    if failed.isEmpty || !other.isEmpty && (body.blocks[Int(next)].isJoin || !isDecided) {
      state = FailureState(
        isPast: edges.contains(where: \.state.isPast),
        isInVain: edges.allSatisfy { $0.state.isInVain || $0.state.hasFailed }
          || !failed.isEmpty && isReachedInVain(next, other, order))
      meet(failed, other)
    } else {
      let isOpen = other.contains { !$0.isError } && !isHandler(next)
      state = FailureState(
        hasFailed: true, isShared: isOpen || failed.contains { $0.state.isShared },
        isReported: failed.allSatisfy(\.state.isReported) || reporting.contains(next),
        isThrown: failed.contains { $0.state.isThrown })
      join(failed)
    }
    states[Int(next)] = state
    return true
  }

  /// Whether nothing but the failure leads to a block, and ways on which the call isn't made: where
  /// it works, the code goes elsewhere.
  private func isReachedInVain(_ next: Int32, _ other: [Edge], _ order: BlockOrder) -> Bool {
    body.blocks[Int(next)].isJoin && !start.hasFailed
      && other.allSatisfy { !$0.state.isPast && !$0.isError }
      && incoming[Int(next)].keys.allSatisfy {
        $0 >= 0 && order.places[Int($0)] < order.places[Int(next)]
      }
      && body.steps.contains { body.ref($0) == run.place }
  }

  private func parted(_ edges: [Edge]) -> (failed: [Edge], other: [Edge]) {
    (edges.filter(\.state.hasFailed), edges.filter { !$0.state.hasFailed })
  }

  func isHandler(_ block: Int32) -> Bool {
    body.blocks[Int(block)].steps.first.map { body.steps[Int($0)].operation == .caught } ?? false
  }

  private func join(_ edges: [Edge]) {
    guard let first = edges.first else { return }
    locals = first.locals
    assigned = first.assigned
    for edge in edges.dropFirst() {
      locals = zip(locals, edge.locals).map { $0.joined($1) }
      assigned = assigned.joined(edge.assigned)
    }
  }

  /// Joins ways on which the call has failed with those on which it hasn't.
  private func meet(_ failed: [Edge], _ other: [Edge]) {
    join(other)
    guard !failed.isEmpty else { return }
    guard !other.isEmpty else {
      join(failed)
      locals = locals.map { $0.shown(failed[0].state) }
      return
    }
    let (rest, restAssigned) = (locals, assigned)
    join(failed)
    let raw = locals
    let shown = failed.map { edge in
      Edge(
        locals: edge.locals.map { $0.shown(edge.state) },
        assigned: edge.assigned, state: edge.state)
    }
    let traits = ExitTraits(
      isReported: failed.allSatisfy(\.state.isReported),
      isShared: failed.contains { $0.state.isShared })
    join(shown)
    locals = locals.indices.map { index in
      let beside = rest[index]
      if raw[index] == beside { return beside }
      // What is set only where the call has failed shows that.
      return locals[index] == .other && beside == .none
        ? .shows(.error, traits) : locals[index].joined(beside)
    }
    assigned = restAssigned.joined(afterFailure: assigned, traits)
  }

  private func leave(_ code: Block) {
    if body.throwing.contains(block) { state.isThrown = state.hasFailed }
    switch code.terminator {
    case .return, .throw:
      ends[block] = Edge(locals: locals, assigned: assigned, state: state)
    default: break
    }
    switch code.terminator {
    case .return(let value): leave(returning: value)
    case .throw(let value): leave(throwing: value)
    case .mayThrow(let next, let handler):
      var raised = state
      raised.isThrown = false
      if let failing, !state.hasFailed { raised = .failed(failing, isThrown: true) }
      if failing != nil { raised.isThrown = true }
      if failing != nil, !state.hasFailed {
        // Where the call goes on, it hasn't failed.
        let known = locals
        locals = locals.map(\.afterSuccess)
        go(to: next, state)
        locals = known
      } else {
        go(to: next, state)
      }
      go(to: handler, raised, isError: true, isDecided: failing != nil)
    case .branch(let condition, let yes, let no): branch(on: condition, yes, no)
    case .loop(let round, let behind):
      if let next = code.steps.last, case .shows(_, let traits) = mark(next), !state.hasFailed {
        go(to: round, .failed(traits), isDecided: true)
      } else {
        go(to: round, state)
      }
      go(to: behind, state)
    default:
      for target in code.terminator.targets { go(to: target, state) }
    }
  }

  /// Notes a `try!` that covers the step which fails.
  func forceIfTried(_ node: Ref) {
    var inner = node
    for outer in program.ancestors(node) {
      switch program.kind(outer) {
      case .closure, .block, .members: return
      case .expression:
        if let mark = program.children(outer, .tryMark).last(where: { $0 < inner }) {
          let flags = program.node(mark).flags
          if flags.contains(.isForced) { return run.force(mark) }
          if flags.contains(.isOptional) { return }
        }
      default: break
      }
      inner = outer
    }
  }

  private func go(
    to target: Int32, _ state: FailureState, isError: Bool = false, isDecided: Bool = false
  ) {
    incoming[Int(target)][block] = Edge(
      locals: locals, assigned: assigned, state: state, isError: isError, isDecided: isDecided)
  }

  /// Goes on where a condition holds and where it doesn't, which may tell of the failure.
  private func branch(on condition: Value, _ yes: Int32, _ no: Int32) {
    let decided: (Bool, ExitTraits)? =
      switch mark(condition) {
      case .decides(let holds, let traits), .shows(.flag(let holds), let traits): (holds, traits)
      default: nil
      }
    guard let (holds, traits) = decided else {
      let known = locals
      hold(condition, true)
      go(to: yes, state)
      hold(condition, false)
      go(to: no, state)
      locals = known
      return
    }
    run.isHeard = true
    let (failed, other) = holds ? (yes, no) : (no, yes)
    if state.hasFailed {
      go(to: failed, state)
      if traits.isShared { go(to: other, state) } else { incoming[Int(other)][block] = nil }
      return
    }
    go(to: failed, .failed(traits), isDecided: true)
    if isLast, condition >= 0, isPassedBy(failed) {
      ignoreDrops(decidedAt: body.ref(body.steps[Int(condition)]))
    }
    locals = locals.map(\.afterSuccess)
    go(to: other, state)
  }

  /// Records the outcome of a condition where the lowering keeps it, for `||` and `&&`.
  private func hold(_ condition: Value, _ value: Bool) {
    guard condition >= 0 else { return }
    for step in body.blocks[Int(block)].steps.map({ body.steps[Int($0)] })
    where step.operation == .store && step.index >= 0
      && body.operands(of: step).first == condition
      && body.locals[Int(step.index)].declaration == nil
    {
      locals[Int(step.index)] = .flag(value)
    }
  }

  /// Whether nothing is done from a block on before the ways meet again.
  private func isPassedBy(_ first: Int32) -> Bool {
    var next = first
    for _ in body.blocks.indices {
      let code = body.blocks[Int(next)]
      if code.isJoin {
        return incoming[Int(next)].contains { $0.key != block && !$0.value.state.hasFailed }
      }
      guard code.steps.isEmpty, !body.places.contains(where: { $0.block == next }),
        case .jump(let target) = code.terminator
      else { return false }
      next = target
    }
    return false
  }

  /// Notes the `try?` in the condition of an `if` behind which nothing is done with the failure.
  private func ignoreDrops(decidedAt node: Ref) {
    guard
      let statement = program.ancestors(node).first(where: {
        [.ifStatement, .guardStatement].contains(program.kind($0))
      }), let condition = program.children(statement).first(where: { program.contains($0, node) }),
      program.kind(condition) != .block
    else { return }
    for mark in run.outcome.drops where program.contains(condition, mark) { run.ignore(mark) }
  }

  // MARK: Ends

  private func leave(returning value: Value) {
    // What an initializer makes isn't the value of its last expression.
    let isNone = value >= 0 && body.steps[Int(value)].operation == .none
    var mark = body.kind == .initializer && !isNone ? .other : mark(value)
    if mark == .other, value >= 0, !state.hasFailed, isOptional(body.steps[Int(value)]),
      !isTried(body.steps[Int(value)])
    {
      mark = .none
    }
    returns[block] = Return(mark: mark.shown(state), state: state, assigned: assigned)
  }

  /// Whether a `try` covers a value, so that what is asked for decides whether it's `nil`.
  private func isTried(_ step: Instruction) -> Bool {
    program.parent(body.ref(step)).flatMap { program.parent($0) }.map {
      !program.children($0, .tryMark).isEmpty
    } ?? false
  }

  /// Whether a value may be `nil` for reasons of its own.
  func isOptional(_ step: Instruction) -> Bool {
    let node = body.ref(step)
    switch step.operation {
    case .call, .get, .load, .parameter, .capture, .getElement:
      guard let chain = program.parent(node), program.kind(chain) == .chain else { return false }
      if case .optional = run.facts.type(at: node) { return true }
      return false
    default: return false
    }
  }

  private func leave(throwing value: Value) {
    guard state.hasFailed else { return }
    // What is done about a store that doesn't fit may fail by itself.
    if program.calledName(run.place) == Words.compatibility, !isDecided { return }
    if value >= 0, body.steps[Int(value)].operation == .caught, !values[Int(value)].tells { return }
    thrown[block] = state.traits
  }

  private func result() -> FailureRun.Result {
    var found = FailureRun.Result()
    let all = returns.sorted { $0.key < $1.key }.map(\.value)
    if let first = all.first {
      found.returned = all.dropFirst().reduce(first.mark) { $0.joined($1.mark) }
    }
    for (_, traits) in thrown.sorted(by: { $0.key < $1.key }) {
      found.thrown =
        found.thrown.map {
          ExitTraits(
            isReported: $0.isReported && traits.isReported,
            isShared: $0.isShared || traits.isShared)
        } ?? traits
    }
    let (failed, other) = parted(ends.sorted { $0.key < $1.key }.map(\.value))
    if start.hasFailed { join(failed) } else { meet(failed, other) }
    if !ends.isEmpty {
      for number in body.captures.indices {
        let mark = locals[body.locals.count + number]
        if mark != first[body.locals.count + number] { found.stores[number] = mark }
      }
    }
    if isLast, !start.hasFailed { leaveUnset(all) }
    return found
  }

  /// Leaves by the properties that are set where the call hasn't failed and stay as they are where it
  /// has.
  private func leaveUnset(_ all: [Return]) {
    let failed = all.filter(\.state.hasFailed)
    let other = all.filter { !$0.state.hasFailed }.map(\.assigned)
    guard let first = other.first else { return }
    var left = other.dropFirst().reduce(first) { $0.joined($1) }
    for found in failed {
      left = left.joined(afterFailure: found.assigned, found.state.traits)
    }
    for (id, traits) in left.unset.sorted(by: { $0.key < $1.key }) {
      guard case .optional = program.type(ofProperty: id),
        program.mayHoldStore(.property(id, .missing)), let target = targets[id]
      else { continue }
      leave(into: target, .missing, traits)
    }
  }
}
