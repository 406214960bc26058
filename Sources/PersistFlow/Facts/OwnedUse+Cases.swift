import PersistIndex

// MARK: - What is wrong on one way to a use

extension Owner {
  /// Whether two owners surely are two.
  package func isSurelyOther(than other: Owner) -> Bool {
    guard framework == other.framework, !isGiven, !other.isGiven else { return false }
    switch (site, other.site) {
    case (let site?, let place?):
      if site != place { return true }
      return call != nil && other.call != nil && call != other.call
    // Every main context that a framework hands out may be the same.
    case (nil, nil): return false
    // What is made is none that a framework hands out.
    case (nil, _) where home == .main, (_, nil) where other.home == .main: return true
    default: return [home, other.home].allSatisfy { $0 != .unknown }
    }
  }
}

extension OwnedUse.Case {
  /// Whether a frozen object of a realm changes, or one while no transaction is open.
  package var isChangeOutside: Bool {
    owner.framework == .realm && isWrite && (transaction == .none || owner.home == .frozen)
  }

  /// Whether the code surely runs where the owner's objects must not be used.
  package var isWrong: Bool {
    switch (owner.home, executor) {
    case (.frozen, _): false
    case (.left, _): true
    case (.shared, .background), (.shared, .pool): true
    case (.shared, _): false
    case (.turn, .pool): false
    case (.unknown, .owner): isOnNewQueue
    case (.unknown, _), (_, .unknown): false
    // Main, and inside `perform`, may be where the object comes from.
    case (.given, .main): false
    case (.given, .owner): isOnNewQueue
    case (.given, _): true
    case (.main, .main): false
    case (.main, .owner(let other)): other.home == .own
    case (.main, _): true
    case (.own, .owner(let other)):
      other.home == .own && other.site != nil && owner.site != nil
        && other.isSurelyOther(than: owner)
    case (.own, _): true
    case (.queue(let site), .queue(let other)): site != other
    case (.actor(let type), .actor(let other)): type != other
    case (.background, .background), (.background, .pool): false
    case (.queue, _), (.actor, _), (.background, _), (.turn, _): true
    }
  }
}
