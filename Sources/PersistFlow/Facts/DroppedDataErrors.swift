import PersistIndex
import PersistSyntax

/// Where code that moves the data of a store goes on after an error that concerns the data.
package final class DroppedDataErrors {
  private let program: Program
  private let facts: ProgramFacts
  /// The bodies that are handed the context or rows, or make what is stored.
  private var bodies: [BodyID] = []
  private var consumers: [BodyID: [Value: [Value]]] = [:]
  /// The `try?` marks and the empty `catch` clauses, in the order in which the code is reached.
  package private(set) var places: [Ref] = []

  /// What is tried in a body, and what an error of it leads to.
  private struct Attempt {
    let body: BodyID
    let calls: [Value]
    /// The `try?` mark, or the `catch` clause.
    let place: Ref
    /// The mark, or the block of which the clause catches the errors.
    let tried: Ref
    /// What a `try?` gives.
    let value: Value?
  }

  package init(in code: Ref, _ program: Program) {
    self.program = program
    facts = program.loweredCode.facts(for: code)
    guard let first = facts.body(around: code) else { return }
    add(first)
    var next = 0
    while next < bodies.count {
      let id = bodies[next]
      next += 1
      for (value, site) in calls(in: id)
      where concernsData(site, in: id) || isStored(value, in: id) {
        let called = program.functions(calledBy: node(value, in: id))
        for body in called.compactMap({ facts.body(of: $0) }) { add(body) }
      }
    }
    for id in bodies { look(in: id) }
  }

  /// The code that is looked at, as nodes.
  package var code: [Ref] { bodies.map { facts.bodies[$0].place } }

  private func add(_ body: BodyID) {
    for id in facts.withClosures(body) where !bodies.contains(id) { bodies.append(id) }
  }

  private func node(_ value: Value, in id: BodyID) -> Ref {
    let body = facts.bodies[id]
    return body.ref(body.steps[Int(value)])
  }

  private func calls(in id: BodyID) -> [(Value, CallSite)] {
    let body = facts.bodies[id]
    return body.steps.indices.filter { body.steps[$0].operation == .call }.map {
      (Value(truncatingIfNeeded: $0), body.calls[Int(body.steps[$0].index)])
    }
  }

  // MARK: What is tried

  private func look(in id: BodyID) {
    for attempt in attempts(in: id) {
      let names = names(behind: attempt)
      let isEmptyCatch = attempt.value == nil
      let usesContext = attempt.calls.contains { self.usesContext($0, in: id) }
      guard !isCleanUp(attempt, names), isEmptyCatch || !savesCleanUp(attempt),
        usesContext || (isEmptyCatch ? storesRows(attempt) : isStored(attempt) && !encodes(attempt))
      else { continue }
      places.append(attempt.place)
    }
  }

  private func attempts(in id: BodyID) -> [Attempt] {
    let body = facts.bodies[id]
    var tried: [Int32: [Value]] = [:]
    for block in body.blocks {
      guard case .mayThrow(let next, let handler) = block.terminator, next != handler,
        let call = block.steps.last
      else { continue }
      tried[handler, default: []].append(call)
    }
    return tried.sorted { $0.key < $1.key }.flatMap { handler, calls -> [Attempt] in
      guard let first = body.blocks[Int(handler)].steps.first else { return [] }
      let step = body.steps[Int(first)]
      let place = body.ref(step)
      switch step.operation {
      case .none:
        let value = body.steps.indices.first {
          body.steps[$0].operation == .load && body.steps[$0].node == step.node
        }
        let given = value.map { Value(truncatingIfNeeded: $0) }
        return [Attempt(body: id, calls: calls, place: place, tried: place, value: given)]
      case .caught:
        guard let (tried, clauses) = program.emptyClauses(ofStatement: place) else { return [] }
        return clauses.map {
          Attempt(body: id, calls: calls, place: $0, tried: tried, value: nil)
        }
      default: return []
      }
    }
  }

  // MARK: What concerns the data

  /// Whether a call asks a context, or hands it on.
  private func usesContext(_ call: Value, in id: BodyID) -> Bool {
    let node = node(call, in: id)
    if Frameworks.dataCalls.contains(program.calledName(node)) {
      let receiver = program.receiverType(ofCall: node)
      if receiver == .unknown || program.isContext(receiver.unwrapped) { return true }
    }
    return program.arguments(node).contains { program.isContext(program.type(of: $0).unwrapped) }
  }

  /// Whether a call is handed the context or a row, or made on one of them.
  private func concernsData(_ site: CallSite, in id: BodyID) -> Bool {
    let node = facts.bodies[id].ref(site)
    let types =
      [program.receiverType(ofCall: node)] + program.arguments(node).map { program.type(of: $0) }
    return types.contains { program.isContext($0.unwrapped) || program.model(in: $0) != nil }
  }

  /// Whether a step makes, inserts or sets a row.
  private func storesRow(_ value: Value, in id: BodyID) -> Bool {
    let body = facts.bodies[id]
    let step = body.steps[Int(value)]
    let node = body.ref(step)
    switch step.operation {
    case .set:
      return !step.isWriteBack && program.model(in: program.receiverType(ofMember: node)) != nil
    case .call:
      if body.calls[Int(step.index)].name == "insert" {
        return program.isContext(program.receiverType(ofCall: node).unwrapped)
      }
      guard case .initializer(let type, _) = program.callTarget(node) else { return false }
      return program.isModel(type)
    default: return false
    }
  }

  /// Whether a body, or a closure in it, stores rows in one of some blocks.
  private func storesRows(in id: BodyID, blocks: Set<Int32>? = nil) -> Bool {
    let body = facts.bodies[id]
    return body.blocks.indices.contains { number in
      guard blocks?.contains(Int32(truncatingIfNeeded: number)) ?? true else { return false }
      return body.blocks[number].steps.contains { value in
        let step = body.steps[Int(value)]
        return step.operation == .closure
          ? storesRows(in: step.index) : storesRow(value, in: id)
      }
    }
  }

  /// Whether what is tried stores rows.
  private func storesRows(_ attempt: Attempt) -> Bool {
    facts.withClosures(attempt.body).contains { id in
      facts.bodies[id].steps.indices.contains { index in
        let value = Value(truncatingIfNeeded: index)
        return storesRow(value, in: id) && program.contains(attempt.tried, node(value, in: id))
      }
    }
  }

  // MARK: What nobody misses

  /// The names of all that an attempt is made of.
  private func names(behind attempt: Attempt) -> [String] {
    let body = facts.bodies[attempt.body]
    return attempt.calls.flatMap { body.steps(behind: $0, throughLocals: false) }.compactMap {
      switch $0.operation {
      case .load, .capture, .get, .type, .function, .implicitMember:
        program.nameText(body.ref($0))
      case .call: program.calledText(body.ref($0))
      default: nil
      }
    }
  }

  /// Whether the code only clears away what nobody misses.
  private func isCleanUp(_ attempt: Attempt, _ names: [String]) -> Bool {
    let body = facts.bodies[attempt.body]
    let isDeletion = attempt.calls.contains { call in
      Frameworks.clearing.contains(body.calls[Int(body.steps[Int(call)].index)].name)
    }
    return isDeletion
      && names.contains { name in
        name.camelWords.contains { Frameworks.passing.contains($0.lowercased()) }
      }
  }

  /// Whether a save has nothing to keep but deletions of what nobody misses.
  private func savesCleanUp(_ attempt: Attempt) -> Bool {
    let body = facts.bodies[attempt.body]
    let saves = attempt.calls.contains { call in
      body.calls[Int(body.steps[Int(call)].index)].name == Frameworks.saving
    }
    guard saves, !storesRows(in: attempt.body) else { return false }
    let deletions = calls(in: attempt.body).filter { $0.1.name == Frameworks.deletion }.map {
      call in
      Attempt(
        body: attempt.body, calls: [call.0], place: attempt.place, tried: attempt.tried, value: nil)
    }
    return !deletions.isEmpty && deletions.allSatisfy { isCleanUp($0, names(behind: $0)) }
  }

  /// Whether all that is tried is to encode a value of the program, which reads no data and keeps
  /// none.
  private func encodes(_ attempt: Attempt) -> Bool {
    let nodes = attempt.calls.map { node($0, in: attempt.body) }
    return nodes.contains { call in
      let type = program.receiverType(ofCall: call).unwrapped
      return program.calledName(call) == "encode"
        && Frameworks.encoders.contains { type.isExternal($0) }
    }
      && nodes.allSatisfy {
        program.functions(calledBy: $0).allSatisfy { !program.functions[$0].isThrowing }
      }
  }

  // MARK: Where a value goes

  private func isStored(_ attempt: Attempt) -> Bool {
    attempt.value.map { isStored($0, in: attempt.body) } ?? false
  }

  /// Whether a value goes into a row, or decides whether one is stored: by locals, operators, closures,
  /// calls, and the functions that return it.
  private func isStored(_ value: Value, in id: BodyID) -> Bool {
    var seen: [BodyID: Set<Value>] = [id: [value]]
    var pending = [(id, value)]
    func reach(_ id: BodyID, _ value: Value) {
      if seen[id, default: []].insert(value).inserted { pending.append((id, value)) }
    }
    while let (id, value) = pending.popLast() {
      let body = facts.bodies[id]
      for next in takers(of: value, in: id) {
        if storesRow(next, in: id) { return true }
        let step = body.steps[Int(next)]
        switch step.operation {
        case .store: for load in loads(of: step.index, in: body) { reach(id, load) }
        case .closure:
          let captures = body.operands(of: step).dropFirst().enumerated()
          for (index, taken) in captures where taken == value {
            for capture in facts.bodies[step.index].steps.indices
            where facts.bodies[step.index].steps[capture].operation == .capture
              && Int(facts.bodies[step.index].steps[capture].index) == index
            {
              reach(step.index, Value(truncatingIfNeeded: capture))
            }
          }
        case .set, .setElement, .receiverAfter, .argumentAfter: continue
        default: reach(id, next)
        }
      }
      if body.results.contains(value), body.kind == .function, let function = body.function {
        for caller in bodies {
          for (call, _) in calls(in: caller)
          where program.functions(calledBy: node(call, in: caller)).contains(function) {
            reach(caller, call)
          }
        }
      }
    }
    return seen.contains { decides($0.value, in: $0.key) }
  }

  /// Whether values decide whether a body stores rows: by a condition, or as what a loop goes over.
  private func decides(_ values: Set<Value>, in id: BodyID) -> Bool {
    let body = facts.bodies[id]
    return body.blocks.indices.contains { number in
      let block = Int32(truncatingIfNeeded: number)
      if case .loop(let inner, let after) = body.blocks[number].terminator,
        body.blocks[number].steps.contains(where: values.contains),
        storesRows(in: id, blocks: body.round(from: inner, of: block, after))
      {
        return true
      }
      guard storesRows(in: id, blocks: [block]) else { return false }
      let ways = program.conditions.ways(toBlocks: [block], in: id, facts) ?? []
      return ways.contains { $0.contains { !$0.isFailure && values.contains($0.value) } }
    }
  }

  private func loads(of local: Int32, in body: Body) -> [Value] {
    body.steps.indices.filter {
      body.steps[$0].operation == .load && body.steps[$0].index == local
    }.map { Value(truncatingIfNeeded: $0) }
  }

  /// The steps that take a value.
  private func takers(of value: Value, in id: BodyID) -> [Value] {
    if consumers[id] == nil {
      let body = facts.bodies[id]
      var found: [Value: [Value]] = [:]
      for (number, step) in body.steps.enumerated() {
        var taken = Set(body.operands(of: step))
        if step.operation == .call {
          let site = body.calls[Int(step.index)]
          taken.formUnion([site.receiver] + site.arguments.map(\.value))
        }
        for value in taken { found[value, default: []].append(Value(truncatingIfNeeded: number)) }
      }
      consumers[id] = found
    }
    return consumers[id]?[value] ?? []
  }
}

extension Body {
  /// The blocks of one round of a loop.
  fileprivate func round(from inner: Int32, of head: Int32, _ after: Int32) -> Set<Int32> {
    reached(from: inner, upTo: head).subtracting(reached(from: after, upTo: head))
  }

  private func reached(from first: Int32, upTo end: Int32) -> Set<Int32> {
    var found: Set<Int32> = [first, end]
    var pending = [first]
    while let next = pending.popLast() {
      pending += blocks[Int(next)].terminator.targets.filter { found.insert($0).inserted }
    }
    return found
  }
}
