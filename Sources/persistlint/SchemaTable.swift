import PersistIndex
import PersistSchema
import PersistVersions

/// The versions, models, plans and stages of a project, for people.
struct SchemaTable {
  private let program: SchemaProgram
  private let migrators: [Migrator]
  private let files: [SourceFile]
  private var lines: [String] = []

  init(_ snapshot: SchemaSources.Snapshot) {
    program = snapshot.program
    migrators = snapshot.migrators
    files = snapshot.files
  }

  var text: String {
    var table = self
    table.addPlans()
    table.addLooseVersions()
    table.addDataModels()
    if let shape = program.unversionedShape { table.add(unversioned: shape) }
    table.addMigrators()
    if table.lines.isEmpty { return "no models and no schema versions\n" }
    return table.lines.joined(separator: "\n") + "\n"
  }

  private mutating func addPlans() {
    for plan in program.plans where !plan.isTest {
      let state =
        switch plan.isStaged {
        case true?: "versions are told apart by checksum"
        case false?: "no stages: plain inferred migration"
        case nil: "stages not resolved"
        }
      head("\(plan.name)  \(plan.place.path)  \(state)")
      for name in plan.unknownSchemas {
        lines.append(
          "  not resolved: `\(name)` in `schemas` is not a version that the sources declare")
      }
      if plan.schemas == nil, plan.unknownSchemas.isEmpty {
        lines.append("  not resolved: `schemas` is not a list")
      }
      let chain = plan.chain.map { program.versions[$0] }
      for (index, version) in chain.enumerated() {
        add(version)
        guard index + 1 < chain.count else { continue }
        add(stageFrom: version, to: chain[index + 1], in: plan)
      }
      for stage in plan.unlistedStages {
        lines.append("  not listed in `stages`: \(stage.name)")
      }
    }
  }

  private mutating func add(
    stageFrom old: SchemaVersion, to new: SchemaVersion, in plan: MigrationPlan
  ) {
    let stage = plan.stages?.first { $0.from == old.id && $0.to == new.id }
    let migration = Migration(from: old.shape, to: new.shape)
    let verdict =
      migration.isTwin ? "can't open: both are the same" : migration.verdict?.words ?? "not judged"
    let count = migration.judgements.count
    let changes = count == 1 ? "1 change" : "\(count) changes"
    lines.append("    ↓ \(stage?.kind.rawValue ?? "no stage"), \(changes): \(verdict)")
  }

  private mutating func addLooseVersions() {
    let planned = Set(program.plans.filter { !$0.isTest }.flatMap(\.chain))
    let loose = program.versions.filter { !$0.isTest && !planned.contains($0.id) }
      .sorted { DataModel.naturallyPrecedes($0.key, $1.key) }
    guard !loose.isEmpty else { return }
    head("versions in no plan")
    for version in loose { add(version) }
  }

  private mutating func add(_ version: SchemaVersion) {
    let identifier = version.identifier.map { $0.map(String.init).joined(separator: ".") } ?? "?"
    let listed = version.uses.filter(\.isListed)
    let names = listed.map { $0.isNested ? $0.model.name : $0.model.qualifiedName }
    lines.append(
      "  \(version.key)  \(identifier)  \(version.place.path)\n    models: "
        + (names.isEmpty ? "none" : names.joined(separator: ", ")))
    let reached = version.uses.filter { !$0.isListed }
    if !reached.isEmpty {
      let routes = reached.map { use in "\(use.model.qualifiedName) by \(use.route ?? "")" }
      lines.append("    also reached: \(routes.joined(separator: ", "))")
    }
    add(gapsOf: version.shape)
  }

  private mutating func add(gapsOf shape: SchemaShape) {
    for gap in shape.gaps { lines.append("    not resolved: \(gap.reason)") }
    for entity in shape.entities {
      for property in entity.properties {
        guard let attribute = property.attribute, !attribute.type.isKnown else { continue }
        lines.append(
          "    not resolved: the type of \(entity.key).\(property.name), \(attribute.type.reading)")
      }
    }
  }

  private mutating func addDataModels() {
    for model in program.dataModels {
      head("\(model.path)  Core Data")
      for (index, version) in model.versions.enumerated() {
        let isCurrent = version.name == model.current?.name
        lines.append(
          "  \(version.name)\(isCurrent ? "  current" : "")\n    entities: "
            + version.shape.entities.map(\.key).joined(separator: ", "))
        guard index + 1 < model.versions.count else { continue }
        let migration = Migration(
          from: version.shape, to: model.versions[index + 1].shape, needsDistinctVersions: false)
        let count = migration.judgements.count
        lines.append(
          "    ↓ \(count == 1 ? "1 change" : "\(count) changes"): "
            + (migration.verdict?.words ?? "not judged"))
      }
      for problem in model.problems { lines.append("  not read: \(problem.path)") }
    }
  }

  private mutating func addMigrators() {
    for migrator in migrators {
      head("\(migrator.name)  \(files[Int(migrator.place.file)].path)  GRDB")
      for migration in migrator.migrations {
        let file = files[Int(migration.call.file)]
        let offset = file.outline.byteRange(of: Int(migration.call.node)).lowerBound
        let condition = migration.isConditional ? "  on a condition" : ""
        lines.append(
          "  \(migration.id)  \(file.path):\(file.lineAndColumn(of: offset).line)\(condition)")
      }
      if !migrator.isComplete { lines.append("  not resolved: some of its migrations") }
    }
  }

  private mutating func add(unversioned shape: SchemaShape) {
    head("models without a version")
    for entity in shape.entities {
      lines.append("  \(entity.key): \(entity.properties.map(\.name).joined(separator: ", "))")
    }
    add(gapsOf: shape)
  }

  private mutating func head(_ text: String) {
    if !lines.isEmpty { lines.append("") }
    lines.append(text)
  }
}
