import PersistIndex
import PersistSyntax

/// A batch deletion at the end of a relationship whose other end is not optional: it fails, and
/// nothing is deleted.
struct BatchDeleteViolatesInverse: Rule {
  static let id: RuleID = "batch-delete-violates-inverse"

  func check(_ program: Program, into findings: inout Findings) {
    for deletion in program.failingBatchDeletions {
      findings.report(.fails(deletion), at: program.chain(of: deletion.call))
    }
  }
}

extension Finding.Message {
  fileprivate static func fails(_ deletion: BatchDeletion) -> Self {
    """
    as soon as one `\(deletion.model)` has a `\(deletion.relationship)`, this deletes nothing, because \
    `\(deletion.destination).\(deletion.inverse)` is not optional; delete `\(deletion.destination)` \
    first, or fetch the objects and delete each
    """
  }
}
