/// What a store file may ask of its reader; beyond these it is called damaged.
enum StoreLimits {
  /// Bytes of one value that is read whole, such as the archived model.
  static let value = 32 << 20
  /// Bytes that the archived model may inflate to.
  static let inflated = 64 << 20
  /// Objects of one property list.
  static let objects = 2_000_000
  /// Pages from the root of a table to its leaves; SQLite itself gives up at 20.
  static let treeDepth = 24
  /// Tables, indexes, views and triggers of one database.
  static let schemaEntries = 20_000
  /// Rows that are read of a table that names things, such as migrations.
  static let namedRows = 100_000
  /// Frames of a log that are looked at.
  static let frames = 4_000_000
}
