import PersistIndex
import PersistSchema
import PersistVersions

/// A stage uses a class that the store doesn't have on that side of the migration.
struct MigrationStageTypeMismatch: Rule {
  static let id: RuleID = "migration-stage-type-mismatch"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    var judged: Set<SchemaPlace> = []
    for plan in schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] where stage.kind == .custom {
        guard let from = stage.from.map({ schema.versions[$0] }),
          let to = stage.to.map({ schema.versions[$0] }), from.shape.listIsComplete,
          to.shape.listIsComplete
        else { continue }
        for use in stage.willUses where !from.holds(use) {
          guard judged.insert(use.place).inserted else { continue }
          // An object may wait outside of any context for the other side of the stage.
          findings.report(
            use.isOnlyMade ? .waits(use.name, to.name) : .isNew(use.name, from.name),
            at: use.place, severity: use.isOnlyMade ? .warning : nil)
        }
        for use in stage.didUses where !to.holds(use) {
          guard judged.insert(use.place).inserted else { continue }
          findings.report(.isOld(use.name, to.name), at: use.place)
        }
        for (uses, keys, version) in [
          (stage.willUses, stage.willKeys, from), (stage.didUses, stage.didKeys, to),
        ] {
          guard let model = version.onlyModel(of: uses) else { continue }
          for key in keys where !model.has(key.name) && judged.insert(key.place).inserted {
            findings.report(.hasNoKey(model.qualifiedName, key.name), at: key.place)
          }
        }
      }
    }
  }
}

extension SchemaVersion {
  fileprivate func holds(_ use: StageUse) -> Bool { uses.contains { $0.model.id == use.model } }

  /// The one class that a stage's code uses, when it is of this version.
  fileprivate func onlyModel(of used: [StageUse]) -> ModelDeclaration? {
    guard let first = used.first, used.allSatisfy({ $0.model == first.model }) else { return nil }
    return uses.first { $0.model.id == first.model }?.model
  }
}

extension ModelDeclaration {
  fileprivate func has(_ property: String) -> Bool {
    hasSuperclass || propertyNames.contains(property) || transients.contains(property)
  }
}

extension Finding.Message {
  fileprivate static func isNew(_ model: String, _ version: String) -> Self {
    """
    the migration fails here, because in `willMigrate` the store is still on `\(version)` and that \
    version has no class `\(model)`; use the class of that version
    """
  }

  fileprivate static func waits(_ model: String, _ version: String) -> Self {
    """
    the migration can fail here, because the store isn't on `\(version)` yet when this \
    `\(model)` is made; keep plain values, and make the object in `didMigrate`
    """
  }

  fileprivate static func hasNoKey(_ model: String, _ key: String) -> Self {
    """
    the migration fails here, because `\(model)` has no property `\(key)` on this side of the stage; \
    carry the value over to the other side and set it there
    """
  }

  fileprivate static func isOld(_ model: String, _ version: String) -> Self {
    """
    the migration fails here, because in `didMigrate` the store is already on `\(version)` and \
    that version has no class `\(model)`; use the class of that version
    """
  }
}
