import PersistIndex
import PersistSchema
import PersistVersions

/// Stored models without a schema version: the first change has no version to start from.
struct ModelsWithoutVersionedSchema: Rule {
  static let id: RuleID = "models-without-versioned-schema"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    let isStored = schema.containers.contains {
      !$0.isInMemory && !$0.isPassing && !program.isExempt($0.call)
        && !program.usesOwnDataStore($0.call)
    }
    guard isStored, !schema.versions.contains(where: { !$0.isTest }),
      !schema.plans.contains(where: { !$0.isTest })
    else { return }
    let models = schema.models.filter { model in
      !model.isTest && !(model.place.ref.map(program.isExempt) ?? true)
    }
    .sorted { $0.name < $1.name }
    guard let first = models.first else { return }
    findings.report(.haveNoVersion(Set(models.map(\.name)).sorted()), at: first.place)
  }
}

extension Finding.Message {
  fileprivate static func haveNoVersion(_ models: [String]) -> Self {
    """
    the first change that needs a migration has no version to start from; declare a \
    `VersionedSchema` with copies of \(models.listed(limit: 3)) as they ship
    """
  }
}
