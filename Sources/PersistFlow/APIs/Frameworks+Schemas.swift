import PersistIndex

// MARK: - What makes schemas

extension Frameworks {
  /// Types whose initializers describe what a store holds.
  static let schemaParts: Set<Name> = [modelConfiguration, "Schema", schemaVersion, column]

  /// The number of a version, which belongs to `Schema`.
  static let schemaVersion: Name = "Version"

  /// The type of keys and values that keep their order.
  static let orderedPairs: Name = "KeyValuePairs"

  /// The first label of what makes a stage of a migration plan.
  static let stageLabel: Name = "fromVersion"

  /// A column of GRDB, and what the cases of an enum conform to that are such.
  static let column: Name = "Column"
  static let columnProtocol: Name = "ColumnExpression"

  /// The members of a column, or of a case, that say its name.
  static let namesOfKeys: Set<Name> = ["name", "rawValue", "stringValue"]

  /// The table of a record type.
  static let tableName: Name = "databaseTableName"

  /// The enum of the names of properties, which the compiler declares where the sources don't.
  static let keysOfProperties = "CodingKeys"
}
