/// The registered migrations of one migrator as they shipped, in the order of registration.
package struct FrozenMigrator: Hashable, Sendable {
  /// One migration: its id, and a fingerprint of what it does.
  package struct Migration: Hashable, Sendable {
    package let id: String
    package let fingerprint: String
    /// A fingerprint of all that it does, where that is more than the first one tells.
    package var fullFingerprint: String?
    /// Whether its registration hangs on a condition.
    package var isConditional = false
    /// Whether it can't but fail, so that no device has run it.
    package var fails = false
    /// Where it works with a record type that other code uses too: a fingerprint of the tables,
    /// columns and indexes that it makes or changes.
    package var definitions: String?
    /// The tables of these record types, sorted.
    package var liveTables: [String] = []

    package init(id: String, fingerprint: String) {
      self.id = id
      self.fingerprint = fingerprint
    }

    /// Whether one does now what this one did when it shipped; where a lock file is from before the
    /// full sums, as far as it tells.
    package func isSame(as now: Migration) -> Bool {
      let isAlike = fullFingerprint ?? fingerprint == now.fullFingerprint ?? now.fingerprint
      return isAlike || fullFingerprint == nil && fingerprint == now.fingerprint
    }
  }

  /// The function, property or type that makes the migrator.
  package let name: String
  package var migrations: [Migration]
  /// Whether these are all that it registers.
  package var isComplete = true

  package init(name: String, migrations: [Migration]) {
    self.name = name
    self.migrations = migrations
  }
}

extension LockFile {
  /// The frozen migrators, sorted by name; each line of their section is a migrator's name, a
  /// migration's id, the fingerprint of what it does, and words such as `conditional`.
  package var migrators: [FrozenMigrator] {
    get {
      var found: [FrozenMigrator] = []
      for words in sections[.migrations]?.lines ?? [] where words.count >= 3 {
        var migration = FrozenMigrator.Migration(id: words[1], fingerprint: words[2])
        migration.isConditional = words[3...].contains("conditional")
        migration.fullFingerprint = words[3...].first { $0.hasPrefix("full=") }
          .map { String($0.dropFirst(5)) }
        migration.fails = words[3...].contains("fails")
        migration.definitions = words[3...].first { $0.hasPrefix("live=") }
          .map { String($0.dropFirst(5)) }
        migration.liveTables = words[3...].filter { $0.hasPrefix("of=") }
          .map { String($0.dropFirst(3)) }
        if let index = found.firstIndex(where: { $0.name == words[0] }) {
          found[index].migrations.append(migration)
        } else {
          var migrator = FrozenMigrator(name: words[0], migrations: [migration])
          migrator.isComplete = !words[3...].contains("partial")
          found.append(migrator)
        }
      }
      return found
    }
    set {
      let lines = newValue.sorted { $0.name < $1.name }.flatMap { migrator in
        migrator.migrations.map { migration in
          [migrator.name, migration.id, migration.fingerprint]
            + (migration.fullFingerprint.map { ["full=" + $0] } ?? [])
            + (migration.isConditional ? ["conditional"] : [])
            + (migration.fails ? ["fails"] : []) + (migrator.isComplete ? [] : ["partial"])
            + (migration.definitions.map { ["live=" + $0] } ?? [])
            + migration.liveTables.map { "of=" + $0 }
        }
      }
      sections[.migrations] = lines.isEmpty ? nil : LockSection(.migrations, lines: lines)
    }
  }
}
