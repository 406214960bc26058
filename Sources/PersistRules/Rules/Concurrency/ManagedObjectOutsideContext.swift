import PersistFlow
import PersistIndex

/// A managed object or context used away from its queue: the app crashes at random or loses edits.
struct ManagedObjectOutsideContext: Rule {
  static let id: RuleID = "managed-object-outside-context"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let causes = program.offQueueCauses {
      $0.owner.framework == .coreData && !program.leavesMain($0)
    }
    var report = OffQueueReport(program)
    for cause in causes { report.report(cause, into: &findings) }
  }
}
