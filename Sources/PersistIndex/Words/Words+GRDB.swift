/// The words of GRDB and of what stands on it.
extension Words {
  /// Types through which the code of a migration works on a database.
  package static let databaseParts: Set<Name> = [
    "Database", "TableDefinition", "TableAlteration", "ColumnDefinition", "IndexDefinition",
    "FTS3TableDefinition", "FTS4TableDefinition", "FTS5TableDefinition", "ViewOptions",
    "ForeignKeyDefinition", "DatabaseMigrator",
  ]

  /// Methods of connections whose closures get a `Database`.
  package static let databaseTakers: Set<Name> = [
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

  /// Methods of connections that write.
  static let databaseWrites: Set<Name> = [
    "write", "asyncWrite", "asyncWriteWithoutTransaction", "writeWithoutTransaction",
    "barrierWriteWithoutTransaction", "inTransaction", "writeInTransaction",
    "unsafeReentrantWrite",
  ]

  /// The method that runs statements, and how those begin that change rows.
  static let execution: Name = "execute"
  static let writingStatements: Set<String> = ["INSERT", "UPDATE", "DELETE", "REPLACE"]

  /// Methods of records that write.
  static let recordWrites: Set<Name> = [
    "insert", "save", "update", "upsert", "delete", "updateChanges", "inserted", "saved",
    "insertAndFetch", "saveAndFetch", "updateAndFetch", "upsertAndFetch",
  ]

  /// A request for records of one type.
  static let recordRequest: Name = "QueryInterfaceRequest"

  /// Methods of record types and of requests that write.
  static let requestWrites: Set<Name> = ["deleteAll", "deleteOne", "updateAll"]

  /// Protocols and classes of records.
  static let recordBases: Set<Name> = [
    "FetchableRecord", "MutablePersistableRecord", "PersistableRecord", "EncodableRecord", "Record",
    "TableRecord",
  ]

  /// How many records a method of a record type gives.
  enum Fetched { case one, many }

  /// What a static method of a record type fetches; nil for other methods.
  static func fetchesRecords(_ name: Name) -> Fetched? {
    switch name {
    case "fetchAll": .many
    case "fetchOne", "find": .one
    default: nil
    }
  }

  /// The classes of databases in files.
  package static let fileDatabases: Set<Name> = ["DatabaseQueue", "DatabasePool"]

  /// Members of a configuration by which a connection waits for others, or leaves writing to them.
  package static let patience: Set<Name> = ["busyMode", "readonly", "busyTimeout", "busy_timeout"]

  /// Whether a function from elsewhere ends the process.
  package static func endsProcess(_ name: Name) -> Bool { processEnds.contains(name) }

  /// What a method of GRDB hands to the closure it takes.
  static func databaseArgument(ofMethod method: Name, receiver: SwiftType) -> SwiftType {
    if ["prepareDependencies", "withDependencies"].contains(method) {
      return .external("DependencyValues", [])
    }
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

extension Program {
  /// Whether the sources use GRDB, or what stands on it.
  package var usesGRDB: Bool {
    files.contains { $0.imports("GRDB") || $0.imports("SQLiteData") || $0.imports("SharingGRDB") }
  }
}
