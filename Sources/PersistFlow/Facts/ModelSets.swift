import PersistIndex
import PersistSyntax

extension Program {
  /// The stored properties of models that some code sets, by the names that it sets; those of an object
  /// that the code makes itself left out.
  package func modelSets(in code: Ref) -> [Ref] {
    let facts = loweredCode.facts(for: code)
    let unit = facts.bodies.unit(of: code)
    facts.bodies.lower(unit: unit)
    return facts.bodies.loweredBodies(inFile: Int(code.file))
      .filter { facts.bodies.unit(ofBody: $0.0) == unit }
      .flatMap { _, body in
        body.steps.filter { isModelSet($0, body) }.map { body.ref($0) }
      }.filter { contains(code, $0) }.sorted()
  }

  private func isModelSet(_ step: Instruction, _ body: Body) -> Bool {
    guard step.operation == .set, !step.isWriteBack, let id = property(usedBy: body.ref(step)),
      !properties[id].isComputed, let owner = properties[id].owner, isModel(owner),
      let receiver = body.operands(of: step).first
    else { return false }
    return !isMadeHere(receiver, body)
  }

  /// Whether a value is an object that the body makes, or the instance of an initializer.
  private func isMadeHere(_ value: Value, _ body: Body) -> Bool {
    body.steps(behind: value).contains { step in
      guard step.operation == .call, case .initializer(let type, _) = callTarget(body.ref(step))
      else { return false }
      return isModel(type)
    }
  }

  /// Whether a call is made on what its code is given: a parameter, or `$0`.
  package func isOnParameter(_ call: Ref, of code: Ref) -> Bool {
    guard let head = callee(call).first else { return false }
    switch declared(head) {
    case .closureArgument(let closure, _): return closure == code
    case .local(let local): return kind(local) == .parameter && contains(code, local)
    default: return false
    }
  }

  /// The calls of some code, in source order.
  package func calls(in code: Ref) -> [Ref] { descendants(code, .call) }
}
