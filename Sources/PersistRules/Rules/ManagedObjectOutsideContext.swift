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
      findings.report(.misplaced(use), at: use.place, related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func misplaced(_ use: MisplacedUse) -> Self {
    switch use.reason {
    case .taskInPerform:
      "the app can crash here, for this task runs after `perform` has ended, away from the queue of `\(use.value)`; take values out before the task, or call `perform` inside it"
    case .globalActor:
      "the app can crash here, for `\(use.value)` belongs to its caller's context and not to this actor; hand over values or the `objectID`"
    case .outsidePerform:
      "the app can crash or lose edits here, for the background context `\(use.value)` is used outside of its queue; put this into `\(use.value).perform { … }`"
    }
  }
}
