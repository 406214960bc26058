import PersistFlow
import PersistIndex

/// An option that empties the store when the schema changes: an update deletes all data.
struct DestructiveMigrationEnabled: Rule {
  static let id: RuleID = "destructive-migration-enabled"

  func check(_ program: Program, into findings: inout Findings) {
    for place in program.destructiveMigrations {
      let words = program.namesAround(place).flatMap(\.camelWords) + program.words(in: place)
      let isCache = words.contains { $0 == "cache" || $0 == "caches" }
      findings.report(
        .erases(program.text(place)), at: place, severity: isCache ? .warning : nil)
    }
  }
}

extension Finding.Message {
  fileprivate static func erases(_ place: String) -> Self {
    """
    the first update that changes the schema deletes everything the user has stored; write a \
    migration, and keep this for `#if DEBUG`
    """
  }
}
