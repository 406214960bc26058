import PersistIndex

// MARK: - What makes schemas

extension Frameworks {
  /// Types of SwiftData whose initializers describe what a store holds.
  static let schemaTypes: Set<Name> = [modelConfiguration, "Schema", schemaVersion]

  /// The number of a version, which belongs to `Schema`.
  static let schemaVersion: Name = "Version"

  /// The first label of what makes a stage of a migration plan.
  static let stageLabel: Name = "fromVersion"
}
