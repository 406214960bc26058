import PersistIndex

/// A database of several processes whose connection fails immediately when it is locked.
struct SharedDatabaseWithoutBusyMode: Rule {
  static let id: RuleID = "shared-database-without-busy-mode"

  func check(_ program: Program, into findings: inout Findings) {
    for opening in program.impatientDatabases {
      guard let place = program.calledNode(opening.site) else { continue }
      findings.report(.givesUp(opening.name), at: place)
    }
  }
}

extension Finding.Message {
  fileprivate static func givesUp(_ opening: String) -> Self {
    """
    while another process writes to this database, every write fails immediately (SQLITE_BUSY) and \
    the user's change is lost; set `busyMode` to `.timeout(…)` in the configuration of \
    `\(opening)`
    """
  }
}
