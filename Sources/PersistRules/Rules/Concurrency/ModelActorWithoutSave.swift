import PersistIndex
import PersistSyntax

/// A change in a background context that nobody saves is lost.
struct ModelActorWithoutSave: Rule {
  static let id: RuleID = "model-actor-without-save"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let all = program.unsavedChanges + program.unsavedContextChanges
    // Callers that may save are one cause, however many methods leave it to them.
    let left = Dictionary(grouping: all.filter { $0.saver != nil }) { $0.actor }
    for unsaved in all {
      let others = unsaved.saver == nil ? nil : left[unsaved.actor]?.map(\.function).sorted()
      if let others, others[0] != unsaved.function { continue }
      let method = program.nameText(unsaved.function)
      var related = [Findings.Related(unsaved.change, "this change is not saved")]
      related += (others ?? []).dropFirst().map { .init($0, "and `\(program.nameText($0))`") }
      guard let actor = unsaved.actor else {
        findings.report(
          unsaved.owner == .background ? .losesBackground(method) : .losesLocal(method),
          at: unsaved.function, related: related,
          cause: program.typeCause(at: unsaved.function))
        continue
      }
      findings.report(
        .loses(method, actor: program.nameText(program.types[actor].ref), saver: unsaved.saver),
        at: unsaved.function, severity: unsaved.saver == nil ? nil : .note,
        related: related, cause: program.cause(of: actor))
    }
  }
}

extension Finding.Message {
  fileprivate static func loses(_ method: String, actor: String, saver: String?) -> Self {
    guard let saver else {
      return
        "what `\(method)` changes is lost, because the context of `\(actor)` doesn't save automatically; end the method with `try modelContext.save()`"
    }
    return
      "what `\(method)` changes is lost unless every caller then calls `\(saver)`; save in `\(method)` itself"
  }

  fileprivate static func losesBackground(_ method: String) -> Self {
    "what `\(method)` changes is lost, because nothing saves its background context; end the work with `if context.hasChanges { try context.save() }`"
  }

  fileprivate static func losesLocal(_ method: String) -> Self {
    "what `\(method)` changes is lost, because a `ModelContext` that the code creates doesn't save automatically; call `save()` at the end"
  }
}
