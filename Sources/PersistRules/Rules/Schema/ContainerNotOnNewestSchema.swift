import PersistIndex
import PersistSchema

/// A container with a plan is given something else than the plan's newest version.
struct ContainerNotOnNewestSchema: Rule {
  static let id: RuleID = "container-not-on-newest-schema"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    for container in schema.containers where !container.isInMemory {
      guard case .plan(let index) = container.plan, let place = container.schemaPlace,
        !program.isSilent(container.call)
      else { continue }
      let plan = schema.plans[index]
      guard let newest = plan.chain.last.map({ schema.versions[$0] }), plan.schemas != nil,
        newest.shape.listIsComplete
      else { continue }
      let severity: Severity = plan.isStaged == true ? .error : .warning
      let related = [Findings.SchemaRelated(newest.place, "the newest version of `\(plan.name)`")]
      switch container.schema {
      case .version(let version) where version != newest.id:
        findings.report(
          .isOld(schema.versions[version].name, newest.name),
          at: SchemaPlace(node: place, in: program), severity: severity, related: related)
      case .models(let models):
        let held = Set(newest.uses.map(\.model.id))
        let foreign = schema.models.filter { models.contains($0.id) && !held.contains($0.id) }
        guard !foreign.isEmpty else { continue }
        findings.report(
          .lacks(foreign.map(\.qualifiedName), newest.name),
          at: SchemaPlace(node: place, in: program), severity: severity, related: related)
      default: continue
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func isOld(_ version: String, _ newest: String) -> Self {
    """
    stores can't be opened (134504), for the container is on `\(version)` and the plan ends with \
    `\(newest)`; give it `\(newest)`
    """
  }

  fileprivate static func lacks(_ models: [String], _ newest: String) -> Self {
    """
    stores can't be opened (134504), for the container lists \(models.listed()), which `\(newest)`, \
    the plan's newest version, does not have; list exactly its models
    """
  }
}
