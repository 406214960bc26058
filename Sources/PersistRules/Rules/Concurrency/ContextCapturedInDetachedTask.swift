import PersistFlow
import PersistIndex

/// A context used apart from its actor or queue: the app crashes or loses what it saves.
struct ContextCapturedInDetachedTask: Rule {
  static let id: RuleID = "context-captured-in-detached-task"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for leak in program.databaseLeaks {
      findings.report(
        .leaves(leak), at: leak.place,
        related: [.init(leak.source, "it is valid only in this access")])
    }
    let causes = program.offQueueCauses {
      $0.kind == .context && $0.owner.framework != .realm
        && ($0.owner.framework == .swiftData || program.leavesMain($0))
    }
    var report = OffQueueReport(program)
    for cause in causes { report.report(cause, into: &findings) }
  }
}

extension Finding.Message {
  fileprivate static func leaves(_ leak: DatabaseLeak) -> Self {
    let when =
      leak.way == .later
      ? "this runs after that access has ended"
      : "the code here keeps the value longer"
    return """
      the app crashes here (Database was not used on the correct thread), because `\(leak.name)` \
      is valid only during one access of the database, and \(when); do the work inside, or start a \
      new access
      """
  }
}
