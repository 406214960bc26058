import PersistIndex
import PersistSyntax

/// A managed object or context used away from its queue: the app crashes at random or loses edits.
struct ManagedObjectOutsideContext: Rule {
  static let id: RuleID = "managed-object-outside-context"

  func check(_ program: Program, into findings: inout Findings) {
    for use in program.misplacedUses {
      var related = [Findings.Related(use.source, "`\(use.value)` comes from here")]
      if let model = use.model {
        let declaration = program.types[model].ref
        related.append(
          .init(declaration, "`\(program.nameText(declaration))` is a managed object"))
      }
      findings.report(
        .misplaced(
          use, use.model.map { ModelName($0, in: program).name },
          TakenValues(use.uses, of: use.value, in: program)), at: use.place,
        related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func misplaced(_ use: MisplacedUse, _ model: String?, _ taken: TakenValues)
    -> Self
  {
    let value = "`\(use.value)`" + (model.map { " (\($0))" } ?? "")
    switch use.reason {
    case .taskInPerform:
      let lines =
        taken.advice.map { "before the task write \($0) and use these in it" }
        ?? "take values out before it"
      return
        "the app can crash here, for this task runs after `perform` has ended, away from the queue of \(value); \(lines), or call `perform` inside it"
    case .globalActor:
      let read = taken.read.isEmpty ? "values" : "what is read (\(taken.read.quoted))"
      return
        "the app can crash here, for \(value) belongs to its caller's context and not to this actor; hand over \(read) or the `objectID`"
    case .afterPerform:
      let read = taken.read.isEmpty ? "plain values" : "what is read (\(taken.read.quoted))"
      return
        "the app can crash here, for \(value) belongs to a background context and is used outside of its `perform`; let the closure return \(read) or the `objectID`"
    case .backgroundTask:
      return
        "the app can crash or lose edits here, for \(value) belongs to another context than the new one of `performBackgroundTask`; before it write `let id = \(use.value).objectID`, and get the object inside with `object(with: id)`"
    case .outsidePerform:
      return
        "the app can crash or lose edits here, for the background context \(value) is used outside of its queue; put this into `\(use.value).perform { … }`"
    }
  }
}
