import PersistFlow
import PersistIndex

/// A store in memory replaces one that can't be opened: all the work of that launch is lost.
struct InMemoryFallback: Rule {
  static let id: RuleID = "in-memory-fallback"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    for opening in flow.openings where opening.isInMemory {
      checkSafeMode(opening, program, &seen, into: &findings)
      guard let path = program.failurePathToMemory(opening.site), !program.isExempt(opening.site),
        !program.isPassedToBackup(opening.site)
      else { continue }
      guard seen.insert(opening.site).inserted else { continue }
      let failed = flow.opening(of: path)
      let telling = telling(on: path, before: opening.site, program)
      findings.report(
        .losesWork(failed.name, telling), at: program.chain(of: opening.site),
        severity: telling.severity,
        related: [program.opener(failed)]
          + (program.memoryDescription(before: opening.site).map {
            [.init($0, "the store is kept in memory here")]
          } ?? []))
    }
    for path in flow.paths {
      for use in program.memoryFallbacks(on: path) where !program.isExempt(use) {
        guard let innermost = flow.innermostPath(at: use), seen.insert(use).inserted,
          !seen.contains(where: { program.contains(program.chain(of: use), $0) && $0 != use })
        else { continue }
        let failed = flow.opening(of: innermost)
        let telling = telling(on: innermost, before: use, program)
        findings.report(
          .losesWork(failed.name, telling), at: program.chain(of: use),
          severity: telling.severity, related: [program.opener(failed)])
      }
    }
  }

  private func telling(on path: FailurePath, before node: Ref, _ program: Program) -> Telling {
    if program.blocksScreen(on: path) { return .blocked }
    return program.notifiesUser(on: path) || keepsStore(before: node, program) ? .told : .silent
  }

  private func keepsStore(before node: Ref, _ program: Program) -> Bool {
    program.followsBackup(node)
      || program.isMovedAside(before: node)
  }

  /// Reports a store in memory that is opened after crashes, before the one on disk is tried.
  private func checkSafeMode(
    _ opening: StoreOpening, _ program: Program, _ seen: inout Set<Ref>,
    into findings: inout Findings
  ) {
    guard program.storeFlow.innermostPath(at: opening.site) == nil,
      !program.isExempt(opening.site), let branch = program.safeMode(around: opening.site),
      seen.insert(opening.site).inserted
    else { return }
    findings.report(
      .losesWorkAfterCrashes, at: program.chain(of: opening.site),
      severity: program.notifiesUser(in: [branch]) ? .warning : nil)
  }
}

/// What the user learns of a store in memory.
private enum Telling {
  case silent
  /// The app says that something failed, or the data is kept.
  case told
  /// A screen says so, and nothing can be entered.
  case blocked

  /// Without a severity the page's counts.
  var severity: Severity? {
    switch self {
    case .silent: nil
    case .told: .warning
    case .blocked: .note
    }
  }
}

extension Finding.Message {
  fileprivate static let losesWorkAfterCrashes: Self =
    """
    after a crash the app continues without its data, and everything entered until it quits is \
    lost; ask the user first, or back the store up and open a fresh one on disk
    """

  fileprivate static func losesWork(_ opening: String, _ telling: Telling) -> Self {
    switch telling {
    case .blocked:
      """
      while the app shows that `\(opening)` failed, its data can't be reached; offer to try again, \
      or to continue with a fresh store on disk
      """
    case .told:
      """
      everything entered until the app quits is lost, even if the app shows that `\(opening)` \
      failed; offer to try again, or to continue with a fresh store on disk
      """
    case .silent:
      """
      if `\(opening)` can't open the store, the app seems to work and everything entered is lost \
      when it quits; tell the user, or back the store up and open a fresh one on disk
      """
    }
  }
}
