import PersistIndex
import PersistSyntax

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
      let isReported =
        program.notifiesUser(on: path) || keepsStore(before: opening.site, program)
      findings.report(
        .losesWork(failed.name, isReported: isReported), at: program.chain(of: opening.site),
        severity: isReported ? .warning : nil,
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
        let isReported =
          program.notifiesUser(on: innermost) || keepsStore(before: use, program)
        findings.report(
          .losesWork(failed.name, isReported: isReported), at: program.chain(of: use),
          severity: isReported ? .warning : nil, related: [program.opener(failed)])
      }
    }
  }

  private func keepsStore(before node: Ref, _ program: Program) -> Bool {
    program.isBackedUp(before: node, store: [], withDoBlocks: true)
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

extension Finding.Message {
  fileprivate static let losesWorkAfterCrashes: Self =
    """
    after a crash the app continues without its data, and everything entered until it quits is \
    lost; ask the user first, or back the store up and open a fresh one on disk
    """

  fileprivate static func losesWork(_ opening: String, isReported: Bool) -> Self {
    isReported
      ? """
      everything entered until the app quits is lost, even if the app shows that `\(opening)` \
      failed; offer to try again, or to continue with a fresh store on disk
      """
      : """
      if `\(opening)` can't open the store, the app seems to work and everything entered is lost \
      when it quits; tell the user, or back the store up and open a fresh one on disk
      """
  }
}
