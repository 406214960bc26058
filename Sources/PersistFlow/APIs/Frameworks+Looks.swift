import PersistIndex

// MARK: - What conditions look at

extension Frameworks {
  /// The types that say how the process was started.
  static let launchValues: Set<Name> = [commandLine, "ProcessInfo"]
  static let commandLine: Name = "CommandLine"
  /// The members of a process by which they do so.
  static let launchMembers: Set<Name> = ["arguments", "environment"]
  /// The enum cases that say that no user runs the code.
  static let testCases: Set<Name> = [
    "test", "tests", "testing", "debug", "unitTest", "unitTests", "uiTest", "uiTests",
  ]
  /// The question whether a file is there.
  static let fileQuestion: Name = "fileExists"
  /// The question whether code runs on the main thread.
  static let mainThreadQuestion: Name = "isMainThread"
  /// The wrappers that keep a property's value in the settings.
  static let settingWrappers: Set<Name> = ["AppStorage"]
  /// Methods that write a value into the settings.
  static let settingWriters: [Name] = ["set", "setValue"]
}

// MARK: - What makes values unseen

extension Frameworks {
  /// The protocols of types whose values a decoder makes.
  static let decodables: Set<Name> = ["Decodable", "Codable"]
}

// MARK: - What opens files

extension Frameworks {
  /// The calls that open a store's file for as long as the object lives that keeps what they return.
  static let fileOpenings: Set<Name> = [
    "loadPersistentStores", "addPersistentStore", "DatabasePool", "DatabaseQueue",
  ]
  /// The types that a process makes one of for each store, and those that stand for them.
  static let lastingOpenings: Set<Name> = [
    "ModelContainer", "DatabasePool", "DatabaseQueue", "loadPersistentStores",
  ]
  static let keptStores = lastingOpenings.union(["DatabaseWriter", "DatabaseReader"])
    .union(containers)
  /// The protocol whose types hold what SwiftUI's environment has where nobody sets anything.
  static let environmentKey: Name = "EnvironmentKey"
}

// MARK: - What tells whether an object is still there

extension Frameworks {
  /// The member that says whether an object was deleted and not saved yet.
  static let deletionFlag: Name = "isDeleted"
  /// The members that say of a model whether it is still there.
  static let questionsOfModels: Set<Name> = [deletionFlag, "modelContext", "managedObjectContext"]
  /// Those, and what asks for the values of an object.
  static let looksAtModels = questionsOfModels.union(["isFault"])
  /// The methods that fetch objects or their identifiers.
  static let fetches: Set<Name> = [
    "fetch", "fetchIdentifiers", "existingObject", "registeredModel", "registeredObject",
  ]
  /// Methods and members by which a function asks whether a row exists.
  static let questionsOfRows: Set<Name> = [
    "existingObject", "fetch", deletionFlag, "isFault", "registeredModel",
  ]
  /// The functions that make identifiers of what was written before.
  static let decoders: Set<Name> = [
    "decode", "unarchivedObject", "managedObjectID", "persistentIdentifier",
  ]
  /// The types whose values are empty, and not missing, if the row is gone.
  static let emptyValues: Set<Name> = [
    "Bool", "Int", "Int16", "Int32", "Int64", "Double", "Float", "String", "Data", "Decimal",
    "NSNumber", "NSString",
  ]

  /// The types of Core Data's to-many relationships.
  static let managedCollections: Set<Name> = ["NSSet", "NSOrderedSet"]
}

// MARK: - Objects of realms

extension Frameworks {
  /// The methods that ask a realm for its objects.
  static let realmQueries: Set<Name> = ["objects", "object"]
  /// The methods that make frozen copies, and the one that makes live objects of them again.
  static let freezing: [Name] = ["freeze", "freezeIfNeeded", "frozen"]
  static let thaw: Name = "thaw"
  /// The property that says whether an object, list or realm is such a copy.
  static let frozenFlag: Name = "isFrozen"
  /// The wrappers that hand out a frozen copy of the object that they hold.
  static let freezingWrappers: Set<Name> = [
    "ObservedRealmObject", "StateRealmObject", "ObservedResults", "ObservedSectionedResults",
  ]
}
