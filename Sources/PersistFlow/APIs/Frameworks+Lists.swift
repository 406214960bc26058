import PersistIndex

// MARK: - What code asks of lists

extension Frameworks {
  /// What gives the same elements, or something of each.
  static let sameElements: Set<Name> = [
    "filter", "map", "compactMap", "flatMap", "lazy", "reversed", "sorted", "keys", "values",
    "mapValues", "compactMapValues", "enumerated", "indices", "shuffled", "joined", "intersection",
  ]
  static let summing: Name = "reduce"

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
  static let lookUps: Set<Name> = [
    containing, emptiness, "insert", "fetch", "fetchCount", "count", "fetchOne", "fetchAll",
  ]
  /// Methods of contexts that give what a request picks.
  static let listFetches: Set<Name> = ["fetch", "fetchIdentifiers"]
  /// Requests whose result is what the one before them picks, and what fetches that.
  static let requestMethods: Set<Name> = [
    "fetchAll", "fetchSet", "fetchCursor", "order", "limit", "select", "asRequest",
  ]
  /// Methods of contexts that say what is stored.
  static let storeQuestions: [Name] = ["count", "fetch", "fetchCount", "fetchIdentifiers"]
  /// The modules of contexts.
  static let contextModules: Set<Name> = [
    "CoreData", "SwiftData", "GRDB", "SQLiteData", "SharingGRDB",
  ]

  /// Methods by which a request picks rows, and a column says that a list has its value.
  static let rowFilters: Set<Name> = [choosing, "where"]
  static let membership: Name = "in"
  /// What makes a request of a text, and what runs it.
  static let textRequests: Set<Name> = ["NSPredicate", choosing, execution]
  /// The property of a request that holds it.
  static let predicate: Name = "predicate"

  static let fileManager: Name = "FileManager"
  static let fileDeletion: Name = "removeItem"

  /// Methods that delete all rows that a request picks, or all of a type.
  static let rowDeletion: Name = "deleteAll"
  static let rowDeletions: Set<Name> = [rowDeletion, batchDeletion, execution]
  static let execution: Name = "execute"
  static let allRows: Name = "all"
  /// Methods that read records, or ask whether there are some.
  static let recordFetches: Set<Name> = [
    "fetchAll", "fetchOne", "fetchSet", "fetchCount", "find", "exists", emptiness,
  ]
  /// Methods by which a record becomes a row of its own.
  static let recordInsertions: Set<Name> = [
    "insert", "save", "upsert", "inserted", "saved", "insertAndFetch", "saveAndFetch",
    "upsertAndFetch",
  ]
  /// Types of GRDB and of what stands on it that make a record of a type.
  static let recordBases: Set<Name> = [
    "FetchableRecord", "MutablePersistableRecord", "PersistableRecord", "EncodableRecord", "Record",
    "TableRecord",
  ]

  /// Methods that leave out what the argument holds.
  static let subtracting: Set<Name> = ["subtracting"]
  /// Methods that take elements out of a list.
  static let removing: Set<Name> = ["remove", "removeValue", "subtract"]
}
