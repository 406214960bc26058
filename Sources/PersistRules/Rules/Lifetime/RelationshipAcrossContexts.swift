import PersistFlow
import PersistIndex

/// A relationship between objects of two contexts: the assignment crashes the app.
struct RelationshipAcrossContexts: Rule {
  static let id: RuleID = "relationship-across-contexts"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for relation in program.facts.foreignRelations {
      let related = [relation.object, relation.other].compactMap { owner in
        owner.isGiven ? nil : owner.site
      }
      findings.report(
        .relatesApart(program.text(ofRelation: relation)),
        at: program.value(ofRelation: relation),
        related: related.map { .init($0, "this context is made here") })
    }
  }
}

extension Finding.Message {
  fileprivate static func relatesApart(_ relationship: String) -> Self {
    """
    the app crashes here, because `\(relationship)` would connect objects of two contexts; first \
    get the other object by its identifier in the same context
    """
  }
}
