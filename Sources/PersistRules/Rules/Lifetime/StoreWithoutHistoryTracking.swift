import PersistIndex
import PersistSyntax

/// A store with a history that is opened without history tracking: it opens read-only, and saves
/// fail.
struct StoreWithoutHistoryTracking: Rule {
  static let id: RuleID = "store-without-history-tracking"

  func check(_ program: Program, into findings: inout Findings) {
    let stores = program.coreDataStores
    guard !stores.isEmpty else { return }
    var tracked: [(store: StoreIdentity, place: Ref, isSwiftData: Bool)] = []
    for call in program.calls(named: "ModelConfiguration") where !program.isSilent(call) {
      guard let file = program.store(ofConfiguration: call) else { continue }
      tracked.append((file, program.chain(of: call), true))
    }
    for store in stores where store.tracksHistory {
      guard let file = store.store, file.isCertain else { continue }
      tracked.append((file, program.chain(of: store.opening), false))
    }
    for store in stores where !store.tracksHistory && !store.isReadOnly {
      guard let file = store.store, let other = tracked.first(where: { $0.store.isSame(as: file) }),
        let member = program.calledNode(store.opening)
      else { continue }
      findings.report(
        .opensReadOnly(isSwiftData: other.isSwiftData), at: member,
        related: [.init(other.place, "the store gets its history here")])
    }
  }
}

extension Finding.Message {
  fileprivate static func opensReadOnly(isSwiftData: Bool) -> Self {
    """
    nothing that is entered here is saved: \
    \(isSwiftData ? "SwiftData keeps a history in" : "this app tracks the history of") this store, \
    and without `NSPersistentHistoryTrackingKey` Core Data opens it read-only; set the option \
    to true before the store is loaded
    """
  }
}
