import PersistIndex
import PersistSchema
import PersistSyntax
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
    let assigned = uses(of: Self.switches).filter { use in
      assignment(toWhatEndsWith: use)?.value.map { booleanLiteral($0) == false } ?? false
    }
    let options = uses(of: Self.options).filter { use in
      guard let pair = ancestors(use).first(where: { kind($0) == .argument }),
        let dictionary = parent(pair), kind(dictionary) == .dictionary,
        let index = children(dictionary).firstIndex(of: pair)
      else { return false }
      let pairs = children(dictionary)
      return index + 1 < pairs.count && isFalse(pairs[index + 1])
    }
    return (assigned + options).filter { !opensPassingStore($0) }.sorted()
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
      || descendants(body, .member).contains { member in
        name(member) == "isReadOnly"
          && assignment(toWhatEndsWith: member)?.value.map { booleanLiteral($0) } == true
      }
  }

  /// Whether the program brings its stores to the newest version by its own code.
  fileprivate var migratesDataModelsItself: Bool {
    mapsDataModelsByHand || !calls(named: "migrateStore").isEmpty
      || !calls(named: "migratePersistentStore").isEmpty
      || !calls(named: "isConfiguration").isEmpty
  }

  /// The model of the container or coordinator that the type or function around a place opens; nil
  /// where several could be meant.
  fileprivate func dataModel(openedAt site: Ref) -> DataModel? {
    let models = schema.dataModels
    let scopes =
      [enclosingDeclaration(site)]
      + ancestors(site).filter {
        [.classDecl, .structDecl, .enumDecl, .actorDecl].contains(kind($0))
      }
    for scope in scopes {
      let names = descendants(scope, .string).map { stringText($0) }
      let named = models.filter { model in
        names.contains { $0 == model.name || $0 == model.name + ".momd" }
      }
      if named.count == 1 { return named[0] }
      if named.count > 1 { return nil }
    }
    return models.count == 1 ? models[0] : nil
  }
}

extension Finding.Message {
  fileprivate static func disabled(_ model: String, count: Int, _ name: String) -> Self {
    "after an update, no store of an older version of `\(model)` opens, because the model has \(count) versions and `\(name)` turns migration off; set it to true, or migrate the store before opening"
  }
}
