import PersistIndex
import PersistReport
import PersistSchema
import PersistVersions

/// The versions, models, plans and stages of a project, for other programs.
struct SchemaJSON {
  private let program: SchemaProgram
  private let migrators: [Migrator]
  private let files: [SourceFile]

  init(_ snapshot: SchemaSources.Snapshot) {
    program = snapshot.program
    migrators = snapshot.migrators
    files = snapshot.files
  }

  var text: String {
    let versions = program.versions.filter { !$0.isTest }
      .sorted { DataModel.naturallyPrecedes($0.key, $1.key) }
    var json: JSON = ["version": 1]
    json.add("versions", .array(versions.map(version)))
    json.add("plans", .array(program.plans.filter { !$0.isTest }.map(plan)))
    json.add("dataModels", .array(program.dataModels.map(dataModel)))
    json.add("unversioned", program.unversionedShape.map(shape))
    json.add("migrators", .array(migrators.map(migrator)))
    return json.text
  }

  private func migrator(_ migrator: Migrator) -> JSON {
    [
      "name": .string(migrator.name), "path": .string(files[Int(migrator.place.file)].path),
      "complete": .boolean(migrator.isComplete),
      "migrations": .array(
        migrator.migrations.map { migration in
          [
            "id": .string(migration.id),
            "path": .string(files[Int(migration.call.file)].path),
            "fingerprint": .string(migration.fingerprint),
          ]
        }),
    ]
  }

  private func version(_ version: SchemaVersion) -> JSON {
    var json: JSON = ["name": .string(version.key), "path": .string(version.place.path)]
    json.add("identifier", version.identifier.map { .array($0.map { .integer($0) }) })
    json.add(
      "models",
      .array(
        version.uses.map { use in
          var json: JSON = [
            "entity": .string(use.key), "class": .string(use.model.qualifiedName),
            "listed": .boolean(use.isListed), "nested": .boolean(use.isNested),
          ]
          json.add("route", use.route.map { .string($0) })
          return json
        }))
    json.add("shape", shape(version.shape))
    return json
  }

  private func plan(_ plan: MigrationPlan) -> JSON {
    var json: JSON = ["name": .string(plan.name), "path": .string(plan.place.path)]
    json.add("schemas", plan.schemas.map { .array($0.map { name($0) }) })
    json.add("chain", .array(plan.chain.map { name($0) }))
    json.add(
      "stages",
      plan.stages.map { stages in
        .array(
          stages.map { stage in
            [
              "kind": .string(stage.kind.rawValue), "from": .string(stage.fromText),
              "to": .string(stage.toText),
            ]
          })
      })
    let pairs = zip(plan.chain, plan.chain.dropFirst())
    json.add(
      "migrations",
      .array(
        pairs.map { old, new in
          let (old, new) = (program.versions[old], program.versions[new])
          return Migration(from: old.shape, to: new.shape).json(from: old.key, to: new.key)
        }))
    return json
  }

  private func name(_ index: Int) -> JSON { .string(program.versions[index].key) }

  private func dataModel(_ model: DataModel) -> JSON {
    var json: JSON = ["name": .string(model.name), "path": .string(model.path)]
    json.add("current", model.current.map { .string($0.name) })
    json.add(
      "versions",
      .array(
        model.versions.map { version in
          ["name": .string(version.name), "shape": shape(version.shape)]
        }))
    let pairs = zip(model.versions, model.versions.dropFirst())
    json.add(
      "migrations",
      .array(
        pairs.map { old, new in
          Migration(from: old.shape, to: new.shape, needsDistinctVersions: false)
            .json(from: old.name, to: new.name)
        }))
    return json
  }

  /// The facts of a shape, as the lock file has them.
  private func shape(_ shape: SchemaShape) -> JSON {
    [
      "hard": .string(shape.hardFingerprint.description),
      "soft": .string(shape.softFingerprint.description),
      "facts": .array(
        shape.facts.map { fact in
          [
            "subject": .string(fact.subject.name), "aspect": .string(fact.aspect.rawValue),
            "value": .string(fact.value), "weight": .string(fact.weight.word),
          ]
        }),
    ]
  }
}

extension Fact.Weight {
  fileprivate var word: String {
    switch self {
    case .hard: "hard"
    case .soft: "soft"
    case .open: "open"
    }
  }
}

extension Migration {
  /// The changes with their verdicts, for other programs.
  func json(from old: String, to new: String) -> JSON {
    var json: JSON = ["from": .string(old), "to": .string(new)]
    json.add("verdict", verdict.map { .string($0.words) })
    json.add("twins", .boolean(isTwin))
    json.add(
      "changes",
      .array(
        judgements.map { judgement in
          let change = judgement.change
          var json: JSON = [
            "subject": .string(change.subject.name), "aspect": .string(change.aspect.rawValue),
          ]
          json.add("before", change.before.map { .string($0) })
          json.add("after", change.after.map { .string($0) })
          json.add("verdict", judgement.verdict.map { .string($0.words) })
          json.add("code", judgement.code.map { .integer($0) })
          json.add("reason", .string(judgement.reason))
          return json
        }))
    return json
  }
}
