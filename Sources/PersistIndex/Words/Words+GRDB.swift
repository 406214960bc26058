/// The words of GRDB and of what stands on it.
extension Words {
  /// Types through which the code of a migration works on a database.
  static let databaseParts: Set<Name> = [
    "Database", "TableDefinition", "TableAlteration", "ColumnDefinition", "IndexDefinition",
    "FTS3TableDefinition", "FTS4TableDefinition", "FTS5TableDefinition", "ViewOptions",
    "ForeignKeyDefinition", "DatabaseMigrator",
  ]

  /// Methods of connections whose closures get a `Database`.
  static let databaseTakers: Set<Name> = [
    "read", "write", "unsafeRead", "unsafeReentrantRead", "unsafeReentrantWrite", "asyncRead",
    "asyncWrite", "asyncWriteWithoutTransaction", "writeWithoutTransaction",
    "barrierWriteWithoutTransaction", "inDatabase", "inTransaction", "registerMigration",
    "prepareDatabase", "writeInTransaction", "asyncBarrierWriteWithoutTransaction",
  ]

  /// Types and protocols of GRDB that hold a connection.
  static let databaseConnections: Set<Name> = [
    "DatabaseQueue", "DatabasePool", "DatabaseWriter", "DatabaseReader", "DatabaseMigrator",
    "Configuration", "AnyDatabaseWriter", "AnyDatabaseReader",
  ]

  /// What a method of GRDB hands to the closure it takes.
  static func databaseArgument(ofMethod method: Name, receiver: SwiftType) -> SwiftType {
    guard case .external(let type, _) = receiver.unwrapped else {
      return method == "registerMigration" ? .external("Database", []) : .unknown
    }
    if databaseConnections.contains(type) {
      return databaseTakers.contains(method) ? .external("Database", []) : .unknown
    }
    guard type == "Database" else { return .unknown }
    switch method {
    case "create": return .external("TableDefinition", [])
    case "alter": return .external("TableAlteration", [])
    default: return .unknown
    }
  }
}
