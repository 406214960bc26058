import PersistIndex
import PersistVersions

/// A batch deletion of objects that a required relationship needs: nothing is deleted.
struct BatchDeleteViolatesInverse: Rule {
  static let id: RuleID = "batch-delete-violates-inverse"

  func check(_ program: Program, into findings: inout Findings) {
    for deletion in program.failingBatchDeletions {
      findings.report(.fails(deletion), at: program.chain(of: deletion.call))
    }
    for failing in program.failingBatchRequests {
      let place = SchemaPlace(node: program.chain(of: failing.request), in: program)
      findings.report(
        failing.isOfAll ? .failsForAll(failing) : .fails(failing), at: place,
        related: [
          failing.place.map {
            .init($0, "`\(failing.destination).\(failing.inverse)` is not optional")
          },
          failing.own.map {
            .init($0, "`\(failing.entity).\(failing.relationship)` is its other end")
          },
        ].compactMap { $0 })
    }
  }
}

extension Finding.Message {
  fileprivate static func fails(_ failing: FailingBatchRequest) -> Self {
    """
    if `\(failing.entity).\(failing.relationship)` is set in any row, this request fails and \
    deletes nothing, because `\(failing.destination).\(failing.inverse)` is not optional; make \
    that relationship optional in the model, delete `\(failing.destination)` first, or fetch the \
    objects and delete each one
    """
  }

  fileprivate static func failsForAll(_ failing: FailingBatchRequest) -> Self {
    """
    if `\(failing.entity).\(failing.relationship)` is set in any row, the rows of both entities \
    stay, because neither this relationship nor `\(failing.destination).\(failing.inverse)` is \
    optional and each request needs the other to run first; make both optional in the model
    """
  }

  fileprivate static func fails(_ deletion: BatchDeletion) -> Self {
    """
    if `\(deletion.model).\(deletion.relationship)` is set in any row, this deletes nothing, \
    because `\(deletion.destination).\(deletion.inverse)` is not optional; delete \
    `\(deletion.destination)` first, or fetch the objects and delete each one
    """
  }
}
