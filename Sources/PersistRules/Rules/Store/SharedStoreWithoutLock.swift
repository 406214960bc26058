import PersistIndex

/// A store in an app group that two processes may migrate at the same time.
struct SharedStoreWithoutLock: Rule {
  static let id: RuleID = "shared-store-without-lock"

  func check(_ program: Program, into findings: inout Findings) {
    for shared in program.sharedOpenings {
      findings.report(
        .races(shared.opening.name, with: shared.otherName),
        at: program.chain(of: shared.opening.site),
        related: [.init(shared.other, "`\(shared.otherName)` opens the store in its own process")])
    }
  }
}

extension Finding.Message {
  fileprivate static func races(_ opening: String, with other: String) -> Self {
    let readOnly = opening == "ModelContainer" ? "with `allowsSave: false`" : "read-only"
    return """
      after an update the app and `\(other)` may migrate this store at the same time, and one of \
      them can't open it (134110, 134100); hold a lock of the group's folder around `\(opening)`, \
      or open the store \(readOnly) in the other process
      """
  }
}
