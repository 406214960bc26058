import PersistIndex
import PersistSyntax

/// A failed opening that ends the process: the app dies at every launch, and the data can't be
/// reached.
struct FatalErrorOnStoreOpen: Rule {
  static let id: RuleID = "fatal-error-on-store-open"
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    for path in flow.paths {
      for end in program.processEnds(on: path) where seen.insert(end).inserted {
        report(end, program, into: &findings)
      }
    }
    for forced in flow.forced where seen.insert(forced.mark).inserted {
      let opening = flow.openings[forced.opening]
      guard !opening.isInMemory, isFirstResort(forced.mark, program) else { continue }
      let mark = program.text(forced.mark)
      findings.report(
        .forces(opening.name, by: mark, program.crashCode(opening)), at: forced.mark,
        related: [program.opener(opening)],
        flow: program.steps(
          from: opening, to: nil, end: .init(forced.mark, "`\(mark)` ends the app")))
    }
  }

  private func report(_ end: Ref, _ program: Program, into findings: inout Findings) {
    guard !program.isSilent(end), let path = program.storeFlow.innermostPath(at: end) else {
      return
    }
    let opening = program.storeFlow.opening(of: path)
    guard !opening.isInMemory, isFirstResort(end, program),
      !program.isHandedToBackup(opening.root), !program.tellsBefore(end, on: path),
      let place = program.calledNode(end)
    else { return }
    findings.report(
      .endsProcess(opening.name, program.crashCode(opening)), at: place,
      related: [program.opener(opening)],
      flow: program.steps(from: opening, to: path, end: .init(place, "the app ends")),
      fix: ContainerFactory(for: opening, in: program)?.fix)
  }

  /// Whether no backup comes before.
  private func isFirstResort(_ end: Ref, _ program: Program) -> Bool {
    !program.isBackedUp(before: end, store: [], withDoBlocks: true)
      && !program.comesAfterBackup(end, [])
  }
}

extension Finding.Message {
  fileprivate static func endsProcess(_ opening: String, _ code: String) -> Self {
    """
    if `\(opening)` can't open the store, the app ends here at every launch\(code) and its data \
    can't be reached; back the store up, then recover or show an error
    """
  }

  fileprivate static func forces(_ opening: String, by mark: String, _ code: String) -> Self {
    """
    if `\(opening)` can't open the store, `\(mark)` ends the app at every launch\(code) and its data \
    can't be reached; catch the error, back the store up, then recover or show an error
    """
  }
}
