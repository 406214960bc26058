import PersistFlow
import PersistIndex
import PersistVersions

/// A column that a registered migration adds, that must not be null and has no default.
struct NotNullColumn {
  let migration: RegisteredMigration
  let table: String
  let column: String
  let place: Ref
}

extension Program {
  /// The columns that SQLite refuses to add to tables with rows, in source order.
  var notNullColumns: [NotNullColumn] {
    var found: [NotNullColumn] = []
    for migration in migrators.flatMap(\.migrations) {
      var empty: Set<String> = []
      for step in migration.steps {
        for work in step.work {
          if work.kind == .create, let table = work.tables.first { empty.insert(table) }
          if work.kind == .change, work.tokens.first?.uppercased() == "DELETE",
            !work.tokens.contains(where: { $0.uppercased() == "WHERE" }),
            let table = work.tables.first
          {
            empty.insert(table)
          }
          guard work.kind == .alter, let table = work.tables.first, !empty.contains(table),
            let column = work.columnAdded
          else { continue }
          let place = step.arguments.first { $0.label == "sql" || $0.label == "literal" }?.place
          found.append(
            NotNullColumn(
              migration: migration, table: table, column: column, place: place ?? step.call))
        }
        if let added = builderColumn(step, of: migration), !empty.contains(added.table.lowercased())
        {
          found.append(added)
        }
      }
    }
    var seen: Set<Ref> = []
    return found.filter { seen.insert($0.place).inserted }.sorted { $0.place < $1.place }
  }

  /// `t.add(column:).notNull()` without `defaults`.
  private func builderColumn(
    _ step: MigrationStep, of migration: RegisteredMigration
  ) -> NotNullColumn? {
    guard step.name == "add", let outer = step.outer, migration.steps[outer].name == "alter",
      let table = migration.steps[outer].literal("table"),
      let added = step.arguments.first(where: { $0.label == "column" })
    else { return nil }
    let column = chain(of: step.call)
    let behind = migration.steps.filter { chain(of: $0.call) == column && $0.call > step.call }
      .map(\.name)
    guard behind.contains("notNull"), !behind.contains("defaults"),
      !behind.contains("generatedAs")
    else { return nil }
    return NotNullColumn(
      migration: migration, table: table, column: added.value.literal ?? "the column",
      place: added.place)
  }
}

extension TableWork {
  /// The column that `ALTER TABLE … ADD` adds `NOT NULL` and without a default.
  fileprivate var columnAdded: String? {
    let words = tokens.map { $0.uppercased() }
    guard let add = words.firstIndex(of: "ADD"), words.contains("NULL"), !words.contains("DEFAULT"),
      !words.contains("GENERATED"), !words.contains("AS"),
      let null = words.firstIndex(of: "NULL"), words[null - 1] == "NOT",
      !tokens.contains(where: { $0.contains("\u{E002}") })
    else { return nil }
    let name = tokens[(add + 1)...].first { $0.uppercased() != "COLUMN" }
    return name.map { SQLText.name($0) }
  }
}
