import PersistIndex
import PersistSchema
import PersistVersions

/// A container whose schema is not the newest version of its plan.
struct ContainerNotOnNewestSchema: Rule {
  static let id: RuleID = "container-not-on-newest-schema"

  func check(_ program: Program, into findings: inout Findings) {
    findings.report { sight in
      sight.schema.containers.compactMap { container in
        guard program.isBuilt(container.call, on: sight) else { return nil }
        return finding(about: container, in: sight.schema, program)
      }
    }
  }

  private func finding(
    about container: ContainerUse, in schema: SchemaProgram, _ program: Program
  ) -> SchemaFinding? {
    guard !container.isInMemory, case .plan(let index) = container.plan,
      let place = container.schemaPlace, !program.isExempt(container.call)
    else { return nil }
    let plan = schema.plans[index]
    guard let newest = plan.chain.last.map({ schema.versions[$0] }), plan.schemas != nil,
      newest.shape.listIsComplete, let mistake = mistake(of: container, newest, plan, schema)
    else { return nil }
    let isStaged = plan.isStaged == true
    let message: Finding.Message
    switch mistake {
    case .isOld(let version):
      message =
        isStaged ? .isOld(version, newest.name) : .isOldUnstaged(version, newest.name, plan.name)
    case .lacks(let models):
      message =
        isStaged ? .lacks(models, newest.name) : .lacksUnstaged(models, newest.name, plan.name)
    }
    return SchemaFinding(
      message: message, place: SchemaPlace(node: place, in: program),
      severity: isStaged ? .error : .warning,
      related: [.init(newest.place, "the newest version of `\(plan.name)`")])
  }

  private enum Mistake {
    /// The container's schema is an older version of the plan.
    case isOld(String)
    /// The container's schema is none of the plan's versions, because of these models.
    case lacks([String])
  }

  private func mistake(
    of container: ContainerUse, _ newest: SchemaVersion, _ plan: MigrationPlan,
    _ schema: SchemaProgram
  ) -> Mistake? {
    switch container.schema {
    case .version(let version) where version != newest.id:
      return .isOld(schema.versions[version].name)
    case .models(let models):
      let held = Set(newest.uses.map(\.model.id))
      let foreign = schema.models.filter { models.contains($0.id) && !held.contains($0.id) }
      // Classes don't count where what is stored is the same.
      let isSame =
        Set(models).count == newest.shape.entities.count
        && foreign.allSatisfy { model in
          plan.chain.contains { schema.versions[$0].storesAlike(model, newest) }
        }
      guard !foreign.isEmpty, !isSame else { return nil }
      let older = plan.chain.map { schema.versions[$0] }.first { version in
        Set(version.uses.filter(\.isListed).map(\.model.id)) == Set(models)
      }
      return older.map { .isOld($0.name) } ?? .lacks(foreign.map(\.qualifiedName))
    default: return nil
    }
  }
}

extension SchemaVersion {
  /// Whether a model of the version is stored as the entity of that name in another one is.
  fileprivate func storesAlike(_ model: ModelDeclaration, _ other: SchemaVersion) -> Bool {
    uses.contains { use in
      use.model.id == model.id && shape.entity(use.key) != nil
        && shape.entity(use.key) == other.shape.entity(use.key)
    }
  }
}

extension Finding.Message {
  fileprivate static func isOld(_ version: String, _ newest: String) -> Self {
    """
    a store of `\(newest)` can't be opened here, because the container uses `\(version)` and the \
    plan ends with `\(newest)`; give the container the plan's newest version
    """
  }

  fileprivate static func isOldUnstaged(
    _ version: String, _ newest: String, _ plan: String
  ) -> Self {
    """
    stores open only until `\(plan)` gets its first stage, because the container uses `\(version)` \
    and the plan ends with `\(newest)`; give the container the plan's newest version
    """
  }

  fileprivate static func lacksUnstaged(
    _ models: [String], _ newest: String, _ plan: String
  ) -> Self {
    """
    stores open only until `\(plan)` gets its first stage (134504 from then on), because the \
    container lists \(models.listed()) and the plan's newest version, `\(newest)`, doesn't; list \
    exactly the models of that version
    """
  }

  fileprivate static func lacks(_ models: [String], _ newest: String) -> Self {
    """
    stores can't be opened (134504), because the container lists \(models.listed()) and the plan's \
    newest version, `\(newest)`, doesn't; list exactly the models of that version
    """
  }
}
