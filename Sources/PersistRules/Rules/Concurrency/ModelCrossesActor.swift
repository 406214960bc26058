import PersistIndex
import PersistSyntax

/// A method of an actor hands models in or out: whoever touches them outside of it can crash the
/// app.
struct ModelCrossesActor: Rule {
  static let id: RuleID = "model-crosses-actor"

  func check(_ program: Program, into findings: inout Findings) {
    for signature in program.modelSignatures {
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
          related: related)
        continue
      }
      findings.report(
        signature.isResult
          ? .goesOut(method, signature.model, actor)
          : .comesIn(method, signature.model, actor, lookUp: lookUp(signature, in: program)),
        at: signature.place, related: related)
    }
    for use in program.borrowedModelUses {
      let model = ModelName(use.model, in: program)
      findings.report(
        .isBorrowed(use.value, model, program.nameText(program.types[use.actor].ref)),
        at: use.place,
        related: [
          .init(program.types[use.actor].ref, "the actor is here"),
          .init(model.declaration, "`\(model.name)` is a model"),
        ])
    }
  }
}

/// How the model of a signature is looked up inside the actor.
private func lookUp(_ signature: ModelSignature, in program: Program) -> String {
  signature.declaration != nil && program.isModelActor(signature.actor)
    ? "self[id, as: \(signature.model).self]" : "modelContext.model(for: id)"
}

extension Finding.Message {
  fileprivate static func goesOut(_ method: String, _ model: String, _ actor: String) -> Self {
    "the app can crash where the result of `\(method)` is read, because a `\(model)` is only safe inside `\(actor)`; return its `persistentModelID`, which the caller looks up in its own context, or a Sendable value"
  }

  fileprivate static func comesIn(
    _ method: String, _ model: String, _ actor: String, lookUp: String
  ) -> Self {
    "the app can crash in `\(method)`, because the `\(model)` belongs to its caller's context and not to `\(actor)`; take its `persistentModelID` and look it up inside with `\(lookUp)`, or take a Sendable value"
  }

  fileprivate static func stays(_ method: String, _ model: String, _ actor: String) -> Self {
    "nothing keeps other code from taking a `\(model)` across the border of `\(actor)`; make `\(method)` private, because only `\(actor)` calls it"
  }

  fileprivate static func isBorrowed(_ value: String, _ model: ModelName, _ actor: String) -> Self {
    "the app can crash here, because `\(value)` (\(model.name)) belongs to its caller's context and not to `\(actor)`; take its `\(model.property)` or plain values"
  }
}
