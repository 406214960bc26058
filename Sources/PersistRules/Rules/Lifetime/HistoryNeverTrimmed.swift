import PersistFlow
import PersistIndex
import PersistVersions

/// A history of changes that is never deleted: the store grows with each save.
struct HistoryNeverTrimmed: Rule {
  static let id: RuleID = "history-never-trimmed"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.calls(named: "deleteHistory").allSatisfy({ program.isExempt($0) }) else { return }
    if let option = program.historyOptions.first(where: { !mayNeedHistory($0, program) }) {
      findings.report(.grows, at: option)
      return
    }
    guard program.cloudSyncs.isEmpty, program.undecidedSync == nil else { return }
    let read = program.calls(named: "fetchHistory").first { call in
      guard !program.isExempt(call), program.arguments(call).count == 1 else { return false }
      return program.receiverType(ofCall: call).isExternal("ModelContext")
        || program.type(of: program.arguments(call)[0]).isExternal("HistoryDescriptor")
    }
    guard let read, let member = program.calledNode(read) else { return }
    findings.report(.growsUnread, at: member)
  }

  /// Whether the store of an option may be one that CloudKit syncs, which needs its history.
  private func mayNeedHistory(_ option: Ref, _ program: Program) -> Bool {
    let container: Name = "NSPersistentCloudKitContainer"
    let containers = program.uses(of: [container]).filter { !program.isExempt($0) }
    guard !containers.isEmpty || !program.types(inheritingFrom: [container]).isEmpty else {
      return false
    }
    let scope = program.typeCode(around: option)
    let own = program.mentions("NSPersistentContainer", in: scope)
    guard own, !program.names(container, in: scope) else { return true }
    // Another container may sync the same file.
    func files(inScope isWanted: Bool) -> Set<KnownText> {
      let openings = program.coreDataOpenings.map(\.site).filter {
        program.contains(scope, $0) == isWanted
      }
      return Set(openings.flatMap { program.openedStores(by: $0) }.compactMap(\.file))
    }
    return !files(inScope: true).isDisjoint(with: files(inScope: false))
  }
}

extension Finding.Message {
  fileprivate static let grows: Self =
    """
    the store grows with every save and opens more slowly over the years, because its history is \
    kept and nothing deletes it; delete what no reader needs any more with \
    `deleteHistory(before:)`
    """

  fileprivate static let growsUnread: Self =
    """
    the store grows with every save and reading its history gets slower, because nothing deletes \
    what has been read; call `deleteHistory(_:)` for what no reader needs any more
    """
}
