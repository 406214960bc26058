import PersistIndex
import PersistSchema
import PersistVersions

/// A container is opened without the plan that its models have: custom stages never run.
struct MigrationPlanUnused: Rule {
  static let id: RuleID = "migration-plan-unused"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    var judged: Set<Ref> = []
    for container in schema.containers where !container.isInMemory && !container.isPassing {
      guard case .none = container.plan, !program.isExempt(container.call),
        let (plan, isWhole) = schema.plan(for: container)
      else { continue }
      let body = program.enclosingBody(container.call) ?? container.call
      guard judged.insert(body).inserted else { continue }
      let isRetry =
        container.isRetry && opensWithPlan(around: container, in: program)
        || followsPlan(container, in: program)
      let movesByHand = plan.stages?.contains { $0.kind == .custom } ?? true
      let step = schema.namesLiveModels(plan) ? Step.copies(plan.name) : .pass(plan.name)
      findings.report(
        movesByHand ? .runsWithout(plan.name, step) : .willRunWithout(plan.name, step),
        at: SchemaPlace(nameOf: container.place, in: program),
        severity: isRetry || !isWhole ? .note : .warning,
        related: [.init(plan.place, "the plan of these models")])
    }
  }

  /// Whether it is only opened when the opening with a plan has failed.
  private func followsPlan(_ container: ContainerUse, in program: Program) -> Bool {
    let flow = program.storeFlow
    return flow.paths.contains { path in
      guard path.contains(container.call, in: program) else { return false }
      let root = flow.opening(of: path).root
      return program.schema.containers.contains { other in
        if case .none = other.plan { return false }
        return other.call == root
      }
    }
  }

  /// Whether the same function opens a container with a plan too.
  private func opensWithPlan(around container: ContainerUse, in program: Program) -> Bool {
    let function = program.enclosingFunction(container.call)
    return program.schema.containers.contains { other in
      if case .none = other.plan { return false }
      return other.call.file == container.call.file
        && program.enclosingFunction(other.call) == function
    }
  }
}

/// What to do, in order: a plan that is passed as it stands may fail for another reason.
private struct Step {
  let text: String

  static func pass(_ plan: String) -> Self { Self(text: "pass `migrationPlan: \(plan).self`") }

  static func copies(_ plan: String) -> Self {
    Self(
      text: """
        first give the older versions copies of their classes, then pass \
        `migrationPlan: \(plan).self`
        """)
  }
}

extension SchemaProgram {
  /// Whether an older version of a plan names classes that change under it.
  fileprivate func namesLiveModels(_ plan: MigrationPlan) -> Bool {
    let chain = Chain(plan: plan, versions: plan.chain.map { versions[$0] })
    guard let newest = chain.versions.last else { return false }
    return chain.older.contains { version in
      version.uses.contains { !$0.isNested && isLive($0, in: version, newest: newest) }
    }
  }
}

extension Finding.Message {
  fileprivate static func willRunWithout(_ plan: String, _ step: Step) -> Self {
    """
    the first custom stage of `\(plan)` won't run here and the data that it should keep will be \
    lost, because this container is opened without the plan; \(step.text)
    """
  }

  fileprivate static func runsWithout(_ plan: String, _ step: Step) -> Self {
    """
    users lose the data that the custom stages of `\(plan)` keep, because this container is opened \
    without the plan; \(step.text)
    """
  }
}
