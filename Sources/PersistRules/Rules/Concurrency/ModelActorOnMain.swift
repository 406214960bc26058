import PersistIndex

/// A model actor created on the main actor may work on the main thread: the screen freezes.
struct ModelActorOnMain: Rule {
  static let id: RuleID = "model-actor-on-main"

  func check(_ program: Program, into findings: inout Findings) {
    for (call, actor) in program.modelActorsMadeOnMain {
      guard let place = program.calledNode(call) else { continue }
      let declaration = program.types[actor].ref
      findings.report(
        .freezes(program.nameText(declaration)), at: place,
        related: [.init(declaration, "the model actor is here")],
        cause: cause(of: declaration, madeAt: call, program))
    }
  }
}

extension ModelActorOnMain {
  /// What one type makes of one actor, again and again.
  private func cause(of actor: Ref, madeAt call: Ref, _ program: Program) -> CommonCause {
    let maker = program.typeCause(at: call)
    return CommonCause(
      program.causeID(of: actor) + " " + maker.id, least: 2, habit: program.causeID(of: actor))
  }
}

extension Finding.Message {
  fileprivate static func freezes(_ actor: String) -> Self {
    "the screen can freeze while `\(actor)` works, because a model actor that is created on the main actor can run on the main thread; create the actor with `await Task.detached { \(actor)(…) }.value`, or in a nonisolated async function"
  }
}
