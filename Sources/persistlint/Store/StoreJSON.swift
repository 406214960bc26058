import PersistReport
import PersistSchema
import PersistStore

/// What a store says of itself, for other programs.
struct StoreJSON {
  let input: StoreInput
  let diagnosis: (any StoreVerdict)?

  init(input: StoreInput, diagnosis: (any StoreVerdict)?) {
    self.input = input
    self.diagnosis = diagnosis
  }

  /// Reads a store, and compares it with the sources where paths of them are given.
  init(_ path: String, _ options: Options, paths: [String]) throws(CommandError) {
    input = try StoreInput(path)
    diagnosis = try paths.isEmpty ? nil : diagnose(input, options, paths: paths)
  }

  var text: String { json.text }

  var json: JSON {
    let file = input.file
    var json: JSON = [
      "version": 1, "path": .string(input.path), "maker": .string(file.maker.rawValue),
    ]
    json.add("metadata", file.metadata.map(metadata))
    json.add("shape", file.shape.map(shape))
    json.add("tables", .array(file.tables.map(table)))
    json.add("migrations", .array(file.migrations.map { .string($0) }))
    json.add(
      "history",
      [
        "transactions": .integer(file.history.transactions),
        "changes": .integer(file.history.changes), "bytes": .integer(file.history.bytes),
      ])
    json.add(
      "pages",
      [
        "size": .integer(file.pageSize), "count": .integer(file.pageCount),
        "free": .integer(file.freePages),
      ])
    json.add("logPages", file.logPages.map { .integer($0) })
    json.add("userVersion", .integer(file.userVersion))
    json.add("notRead", .array(file.gaps.map { .string($0) }))
    json.add("sources", diagnosis?.json)
    return json
  }

  private func metadata(_ metadata: StoreFile.Metadata) -> JSON {
    var json: JSON = ["uuid": .string(metadata.uuid)]
    json.add("frameworkVersion", metadata.frameworkVersion.map { .integer($0) })
    json.add("versionIdentifiers", .array(metadata.versionIdentifiers.map { .string($0) }))
    json.add("checksum", metadata.checksum.map { .string($0) })
    json.add("digest", metadata.digest.map { .string($0) })
    json.add(
      "entityHashes",
      .array(
        metadata.entityHashes.sorted { $0.key < $1.key }.map {
          ["entity": .string($0.key), "hash": .string($0.value.hex)]
        }))
    return json
  }

  private func shape(_ shape: SchemaShape) -> JSON {
    .array(
      shape.entities.map { entity in
        var json: JSON = ["entity": .string(entity.name)]
        if entity.isAbstract { json.add("abstract", .boolean(true)) }
        json.add("superentity", entity.superentity.map { .string($0) })
        json.add("properties", .array(entity.properties.map(property)))
        json.add("unique", .array(entity.uniqueness.map { .array($0.map { .string($0) }) }))
        return json
      })
  }

  private func property(_ property: Property) -> JSON {
    var json: JSON = ["name": .string(property.name), "optional": .boolean(property.isOptional)]
    switch property.kind {
    case .attribute(let attribute):
      json.add("type", .string(attribute.type.spelling))
      json.add("default", attribute.defaultText.map { .string($0) })
    case .relationship(let relationship):
      json.add("destination", .string(relationship.destinationName))
      json.add("toMany", .boolean(relationship.isToMany))
      json.add("ordered", .boolean(relationship.isOrdered))
      json.add("inverse", relationship.inverse.name.map { .string($0) })
      json.add("deleteRule", .string(relationship.deleteRule))
    }
    return json
  }

  private func table(_ table: StoreFile.Table) -> JSON {
    var json: JSON = ["name": .string(table.name), "rows": .integer(table.rows)]
    json.add("entity", table.entity.map { .string($0) })
    json.add("pages", .integer(table.pages))
    json.add(
      "columns",
      .array(
        table.columns.map {
          ["name": .string($0.name), "declaration": .string($0.declaration)]
        }))
    return json
  }
}

extension StoreDiagnosis {
  var json: JSON {
    var json: JSON = ["verdict": .string(verdict)]
    json.add("writtenBy", .array(exact.map { .string($0.name) }))
    if exact.isEmpty, let nearest = comparisons.first {
      json.add("nearest", .string(nearest.name))
      json.add("because", .string(nearest.reason))
      let migration = Migration(
        from: nearest.store, to: nearest.version, needsDistinctVersions: false)
      json.add("differences", migration.json(from: "the store", to: nearest.name))
    }
    switch outcome {
    case .current, .unknown: break
    case .opens(let steps): json.add("steps", .array(steps.map(\.json)))
    case .fails(let code, let reason, let steps):
      json.add("code", code.map { .integer($0) })
      json.add("reason", .string(reason))
      json.add("steps", .array(steps.map(\.json)))
    }
    return json
  }
}

extension StoreDiagnosis.Step {
  fileprivate var json: JSON {
    var json = migration.json(from: from, to: to)
    json.add("stage", stage.map { .string($0) })
    return json
  }
}
