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
        // What one type makes is one cause, and so is one actor that many make.
        cause: program.typeCause(at: call, least: 2, habit: program.causeID(of: declaration)))
    }
  }
}

extension Finding.Message {
  fileprivate static func freezes(_ actor: String) -> Self {
    "the screen can freeze while `\(actor)` works, because a model actor that is created on the main actor can run on the main thread; create the actor with `await Task.detached { \(actor)(…) }.value`, or in a nonisolated async function"
  }
}
