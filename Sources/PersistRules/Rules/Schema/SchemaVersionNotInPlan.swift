import PersistIndex
import PersistSchema
import PersistVersions

/// A version that no plan lists: its stores match no version.
struct SchemaVersionNotInPlan: Rule {
  static let id: RuleID = "schema-version-not-in-plan"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    let plans = schema.plans.filter { !$0.isTest }
    guard !plans.isEmpty, plans.allSatisfy({ $0.schemas != nil && $0.stages != nil }) else {
      return
    }
    let planned = Set(plans.flatMap(\.chain))
    let names = Dictionary(grouping: schema.versions.filter { !$0.isTest }, by: \.name)
    for version in schema.versions where !version.isTest && !planned.contains(version.id) {
      guard names[version.name]?.count == 1 else { continue }
      let stage = plans.lazy.flatMap { $0.stages ?? [] }.first {
        $0.from == version.id || $0.to == version.id
      }
      if let stage {
        findings.report(
          .isNamed(version.name), at: version.place, severity: .error,
          related: [.init(stage.place, "a stage names it")])
      } else if let container = schema.containers.first(where: { opens($0, version, program) }) {
        findings.report(
          .isOpened(version.name), at: version.place, severity: .error,
          related: [
            .init(SchemaPlace(node: container.place, in: program), "this container opens it")
          ])
      } else if let plan = plans.first(where: { shares($0, version, schema) }) {
        let isReleased = program.project.hasReleased(version.key) == true
        if !isReleased, isLender(to: plans, version, schema) { continue }
        findings.report(
          isReleased ? .isReleased(version.name, plan.name) : .isInNone(version.name, plan.name),
          at: version.place, severity: isReleased ? .error : nil,
          related: [.init(plan.schemasPlace ?? plan.place, "`\(plan.name)` lists the others")])
      }
    }
  }

  /// Whether a container on disk opens the version with a plan.
  private func opens(
    _ container: ContainerUse, _ version: SchemaVersion, _ program: Program
  ) -> Bool {
    guard case .version(version.id) = container.schema, case .plan = container.plan else {
      return false
    }
    return !container.isInMemory && !program.isExempt(container.call)
  }

  /// Whether the version only names classes that every one of several versions of a plan takes from
  /// it, and so is none that came before them.
  private func isLender(
    to plans: [MigrationPlan], _ version: SchemaVersion, _ schema: SchemaProgram
  ) -> Bool {
    guard !version.uses.isEmpty, version.uses.allSatisfy(\.isNested) else { return false }
    let classes = Set(version.uses.map(\.model.id))
    return plans.contains { plan in
      plan.chain.count > 1
        && plan.chain.allSatisfy { index in
          classes.isSubset(of: schema.versions[index].uses.map(\.model.id))
        }
    }
  }

  /// Whether a version of the plan has an entity of this version.
  private func shares(
    _ plan: MigrationPlan, _ version: SchemaVersion, _ schema: SchemaProgram
  ) -> Bool {
    let names = Set(version.uses.map(\.model.name))
    return plan.chain.contains { index in
      schema.versions[index].uses.contains { names.contains($0.model.name) }
    }
  }
}

extension Finding.Message {
  fileprivate static func isInNone(_ version: String, _ plan: String) -> Self {
    """
    users with stores of `\(version)` can't open them (134504), because no plan lists this \
    version; add it to `schemas` of `\(plan)` with a stage that leads on from it, or delete a \
    version that never shipped
    """
  }

  fileprivate static func isReleased(_ version: String, _ plan: String) -> Self {
    """
    users with stores of `\(version)`, a released version, can't open them (134504), because no \
    plan lists it; add `\(version).self` to `schemas` of `\(plan)`, and a stage that leads on \
    from it
    """
  }

  fileprivate static func isNamed(_ version: String) -> Self {
    """
    the store can't be opened (134504), because a stage names `\(version)` and no plan lists that \
    version; add it to `schemas`
    """
  }

  fileprivate static func isOpened(_ version: String) -> Self {
    """
    the store can't be opened (134504), because a container opens `\(version)` and no plan lists \
    that version; add it to `schemas`, and a stage that leads to it
    """
  }
}
