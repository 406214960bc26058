/// The words of SwiftData, Core Data, GRDB, Realm and Foundation that the index knows.
package enum Words {
  /// What `@Environment(\.key)` gives.
  static let environment: [Name: SwiftType] = [
    "modelContext": .external("ModelContext", []),
    "managedObjectContext": .external("NSManagedObjectContext", []),
    "realm": .external("Realm", []), "realmConfiguration": .external("Configuration", []),
  ]

  /// What `@Dependency(\.key)` gives where SQLiteData declares the key.
  static let dependencies: [Name: SwiftType] = [
    "defaultDatabase": .external("DatabaseWriter", [])
  ]

  /// Flags of builds that nobody ships: for developers, for debugging, and for tests.
  static let flagsOfTests: Set<String> = [
    "DEBUG", "TEST", "TESTS", "TESTING", "DEV", "DEVELOPMENT",
  ]
  static let namesOfTestFlags = Set(flagsOfTests.map { Name($0) })

  /// Types from elsewhere that no closure fits.
  static let plainValues: Set<Name> = [
    "Int", "Int32", "Int64", "UInt", "Double", "Float", "CGFloat", "Bool", "String", "Data", "Date",
    "URL", "UUID", "TimeInterval", "Decimal", "Any", "AnyObject", "NSPredicate", "DispatchQueue",
    "ModelContext", "ModelContainer", "NSManagedObjectContext", "TaskPriority", "QoSClass",
  ]

  /// Collection methods whose closure gets one element.
  package static let elementMethods: Set<Name> = [
    "map", "compactMap", "flatMap", "filter", "forEach", "first", "last", "contains", "allSatisfy",
    "firstIndex", "lastIndex", "drop", "prefix", "partition", "removeAll", "reduceInto", "sorted",
    "min", "max", "count", "grouping", "asyncMap", "concurrentForEach", "asyncForEach",
  ]

  /// Collection methods whose closure gets two elements.
  static let pairMethods: Set<Name> = ["sorted", "sort", "min", "max", "elementsEqual"]

  /// Collection methods that give a collection of the same elements.
  package static let sameElementMethods: Set<Name> = [
    "filter", "sorted", "reversed", "prefix", "suffix", "dropFirst", "dropLast",
    "shuffled",
    "drop", "where", "distinct", "union", "intersection", "subtracting", "removingDuplicates",
    "uniqued",
  ]

  /// Collection methods that give one element or nil.
  package static let oneElementMethods: Set<Name> = [
    "first", "last", "min", "max", "popLast", "popFirst", "randomElement",
  ]

  private static let instanceMembers: [Name: [Name: SwiftType]] = [
    "ModelContainer": [
      "mainContext": .external("ModelContext", []),
      "schema": .external("Schema", []),
      "configurations": .array(.external("ModelConfiguration", [])),
    ],
    "ModelContext": ["container": .external("ModelContainer", [])],
    "ModelConfiguration": ["url": .external("URL", [])],
    "PersistentModel": [
      "modelContext": .optional(.external("ModelContext", [])),
      "persistentModelID": .external("PersistentIdentifier", []),
      "id": .external("PersistentIdentifier", []),
    ],
    "NSPersistentContainer": persistentContainer,
    "NSPersistentCloudKitContainer": persistentContainer,
    "NSPersistentStoreDescription": ["url": .optional(.external("URL", []))],
    "NSPersistentStore": ["url": .optional(.external("URL", []))],
    "Configuration": ["fileURL": .optional(.external("URL", []))],
    "NSPersistentStoreCoordinator": [
      "persistentStores": .array(.external("NSPersistentStore", []))
    ],
    "NSManagedObject": [
      "managedObjectContext": .optional(.external("NSManagedObjectContext", [])),
      "objectID": .external("NSManagedObjectID", []),
    ],
    "NSManagedObjectContext": [
      "parent": .optional(.external("NSManagedObjectContext", [])),
      "persistentStoreCoordinator": .optional(.external("NSPersistentStoreCoordinator", [])),
    ],
    "NSModelActor": [
      "modelContext": .external("NSManagedObjectContext", []),
      "modelContainer": .external("NSPersistentContainer", []),
      "modelExecutor": .external("NSModelObjectContextExecutor", []),
    ],
    "Object": realmObject, "EmbeddedObject": realmObject, "RealmSwiftObject": realmObject,
    "RealmSwiftEmbeddedObject": realmObject, "LinkingObjects": realmObject,
    "MutableSet": realmObject, "Map": realmObject, "AnyRealmCollection": realmObject,
    "URL": [
      "path": .external("String", []), "lastPathComponent": .external("String", []),
      "absoluteString": .external("String", []),
    ],
  ]

  /// The classes of frameworks that models inherit from.
  static let objectClasses: Set<Name> = [
    "NSManagedObject", "Object", "EmbeddedObject", "RealmSwiftObject", "RealmSwiftEmbeddedObject",
  ]

  /// The method that inserts an object of the class with a name.
  package static let insertionByName: Name = "insertNewObject"
  /// The labels by which what makes an object takes its context.
  static let labelsOfContexts: [Name] = ["context", "insertInto", "into"]

  private static let realmObject: [Name: SwiftType] = [
    "realm": .optional(.external("Realm", []))
  ]

  private static let persistentContainer: [Name: SwiftType] = [
    "viewContext": .external("NSManagedObjectContext", []),
    "persistentStoreCoordinator": .external("NSPersistentStoreCoordinator", []),
    "persistentStoreDescriptions": .array(.external("NSPersistentStoreDescription", [])),
    "managedObjectModel": .external("NSManagedObjectModel", []),
  ]

  private static let staticMembers: [Name: [Name: SwiftType]] = [
    "URL": [
      "documentsDirectory": .external("URL", []),
      "applicationSupportDirectory": .external("URL", []),
      "temporaryDirectory": .external("URL", []), "cachesDirectory": .external("URL", []),
      "homeDirectory": .external("URL", []), "libraryDirectory": .external("URL", []),
    ],
    "NSPersistentContainer": ["defaultDirectoryURL": .external("URL", [])],
    "NSPersistentCloudKitContainer": ["defaultDirectoryURL": .external("URL", [])],
    "Realm": ["Configuration": .metatype(.external("Configuration", []))],
    "Configuration": ["defaultConfiguration": .external("Configuration", [])],
    "DispatchQueue": [
      "main": .external("MainQueue", []), "global": .external("DispatchQueue", []),
    ],
    "OperationQueue": ["main": .external("MainQueue", [])],
    "ProcessInfo": ["processInfo": .external("ProcessInfo", [])],
  ]

  private static let methodResults: [Name: [Name: SwiftType]] = [
    "URL": [
      "appendingPathComponent": .external("URL", []),
      "appendingPathExtension": .external("URL", []),
      "appending": .external("URL", []), "deletingLastPathComponent": .external("URL", []),
      "deletingPathExtension": .external("URL", []),
      "resolvingSymlinksInPath": .external("URL", []),
    ],
    "NSPersistentContainer": ["newBackgroundContext": .external("NSManagedObjectContext", [])],
    "NSPersistentCloudKitContainer": [
      "newBackgroundContext": .external("NSManagedObjectContext", [])
    ],
    "NSPersistentStoreCoordinator": [
      "managedObjectID": .optional(.external("NSManagedObjectID", []))
    ],
    "FileManager": [
      "containerURL": .optional(.external("URL", [])), "urls": .array(.external("URL", [])),
      "url": .external("URL", []),
    ],
    "String": [
      "appending": .external("String", []), "replacingOccurrences": .external("String", []),
    ],
  ]

  /// Methods that subclasses and conforming types of the sources call on themselves.
  private static let methods: [Name: Set<Name>] = [
    "NSPersistentContainer": [
      "loadPersistentStores", "newBackgroundContext", "performBackgroundTask",
    ],
    "NSPersistentCloudKitContainer": [
      "loadPersistentStores", "newBackgroundContext", "performBackgroundTask",
      "initializeCloudKitSchema",
    ],
    "NSManagedObjectContext": [
      "save", "fetch", "perform", "performAndWait", "delete", "insert", "rollback", "refresh",
      "existingObject", "object", "execute", "count",
    ],
    "ModelContext": ["save", "fetch", "insert", "delete", "rollback", "transaction"],
    "FileManager": ["removeItem", "copyItem", "moveItem", "replaceItem", "fileExists"],
    "NSPersistentStoreCoordinator": [
      "addPersistentStore", "destroyPersistentStore", "replacePersistentStore",
      "migratePersistentStore", "remove",
    ],
  ]

  /// The type of a member of a type from elsewhere; `.unknown` when the table does not have it.
  /// What a member gives that one type of the frameworks has and no other, whatever the receiver.
  static let tellingMembers: [Name: SwiftType] = [
    "viewContext": .external("NSManagedObjectContext", []),
    "newBackgroundContext": .external("NSManagedObjectContext", []),
  ]

  static func member(_ name: Name, of type: Name) -> SwiftType {
    instanceMembers[type]?[name] ?? .unknown
  }

  static func staticMember(_ name: Name, of type: Name) -> SwiftType {
    staticMembers[type]?[name] ?? (sharedInstances.contains(name) ? .external(type, []) : .unknown)
  }

  /// The names of static members that are instances of their own type.
  private static let sharedInstances: Set<Name> = ["default", "shared", "standard"]

  static func methodResult(_ name: Name, of type: Name) -> SwiftType {
    methodResults[type]?[name] ?? .unknown
  }

  /// Whether a type from elsewhere is known to have a method.
  static func isMethod(_ name: Name, of type: Name) -> Bool {
    methods[type]?.contains(name) ?? false
  }

  /// The types from elsewhere whose extensions also apply to a type.
  static func supertypes(of type: Name) -> [Name] {
    switch type {
    case "Array": ["Collection", "Sequence", "RandomAccessCollection", "MutableCollection"]
    case "Set", "Dictionary": ["Collection", "Sequence"]
    case "NSPersistentCloudKitContainer": ["NSPersistentContainer"]
    case "String": ["StringProtocol"]
    case "NSManagedObject": ["NSFetchRequestResult", "NSObject", "NSObjectProtocol"]
    case "UITableViewController", "UICollectionViewController", "UINavigationController",
      "UITabBarController", "UIHostingController":
      ["UIViewController"]
    default: []
    }
  }
}
