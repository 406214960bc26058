import PersistFlow
import PersistIndex

/// A store with a history that is opened without history tracking: it opens read-only, and saves
/// fail.
struct StoreWithoutHistoryTracking: Rule {
  static let id: RuleID = "store-without-history-tracking"

  func check(_ program: Program, into findings: inout Findings) {
    let stores = program.coreDataStores
    guard !stores.isEmpty else { return }
    for store in stores { check(choiceIn: store, program, into: &findings) }
    var tracked: [(store: KnownText, place: Ref, isSwiftData: Bool)] = []
    for call in program.calls(named: "ModelConfiguration") where !program.isExempt(call) {
      guard let file = program.store(ofConfiguration: call) else { continue }
      tracked.append((file, program.chain(of: call), true))
    }
    for store in stores where store.tracksHistory {
      guard let file = store.store, file.isWhole else { continue }
      tracked.append((file, program.chain(of: store.opening), false))
    }
    for store in stores where !store.tracksHistory && !store.isReadOnly {
      guard let file = store.store, let other = tracked.first(where: { $0.store == file }),
        let member = program.calledNode(store.opening)
      else { continue }
      findings.report(
        .opensReadOnly(isSwiftData: other.isSwiftData), at: member,
        related: [.init(other.place, "the store gets its history here")])
    }
  }
}

extension StoreWithoutHistoryTracking {
  /// Reports a store that opens with CloudKit or without, where only the container that syncs turns
  /// its history on.
  private func check(
    choiceIn store: CoreDataStore, _ program: Program, into findings: inout Findings
  ) {
    guard !store.isReadOnly, !program.turnsHistoryOn(in: store.setup) else { return }
    let plain = program.calls(named: "NSPersistentContainer", in: store.setup)
    let syncing = program.calls(named: "NSPersistentCloudKitContainer", in: store.setup)
    guard plain.count == 1, syncing.count == 1, !program.opensInMemory(plain[0]),
      let name = program.argument(plain[0], "name").flatMap({ program.knownText(of: $0) }),
      let other = program.argument(syncing[0], "name").flatMap({ program.knownText(of: $0) }),
      name == other, let place = program.calledNode(plain[0])
    else { return }
    findings.report(
      .opensReadOnlyLater, at: place,
      related: [.init(program.chain(of: syncing[0]), "the store gets its history here")])
  }
}

extension Finding.Message {
  fileprivate static var opensReadOnlyLater: Self {
    """
    once sync is turned off, nothing is saved any more, because `NSPersistentCloudKitContainer` \
    keeps a history in this store and Core Data opens such a store read-only without \
    `NSPersistentHistoryTrackingKey`; set that option to true for both containers
    """
  }

  fileprivate static func opensReadOnly(isSwiftData: Bool) -> Self {
    """
    nothing that is entered here is saved, because \
    \(isSwiftData ? "SwiftData keeps a history in" : "this app tracks the history of") this store \
    and Core Data opens such a store read-only without `NSPersistentHistoryTrackingKey`; set that \
    option to true before the store is loaded
    """
  }
}
