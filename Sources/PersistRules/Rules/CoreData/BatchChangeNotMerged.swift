import PersistIndex

/// A batch change that is merged into no context: views still show deleted or old objects.
struct BatchChangeNotMerged: Rule {
  static let id: RuleID = "batch-change-not-merged"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let changes = program.unmergedBatchChanges.filter { change in
      // New rows dangle nowhere, and who processes the history merges what it tells.
      change.lapse != .nothing || !change.isInsertion && !program.mergesHistory
    }
    var told: Set<Cause> = []
    for change in changes {
      let cause = Cause(change, in: program)
      guard told.insert(cause).inserted else { continue }
      let others = changes.filter { $0.place != change.place && Cause($0, in: program) == cause }
      findings.report(
        .unmerged(change), at: change.place, severity: change.isInsertion ? .note : nil,
        related: [.init(change.request, "the request is made here")]
          + others.map { .init($0.place, "and this batch") })
    }
  }
}

/// What the batches of one function lack.
private struct Cause: Hashable {
  let function: Ref?
  let message: String

  init(_ change: BatchChange, in program: Program) {
    function =
      program.enclosingFunction(change.place).map { program.functions[$0].ref }
      ?? change.place
    message = Finding.Message.unmerged(change).text
  }
}

extension Finding.Message {
  fileprivate static func unmerged(_ change: BatchChange) -> Self {
    let what =
      change.isInsertion
      ? "views don't show the inserted objects"
      : "views still show deleted or old objects, and saving them fails"
    switch change.lapse {
    case .nothing:
      return
        "\(what), because a batch request bypasses all contexts; request the object IDs as its result and pass them to `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`"
    case .castToIdentifiers:
      return
        "\(what), because the result of `execute` is never `[NSManagedObjectID]` and nothing is merged; cast it to `NSBatchDeleteResult`, and its `result` to `[NSManagedObjectID]`"
    case .withoutViewContext:
      return
        "\(what), because only background contexts get the change; merge it into the view context too"
    }
  }
}
