import PersistIndex
import PersistSchema

extension SchemaBase {
  /// The base with migrators as they are in other sources.
  package func holding(_ migrators: [Migrator], in files: [SourceFile]) -> SchemaBase {
    var base = self
    base.migrators = migrators.map(\.frozen)
    for migrator in migrators {
      for migration in migrator.migrations {
        let file = files[Int(migration.call.file)]
        let range = file.outline.byteRange(of: Int(migration.call.node))
        let (line, column) = file.lineAndColumn(of: range.lowerBound)
        base.migrationPlaces[migrator.name, default: [:]][migration.id] = SchemaPlace(
          path: file.path, range: range.lowerBound..<range.lowerBound + 1, line: line,
          column: column)
        base.migrationWork[migrator.name, default: [:]][migration.id] = Set(
          migration.steps.map(\.signature))
      }
    }
    return base
  }
}
