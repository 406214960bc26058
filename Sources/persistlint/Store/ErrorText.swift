import PersistRules

/// A failure as logs and crash reports show it, and the rules that find its causes.
struct KnownError: Sendable {
  /// Any of these in the text, in any case, tells of it.
  let signs: [String]
  let meaning: String
  let rules: [RuleID]
}

extension KnownError {
  /// The failures that a text tells of, those with the longest signs first.
  static func found(in text: String) -> [KnownError] {
    let text = text.lowercased()
    let lengths = all.map { known in
      known.signs.filter { text.contains(word: $0.lowercased()) }.map(\.count).max() ?? 0
    }
    return all.indices.filter { lengths[$0] > 0 }.sorted { lengths[$0] > lengths[$1] }
      .map { all[$0] }
  }

  static let all = [
    KnownError(
      signs: ["134504", "unknown model version", "unknown coordinator model version"],
      meaning: "the store matches no version of the migration plan, or the container's schema is "
        + "none of the plan's versions",
      rules: [
        "frozen-schema-edited", "schema-version-uses-live-model", "container-not-on-newest-schema",
        "schema-version-not-in-plan", "shared-codable-in-frozen-schema", "migration-stage-missing",
        "staged-migration-introduced",
      ]),
    KnownError(
      signs: [
        "Duplicate version checksums", "next model reference cannot be equal",
        "current model reference and the next model reference",
      ],
      meaning: "two versions of the plan have one checksum; the exception can't be caught",
      rules: ["identical-schema-versions", "schema-version-uses-live-model"]),
    KnownError(
      signs: [
        "134110", "missing attribute values on mandatory destination",
        "validation error missing attribute values",
      ],
      meaning: "the migration has no value for a mandatory attribute, or two processes migrate at "
        + "once",
      rules: [
        "required-property-without-default", "lightweight-migration-impossible",
        "shared-store-without-lock", "renamed-without-original-name",
      ]),
    KnownError(
      signs: ["134100", "model used to open the store is incompatible"],
      meaning: "the store was written with another model, or two processes migrate at once",
      rules: [
        "shared-store-without-lock", "models-without-versioned-schema", "migration-plan-unused",
        "core-data-migration-disabled", "current-model-version-gone-back",
      ]),
    KnownError(
      signs: ["134130", "can't find model for source store", "134190", "134140"],
      meaning: "Core Data finds no model for the store, or can infer no migration",
      rules: [
        "frozen-schema-edited", "lightweight-migration-impossible",
        "core-data-migration-disabled", "current-model-version-gone-back",
      ]),
    KnownError(
      signs: ["134060", "CloudKit integration requires"],
      meaning: "the model has something that CloudKit can't sync",
      rules: ["cloudkit-incompatible-model"]),
    KnownError(
      signs: ["133021", "NSConstraintConflict", "could not merge changes"],
      meaning: "a save conflicts with another one, and no merge policy decides",
      rules: ["merge-policy-missing", "context-never-merges"]),
    KnownError(
      signs: ["0xdead10cc", "dead10cc"],
      meaning: "the app was suspended while it held a lock on a file in a shared container",
      rules: ["store-access-without-background-assertion"]),
    KnownError(
      signs: ["database disk image is malformed", "SQLITE_CORRUPT"],
      meaning:
        "the log of an older store was replayed into another file, or a file was copied alone",
      rules: ["store-sidecars-forgotten", "store-deleted-without-backup"]),
    KnownError(
      signs: [
        "backing data could no longer be found", "detached from a context without resolving",
        "destroyed by calling ModelContext.reset", "full future backing data",
      ],
      meaning: "a model was read after it was deleted, or after its context was reset",
      rules: [
        "model-used-after-delete", "model-used-after-suspension", "model-kept-after-wipe",
        "unchecked-identifier-lookup", "context-outlives-container",
        "model-captured-in-detached-task",
      ]),
    KnownError(
      signs: ["could not fulfill a fault", "_unconditionallyBridgeFromObjectiveC"],
      meaning: "a managed object was read after its row was deleted",
      rules: [
        "model-used-after-delete", "model-kept-after-wipe", "unchecked-identifier-lookup",
        "batch-change-not-merged", "managed-object-outside-context",
      ]),
    KnownError(
      signs: ["between objects in different contexts"],
      meaning: "a relationship joins objects of two contexts",
      rules: ["relationship-across-contexts"]),
    KnownError(
      signs: ["mandatory OTO nullify inverse"],
      meaning: "a batch deletion meets a mandatory inverse, and nothing is deleted",
      rules: ["batch-delete-violates-inverse"]),
    KnownError(
      signs: [
        "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__", "CoreData.ConcurrencyDebug",
        "mutated while being enumerated",
      ],
      meaning: "a managed object or context was used outside its queue",
      rules: ["managed-object-outside-context", "context-captured-in-detached-task"]),
    KnownError(
      signs: ["Realm accessed from incorrect thread"],
      meaning: "a Realm or one of its objects was used on another thread",
      rules: ["realm-object-crosses-thread"]),
    KnownError(
      signs: ["Object has been deleted or invalidated"],
      meaning: "a Realm object was read after its row was deleted",
      rules: ["realm-object-invalidated"]),
    KnownError(
      signs: ["outside of a write transaction"],
      meaning: "a Realm object was changed outside a write",
      rules: ["realm-write-outside-transaction"]),
    KnownError(
      signs: ["Migration is required due to the following errors", "less than last set version"],
      meaning: "a Realm class changed and the schema version did not, or it went down",
      rules: ["realm-schema-version", "realm-embedded-without-migration"]),
    KnownError(
      signs: ["SQLITE_BUSY", "database is locked", "SQLite error 5"],
      meaning: "another process or pool holds the lock of the database",
      rules: ["shared-database-without-busy-mode", "shared-store-without-lock"]),
    KnownError(
      signs: ["Read-Only mode: Core Data opened", "NSPersistentHistoryTrackingKey"],
      meaning: "a store with history tracking was opened without it, so it is read only",
      rules: ["store-without-history-tracking"]),
  ]
}

extension String {
  /// Whether the word stands in the text; a number not as a part of a longer one.
  fileprivate func contains(word: String) -> Bool {
    guard word.allSatisfy(\.isNumber) else { return contains(word) }
    return split { !$0.isNumber }.contains { $0 == word }
  }
}
