import PersistIndex
import PersistSyntax

/// A store in an app group that may be locked when the process is suspended: the system kills it.
struct StoreAccessWithoutBackgroundAssertion: Rule {
  static let id: RuleID = "store-access-without-background-assertion"

  func check(_ program: Program, into findings: inout Findings) {
    for (access, entry) in program.unassertedAccesses {
      findings.report(
        .isKilled(program.calledText(access)), at: program.chain(of: access),
        related: [.init(entry, "the system runs this in the background")])
    }
  }
}

extension Finding.Message {
  fileprivate static func isKilled(_ access: String) -> Self {
    """
    when the system suspends the process during `\(access)`, it kills it for the lock on the shared \
    store (0xdead10cc); ask for time first, with `performExpiringActivity` or `beginBackgroundTask`
    """
  }
}
