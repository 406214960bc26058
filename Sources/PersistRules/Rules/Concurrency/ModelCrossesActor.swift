import PersistFlow
import PersistIndex

/// A method of an actor takes or returns models: code outside the actor can crash the app.
struct ModelCrossesActor: Rule {
  static let id: RuleID = "model-crosses-actor"

  func check(_ program: Program, into findings: inout Findings) {
    let signatures = program.modelSignatures
    let handsOut = Set(signatures.filter(\.isResult).map(\.actor))
    for signature in signatures {
      let method = program.nameText(program.functions[signature.function].ref)
      let actor = program.nameText(program.types[signature.actor].ref)
      var related = [Findings.Related(program.types[signature.actor].ref, "the actor is here")]
      if let declaration = signature.declaration {
        related.append(.init(declaration, "`\(signature.model)` is a model"))
      }
      guard !signature.isUsedInsideOnly else {
        guard !program.isCompiledAsSwift6(signature.place) else { continue }
        findings.report(
          .stays(method, signature.model, actor), at: signature.place, severity: .note,
          related: related, cause: program.cause(of: signature.actor, isCommon: true))
        continue
      }
      // What the callers hand in may be what the actor has handed out, which is reported there.
      let mayBeOwn =
        !signature.isResult && handsOut.contains(signature.actor)
        && !program.handsParameter(signature.function, to: "insert")
        && program.callers(of: signature.function).contains { !program.isExempt($0) }
      findings.report(
        mayBeOwn
          ? .mayBeOwn(method, signature.model, actor, lookUp: lookUp(signature, in: program))
          : message(of: signature, method, actor, program), at: signature.place,
        severity: mayBeOwn ? .warning : nil, related: related,
        cause: program.cause(of: signature.actor, isCommon: true))
    }
    let told = Set(signatures.map(\.function))
    for use in CapturedValues(in: program).borrowedModelUses()
    where !(program.enclosingFunction(use.place).map(told.contains) ?? false) {
      let model = ModelName(use.model, in: program)
      findings.report(
        .isBorrowed(use.value, model, program.nameText(program.types[use.actor].ref)),
        at: use.place,
        related: [
          .init(program.types[use.actor].ref, "the actor is here"),
          .init(model.declaration, "`\(model.name)` is a model"),
        ], cause: program.cause(of: use.actor, isCommon: true))
    }
  }
}

/// What a signature that other code uses does with its model.
private func message(
  of signature: ModelSignature, _ method: String, _ actor: String, _ program: Program
) -> Finding.Message {
  let model = signature.model
  if signature.isResult { return .goesOut(method, model, actor) }
  return signature.declaration != nil && program.handsParameter(signature.function, to: "insert")
    ? .comesInToBeInserted(method, model, actor)
    : .comesIn(method, model, actor, lookUp: lookUp(signature, in: program))
}

/// How the model of a signature is looked up inside the actor.
private func lookUp(_ signature: ModelSignature, in program: Program) -> String {
  signature.declaration != nil && program.isModelActor(signature.actor)
    ? "self[id, as: \(signature.model).self]" : "modelContext.model(for: id)"
}

extension Finding.Message {
  fileprivate static func goesOut(_ method: String, _ model: String, _ actor: String) -> Self {
    """
    the app can crash where the result of `\(method)` is read, because \(model.withArticle) is safe \
    only inside `\(actor)`; return the `persistentModelID` for the caller to look up, or a Sendable \
    value
    """
  }

  fileprivate static func comesIn(
    _ method: String, _ model: String, _ actor: String, lookUp: String
  ) -> Self {
    """
    the app can crash in `\(method)`, because the `\(model)` belongs to the caller's context and not \
    to `\(actor)`; take its `persistentModelID` and look it up inside with `\(lookUp)`, or take a \
    Sendable value
    """
  }

  fileprivate static func mayBeOwn(
    _ method: String, _ model: String, _ actor: String, lookUp: String
  ) -> Self {
    """
    the app can crash in `\(method)` if the `\(model)` isn't one that `\(actor)` has handed out; \
    take its `persistentModelID` and look it up inside with `\(lookUp)`
    """
  }

  fileprivate static func comesInToBeInserted(
    _ method: String, _ model: String, _ actor: String
  ) -> Self {
    """
    the app can crash in `\(method)`, because the `\(model)` is created outside `\(actor)` and \
    inserted inside; take plain values, and create it inside the actor
    """
  }

  fileprivate static func stays(_ method: String, _ model: String, _ actor: String) -> Self {
    """
    other code can pass \(model.withArticle) across the border of `\(actor)`; make `\(method)` \
    private, because only `\(actor)` calls it
    """
  }

  fileprivate static func isBorrowed(_ value: String, _ model: ModelName, _ actor: String) -> Self {
    """
    the app can crash here, because `\(value)` (\(model.name)) belongs to the caller's context and \
    not to `\(actor)`; take its `\(model.property)` or plain values
    """
  }
}
