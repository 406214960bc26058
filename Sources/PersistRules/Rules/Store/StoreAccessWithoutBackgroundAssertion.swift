import PersistIndex
import PersistSyntax

/// A store in an app group that may be locked when the process is suspended: the system kills it.
struct StoreAccessWithoutBackgroundAssertion: Rule {
  static let id: RuleID = "store-access-without-background-assertion"

  func check(_ program: Program, into findings: inout Findings) {
    for (access, way) in program.unassertedAccesses {
      let place = program.chain(of: access)
      let start = Findings.Related(way.entrance.place, way.entrance.kind.whatRunsIt)
      let calls = way.steps.map { Findings.Related(program.chain(of: $0), "it comes by this") }
      findings.report(
        .isKilled(program.calledText(access)), at: place, related: [start],
        flow: calls.isEmpty ? [] : [start] + calls + [.init(place, "the store is locked here")])
    }
  }
}

extension Entrance.Kind {
  /// Who runs the code at an entrance.
  fileprivate var whatRunsIt: String {
    switch self {
    case .task: "this task goes on when the app goes to the background"
    case .intent: "the system runs this intent in the background"
    case .appExtension: "the system runs this in an extension"
    default: "the system runs this in the background"
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
