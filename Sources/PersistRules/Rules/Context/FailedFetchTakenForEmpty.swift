import PersistFlow
import PersistIndex

/// A list that could not be had counts as empty, and all that it lacks is deleted.
struct FailedFetchTakenForEmpty: Rule {
  static let id: RuleID = "failed-fetch-taken-for-empty"
  static let analysis = Analysis.lists

  func check(_ program: Program, into findings: inout Findings) {
    for found in program.failedListDeletions {
      let failing = program.calledNode(found.failing) ?? found.failing
      let deletion = program.calledNode(found.deletion) ?? found.deletion
      let place = program.calledNode(found.place) ?? found.place
      guard !found.isDetachment else {
        findings.report(
          .detachesAll(program.nameText(failing), program.nameText(found.deletion)), at: failing,
          severity: .warning, related: [.init(found.deletion, "set here")])
        continue
      }
      let isFile = program.nameText(deletion) == "removeItem"
      var related = [Findings.Related(failing, "empty where this fails")]
      if place != deletion { related.append(.init(deletion, "deleted here")) }
      findings.report(
        .deletesAll(program.nameText(failing)), at: place,
        severity: isFile || found.isOfAll ? .warning : .error, related: related)
    }
    for found in program.insertionsAfterFailure {
      let place = program.calledNode(found.failing) ?? found.failing
      // A fetch fails seldom, and one twin can be found and joined later.
      findings.report(
        message(found, program.nameText(place), program),
        at: place, severity: found.isOneOfMany ? .warning : .note,
        related: [
          .init(program.calledNode(found.insertion) ?? found.insertion, "inserted here")
        ])
    }
  }

  private func message(
    _ found: InsertionAfterFailure, _ failing: String, _ program: Program
  ) -> Finding.Message {
    let model = program.modelName(found.model)
    if let lost = found.lost {
      return .replacesAll(failing, model, program.nameText(program.properties[lost].ref))
    }
    return found.isOneOfMany ? .insertsAllAgain(failing, model) : .insertsAgain(failing, model)
  }
}

extension Finding.Message {
  fileprivate static func insertsAgain(_ failing: String, _ model: String) -> Self {
    """
    when `\(failing)` fails, another `\(model)` is inserted beside the one that is stored, because \
    the failure counts as nothing found; let the error end the work
    """
  }

  fileprivate static func insertsAllAgain(_ failing: String, _ model: String) -> Self {
    """
    when `\(failing)` fails, each `\(model)` that is stored is inserted a second time, because the \
    failure counts as an empty list; let the error end the work
    """
  }

  fileprivate static func replacesAll(_ failing: String, _ model: String, _ lost: String) -> Self {
    """
    when `\(failing)` fails, each `\(model)` that is stored loses its `\(lost)`, because the \
    failure counts as an empty list and a new one takes its place; let the error end the work
    """
  }

  fileprivate static func detachesAll(_ failing: String, _ relationship: String) -> Self {
    """
    when `\(failing)` fails, `\(relationship)` loses its objects at the next save, because the \
    failure counts as an empty list; let the error end the work
    """
  }

  fileprivate static func deletesAll(_ failing: String) -> Self {
    "what should stay is deleted here when `\(failing)` fails, because the failure counts as an empty list; let the error end the cleanup"
  }
}
