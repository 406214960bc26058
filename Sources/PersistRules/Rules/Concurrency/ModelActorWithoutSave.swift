import PersistIndex
import PersistSyntax

/// A change in a background context that nobody saves: it is gone when the context goes.
struct ModelActorWithoutSave: Rule {
  static let id: RuleID = "model-actor-without-save"

  func check(_ program: Program, into findings: inout Findings) {
    var noted: Set<TypeID> = []
    for unsaved in program.unsavedChanges {
      if let actor = unsaved.actor, unsaved.saver != nil, !noted.insert(actor).inserted { continue }
      let method = program.nameText(unsaved.function)
      let related = [Findings.Related(unsaved.change, "this change is not saved")]
      guard let actor = unsaved.actor else {
        findings.report(
          unsaved.owner == .background ? .losesBackground(method) : .losesLocal(method),
          at: unsaved.function, related: related)
        continue
      }
      findings.report(
        .loses(method, actor: program.nameText(program.types[actor].ref), saver: unsaved.saver),
        at: unsaved.function, severity: unsaved.saver == nil ? nil : .note,
        related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func loses(_ method: String, actor: String, saver: String?) -> Self {
    guard let saver else {
      return
        "what `\(method)` changes is lost, because the context of `\(actor)` does not save by itself; end it with `try modelContext.save()`"
    }
    return
      "what `\(method)` changes is lost unless each caller calls `\(saver)` after it; save in `\(method)` itself"
  }

  fileprivate static func losesBackground(_ method: String) -> Self {
    "what `\(method)` changes is lost, because nothing saves its background context; end the work with `if context.hasChanges { try context.save() }`"
  }

  fileprivate static func losesLocal(_ method: String) -> Self {
    "what `\(method)` changes is lost, because a `ModelContext` made by hand does not save by itself; call `save()` on it before the end"
  }
}
