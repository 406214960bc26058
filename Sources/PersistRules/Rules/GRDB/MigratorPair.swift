import PersistIndex
import PersistSchema
import PersistVersions

/// A migrator as it shipped, and the one of the sources that has taken its place.
struct MigratorPair {
  let frozen: FrozenMigrator
  let current: Migrator

  /// The frozen migrations that the sources don't register any more.
  var missing: [FrozenMigrator.Migration] {
    let ids = Set(current.ids)
    return frozen.migrations.filter { !ids.contains($0.id) }
  }

  /// The migration that does what a missing one did, under another name.
  func renamed(_ missing: FrozenMigrator.Migration) -> RegisteredMigration? {
    let ids = Set(frozen.migrations.map(\.id))
    return current.migrations.first {
      !ids.contains($0.id) && $0.isSame(as: missing)
    }
  }

  /// Whether a new migration stands where a missing one did, and makes anew what it drops first: who
  /// ran the old one and who didn't come to the same.
  func isReplaced(_ missing: FrozenMigrator.Migration) -> Bool {
    let known = Set(frozen.migrations.map(\.id))
    guard let index = frozen.migrations.firstIndex(where: { $0.id == missing.id }) else {
      return false
    }
    let before = frozen.migrations[..<index].last { kept in current.ids.contains(kept.id) }?.id
    guard
      let place = before.map({ id in current.migrations.lastIndex { $0.id == id } })
        ?? current.migrations.startIndex - 1
    else { return false }
    let next = current.migrations[(place + 1)...].prefix { !known.contains($0.id) }
    return next.contains(where: \.makesAnew)
  }

  /// Whether a migration is a missing one under another name.
  func isRenamed(_ migration: RegisteredMigration) -> Bool {
    missing.contains { migration.isSame(as: $0) }
  }
}

extension RegisteredMigration {
  /// Whether it drops something, if it is there, and creates it behind that.
  fileprivate var makesAnew: Bool {
    let drop = steps.firstIndex { step in
      step.arguments.contains { argument in
        argument.value.template.map { $0.uppercased().contains("DROP TABLE IF EXISTS") } ?? false
      }
    }
    guard let drop else { return false }
    return steps[drop...].contains { step in
      step.name == "create"
        || step.arguments.contains { argument in
          argument.value.template.map { $0.uppercased().contains("CREATE TABLE") } ?? false
        }
    }
  }
}

extension FrozenMigrator {
  /// Whether an id is registered twice, so that nobody has ever got past it.
  var couldNeverRun: Bool {
    let ids = migrations.filter { !$0.isConditional }.map(\.id)
    return Set(ids).count < ids.count
  }
}

extension Program {
  /// The migrators of a base with those of the sources that have most of their ids, of equals the
  /// one of the same name.
  func pairs(with base: SchemaBase) -> [MigratorPair] {
    var scores: [(score: Int, frozen: Int, current: Int)] = []
    for (frozen, old) in base.migrators.enumerated() {
      let ids = Set(old.migrations.map(\.id))
      for (current, new) in migrators.enumerated() {
        let shared = ids.intersection(new.ids).count
        guard shared > 0 else { continue }
        scores.append((shared * 2 + (old.name == new.name ? 1000 : 0), frozen, current))
      }
    }
    scores.sort { ($1.score, $0.frozen, $0.current) < ($0.score, $1.frozen, $1.current) }
    var pairs: [MigratorPair] = []
    var taken: (frozen: Set<Int>, current: Set<Int>) = ([], [])
    for (_, frozen, current) in scores
    where !taken.frozen.contains(frozen) && !taken.current.contains(current) {
      taken.frozen.insert(frozen)
      taken.current.insert(current)
      pairs.append(MigratorPair(frozen: base.migrators[frozen], current: migrators[current]))
    }
    return pairs
  }
}
