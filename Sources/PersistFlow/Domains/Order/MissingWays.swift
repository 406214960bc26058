import PersistIndex
import PersistSyntax

/// The ways through a body on which none of some events happens, as far as the values of flags and
/// of results, and conditions that are met twice, tell ways apart.
final class MissingWays {
  /// What such ways come to.
  struct Ends {
    /// Whether one comes to the step that was asked for.
    var isMet = false
    /// What they return.
    var returned: Set<Known> = []
    var throwsOn = false
  }

  /// What is known of a value on one way.
  enum Known: Hashable {
    case yes, no, missing, anything
    /// An enum's case.
    case named(Name)
  }

  /// How far one way has come.
  private struct Way: Hashable {
    var block: Int32 = 0
    var locals: [Int32: Known] = [:]
    var results: [Value: Known] = [:]
    var settled: [[Name]: Bool] = [:]
    /// The loops in which events may happen that have run.
    var rounds: Set<Int32> = []
    /// Whether it has come past the step where the ways in question begin.
    var hasBegun = true
  }

  /// What a step may run, and the events there; nothing where it is an event itself.
  private struct Happening {
    var isEvent = false
    var inner: [BodyID: [Event]] = [:]
    /// Whether something else runs the closure.
    var isHanded = false
  }

  private(set) var ends = Ends()
  private let order: Order
  private let code: BodySteps
  private let target: Ref?
  private let targets: Set<Value>
  /// The steps behind which the ways in question begin; nil for all ways.
  private let sources: Set<Value>?
  private var happenings: [Value: Happening] = [:]
  private var missed: [Value: Ends] = [:]
  private let paths: BlockPaths
  private lazy var repeated = repeatedConditions
  private var body: Body { code.body }

  /// Ways that are told apart in a body; beyond them flags and conditions decide nothing.
  private static let most = 400

  init(
    _ order: Order, _ facts: ProgramFacts, _ id: BodyID, _ events: [Event], before node: Ref? = nil,
    after source: Ref? = nil
  ) {
    self.order = order
    let code = BodySteps(order.program, facts, id)
    self.code = code
    target = node
    targets = node.map { Set(code.steps(at: $0)) } ?? []
    sources = source.map { Set(code.steps(at: $0)) }
    paths = BlockPaths(code.body)
    for event in events { take(event) }
    follow()
  }

  private func take(_ event: Event) {
    guard let first = event.first, let (call, closure) = code.lifted(first) else { return }
    for step in code.calls(call) {
      if let closure {
        happenings[step, default: Happening()].inner[closure, default: []].append(event)
        happenings[step]?.isHanded = true
      } else if event.count == 1 {
        happenings[step, default: Happening()].isEvent = true
      } else {
        let rest = Array(event.dropFirst())
        let handed = bodies(handedTo: first, with: rest)
        for inner in handed.isEmpty ? bodies(runBy: first) : handed {
          let isInside = order.program.contains(code.facts.bodies[inner].place, rest[0])
          happenings[step, default: Happening()].inner[inner, default: []] +=
            isInside ? [rest] : []
          if !handed.isEmpty { happenings[step]?.isHanded = true }
        }
      }
    }
  }

  /// The bodies that a call is handed by their names and surely runs, if an event goes on in them.
  private func bodies(handedTo call: Ref, with event: Event) -> [BodyID] {
    order.program.codeHanded(to: call).compactMap { handed in
      guard let code = handed.code, order.program.contains(code, event[0]),
        order.program.surelyRuns(handed.argument, handedTo: call)
      else { return nil }
      return self.code.facts.body(around: code)
    }
  }

  private func bodies(runBy call: Ref) -> [BodyID] {
    let functions = order.program.functions(calledBy: call)
    guard functions.isEmpty else { return functions.compactMap { code.facts.body(of: $0) } }
    return order.program.closure(calledBy: call).flatMap { code.facts.body(around: $0) }
      .map { [$0] } ?? []
  }

  // MARK: Blocks

  private func follow() {
    var pending = [Way(hasBegun: sources == nil)]
    var seen = Set(pending)
    while let way = pending.popLast() {
      let block = body.blocks[Int(way.block)]
      var ways = [way]
      var failed: [Way] = []
      for step in block.steps where !ways.isEmpty {
        ends.isMet = ends.isMet || targets.contains(step)
        guard !ends.isMet else { return }
        (ways, failed) = take(step, ways)
        if sources?.contains(step) == true { ways = ways.map(begun) }
      }
      for next in leave(block, ways, failed) {
        var next = next
        if seen.count > Self.most { (next.locals, next.results, next.settled) = ([:], [:], [:]) }
        if seen.insert(next).inserted { pending.append(next) }
      }
    }
  }

  private func begun(_ way: Way) -> Way {
    var begun = way
    begun.hasBegun = true
    return begun
  }

  /// The ways behind a step, and those on which it has failed.
  private func take(_ value: Value, _ ways: [Way]) -> (after: [Way], failed: [Way]) {
    let step = body.steps[Int(value)]
    switch step.operation {
    case .store:
      let operand = body.operands(of: step).first ?? -1
      return (
        ways.map { way in
          var after = way
          if step.index >= 0 {
            after.locals[step.index] = known(operand, way)
            forget(body.locals[Int(step.index)].name, in: &after)
          }
          return after
        }, ways
      )
    case .set:
      return (
        ways.map { way in
          var after = way
          forget(step.name, in: &after)
          return after
        }, ways
      )
    case .call:
      let call = body.ref(step)
      if order.isEnd?(call) ?? order.program.isProcessEnd(call) { return ([], []) }
      guard let happening = happenings[value] else {
        return (ways, isArgument(step) && counts(failureOf: call) ? [] : ways)
      }
      let isDone = counts(failureOf: call)
      if happening.isEvent { return ([], isDone ? [] : ways) }
      let inner = missed[value] ?? ends(of: happening)
      missed[value] = inner
      var results = inner.returned.contains(.anything) ? [.anything] : inner.returned
      // What keeps the error of a closure goes on with it.
      if happening.isHanded, inner.throwsOn, !body.calls[Int(step.index)].isTried {
        results.insert(.named("failure"))
      }
      let after = ways.flatMap { way in
        results.map { result in
          var after = way
          after.results[value] = result
          return after
        }
      }
      let isLost = inner.throwsOn || happening.isHanded && !(isDone && after.isEmpty)
      return (after, isLost && !(order.attempts == .whereCaught && isDone) ? ways : [])
    default: return (ways, ways)
    }
  }

  /// Whether a step makes an argument for a call that is an event; one `try` covers both.
  private func isArgument(_ step: Instruction) -> Bool {
    happenings.contains { value, happening in
      let call = body.ref(body.steps[Int(value)])
      return happening.isEvent && order.program.contains(call, body.ref(step))
    }
  }

  /// Whether an event counts at the target though its call has failed.
  private func counts(failureOf call: Ref) -> Bool {
    switch order.attempts {
    case .never: return false
    case .always: return true
    case .whereCaught:
      guard let target, let catcher = order.program.catcher(of: call) else { return false }
      return order.program.ancestors(target).contains {
        order.program.kind($0) == .catchClause && order.program.parent($0) == catcher
      }
    }
  }

  private func ends(of happening: Happening) -> Ends {
    var all = Ends()
    for (body, events) in happening.inner.sorted(by: { $0.key < $1.key }) {
      let found = MissingWays(order, code.facts, body, events).ends
      all.returned.formUnion(found.returned)
      all.throwsOn = all.throwsOn || found.throwsOn
    }
    return all
  }

  /// Forgets conditions that name what changes.
  private func forget(_ name: Name, in way: inout Way) {
    guard name != .none, !way.settled.isEmpty else { return }
    way.settled = way.settled.filter { !$0.key.contains(name) }
  }

  private func leave(_ block: Block, _ ways: [Way], _ failed: [Way]) -> [Way] {
    func go(_ ways: [Way], _ target: Int32) -> [Way] {
      ways.map { way in
        var next = way
        next.block = target
        return next
      }
    }
    switch block.terminator {
    case .jump(let target): return go(ways, target)
    case .mayThrow(let next, let handler):
      // What a failure leads to is no way that the code goes by itself.
      return go(ways, next) + go(sources == nil ? failed : [], handler)
    case .branch(let value, let yes, let no):
      return ways.flatMap { branch($0, value, yes, no) }
    case .loop(let round, let behind):
      let holdsEvent = happeningBlocks.contains { paths.reaches($0, from: round) }
      return ways.flatMap { way in
        var entered = way
        if holdsEvent { entered.rounds.insert(way.block) }
        // Where there is no element there is nothing that it could happen to.
        let isOver = !holdsEvent || way.rounds.contains(way.block)
        return go([entered], round) + (isOver ? go([way], behind) : [])
      }
    case .return(let value):
      // Who returns something says by that what has become of it.
      guard sources == nil || value < 0 else { break }
      for way in ways where way.hasBegun { ends.returned.insert(known(value, way)) }
    case .throw: ends.throwsOn = ends.throwsOn || !ways.isEmpty
    case .end: break
    }
    return []
  }

  private lazy var happeningBlocks = Set(happenings.keys.compactMap { code.blocks[$0] })

  // MARK: Conditions

  private func branch(_ way: Way, _ value: Value, _ yes: Int32, _ no: Int32) -> [Way] {
    let (condition, holds) = body.condition(value)
    let decided =
      switch known(value, way) {
      case .yes: true
      case .no: false
      default: key(condition).flatMap { way.settled[$0] }.map { $0 == holds }
      }
    return [(true, yes), (false, no)].compactMap { isTaken, target in
      guard decided == nil || decided == isTaken,
        decided != nil || !skips(condition, target, other: isTaken ? no : yes)
      else { return nil }
      var next = way
      next.block = target
      if let key = key(condition), repeated.contains(key) { next.settled[key] = isTaken == holds }
      return next
    }
  }

  /// Whether an event could only happen behind the other target, and need not where this one is taken.
  private func skips(_ condition: Value, _ target: Int32, other: Int32) -> Bool {
    guard condition >= 0 else { return false }
    let isSkipped = happeningBlocks.contains { block in
      paths.reaches(block, from: other) && !paths.reaches(block, from: target)
        && leadsToTarget(block)
    }
    guard isSkipped else { return false }
    let step = body.steps[Int(condition)]
    return order.isNeedless(whole(step), step.operation == .isNil)
  }

  /// Whether what is asked for may run behind a block.
  private func leadsToTarget(_ block: Int32) -> Bool {
    targets.isEmpty
      || targets.contains { step in
        code.blocks[step].map { $0 == block || paths.leads(from: block, to: $0) } ?? true
      }
  }

  /// The node of a condition, with what is called or asked.
  private func whole(_ step: Instruction) -> Ref {
    let operand = step.operation == .isNil ? body.operands(of: step).first ?? -1 : -1
    let node = body.ref(operand >= 0 ? body.steps[Int(operand)] : step)
    let outer = order.program.parent(node).flatMap { order.program.kind($0) == .chain ? $0 : nil }
    return outer ?? node
  }

  /// What a condition asks, token by token.
  private func key(_ condition: Value) -> [Name]? {
    guard condition >= 0 else { return nil }
    let step = body.steps[Int(condition)]
    if step.operation == .binary {
      let sides = body.operands(of: step).compactMap { key($0) }
      return sides.count == 2 ? sides[0] + [step.name] + sides[1] : nil
    }
    return order.program.tokens(of: whole(step)) + (step.operation == .isNil ? ["nil"] : [])
  }

  /// The conditions that several branches ask.
  private var repeatedConditions: Set<[Name]> {
    var counts: [[Name]: Int] = [:]
    for block in body.blocks {
      if case .branch(let value, _, _) = block.terminator, let key = key(body.condition(value).0) {
        counts[key, default: 0] += 1
      }
    }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  private func known(_ value: Value, _ way: Way) -> Known {
    guard value >= 0 else { return .anything }
    let step = body.steps[Int(value)]
    let operands = body.operands(of: step)
    switch step.operation {
    case .literal: return step.name == "true" ? .yes : step.name == "false" ? .no : .anything
    case .none: return .missing
    case .load: return way.locals[step.index] ?? .anything
    case .call: return way.results[value] ?? .anything
    case .await, .cast: return operands.first.map { known($0, way) } ?? .anything
    case .implicitMember: return .named(step.name)
    case .isNil, .isCase:
      let wanted = step.operation == .isNil ? Known.missing : .named(step.name)
      return operands.first.map { known($0, way) }.flatMap { same($0, wanted) } ?? .anything
    case .binary where ["==", "!="].contains(step.name):
      let sides = operands.map { known($0, way) }
      guard sides.count == 2, let found = same(sides[0], sides[1]) else { return .anything }
      return step.name == "==" ? found : found == .yes ? .no : .yes
    case .prefix where step.name == "!":
      switch operands.first.map({ known($0, way) }) {
      case .yes: return .no
      case .no: return .yes
      default: return .anything
      }
    default: return .anything
    }
  }

  /// Whether two values are the same, as far as that is known.
  private func same(_ left: Known, _ right: Known) -> Known? {
    if left == .anything || right == .anything { return nil }
    return left == right ? .yes : .no
  }
}

extension Program {
  /// The `do` whose `catch` takes the error of a call; nil where a `try?` drops it, or nothing in the
  /// body does.
  fileprivate func catcher(of call: Ref) -> Ref? {
    var inner = call
    for outer in ancestors(call) {
      switch kind(outer) {
      case .expression:
        let marks = children(outer, .tryMark).filter { $0 < inner }
        if marks.contains(where: { node($0).flags.contains(.isOptional) }) { return nil }
      case .doStatement where kind(inner) == .block && child(outer, .catchClause) != nil:
        return outer
      case .closure, .functionDecl, .initDecl, .accessor, .members: return nil
      default: break
      }
      inner = outer
    }
    return nil
  }
}
