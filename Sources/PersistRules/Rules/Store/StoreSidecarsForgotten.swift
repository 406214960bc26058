import PersistFlow
import PersistIndex

/// A store's main file that is deleted, moved or copied without its log files.
struct StoreSidecarsForgotten: Rule {
  static let id: RuleID = "store-sidecars-forgotten"
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    var reported: Set<Location>?
    // To delete more of a store that should not be deleted at all is no certain fix.
    func mayDelete(_ gap: SidecarGap) -> Bool {
      let places = reported ?? StoreDeletedWithoutBackup.places(in: program)
      reported = places
      return [gap.work.call, gap.work.site].allSatisfy {
        !places.contains(program.location(of: program.chain(of: $0)))
      }
    }
    for gap in program.sidecarGaps where !program.isExempt(gap.work.site) {
      guard seen.insert(gap.work.site).inserted else { continue }
      let related =
        gap.work.call == gap.work.site
        ? [] : [Findings.Related(program.chain(of: gap.work.call), "the file is handled here")]
      findings.report(
        .leaves(gap), at: program.chain(of: gap.work.site),
        // Nothing opens a store again that the app has moved elsewhere.
        severity: gap.missing == ["-shm"] || gap.isOfFormerStore
          ? .note : gap.kind == .copy ? .warning : nil,
        related: related,
        fix: SidecarDeletion(gap, in: program)?.fix(isSafe: mayDelete(gap)))
    }
  }
}

extension Finding.Message {
  fileprivate static func leaves(_ gap: SidecarGap) -> Self {
    if let word = gap.misnamed {
      return """
        the store's log stays behind, because this path names no file: SQLite appends `-\(word)` \
        to the store's name; append that to the path, not as a component or extension
        """
    }
    if gap.missing == ["-shm"] {
      return """
        the store's -shm file stays behind and SQLite has to rebuild it; \(gap.kind.verb) that \
        file with the others
        """
    }
    let files = gap.missing.filter { !$0.isEmpty }.joined(separator: " and ")
    if gap.missing.contains("") {
      return """
        without its log, the store's main file lacks the newest changes or is broken; delete the \
        main file too, or neither
        """
    }
    switch gap.kind {
    case .deletion where gap.isOfFormerStore:
      return """
        the log of the store that was moved stays behind and fills the disk; delete the \(files) \
        files too
        """
    case .deletion:
      return """
        the next store is opened with the log of the deleted one and fails as malformed; delete \
        the \(files) files too
        """
    case .move:
      return """
        the moved store lacks the newest changes, and its log corrupts the next store; move the \
        \(files) files too
        """
    case .copy:
      return """
        the copy lacks all changes that are still in the store's log; copy the \(files) files too, \
        or checkpoint first
        """
    }
  }
}

extension StoreFileWork.Kind {
  /// What is done to the files.
  fileprivate var verb: String {
    switch self {
    case .deletion: "delete"
    case .copy: "copy"
    case .move: "move"
    }
  }
}
