import PersistSchema

/// What a store file says of itself.
package struct StoreFile: Sendable {
  /// Which framework wrote a store.
  package enum Maker: String, Sendable {
    case swiftData = "SwiftData"
    case coreData = "Core Data"
    case grdb = "GRDB"
    case sqlite = "SQLite"
  }

  /// A column of a table as the statement that made the table declares it.
  package struct Column: Sendable, Equatable {
    package let name: String
    /// Its type and constraints: `TEXT NOT NULL`.
    package let declaration: String
  }

  /// The rows of one table.
  package struct Table: Sendable, Equatable {
    package let name: String
    /// The entity whose rows these are; nil for a table that no entity names.
    package let entity: String?
    package let rows: Int
    /// Pages of the table, those of long values left out.
    package let pages: Int
    package let columns: [Column]
    /// What holds for several columns: `UNIQUE (name, day)`.
    package let constraints: [String]
  }

  /// What Core Data's metadata say of the model that wrote the store.
  package struct Metadata: Sendable {
    /// The store's identifier.
    package let uuid: String
    /// The version hash of each entity, 32 bytes.
    package let entityHashes: [String: [UInt8]]
    package let versionIdentifiers: [String]
    /// Base 64 of the SHA-256 over the hashes; older frameworks write none.
    package let checksum: String?
    /// Base 64 of the SHA-512 over names and hashes.
    package let digest: String?
    package let frameworkVersion: Int?
  }

  package let maker: Maker
  package let metadata: Metadata?
  /// The model that the store keeps of itself; nil when it keeps none that can be read.
  package let shape: SchemaShape?
  /// Sorted by name; SQLite's own tables are left out.
  package let tables: [Table]
  /// The ids of the migrations that ran, in the order in which they ran.
  package let migrations: [String]
  /// Transactions and changes of the persistent history, and the bytes of their tables.
  package let history: (transactions: Int, changes: Int, bytes: Int)
  /// In bytes.
  package let pageSize: Int
  package let pageCount: Int
  package let freePages: Int
  /// Pages that are newer in the log than in the file; nil when there is no log to replay.
  package let logPages: Int?
  package let userVersion: Int
  /// What could not be read, in words.
  package let gaps: [String]

  /// Reads a store; `log` holds the bytes of its `-wal` file, when there is one.
  package init(_ bytes: StoreBytes, log: StoreBytes? = nil) throws(SQLiteFile.Failure) {
    let file = try SQLiteFile(bytes, log: log)
    var reading = StoreReading(file)
    metadata = reading.metadata()
    let archive = reading.model()
    shape = archive?.shape
    tables = reading.weighTables(entities: reading.entityNames())
    migrations = reading.migrations()
    history = reading.history(tables)
    let hasHistory = tables.contains { $0.name == "ATRANSACTION" }
    if reading.table("Z_METADATA") != nil {
      maker =
        archive?.hasDefaultConfiguration == true && hasHistory ? .swiftData : .coreData
    } else {
      maker = reading.table("grdb_migrations") != nil ? .grdb : .sqlite
    }
    pageSize = file.pageSize
    pageCount = file.pageCount
    freePages = file.freePages
    logPages = file.log?.newerPages
    userVersion = file.userVersion
    gaps = reading.gaps
  }
}

/// Reads the parts of one store and keeps what could not be read.
private struct StoreReading {
  let file: SQLiteFile
  private let entries: [SQLiteTable]
  private(set) var gaps: [String] = []

  init(_ file: SQLiteFile) {
    self.file = file
    let tables = file.tables
    entries = tables.entries
    if !tables.isWhole { gaps.append("a part of the list of tables is damaged") }
  }

  func table(_ name: String) -> SQLiteTable? {
    entries.first { $0.kind == .table && $0.name == name }
  }

  private func values(_ column: String, of table: String) -> [SQLiteValue] {
    self.table(table).map { file.values(ofColumn: column, in: $0) } ?? []
  }

  mutating func metadata() -> StoreFile.Metadata? {
    guard table("Z_METADATA") != nil else { return nil }
    guard let bytes = values("Z_PLIST", of: "Z_METADATA").first?.blob,
      let list = PropertyList(bytes)
    else {
      gaps.append("Z_METADATA holds no property list that can be read")
      return nil
    }
    let members = list.members(of: list.top)
    let hashes = members["NSStoreModelVersionHashes"].map(list.members(of:)) ?? [:]
    return StoreFile.Metadata(
      uuid: values("Z_UUID", of: "Z_METADATA").first?.text ?? "",
      entityHashes: hashes.compactMapValues { list.data($0) },
      versionIdentifiers: list.array(members["NSStoreModelVersionIdentifiers"])
        .compactMap { list.string($0) }.filter { !$0.isEmpty },
      checksum: list.string(members["NSStoreModelVersionChecksumKey"]),
      digest: list.string(members["NSStoreModelVersionHashesDigest"]),
      frameworkVersion: list.integer(members["NSPersistenceFrameworkVersion"]))
  }

  mutating func model() -> ModelArchive? {
    guard table("Z_MODELCACHE") != nil else {
      if table("Z_METADATA") != nil { gaps.append("the store keeps no model of itself") }
      return nil
    }
    guard let packed = values("Z_CONTENT", of: "Z_MODELCACHE").first?.blob,
      let bytes = Inflate.inflate(packed), let archive = ModelArchive(bytes)
    else {
      gaps.append("Z_MODELCACHE holds no model that can be read")
      return nil
    }
    return archive
  }

  /// The names of the entities by the tables that hold their rows.
  func entityNames() -> [String: String] {
    var names: [String: String] = [:]
    for name in values("Z_NAME", of: "Z_PRIMARYKEY").compactMap(\.text) {
      names["Z" + name.uppercased()] = name
    }
    return names
  }

  mutating func weighTables(entities: [String: String]) -> [StoreFile.Table] {
    var damaged: [String] = []
    let tables = entries.filter { $0.kind == .table && !$0.name.hasPrefix("sqlite_") }.map {
      table in
      // A virtual table has no pages of its own.
      let weight = table.root > 0 ? file.weight(ofTreeAt: table.root) : SQLiteFile.Weight()
      if weight.isDamaged { damaged.append(table.name) }
      let columns = SQLiteColumns(table.sql)
      return StoreFile.Table(
        name: table.name, entity: entities[table.name], rows: weight.rows, pages: weight.pages,
        columns: columns.columns, constraints: columns.constraintTexts)
    }
    gaps += damaged.sorted().map { "a page of the table \($0) is damaged" }
    return tables.sorted { $0.name < $1.name }
  }

  func migrations() -> [String] {
    values("identifier", of: "grdb_migrations").compactMap(\.text)
  }

  func history(_ tables: [StoreFile.Table]) -> (transactions: Int, changes: Int, bytes: Int) {
    let names = ["ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING"]
    let own = tables.filter { names.contains($0.name) }
    let indexes = entries.filter { $0.kind == .index && names.contains($0.table) && $0.root > 0 }
    let pages =
      own.reduce(0) { $0 + $1.pages }
      + indexes.reduce(0) { $0 + file.weight(ofTreeAt: $1.root).pages }
    func rows(_ name: String) -> Int { own.first { $0.name == name }?.rows ?? 0 }
    return (rows("ATRANSACTION"), rows("ACHANGE"), pages * file.pageSize)
  }
}
