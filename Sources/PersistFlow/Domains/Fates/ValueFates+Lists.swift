import PersistIndex
import PersistSyntax

// MARK: - What frameworks make of values

extension ValueFates {
  /// What a call of a framework gives back that is or holds a value; nil where it is something else.
  func made(
    by site: CallSite, _ call: Ref, _ receiver: CarriedMark, _ arguments: [CarriedMark],
    _ run: LocalRun<ValueFates>
  ) -> CarriedMark? {
    if let carrier = carrier(site, call, receiver, arguments) { return carrier }
    let type = program.receiverType(ofCall: call)
    guard let row = APITable.all.row(site.name, of: type), !row.isMethod,
      type.unwrapped.isCollection || !receiver.all.isEmpty
    else { return nil }
    var results: [CarriedMark] = []
    for closure in row.closures {
      guard let argument = site.arguments.last, argument.value >= 0,
        case let made = run.body.steps[Int(argument.value)], made.operation == .closure
      else { continue }
      let given = closure.given.map { value(of: $0, receiver, arguments, []) }
      let captured = run.body.operands(of: made).dropFirst().map { run.mark($0) }
      let around = run.body.operands(of: made).first.map { run.mark($0) } ?? .other
      results.append(
        flow.run(made.index, given, captured, of: trail.goesOut ? around : .other))
    }
    let made = value(of: row.result, receiver, arguments, results)
    return made.all.isEmpty ? nil : made
  }

  /// What carries a value as it is: a case of an enum, a property wrapper, the success of a result.
  private func carrier(
    _ site: CallSite, _ call: Ref, _ receiver: CarriedMark, _ arguments: [CarriedMark]
  ) -> CarriedMark? {
    if site.name == Frameworks.outcomeValue, arguments.isEmpty, !receiver.all.isEmpty {
      return receiver
    }
    guard let held = arguments.first(where: { !$0.all.isEmpty }),
      let called = program.calledNode(call)
    else { return nil }
    let isCase =
      program.kind(called) == .implicitMember
      || program.kind(called) == .member && isType(program.receiverType(ofCall: call))
    let isWrapper = Frameworks.wrappersOfValues.contains(site.name) && arguments.count == 1
    return isCase || isWrapper ? held : nil
  }

  private func isType(_ type: SwiftType) -> Bool {
    if case .metatype(.declared(let id, _)) = type {
      return program.types[id].kind == .enumDecl
    }
    return false
  }

  private func value(
    of result: API.Result, _ receiver: CarriedMark, _ arguments: [CarriedMark],
    _ results: [CarriedMark]
  ) -> CarriedMark {
    func operand(_ operand: API.Operand) -> CarriedMark {
      switch operand {
      case .receiver: receiver
      case .argument(let index): arguments.indices.contains(index) ? arguments[index] : .other
      default: .other
      }
    }
    switch result {
    case .value(let place), .copied(let place): return operand(place)
    case .element(let place), .elementOrNil(let place): return holding(operand(place).own)
    case .orNil(let inner): return value(of: inner, receiver, arguments, results)
    case .collection(let inner):
      let elements = value(of: inner, receiver, arguments, results).own
      return elements.isEmpty ? .other : .list(elements)
    case .returned, .elementOfReturned: return results.reduce(.other) { joined($0, $1) }
    case .sorted: return receiver
    default: return .other
    }
  }

  /// What a call leaves of its receiver: a list that something was put into.
  func grown(_ step: Instruction, _ run: LocalRun<ValueFates>) -> CarriedMark {
    guard trail.goesOut, let call = run.body.operands(of: step).first,
      case let made = run.body.steps[Int(call)], made.operation == .call,
      case let site = run.body.calls[Int(made.index)],
      Frameworks.growingMethods.contains(site.name)
    else { return .other }
    let held = run.marks(of: site).reduce(into: run.mark(site.receiver).own) {
      $0.formUnion($1.own)
    }
    return held.isEmpty ? .other : .list(held)
  }
}
