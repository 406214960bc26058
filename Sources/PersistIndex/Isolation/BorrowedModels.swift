import PersistSyntax

/// A use, in an actor without a context, of a model that a caller hands in.
package struct BorrowedModelUse: Sendable {
  package let place: Ref
  package let value: String
  package let actor: TypeID
  package let model: TypeID
}

extension Program {
  /// The first uses in the methods of actors without a context of the models that these take.
  package var borrowedModelUses: [BorrowedModelUse] {
    guard holdsModelsOrContexts else { return [] }
    let own = Set(contextActors)
    return types(inFilesUsing: "actor").filter { actor in
      types[actor].kind == .actorDecl && !own.contains(actor) && !isExempt(types[actor].ref)
        && !isModelActor(actor)
    }.flatMap { actor in
      types[actor].functions.compactMap { borrowedModelUse(in: $0, of: actor) }
    }
  }

  private func borrowedModelUse(in id: FunctionID, of actor: TypeID) -> BorrowedModelUse? {
    let function = functions[id]
    guard function.kind == .functionDecl, !function.isPrivate, let body = body(of: id),
      isolation(ofFunction: id) == .actor(actor)
    else { return nil }
    let lent = Set(function.parameters.map { Ref(file: Int(function.ref.file), node: $0.node) })
      .filter { model(in: type(ofLocal: $0)) != nil && !isSent($0) }
    guard !lent.isEmpty else { return nil }
    return descendants(body, .name).lazy.compactMap { name -> BorrowedModelUse? in
      guard let use = self.use(of: name, in: body), lent.contains(use.source),
        self.staysIn(body, name), let model = self.model(in: use.type)
      else { return nil }
      if self.isAwaited(use.place), self.hasOwnActor(use, of: model) { return nil }
      if self.isCompiledAsSwift6(use.place), !self.isUncheckedSendable(model) { return nil }
      switch use.action {
      case .reads, .sets, .calls:
        return BorrowedModelUse(place: use.place, value: use.value, actor: actor, model: model)
      default: return nil
      }
    }.first
  }

  /// Whether what is used of a model is isolated to an actor.
  private func hasOwnActor(_ use: ValueUse, of model: TypeID) -> Bool {
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
  private func isUncheckedSendable(_ model: TypeID) -> Bool {
    uncheckedSendables.contains { $0.isBase || $0.declaration == types[model].ref }
  }

  /// Whether a parameter is handed over for good, with `sending`.
  private func isSent(_ parameter: Ref) -> Bool {
    guard let type = child(parameter, .type) else { return false }
    return (Int(node(type).first)..<Int(node(type).end)).contains {
      outline(type).tokens[$0].keyword == .sending
    }
  }
}
