import PersistIndex
import PersistSyntax

/// A store in an app group that two processes may migrate at the same time.
struct SharedStoreWithoutLock: Rule {
  static let id: RuleID = "shared-store-without-lock"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.hasOtherProcesses else { return }
    for opening in program.groupOpenings {
      guard !program.isReadOnly(opening), !program.isLocked(opening.site) else { continue }
      findings.report(.races(opening.name), at: program.chain(of: opening.site))
    }
  }
}

extension Finding.Message {
  fileprivate static func races(_ opening: String) -> Self {
    """
    after an update the app and its extension may migrate this store at the same time, and one of \
    them fails to open it (134110, 134100); hold a lock of the group's folder around \
    `\(opening)`, or open it with `allowsSave: false` in the extension
    """
  }
}
