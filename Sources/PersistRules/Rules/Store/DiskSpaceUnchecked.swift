import PersistIndex

/// A store that is opened without checking free space: a full disk fails and leaves no log.
struct DiskSpaceUnchecked: Rule {
  static let id: RuleID = "disk-space-unchecked"

  func check(_ program: Program, into findings: inout Findings) {
    for opening in program.storeFlow.openings where opening.site == opening.root {
      guard !opening.isInMemory, !program.checksSpace(opening.site) else { continue }
      findings.report(.unchecked(opening.name), at: program.chain(of: opening.site))
    }
  }
}

extension Finding.Message {
  fileprivate static func unchecked(_ opening: String) -> Self {
    """
    on a full disk `\(opening)` fails and no log says why; check \
    `volumeAvailableCapacityForImportantUsage` first, and ask the user to free some space
    """
  }
}
