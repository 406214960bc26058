import PersistFlow
import PersistIndex
import PersistSchema
import PersistVersions

/// Migration is turned off although the model has several versions: old stores don't open.
struct CoreDataMigrationDisabled: Rule {
  static let id: RuleID = "core-data-migration-disabled"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.schema.dataModels.contains(where: { $0.versions.count > 1 }),
      !program.schemaInput.hasMappingModels, !program.migratesDataModelsItself
    else { return }
    var bodies: Set<Ref> = []
    for site in program.disabledMigrations {
      guard let model = program.dataModel(openedAt: site), model.versions.count > 1,
        bodies.insert(program.enclosingDeclaration(site)).inserted
      else { continue }
      findings.report(
        .disabled(model.name, count: model.versions.count, program.nameText(site)), at: site)
    }
  }
}

extension Program {
  /// The properties set to false, and the options of an opening, that switch migration off.
  fileprivate var disabledMigrations: [Ref] {
    settings(Self.switches.union(Self.options)).filter { isOff($0) }.map(\.place)
      .filter { !opensPassingStore($0) }.sorted()
  }

  private static let switches: Set<Name> = [
    "shouldMigrateStoreAutomatically", "shouldInferMappingModelAutomatically",
  ]
  private static let options: Set<Name> = [
    "NSMigratePersistentStoresAutomaticallyOption", "NSInferMappingModelAutomaticallyOption",
  ]

  /// Whether the store is in memory, or is only read.
  private func opensPassingStore(_ site: Ref) -> Bool {
    let body = enclosingDeclaration(site)
    return names("NSInMemoryStoreType", in: body)
      || names("NSReadOnlyPersistentStoreOption", in: body)
      || firstCase(of: ["inMemory"], in: body) != nil
      || holdsString(in: body) { $0.contains("/dev/null") }
      || gives("isReadOnly", true, in: body)
  }

  /// Whether the program brings its stores to the newest version by its own code.
  fileprivate var migratesDataModelsItself: Bool {
    mapsDataModelsByHand || !calls(named: "migrateStore").isEmpty
      || !calls(named: "migratePersistentStore").isEmpty
      || !calls(named: "isConfiguration").isEmpty
      || handsStoresAway
  }
}

extension Finding.Message {
  fileprivate static func disabled(_ model: String, count: Int, _ name: String) -> Self {
    "after an update, no store of an older version of `\(model)` opens, because the model has \(count) versions and `\(name)` turns migration off; set it to true, or migrate the store before opening"
  }
}
