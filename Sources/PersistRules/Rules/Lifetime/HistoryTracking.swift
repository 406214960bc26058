import PersistFlow
import PersistIndex

/// A Core Data opening on disk: its file, and what the code around it says of its history.
struct CoreDataStore {
  let opening: Ref
  let store: KnownText?
  /// The code that sets the store up: the body around the opening.
  let setup: Ref
  let tracksHistory: Bool
  let isReadOnly: Bool
}

extension Program {
  /// The places that turn history tracking on, in source order: the option's key.
  var historyOptions: [Ref] {
    settings(["NSPersistentHistoryTrackingKey"]).filter { !isExempt($0.place) && !isOff($0) }
      .map(\.place)
  }

  /// The Core Data openings on disk whose file can be told.
  var coreDataStores: [CoreDataStore] {
    coreDataOpenings.filter { !isExempt($0.site) }.map { opening in
      let setup = memberCode(around: opening.site) ?? opening.site
      return CoreDataStore(
        opening: opening.site, store: coreDataFile(opening.site, setup), setup: setup,
        tracksHistory: turnsHistoryOn(in: setup)
          || mentions("NSPersistentCloudKitContainer", in: setup),
        isReadOnly: mentions("isReadOnly", in: setup)
          || mentions("NSReadOnlyPersistentStoreOption", in: setup))
    }
  }

  /// The file that a Core Data opening opens.
  private func coreDataFile(_ call: Ref, _ setup: Ref) -> KnownText? {
    if calledName(call) == "addPersistentStore" {
      return argument(call, "at").flatMap { knownText(of: $0) }
    }
    let described = calls(named: "NSPersistentStoreDescription", in: setup)
    if described.count == 1 {
      guard mentions("persistentStoreDescriptions", in: setup) else { return nil }
      if let url = argument(described[0], "url") { return knownText(of: url) }
    }
    guard described.count < 2 else { return nil }
    let assigned = settings(["url"]).filter { contains(setup, $0.place) }.map(\.value)
    if assigned.count == 1 { return knownText(of: assigned[0]) }
    guard assigned.isEmpty, described.isEmpty,
      let made =
        (calls(named: "NSPersistentContainer", in: setup)
        + calls(named: "NSPersistentCloudKitContainer", in: setup)).min(),
      let name = argument(made, "name"), let read = knownText(of: name)
    else { return nil }
    return .store(ofContainer: read)
  }

  /// Whether code names the option that turns history tracking on, itself or in functions of the
  /// sources that it calls.
  func turnsHistoryOn(in setup: Ref) -> Bool {
    mentions("NSPersistentHistoryTrackingKey", in: setup)
  }
}
