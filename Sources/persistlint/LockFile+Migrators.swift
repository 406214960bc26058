import PersistIndex
import PersistSchema
import PersistVersions

extension LockFile {
  /// Takes migrators in as they are registered now; gives what changed by it, for people.
  ///
  /// Refuses where a frozen migration differs, unless it may be frozen again.
  mutating func freeze(
    _ wanted: [Migrator], again: Bool
  ) throws(CommandError) -> [String] {
    guard !wanted.isEmpty else { return [] }
    guard format > 1 else {
      warn(
        "the lock has format 1, and that can't hold migrations of GRDB; "
          + "`persistlint freeze --again` rewrites it")
      return []
    }
    var frozen = migrators
    var written: [String] = []
    for migrator in wanted {
      let new = migrator.frozen
      let ids = Set(migrator.ids)
      let known =
        frozen.firstIndex { $0.name == new.name && $0.shares(ids) }
        ?? frozen.firstIndex { old in
          old.shares(ids) && !wanted.contains { $0.name == old.name }
        }
      guard let known else {
        frozen.removeAll { $0.name == new.name }
        frozen.append(new)
        written.append("\(new.migrations.count) migrations of \(new.name)")
        continue
      }
      if frozen[known] == new { continue }
      if !again, let id = frozen[known].firstDifference(from: new) {
        throw .refusal(
          "the migration `\(id)` of \(new.name) is frozen and has changed: restore it, or rewrite "
            + "it with --again if nobody has run it")
      }
      let added = new.migrations.count - frozen[known].migrations.count
      frozen[known] = new
      written.append(added > 0 ? "\(added) more migrations of \(new.name)" : new.name)
    }
    migrators = frozen
    return written
  }
}

extension FrozenMigrator {
  fileprivate func shares(_ ids: Set<String>) -> Bool {
    migrations.contains { ids.contains($0.id) }
  }

  /// The first frozen migration that another state lacks, has elsewhere, or has otherwise.
  fileprivate func firstDifference(from new: FrozenMigrator) -> String? {
    var rest = new.migrations[...]
    for migration in migrations where !migration.fails {
      guard let index = rest.firstIndex(where: { $0.id == migration.id }),
        migration.isSame(as: rest[index])
      else { return migration.id }
      rest = rest[(index + 1)...]
    }
    return nil
  }
}
