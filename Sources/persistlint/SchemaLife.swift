import PersistIndex
import PersistReport
import PersistSchema
import PersistVersions

/// The versions of all schemas in their order, and what each step between two does.
struct SchemaLife {
  /// Whether a version has shipped, as the lock says it.
  enum State: Sendable {
    case open, frozen
    /// Frozen, and no longer what was frozen.
    case edited
    /// Frozen, and gone from the sources.
    case gone
  }

  struct Version {
    let key: String
    /// The key without what all versions of its chain share.
    let name: String
    /// The file of its declaration; "" where only the lock knows the version.
    let path: String
    var identifier: String?
    /// Nil for a migration of GRDB, whose tables the sources make step by step.
    let shape: SchemaShape?
    let state: State
  }

  struct Step {
    /// Places among the versions of the chain.
    let from: Int
    let to: Int
    /// `custom`, `lightweight`, or that there is none; nil where no stages are needed.
    let stage: String?
    let migration: Migration

    /// What the step does to old stores, in words.
    var verdict: String {
      migration.isTwin && migration.needsDistinctVersions
        ? "can't open: both are the same" : migration.verdict?.words ?? "not judged"
    }
  }

  /// Versions of which each follows the one before.
  struct Chain {
    let name: String
    let path: String
    /// What makes a chain of them, such as `migration plan`.
    let kind: String
    let versions: [Version]
    var steps: [Step] = []
    var remarks: [String] = []
  }

  private(set) var chains: [Chain] = []

  init(_ snapshot: SchemaSources.Snapshot, lock: LockFile?) {
    let reading = LifeReading(snapshot, lock)
    chains =
      reading.plans + reading.looseVersions + reading.dataModels + reading.models
      + reading.migrators
    let known = Set(chains.flatMap { $0.versions.map(\.key) })
    let gone = DataModel.sorted(
      (lock?.versions ?? [:]).keys.filter { !known.contains($0) })
    guard !gone.isEmpty else { return }
    chains.append(
      Chain(
        name: "only in the lock", path: LockFile.name, kind: "gone from the sources",
        versions: gone.map {
          Version(key: $0, name: $0, path: "", shape: lock?.versions[$0], state: .gone)
        }))
  }

  /// What an agent is told; with the entities of the versions that this names.
  func json(showing name: String?) throws(CommandError) -> JSON {
    let all = chains.flatMap(\.versions)
    if let name, !all.contains(where: { $0.isNamed(name) }) {
      throw .usage(
        "no version is called '\(name)'\(suggestion(for: name, in: all.map(\.key)))")
    }
    let steps = chains.flatMap { chain in
      chain.steps.map { step in
        var json: JSON = [
          "from": .string(chain.versions[step.from].key),
          "to": .string(chain.versions[step.to].key), "verdict": .string(step.verdict),
        ]
        json.add("stage", step.stage.map { .string($0) })
        json.add("changes", .array(step.migration.judgements.map { .string($0.sentence) }))
        return json
      }
    }
    return [
      "versions": .array(all.map { $0.json(showingEntities: name.map($0.isNamed) ?? false) }),
      "steps": .array(steps),
      "notices": .array(chains.flatMap(\.remarks).map { .string($0) }),
    ]
  }
}

extension SchemaLife.Version {
  fileprivate func isNamed(_ name: String) -> Bool { key == name || key.hasSuffix("/" + name) }

  fileprivate func json(showingEntities: Bool) -> JSON {
    var json: JSON = ["name": .string(key)]
    if !path.isEmpty { json.add("path", .string(path)) }
    json.add("identifier", identifier.map { .string($0) })
    json.add("frozen", .boolean(state != .open))
    let entities = shape?.entities ?? []
    json.add("models", .array(entities.map { .string($0.key) }))
    if showingEntities {
      json.add(
        "entities",
        .object(
          entities.map { entity in
            let lines = entity.properties.map { "\($0.name): \($0.typeText)" }
            return (key: entity.key, value: .array(lines.map { .string($0) }))
          }))
    }
    let gaps = shape?.gaps ?? []
    if !gaps.isEmpty { json.add("notResolved", .array(gaps.map { .string($0.reason) })) }
    return json
  }
}

extension MigrationJudgement {
  /// The change, its verdict and the reason in one line.
  var sentence: String { "\(change.line) (\(verdictWords)): \(reason)" }

  /// The verdict with the error that a device shows.
  var verdictWords: String {
    let words = verdict?.words ?? "not judged"
    return code.map { "\(words), \($0)" } ?? words
  }
}

/// Makes chains of a program's versions.
private struct LifeReading {
  private let program: SchemaProgram
  private let snapshot: SchemaSources.Snapshot
  private let lock: LockFile?

  init(_ snapshot: SchemaSources.Snapshot, _ lock: LockFile?) {
    self.snapshot = snapshot
    program = snapshot.program
    self.lock = lock
  }

  var plans: [SchemaLife.Chain] {
    program.plans.filter { !$0.isTest }.map { plan in
      let versions = plan.chain.map { program.versions[$0] }
      var chain = SchemaLife.Chain(
        name: plan.name, path: plan.place.path, kind: "migration plan",
        versions: versions.map(version))
      chain.steps = versions.indices.dropLast().map { index in
        let (old, new) = (versions[index], versions[index + 1])
        let stage = plan.stages?.first { $0.from == old.id && $0.to == new.id }
        return SchemaLife.Step(
          from: index, to: index + 1, stage: stage?.kind.rawValue ?? "no stage",
          migration: Migration(from: old.shape, to: new.shape))
      }
      chain.remarks = plan.unknownSchemas.map {
        "`\($0)` in `schemas` of \(plan.name) is not a version that the sources declare"
      }
      chain.remarks += plan.unlistedStages.map {
        "\(plan.name) doesn't list the stage \($0.name)"
      }
      return chain
    }
  }

  var looseVersions: [SchemaLife.Chain] {
    let planned = Set(program.plans.filter { !$0.isTest }.flatMap(\.chain))
    let loose = program.versions.filter { !$0.isTest && !planned.contains($0.id) }
      .sorted { DataModel.naturallyPrecedes($0.key, $1.key) }
    return loose.map {
      SchemaLife.Chain(
        name: $0.key, path: $0.place.path, kind: "version in no plan", versions: [version($0)])
    }
  }

  var dataModels: [SchemaLife.Chain] {
    program.dataModels.map { model in
      var chain = SchemaLife.Chain(
        name: model.name, path: model.path, kind: "Core Data model",
        versions: model.versions.map { version in
          let key = SchemaProgram.key(of: version, in: model)
          return SchemaLife.Version(
            key: key, name: version.name, path: version.path, shape: version.shape,
            state: state(key, version.shape))
        })
      chain.steps = model.versions.indices.dropLast().map { index in
        SchemaLife.Step(
          from: index, to: index + 1, stage: nil,
          migration: Migration(
            from: model.versions[index].shape, to: model.versions[index + 1].shape,
            needsDistinctVersions: false))
      }
      chain.remarks = model.problems.map { "\($0.path): \($0.message)" }
      return chain
    }
  }

  var models: [SchemaLife.Chain] {
    guard let shape = program.unversionedShape else { return [] }
    let key = SchemaProgram.unversioned
    return [
      SchemaLife.Chain(
        name: "models without a version", path: "", kind: "SwiftData",
        versions: [
          SchemaLife.Version(
            key: key, name: "models", path: "", shape: shape, state: state(key, shape))
        ])
    ]
  }

  var migrators: [SchemaLife.Chain] {
    let frozen = lock?.migrators ?? []
    return snapshot.migrators.map { migrator in
      let known = frozen.first { $0.name == migrator.name }?.migrations ?? []
      var chain = SchemaLife.Chain(
        name: migrator.name, path: path(migrator.place), kind: "GRDB migrator",
        versions: migrator.migrations.map { migration in
          let shipped = known.first { $0.id == migration.id }
          let isSame = shipped.map { migration.isSame(as: $0) }
          let state = isSame.map { $0 ? SchemaLife.State.frozen : .edited } ?? .open
          return SchemaLife.Version(
            key: "\(migrator.name)/\(migration.id)", name: migration.id,
            path: path(migration.call), shape: nil, state: state)
        })
      if !migrator.isComplete { chain.remarks = ["not all migrations could be resolved"] }
      return chain
    }
  }

  private func path(_ ref: Ref) -> String { snapshot.files[Int(ref.file)].path }

  private func version(_ version: SchemaVersion) -> SchemaLife.Version {
    SchemaLife.Version(
      key: version.key, name: version.key, path: version.place.path,
      identifier: version.identifier.map { $0.map(String.init).joined(separator: ".") },
      shape: version.shape, state: state(version.key, version.shape))
  }

  private func state(_ key: String, _ shape: SchemaShape) -> SchemaLife.State {
    guard let frozen = lock?.versions[key] else { return .open }
    return frozen.facts == shape.facts ? .frozen : .edited
  }
}
