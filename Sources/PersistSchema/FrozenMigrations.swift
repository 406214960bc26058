/// The registered migrations of one migrator as they shipped, in the order of registration.
package struct FrozenMigrator: Hashable, Sendable {
  /// One migration: its id, and a fingerprint of what it does.
  package struct Migration: Hashable, Sendable {
    package let id: String
    package let fingerprint: String

    package init(id: String, fingerprint: String) {
      self.id = id
      self.fingerprint = fingerprint
    }
  }

  /// The function, property or type that makes the migrator.
  package let name: String
  package var migrations: [Migration]

  package init(name: String, migrations: [Migration]) {
    self.name = name
    self.migrations = migrations
  }
}

extension LockFile {
  /// The frozen migrators, sorted by name; each line of their section is a migrator's name, a
  /// migration's id and the fingerprint of what it does.
  package var migrators: [FrozenMigrator] {
    get {
      var found: [FrozenMigrator] = []
      for words in sections[.migrations]?.lines ?? [] where words.count >= 3 {
        let migration = FrozenMigrator.Migration(id: words[1], fingerprint: words[2])
        if let index = found.firstIndex(where: { $0.name == words[0] }) {
          found[index].migrations.append(migration)
        } else {
          found.append(FrozenMigrator(name: words[0], migrations: [migration]))
        }
      }
      return found
    }
    set {
      let lines = newValue.sorted { $0.name < $1.name }.flatMap { migrator in
        migrator.migrations.map { [migrator.name, $0.id, $0.fingerprint] }
      }
      sections[.migrations] = lines.isEmpty ? nil : LockSection(.migrations, lines: lines)
    }
  }
}
