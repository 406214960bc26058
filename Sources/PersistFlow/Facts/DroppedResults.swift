import PersistIndex
import PersistSyntax

/// Whether anybody looks at what a function returns.
struct DroppedResults {
  private let solver: Solver
  private var facts: ProgramFacts { solver.facts }
  private var program: Program { solver.program }

  init(_ solver: Solver) { self.solver = solver }

  /// Whether somebody is seen to call a function, and all who do drop what it returns.
  func drops(_ function: FunctionID) -> Bool {
    var seen: Set<FunctionID> = []
    return drops(function, &seen)
  }

  private func drops(_ function: FunctionID, _ seen: inout Set<FunctionID>) -> Bool {
    guard seen.insert(function).inserted else { return true }
    let calls = program.callers(of: function).filter { !program.isExempt($0) }
    return !calls.isEmpty && calls.allSatisfy { dropsResult(of: $0, &seen) }
  }

  private func dropsResult(of call: Ref, _ seen: inout Set<FunctionID>) -> Bool {
    guard let id = facts.body(around: call) else { return false }
    let body = solver.bodies[id]
    guard let value = value(of: call, in: body) else { return false }
    return drops(value, in: id, isWrapped: false, &seen)
  }

  private func value(of call: Ref, in body: Body) -> Value? {
    for (index, step) in body.steps.enumerated() where step.operation == .call {
      if body.calls[Int(step.index)].node == call.node { return Value(index) }
    }
    return nil
  }

  /// Whether nothing looks at a value; one that is wrapped is what a call made of a closure that
  /// returns it, such as a promise.
  private func drops(
    _ value: Value, in id: BodyID, isWrapped: Bool, _ seen: inout Set<FunctionID>
  ) -> Bool {
    let body = solver.bodies[id]
    var pending = [value]
    var known: Set<Value> = [value]
    while let next = pending.popLast() {
      for (index, step) in body.steps.enumerated()
      where body.operands(of: step).contains(next) || takes(next, step, body) {
        var made: [Value] = []
        switch step.operation {
        case .await, .cast, .unwrap: made = [Value(index)]
        case .isNil: continue
        case .store: made = loads(of: step.index, in: body)
        case .receiverAfter, .argumentAfter: continue
        case .call where isWrapped && body.calls[Int(step.index)].receiver == next:
          guard let closures = closures(of: body.calls[Int(step.index)], in: body) else {
            made = [Value(index)]
            break
          }
          guard closures.allSatisfy({ ignoresArguments($0, &seen) }) else { return false }
        default: return false
        }
        pending += made.filter { known.insert($0).inserted }
      }
      guard !body.returns(next) || dropsResult(of: body, id, &seen) else { return false }
    }
    return true
  }

  private func takes(_ value: Value, _ step: Instruction, _ body: Body) -> Bool {
    guard step.operation == .call else { return false }
    let call = body.calls[Int(step.index)]
    return call.receiver == value || call.arguments.contains { $0.value == value }
  }

  private func loads(of local: Int32, in body: Body) -> [Value] {
    var found: [Value] = []
    for (index, step) in body.steps.enumerated() where step.operation == .load {
      if step.index == local { found.append(Value(index)) }
    }
    return found
  }

  /// The closures that a call takes; nil where it takes none.
  private func closures(of call: CallSite, in body: Body) -> [BodyID]? {
    var found: [BodyID] = []
    for argument in call.arguments where argument.value >= 0 {
      let step = body.steps[Int(argument.value)]
      if step.operation == .closure { found.append(step.index) }
    }
    return found.isEmpty ? nil : found
  }

  private func ignoresArguments(_ closure: BodyID, _ seen: inout Set<FunctionID>) -> Bool {
    let body = solver.bodies[closure]
    for (index, step) in body.steps.enumerated() where step.operation == .parameter {
      guard drops(Value(index), in: closure, isWrapped: false, &seen) else { return false }
    }
    return true
  }

  /// Whether nobody looks at what a body returns: its callers, or what a call makes of a closure.
  private func dropsResult(of body: Body, _ id: BodyID, _ seen: inout Set<FunctionID>) -> Bool {
    if body.kind == .function { return body.function.map { drops($0, &seen) } ?? false }
    guard body.kind == .closure, let outside = program.parent(body.place),
      let outer = facts.body(around: outside)
    else { return false }
    let code = solver.bodies[outer]
    for (index, step) in code.steps.enumerated() where step.operation == .call {
      let call = code.calls[Int(step.index)]
      guard closures(of: call, in: code)?.contains(id) ?? false else { continue }
      return passesOn(call, in: code) && drops(Value(index), in: outer, isWrapped: true, &seen)
    }
    return false
  }

  /// Whether a call can do nothing with what a closure returns but hand it on: it knows nothing of
  /// its type.
  private func passesOn(_ call: CallSite, in body: Body) -> Bool {
    switch facts.target(body.ref(call)) {
    case .functions(let ids): ids.allSatisfy { program.isGeneric($0) }
    case .initializer, .closure: false
    default: true
    }
  }
}

extension Body {
  fileprivate func returns(_ value: Value) -> Bool {
    blocks.contains { $0.terminator == .return(value) }
  }
}

extension Program {
  fileprivate func isGeneric(_ function: FunctionID) -> Bool {
    child(functions[function].ref, .genericParameters) != nil
  }
}
