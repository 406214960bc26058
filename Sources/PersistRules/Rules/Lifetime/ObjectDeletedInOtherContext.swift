import PersistFlow
import PersistIndex

/// An object of one context is deleted by another one: the app crashes.
struct ObjectDeletedInOtherContext: Rule {
  static let id: RuleID = "object-deleted-in-other-context"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for deletion in program.facts.deletions {
      guard let foreign = deletion.foreign else { continue }
      var related: [Findings.Related] = []
      if let made = foreign.object.site { related.append(.init(made, "the object's context")) }
      if let made = foreign.context.site {
        related.append(.init(made, "the context that deletes"))
      }
      findings.report(.deletesForeign(foreign.object), at: deletion.node, related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func deletesForeign(_ object: Owner) -> Self {
    let look =
      object.framework == .swiftData
      ? "`model(for: object.persistentModelID)`" : "`existingObject(with: object.objectID)`"
    let home = object.home == .main && object.site == nil ? "the main context" : "another context"
    let what =
      object.framework == .swiftData
      ? "the app crashes here or the object stays" : "the app crashes here"
    return
      "\(what), because the object belongs to \(home) and not to the one that deletes it; delete it in its own context, or get it in this one with \(look) first"
  }
}
