import PersistFlow
import PersistIndex

/// A list that could not be had counts as empty, and all that it lacks is deleted.
struct FailedFetchTakenForEmpty: Rule {
  static let id: RuleID = "failed-fetch-taken-for-empty"
  static let analysis = Analysis.lists

  func check(_ program: Program, into findings: inout Findings) {
    for found in program.failedListDeletions {
      let (failing, deletion) = (found.failing, found.deletion)
      let place = program.calledNode(deletion) ?? deletion
      let isFile = program.nameText(place) == "removeItem"
      findings.report(
        .deletesAll(program.nameText(program.calledNode(failing) ?? failing)), at: place,
        severity: isFile ? .warning : .error,
        related: [.init(program.calledNode(failing) ?? failing, "empty where this fails")])
    }
  }
}

extension Finding.Message {
  fileprivate static func deletesAll(_ failing: String) -> Self {
    "what should stay is deleted here when `\(failing)` fails, because the failure counts as an empty list; let the error end the cleanup"
  }
}
