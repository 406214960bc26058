import PersistIndex
import PersistSyntax

/// A use, in an actor without a context, of a model that a caller hands in.
package struct BorrowedModelUse: Sendable {
  package let place: Ref
  package let value: String
  package let actor: TypeID
  package let model: TypeID
}

extension CapturedValues {
  /// The first uses in the methods of actors without a context of the models that these take.
  package func borrowedModelUses() -> [BorrowedModelUse] {
    guard program.holdsModelsOrContexts else { return [] }
    let own = Set(program.contextActors)
    return program.types(inFilesUsing: "actor").filter { actor in
      program.types[actor].kind == .actorDecl && !own.contains(actor)
        && !program.isExempt(program.types[actor].ref) && !program.isModelActor(actor)
    }.flatMap { actor in
      program.types[actor].functions.compactMap { borrowedModelUse(in: $0, of: actor) }
    }
  }

  private func borrowedModelUse(in id: FunctionID, of actor: TypeID) -> BorrowedModelUse? {
    let function = program.functions[id]
    guard function.kind == .functionDecl, !function.isPrivate, let body = program.body(of: id),
      program.isolation(ofFunction: id) == .actor(actor),
      !program.isCalledByItselfAlone(id, of: actor)
    else { return nil }
    let lent = Set(function.parameters.map { Ref(file: Int(function.ref.file), node: $0.node) })
      .filter { program.model(in: program.type(ofLocal: $0)) != nil && !program.isSent($0) }
    guard !lent.isEmpty else { return nil }
    return uses(in: function.ref).lazy.compactMap { [program] use -> BorrowedModelUse? in
      guard lent.contains(use.source), let name = program.chainBegin(of: use.place),
        program.staysIn(body, name), let model = program.model(in: use.type)
      else { return nil }
      if program.isAwaited(use.place), program.hasOwnActor(use, of: model) { return nil }
      if program.isCompiledAsSwift6(use.place), !program.isUncheckedSendable(model) { return nil }
      switch use.action {
      case .reads, .sets, .calls:
        return BorrowedModelUse(place: use.place, value: use.value, actor: actor, model: model)
      default: return nil
      }
    }.first
  }
}

extension Program {
  /// The name that the chain around a part begins with.
  package func chainBegin(of part: Ref) -> Ref? {
    parent(part).flatMap { firstChild($0) }
  }

  /// Whether the methods of an actor call one of its own, and no other code does.
  fileprivate func isCalledByItselfAlone(_ id: FunctionID, of actor: TypeID) -> Bool {
    let calls = shippingCallers(of: id)
    return !calls.isEmpty
      && calls.allSatisfy { call in
        enclosingType(call) == actor && calledNode(call).map { kind($0) == .name } ?? false
      }
  }

  /// Whether what is used of a model is isolated to an actor.
  fileprivate func hasOwnActor(_ use: ValueUse, of model: TypeID) -> Bool {
    if isolation(ofType: model).isActor { return true }
    switch use.action {
    case .reads(let name), .sets(let name), .calls(let name):
      switch member(Name(name), of: model) {
      case .property(let id): return isolation(at: properties[id].ref).isActor
      case .functions(let all): return all.allSatisfy { isolation(ofFunction: $0).isActor }
      default: return false
      }
    default: return false
    }
  }

  /// Whether the compiler is told to let a model cross.
  fileprivate func isUncheckedSendable(_ model: TypeID) -> Bool {
    uncheckedSendables.contains { $0.isBase || $0.declaration == types[model].ref }
  }

  /// Whether a parameter is handed over for good, with `sending`.
  fileprivate func isSent(_ parameter: Ref) -> Bool {
    guard let type = child(parameter, .type) else { return false }
    return (Int(node(type).first)..<Int(node(type).end)).contains {
      outline(type).tokens[$0].keyword == .sending
    }
  }
}
