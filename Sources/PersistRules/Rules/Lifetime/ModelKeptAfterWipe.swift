import PersistFlow
import PersistIndex

/// A model that is kept while other code deletes it: using it can crash the app.
struct ModelKeptAfterWipe: Rule {
  static let id: RuleID = "model-kept-after-wipe"

  func check(_ program: Program, into findings: inout Findings) {
    for kept in program.keptModels {
      // What a person wipes elsewhere waits until the sheet or alert is closed.
      let isAsked = program.isAskedFor(kept.removal.place)
      let areShown = kept.reads.allSatisfy {
        program.stands($0, inArgument: ["item", "presenting"], of: Words.modalPresentations)
      }
      if isAsked, areShown { continue }
      var related = [Findings.Related(program.chain(of: kept.removal.place), "deleted here")]
      if kept.cause != kept.removal.place {
        related.insert(.init(program.chain(of: kept.cause), "still kept during this"), at: 0)
      }
      findings.report(
        message(kept, program), at: program.properties[kept.property].ref,
        related: related + kept.reads.prefix(6).map { .init(program.whole($0), "it is read here") },
        cause: program.properties[kept.property].owner.map {
          // Many holders of what one wipe deletes are one cause too.
          CommonCause(
            program.causeID(of: program.types[$0].ref), least: 2,
            habit: program.causeID(of: kept.removal.place))
        })
    }
  }

  private func message(_ kept: KeptModel, _ program: Program) -> Finding.Message {
    let property = program.nameText(program.properties[kept.property].ref)
    if kept.cause != kept.removal.place {
      return .keepsMeanwhile(property, program.modelName(kept.model))
    }
    switch kept.removal.extent {
    case .all: return .keepsGone(property, program.modelName(kept.model))
    case .context: return .keepsReset(property)
    case .container: return .keepsReplaced(property)
    case .found, .given, .own, .related:
      return .keepsDeleted(property, program.modelName(kept.model))
    }
  }
}

extension Finding.Message {
  fileprivate static func keepsGone(_ property: String, _ model: String) -> Self {
    """
    after all objects of `\(model)` are deleted, the next access to `\(property)` can crash the \
    app; set it to nil or fetch again where they are deleted
    """
  }
  fileprivate static func keepsDeleted(_ property: String, _ model: String) -> Self {
    """
    `\(property)` keeps \(model.withArticle) that other code deletes, and the next access to the \
    deleted object can crash the app; remove it from `\(property)`, or fetch again after the \
    deletion
    """
  }
  fileprivate static func keepsMeanwhile(_ property: String, _ model: String) -> Self {
    """
    `\(property)` still refers to the deleted `\(model)` while the code waits, and a screen that \
    reads it meanwhile can crash the app; set the property to nil, or remove the object from it, \
    before the deletion
    """
  }
  fileprivate static func keepsReset(_ property: String) -> Self {
    """
    after the `reset()` of its context, the next access to `\(property)` can crash the app; set it \
    to nil or fetch again where the context is reset
    """
  }
  fileprivate static func keepsReplaced(_ property: String) -> Self {
    """
    after the container of `\(property)` is replaced or emptied, the next access to the object can \
    crash the app; set `\(property)` to nil or fetch again there
    """
  }
}
