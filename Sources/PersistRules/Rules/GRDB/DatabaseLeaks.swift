import PersistFlow
import PersistIndex

/// A use of a `Database` away from the access that lends it.
struct DatabaseLeak {
  /// How it gets away.
  enum Way {
    /// It is used in code that runs when the access is over.
    case later
    /// It is kept in a property, or is what the access gives.
    case kept
  }

  let place: Ref
  let name: String
  let way: Way
  /// The parameter of the closure that is lent the database, or the closure.
  let source: Ref
}

extension Program {
  /// The uses of GRDB's `Database` outside of the access that lends it, in source order.
  var databaseLeaks: [DatabaseLeak] {
    guard usesGRDB else { return [] }
    var places: Set<Ref> = []
    return fates(of: .lentDatabases).compactMap { fate in
      guard let way = way(of: fate), type(of: fate.place).unwrapped.isExternal("Database"),
        places.insert(fate.place).inserted
      else { return nil }
      return DatabaseLeak(
        place: fate.place, name: nameText(fate.place), way: way,
        source: firstParameter(ofClosure: fate.origin) ?? fate.origin)
    }
  }

  private func way(of fate: Fate) -> DatabaseLeak.Way? {
    switch fate.deed {
    case .captures: nil
    case _ where fate.isLate: .later
    case .keeps: .kept
    case .returns: fate.body == fate.origin ? .kept : nil
    default: nil
    }
  }
}
