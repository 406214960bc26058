import PersistIndex
import PersistSyntax

/// A model that is kept while all objects of its class are deleted: using it can crash the app.
struct ModelKeptAfterWipe: Rule {
  static let id: RuleID = "model-kept-after-wipe"

  func check(_ program: Program, into findings: inout Findings) {
    let wipes = ModelWipes(program).all
    guard !wipes.isEmpty else { return }
    for holder in ModelHolders(program).all {
      let wipe = wipes.first { wipe in
        holder.isMeant(by: wipe, program) && holder.mayLive(at: wipe.place, program)
          && !holder.isCleared(around: wipe.place, program, depth: 0)
      }
      guard let wipe else { continue }
      let reads = holder.reads(program).filter { !holder.isRenewed(before: $0, program) }
      guard !reads.isEmpty, !holder.isLookedAt(program), !holder.listens(program) else { continue }
      // What a person wipes elsewhere waits until the sheet or alert is closed.
      if program.isAskedFor(wipe.place), reads.allSatisfy({ program.isPresented($0) }) { continue }
      findings.report(
        message(holder, wipe, program), at: program.properties[holder.id].ref,
        related: [.init(program.chain(of: wipe.place), "all of them are deleted here")]
          + reads.prefix(6).map { .init($0, "it is read here") },
        cause: CommonCause(program.causeID(of: wipe.place), isCommon: true))
    }
  }

  private func message(_ holder: ModelHolder, _ wipe: ModelWipe, _ program: Program)
    -> Finding.Message
  {
    let property = program.nameText(program.properties[holder.id].ref)
    switch wipe.extent {
    case .model: return .keepsGone(property, program.modelName(holder.model))
    case .context: return .keepsReset(property)
    case .container: return .keepsReplaced(property)
    case .object: return .keepsDeleted(property, program.modelName(holder.model))
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
