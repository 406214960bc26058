import PersistFlow
import PersistIndex

/// A store that is deleted because it can't be opened, perhaps only because the disk is full.
struct StoreDeletedWithoutBackup: Rule {
  static let id: RuleID = "store-deleted-without-backup"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    let deletions = program.deletionsOnFailure
    let direct = Set(deletions.filter { $0.work.calls.count == 1 }.map { $0.work.call })
    // What is deleted because the store could not be put aside is told there.
    let left = Set(program.deletionsAfterTransfer.map(\.work.call))
    for (work, path) in deletions where !left.contains(work.call) {
      guard work.calls.count == 1 || !direct.contains(work.call), !program.isBackedUp(before: work),
        !program.isAskedFor(work), seen.insert(work.site).inserted
      else { continue }
      let opening = program.storeFlow.opening(of: path)
      let isReported = program.isReported(work.site, on: path)
      let weak = program.weakCopy(before: work)
      findings.report(
        .deletes(
          opening.name, isReported: isReported, weak?.flaw,
          isRealm: ["Realm", "asyncOpen"].contains(program.calledName(opening.root))),
        at: program.chain(of: work.site),
        severity: isReported ? .warning : nil,
        related: [program.opener(opening)] + deletion(of: work, program)
          + (weak.map { [.init(program.chain(of: $0.place), "this copy may be missing")] } ?? []),
        flow: program.steps(
          from: opening, to: path, end: .init(program.chain(of: work.call), "the store is deleted"))
      )
    }
    checkTransfers(program, &seen, into: &findings)
    checkLaunch(program, &seen, into: &findings)
  }

  private func checkTransfers(
    _ program: Program, _ seen: inout Set<Ref>, into findings: inout Findings
  ) {
    for deletion in program.deletionsAfterTransfer {
      let work = deletion.work
      guard !program.isBackedUp(before: work), !program.isAskedFor(work),
        seen.insert(work.site).inserted
      else { continue }
      let transfer = program.chain(of: deletion.transfer.root)
      findings.report(
        .deletesSource(deletion.transfer.name), at: program.chain(of: work.site),
        related: [.init(transfer, "the store is moved to another place here")]
          + self.deletion(of: work, program))
    }
  }

  private func checkLaunch(
    _ program: Program, _ seen: inout Set<Ref>, into findings: inout Findings
  ) {
    for deletion in program.deletionsBeforeOpening {
      let work = deletion.work
      guard !program.isBackedUp(before: work), !program.isAskedFor(work),
        seen.insert(work.site).inserted
      else { continue }
      findings.report(
        deletion.isSure ? .deletesAtEveryLaunch : .deletesAtLaunch,
        at: program.chain(of: work.site), severity: deletion.isSure ? nil : .warning,
        related: [program.opener(deletion.opening)] + self.deletion(of: work, program))
    }
  }

  /// The deletions that the rule reports, and where each happens.
  static func places(in program: Program) -> Set<Location> {
    var findings = Findings(of: id, severity: .error, in: program, makesFixes: false)
    Self().check(program, into: &findings)
    return Set(findings.all.flatMap { [$0.location] + $0.related.map(\.location) })
  }

  private func deletion(of work: StoreFileWork, _ program: Program) -> [Findings.Related] {
    guard work.call != work.site else { return [] }
    return [.init(program.chain(of: work.call), "the store is deleted here")]
  }
}

extension Finding.Message {
  fileprivate static let deletesAtLaunch: Self =
    """
    when this condition holds at launch, everything the user has stored is deleted for good \
    without a question; first copy the store with its -wal and -shm files
    """

  fileprivate static let deletesAtEveryLaunch: Self =
    """
    everything the user has stored is deleted for good at every launch; delete nothing here, or \
    keep the store in memory if it is meant to last for one launch
    """

  fileprivate static func deletesSource(_ transfer: String) -> Self {
    """
    if `\(transfer)` fails, for example on a full disk or a locked device, the only store is still \
    deleted and everything is lost; delete it only after the new store has opened
    """
  }

  fileprivate static func deletes(
    _ opening: String, isReported: Bool, _ flaw: WeakCopy.Flaw?, isRealm: Bool
  ) -> Self {
    let files = isRealm ? "the realm's file" : "the store with its -wal and -shm files"
    let harm =
      isReported
      ? "when this error occurs, everything the user has stored is deleted for good"
      : """
      if `\(opening)` fails for any reason, even a full disk or a locked device, everything the \
      user has stored is deleted for good
      """
    let advice =
      switch flaw {
      case .ignored: "even if the copy before it failed; delete only after a successful copy"
      case .passing:
        "because the copy before it is in a folder that the system empties; keep the copy elsewhere"
      case .conditional: "if the copy is skipped; copy the store on every path that leads here"
      case nil:
        "first copy \(files)"
      }
    return flaw == nil ? "\(harm); \(advice)" : "\(harm), \(advice)"
  }
}
