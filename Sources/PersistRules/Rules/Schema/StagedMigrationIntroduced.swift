import PersistIndex
import PersistSchema
import PersistVersions

/// A plan gets its first stage: from now on stores are matched by checksum.
struct StagedMigrationIntroduced: Rule {
  static let id: RuleID = "staged-migration-introduced"
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    guard let base = schema.base else { return }
    for plan in schema.plans where !plan.isTest {
      guard base.plans[plan.name] == false, plan.isStaged == true, let place = plan.stagesPlace
      else { continue }
      findings.report(.begins(plan.name, base.origin.text), at: place)
    }
  }
}

extension Finding.Message {
  fileprivate static func begins(_ plan: String, _ origin: String) -> Self {
    """
    from now on a store fails with 134504 if its version was ever edited in place, because \
    `\(plan)` gets its first stage (in \(origin) it had none) and stores are now matched by \
    checksum; open stores of every release before you ship
    """
  }
}
