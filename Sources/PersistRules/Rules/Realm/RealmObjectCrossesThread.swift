import PersistFlow
import PersistIndex

/// A realm or one of its objects is used on the wrong thread: the app crashes.
struct RealmObjectCrossesThread: Rule {
  static let id: RuleID = "realm-object-crosses-thread"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    var report = OffQueueReport(program)
    for cause in program.offQueueCauses({ $0.owner.framework == .realm }) {
      report.report(cause, into: &findings)
    }
  }
}
