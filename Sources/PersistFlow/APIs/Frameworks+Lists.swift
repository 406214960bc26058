import PersistIndex

// MARK: - What code asks of lists

extension Frameworks {
  /// What gives the same elements, or something of each.
  static let sameElements: Set<Name> = [
    "filter", "map", "compactMap", "flatMap", "lazy", "reversed", "sorted", "keys", "values",
  ]

  /// What says how many elements there are.
  static let sizes: Set<Name> = ["count"]
  static let emptiness: Name = "isEmpty"
  /// What gives an element where there is one.
  static let ends: Set<Name> = ["first", "last"]
  static let collections: Set<Name> = ["Array", "Dictionary", "Set"]

  /// The method that visits each element.
  static let visiting: Name = "forEach"

  /// Methods that look for an element.
  static let containing: Name = "contains"
  static let searches: Set<Name> = ["first", "firstIndex", "last", "lastIndex"]

  /// Methods by which code asks for what it then inserts, or inserts it.
  static let lookUps: Set<Name> = [containing, "insert", "fetch", "fetchCount", "count"]
  /// Methods of contexts that give what a request picks.
  static let listFetches: Set<Name> = ["fetch", "fetchIdentifiers"]
  /// Methods of contexts that say what is stored.
  static let storeQuestions: [Name] = ["count", "fetch", "fetchCount", "fetchIdentifiers"]
  /// The modules of contexts.
  static let contextModules: Set<Name> = ["CoreData", "SwiftData"]

  /// Methods that leave out what the argument holds.
  static let subtracting: Set<Name> = ["subtracting"]
  /// Methods that take elements out of a list.
  static let removing: Set<Name> = ["remove", "removeValue", "subtract"]
}
