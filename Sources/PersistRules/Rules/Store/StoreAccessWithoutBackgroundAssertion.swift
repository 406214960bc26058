import PersistFlow
import PersistIndex

/// A shared store that may be locked when the process is suspended: the system kills it.
struct StoreAccessWithoutBackgroundAssertion: Rule {
  static let id: RuleID = "store-access-without-background-assertion"

  func check(_ program: Program, into findings: inout Findings) {
    for found in program.unassertedAccesses {
      let place = program.chain(of: found.first)
      let start = Findings.Related(
        found.path.entryPoint.place, found.path.entryPoint.kind.whatRunsIt)
      let calls = found.path.steps.map {
        Findings.Related(program.chain(of: $0), "through this call")
      }
      let others = found.others.map { Findings.Related(program.chain(of: $0), Finding.alsoHere) }
      let entryPoints = found.entryPoints.map { Findings.Related($0.place, $0.kind.whatRunsIt) }
      findings.report(
        found.isOfView ? .isKilledBehindView : .isKilled(program.calledText(found.first)),
        at: place,
        // The system lets an intent or extension run until it has answered.
        severity: found.onlyFetches || found.ways.allSatisfy({ program.isAnsweredAfter($0) })
          ? .note : nil, related: [start] + entryPoints + others,
        flow: calls.isEmpty ? [] : [start] + calls + [.init(place, "the store is locked here")])
    }
  }
}

extension Program {
  /// Whether an access is over before the extension or intent that leads to it has answered, and
  /// isn't one of many.
  fileprivate func isAnsweredAfter(_ way: (access: Ref, path: CallPath)) -> Bool {
    guard [.intent, .appExtension].contains(way.path.entryPoint.kind) else { return false }
    return (way.path.steps + [way.access]).allSatisfy { runsOnceAtOnce($0) }
  }
}

extension EntryPoint.Kind {
  /// Who runs the code at an entry point.
  fileprivate var whatRunsIt: String {
    switch self {
    case .task: "this task continues when the app goes to the background"
    case .intent: "the system runs this intent in the background"
    case .appExtension: "the system runs this in an extension"
    default: "the system runs this in the background"
    }
  }
}

extension Finding.Message {
  fileprivate static let isKilledBehindView: Self =
    """
    the system kills the process (0xdead10cc) if it is suspended while this view reads the shared \
    store, because the store is locked then; read the store inside `performExpiringActivity` \
    before, and give the view values
    """

  fileprivate static func isKilled(_ access: String) -> Self {
    """
    the system kills the process (0xdead10cc) if it is suspended during `\(access)`, because the \
    shared store is locked then; first ask for time with `performExpiringActivity` or \
    `beginBackgroundTask`
    """
  }
}
