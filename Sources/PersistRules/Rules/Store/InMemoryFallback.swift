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
      let telling = telling(on: path, of: failed, before: opening.site, program)
      findings.report(
        .losesWork(failed.name, telling), at: program.chain(of: opening.site),
        severity: telling.severity,
        related: [program.opener(failed)]
          + program.openedStores(by: opening.root).compactMap(\.memorySetting).prefix(1).map {
            .init($0, "the store is kept in memory here")
          })
    }
    for path in flow.paths {
      for use in program.memoryFallbacks(on: path) where !program.isExempt(use) {
        guard let innermost = flow.innermostPath(at: use),
          !flow.opening(of: innermost).isInMemory, seen.insert(use).inserted,
          !seen.contains(where: { program.contains(program.chain(of: use), $0) && $0 != use })
        else { continue }
        let failed = flow.opening(of: innermost)
        let telling = telling(on: innermost, of: failed, before: use, program)
        findings.report(
          .losesWork(failed.name, telling), at: program.chain(of: use),
          severity: telling.severity, related: [program.opener(failed)])
      }
    }
  }

  private func telling(
    on path: FailurePath, of failed: StoreOpening, before node: Ref, _ program: Program
  ) -> Telling {
    if program.blocksScreen(on: path) { return .blocked }
    if program.isShownOnly(node) { return .shown }
    let isTold = program.storeFlow.paths.contains { other in
      other.opening == path.opening
        && program.enclosingBody(other.head) == program.enclosingBody(node)
        && program.notifiesUser(on: other)
    }
    if isTold || program.notifiesUser(on: path) { return .told }
    let isKept =
      program.followsBackup(node, ofStoreOpenedAt: failed.site)
      || program.isMovedAside(before: node)
    return isKept ? .kept : .silent
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
  /// The app says that something failed.
  case told
  /// Nobody says so, but the old data is kept.
  case kept
  /// A widget shows what the store has, and nothing can be entered.
  case shown
  /// A screen says so, and nothing can be entered.
  case blocked

  /// Without a severity the page's counts.
  var severity: Severity? {
    switch self {
    case .silent: nil
    case .told, .kept: .warning
    case .blocked, .shown: .note
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
    case .kept:
      """
      everything entered until the app quits is lost, because `\(opening)` failed and a store in \
      memory takes the place of the one that is set aside; open a fresh one on disk
      """
    case .shown:
      """
      if `\(opening)` can't open the store, the widget shows nothing as if there were no data; say \
      that the data can't be read
      """
    case .silent:
      """
      if `\(opening)` can't open the store, the app seems to work and everything entered is lost \
      when it quits; tell the user, or back the store up and open a fresh one on disk
      """
    }
  }
}
