import PersistFlow
import PersistIndex
import PersistSyntax

/// A failed opening that crashes the app at every launch: the data can't be reached.
struct FatalErrorOnStoreOpen: Rule {
  static let id: RuleID = "fatal-error-on-store-open"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    for path in flow.paths {
      for end in program.processEnds(on: path) where seen.insert(end).inserted {
        report(end, program, into: &findings)
      }
    }
    checkPreparations(program, &seen, into: &findings)
    var handles: [Int32: [ForcedOpening]] = [:]
    for forced in flow.forced where seen.insert(forced.mark).inserted {
      let opening = flow.openings[forced.opening]
      guard !opening.isInMemory else { continue }
      let isAtLaunch = !opening.isOffMain && program.launchRuns(forced.mark)
      if !isAtLaunch, isHandle(opening, at: forced.mark, program) {
        // A backup that was made before says nothing of a store that is open already.
        handles[forced.mark.file, default: []].append(forced)
      } else if isFirstResort(forced.mark, program) {
        report(forced, isAtLaunch: isAtLaunch, program, into: &findings)
      }
    }
    for (_, opened) in handles.sorted(by: { $0.key < $1.key }) {
      let sorted = opened.sorted { $0.mark < $1.mark }
      report(
        sorted[0], isAtLaunch: false, others: Array(sorted.dropFirst()), program, into: &findings)
    }
  }

  /// Reports the ends on the failure paths of what launch does to a store before it opens it.
  private func checkPreparations(
    _ program: Program, _ seen: inout Set<Ref>, into findings: inout Findings
  ) {
    let flow = program.preparationFlow
    for path in flow.paths {
      for end in program.processEnds(on: path) where !seen.contains(end) {
        guard isAtLaunch(end, program), let place = program.calledNode(end),
          !program.alertsUser(before: end, on: path), isFirstResort(end, program)
        else { continue }
        seen.insert(end)
        let call = flow.opening(of: path).root
        findings.report(
          .endsProcess("`\(program.calledText(call))` fails", ""), at: place,
          related: [.init(program.chain(of: call), "the store is made ready here")])
      }
    }
    for forced in flow.forced where !seen.contains(forced.mark) {
      guard isAtLaunch(forced.mark, program), isFirstResort(forced.mark, program) else { continue }
      seen.insert(forced.mark)
      let call = flow.openings[forced.opening].root
      findings.report(
        .forces("`\(program.calledText(call))` fails", by: program.text(forced.mark), ""),
        at: forced.mark,
        related: [.init(program.chain(of: call), "the store is made ready here")])
    }
  }

  private func isAtLaunch(_ end: Ref, _ program: Program) -> Bool {
    program.storeFlow.innermostPath(at: end) == nil && program.launchRuns(end)
      && !program.isAskedFor(end)
  }

  /// Whether a store that is open already is opened once more: a realm, or what an action opens.
  private func isHandle(_ opening: StoreOpening, at mark: Ref, _ program: Program) -> Bool {
    opening.isOffMain || program.openedName(opening.root) == "Realm"
      || program.callPath(to: mark, from: [.action]) != nil
  }

  /// Reports a `try!` or `!`; those of handles that are opened after launch are one finding a file.
  private func report(
    _ forced: ForcedOpening, isAtLaunch: Bool, others: [ForcedOpening]? = nil, _ program: Program,
    into findings: inout Findings
  ) {
    let opening = program.storeFlow.openings[forced.opening]
    let mark = program.text(forced.mark)
    let also = (others ?? []).map {
      Findings.Related(
        $0.mark,
        "and here, `\(program.text($0.mark))` on `\(program.storeFlow.openings[$0.opening].name)`")
    }
    findings.report(
      isAtLaunch
        ? .forces(program.failure(opening), by: mark, program.crashCode(opening))
        : .forcesLater(program.failure(opening), by: mark),
      at: forced.mark, severity: others == nil ? nil : .warning,
      related: [program.opener(opening)] + also,
      flow: program.steps(
        from: opening, to: nil, end: .init(forced.mark, "`\(mark)` crashes the app")))
  }

  private func report(_ end: Ref, _ program: Program, into findings: inout Findings) {
    guard let path = program.storeFlow.innermostPath(at: end) else { return }
    let opening = program.storeFlow.opening(of: path)
    guard !opening.isInMemory, isFirstResort(end, program),
      !program.isPassedToBackup(opening.root), !program.alertsUser(before: end, on: path),
      let place = program.calledNode(end)
    else { return }
    findings.report(
      program.launchRuns(end)
        ? .endsProcess(program.failure(opening), program.crashCode(opening))
        : .endsProcessLater(program.failure(opening)),
      at: place,
      related: [program.opener(opening)],
      flow: program.steps(from: opening, to: path, end: .init(place, "the app crashes")))
  }

  /// Whether no backup comes before.
  private func isFirstResort(_ end: Ref, _ program: Program) -> Bool {
    !program.isBackedUp(before: end, store: [], withDoBlocks: true)
      && !program.comesAfterBackup(end, [])
  }
}

extension Finding.Message {
  fileprivate static func endsProcess(_ failure: String, _ code: String) -> Self {
    """
    if \(failure), the app crashes here at every launch\(code) and its data can't be reached; back \
    the store up, then recover or show an error
    """
  }

  fileprivate static func forces(_ failure: String, by mark: String, _ code: String) -> Self {
    """
    if \(failure), `\(mark)` crashes the app at every launch\(code) and its data can't be reached; \
    catch the error, back the store up, then recover or show an error
    """
  }

  fileprivate static func endsProcessLater(_ failure: String) -> Self {
    """
    if \(failure), the app crashes here and the user's latest changes are lost; back the store up, \
    then recover or show an error
    """
  }

  fileprivate static func forcesLater(_ failure: String, by mark: String) -> Self {
    """
    if \(failure), `\(mark)` crashes the app here and the user's latest changes are lost; catch \
    the error and show it, or try again
    """
  }
}
