import PersistFlow
import PersistIndex

/// A failed save that crashes the app: the user loses what was just entered.
struct FatalErrorOnSave: Rule {
  static let id: RuleID = "fatal-error-on-save"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    check(program.saveFlow, isContext: true, &seen, program, into: &findings)
    check(program.writeFlow, isContext: false, &seen, program, into: &findings)
  }

  private func check(
    _ flow: FailureSpread, isContext: Bool, _ seen: inout Set<Ref>, _ program: Program,
    into findings: inout Findings
  ) {
    for path in flow.paths {
      for end in program.processEnds(on: path) where seen.insert(end).inserted {
        guard !program.isExempt(end), let innermost = flow.innermostPath(at: end),
          program.storeFlow.innermostPath(at: end) == nil,
          !program.alertsUser(before: end, on: innermost), let place = program.calledNode(end)
        else { continue }
        let save = flow.opening(of: innermost)
        guard program.mayLose(save) else { continue }
        findings.report(
          .endsProcess(save.name, with: program.text(place), isContext: isContext), at: place,
          related: program.saved(save), cause: program.typeCause(at: place, isCommon: true))
      }
    }
    // `try!` on what opens and writes is one mistake, and the opening's.
    let opened = Set(program.storeFlow.forced.map(\.mark))
    for forced in flow.forced
    where !opened.contains(forced.mark) && seen.insert(forced.mark).inserted {
      let save = flow.openings[forced.opening]
      guard program.mayLose(save) else { continue }
      findings.report(
        .endsProcess(save.name, with: program.text(forced.mark), isContext: isContext),
        at: forced.mark, related: program.saved(save),
        cause: program.typeCause(
          at: forced.mark,
          // An app that crashes wherever it saves was written so throughout.
          habit: save.site == save.root ? program.processName(at: forced.mark) : nil,
          isCommon: true))
    }
  }
}

extension Program {
  /// Whether there is something that a save keeps, and a file that keeps it.
  fileprivate func mayLose(_ save: StoreOpening) -> Bool {
    !isCalledInMemory(save.root) && !isCalledInMemory(save.site) && !runsNothing(save.root)
  }

  fileprivate func saved(_ save: StoreOpening) -> [Findings.Related] {
    [.init(chain(of: save.root), "the save that fails")]
  }
}

extension Finding.Message {
  fileprivate static func endsProcess(
    _ save: String, with end: String, isContext: Bool
  ) -> Self {
    let cause =
      isContext
      ? "a conflict of unique values (133021)" : "a database that another process has locked"
    return """
      when `\(save)` fails, for example because of a full disk or \(cause), `\(end)` crashes the \
      app and all unsaved changes are lost; catch the error, log it and tell the user
      """
  }
}
