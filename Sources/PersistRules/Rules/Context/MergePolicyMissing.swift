import PersistIndex
import PersistSchema
import PersistSyntax

/// Unique constraints without a merge policy: one clash makes every later save fail.
struct MergePolicyMissing: Rule {
  static let id: RuleID = "merge-policy-missing"

  func check(_ program: Program, into findings: inout Findings) {
    guard !program.setsMergePolicy else { return }
    let coded = program.codedUniqueConstraints.filter { !program.isSilent($0) }
    let entities = program.schema.dataModels.compactMap(\.current).flatMap { version in
      version.shape.entities.filter { !$0.uniqueness.isEmpty }.map(\.name)
    }
    guard !coded.isEmpty || !entities.isEmpty,
      let opening = program.coreDataOpenings.first(where: { !program.isSilent($0.site) })
    else { return }
    findings.report(
      .clashes(entities.first), at: program.chain(of: opening.site),
      related: coded.prefix(1).map { .init($0, "values are declared unique here") })
  }
}

extension Finding.Message {
  fileprivate static func clashes(_ entity: String?) -> Self {
    """
    the first two \(entity.map { "`\($0)`" } ?? "objects") with one unique value make this and every \
    later save fail (133021), and the changes are lost; set `mergePolicy` on the contexts
    """
  }
}
