import PersistFlow
import PersistIndex

/// A store description without a URL: the app's own store is not opened.
struct StoreDescriptionWithoutUrl: Rule {
  static let id: RuleID = "store-description-without-url"

  func check(_ program: Program, into findings: inout Findings) {
    let fates = Dictionary(grouping: program.fates(of: .plainDescriptions), by: \.origin)
    for (made, fates) in fates.sorted(by: { $0.key < $1.key })
    where fates.contains(where: { isLoaded($0.deed) })
      && !fates.contains(where: { mayBePlaced($0.deed) })
    {
      findings.report(.opensNowhere, at: program.chain(of: made))
    }
  }

  /// Whether a description gets into those that a container loads.
  private func isLoaded(_ deed: Fate.Deed) -> Bool {
    switch deed {
    case .keeps(in: Self.loaded), .hands("append", on: Self.loaded),
      .hands("addPersistentStore", _):
      true
    default: false
    }
  }

  /// Whether a description may get a place or a type, here or by whoever it goes to.
  private func mayBePlaced(_ deed: Fate.Deed) -> Bool {
    switch deed {
    case .sets("url"), .sets("type"), .reads("url"), .reads("type"): true
    case .keeps, .hands: !isLoaded(deed)
    default: false
    }
  }

  private static let loaded: Name = "persistentStoreDescriptions"
}

extension Finding.Message {
  fileprivate static let opensNowhere: Self =
    """
    all data seems gone, and new entries are lost at the next launch, because a description \
    without a URL doesn't open the container's file; use the container's \
    `persistentStoreDescriptions.first`, or set the description's `url`
    """
}
