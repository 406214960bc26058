import PersistFlow
import PersistIndex
import PersistVersions

/// A `try?` or an ignoring `catch` around a write of a registered migration.
struct SwallowedWrite {
  /// The mark or the clause.
  let place: Ref
  /// Whether what was to be kept is dropped after.
  var losesRows: Bool
}

extension Program {
  /// The writes whose errors the migrations of the sources swallow, one a place, in source order.
  var swallowedWrites: [SwallowedWrite] {
    var found: [Ref: SwallowedWrite] = [:]
    for migration in migrators.flatMap(\.migrations) {
      for (index, step) in migration.steps.enumerated() {
        let works = step.work.filter { work in
          work.isWrite && !(work.kind == .drop && migration.onlyTidies(work, after: index))
        }
        guard !works.isEmpty, step.outer.map({ migration.steps[$0].work.isEmpty }) ?? true,
          let place = swallower(of: step, in: migration)
        else { continue }
        let loses = works.contains { migration.drops(what: $0, after: index, place, in: self) }
        found[place] = SwallowedWrite(
          place: place, losesRows: loses || (found[place]?.losesRows ?? false))
      }
    }
    return found.values.sorted { $0.place < $1.place }
  }

  /// Where the error of a step is dropped, on the way from it to the migration's end; what registers
  /// the migration runs before.
  private func swallower(of step: MigrationStep, in migration: RegisteredMigration) -> Ref? {
    let calls = [step.call] + step.path.reversed()
    for call in calls where !migration.path.contains(call) {
      if let place = dropping(errorOf: call, upTo: "registerMigration") { return place }
    }
    return nil
  }
}

extension RegisteredMigration {
  /// Whether a table is dropped for good, so that it stays as a leftover when that fails.
  fileprivate func onlyTidies(_ work: TableWork, after index: Int) -> Bool {
    guard let table = work.tables.first else { return false }
    return !steps[(index + 1)...].contains { step in
      step.work.contains { $0.tables.contains(table) }
    }
  }

  /// Whether a later step drops or renames a table that a write was about, or drops a column that
  /// it read, and isn't swallowed together with the write.
  fileprivate func drops(
    what work: TableWork, after index: Int, _ place: Ref, in program: Program
  ) -> Bool {
    guard work.kind == .create || work.kind == .change && !work.onlyDeletes else { return false }
    for step in steps[(index + 1)...] {
      for later in step.work {
        guard let table = later.tables.first, work.tables.contains(table) else { continue }
        if later.kind == .drop { return true }
        if later.kind == .alter, step.name == "rename" || later.isRenaming {
          return true
        }
        if later.kind == .alter, let column = later.droppedColumn,
          work.tokens.contains(where: { SQLText.name($0).lowercased() == column })
        {
          return true
        }
      }
      if step.name == "drop", let column = step.literal("column")?.lowercased(),
        let outer = step.outer, let table = steps[outer].literal("table")?.lowercased(),
        work.tables.contains(table),
        work.tokens.contains(where: { SQLText.name($0).lowercased() == column })
      {
        return true
      }
    }
    return false
  }
}

extension TableWork {
  /// Whether a statement takes rows away and keeps none.
  fileprivate var onlyDeletes: Bool { tokens.first?.uppercased() == "DELETE" }

  /// Whether a statement gives its table another name.
  fileprivate var isRenaming: Bool {
    let words = tokens.map { $0.uppercased() }
    return words.contains("RENAME") && !words.contains("COLUMN")
      && words.firstIndex(of: "RENAME").map { $0 + 1 < words.count && words[$0 + 1] == "TO" }
        ?? false
  }

  /// The column that `ALTER TABLE` drops.
  fileprivate var droppedColumn: String? {
    guard let drop = tokens.firstIndex(where: { $0.uppercased() == "DROP" }) else { return nil }
    let next = tokens[(drop + 1)...].first { $0.uppercased() != "COLUMN" }
    return next.map { SQLText.name($0).lowercased() }
  }
}
