import PersistIndex
import PersistSyntax

// MARK: - What makes paths of paths

extension Frameworks {
  /// What a member or call makes of the path that it belongs to.
  enum PathStep {
    case itself
    /// What comes in is a name below it.
    case component
    /// What comes in is an ending behind a period.
    case ending
    case withoutComponent
    case withoutEnding
    case lastComponent
    case pathExtension
    /// One of the system's folders, by the name of the member.
    case folder
    /// One of the system's folders, by the first argument.
    case namedFolder
    /// The folder of an app group, by the first argument.
    case group
    /// The folder that containers of Core Data take.
    case containerFolder
  }

  static let pathMembers: [Name: PathStep] = [
    "path": .itself, "absoluteURL": .itself, "standardizedFileURL": .itself,
    "absoluteString": .itself, "relativePath": .itself, "standardized": .itself,
    "first": .itself, "last": .itself, "lastPathComponent": .lastComponent,
    "pathExtension": .pathExtension, "fileSystemRepresentation": .itself,
    "wrappedValue": .itself, "rawValue": .itself, "absolutePath": .itself,
    "applicationSupportDirectory": .folder, "documentsDirectory": .folder,
    "libraryDirectory": .folder, "homeDirectory": .folder, "cachesDirectory": .folder,
    "cachesDirectoryURL": .folder, "temporaryDirectory": .folder,
  ]

  static let pathCalls: [Name: PathStep] = [
    "path": .itself, "standardized": .itself, "resolvingSymlinksInPath": .itself,
    "first": .itself, "absoluteString": .itself, "appendingPathComponent": .component,
    "appending": .component,
    "appendingPathExtension": .ending, "deletingLastPathComponent": .withoutComponent,
    "deletingPathExtension": .withoutEnding, "urls": .namedFolder, "url": .namedFolder,
    "NSSearchPathForDirectoriesInDomains": .namedFolder, "containerURL": .group,
    "identifier": .group, "defaultDirectoryURL": .containerFolder,
  ]

  /// Types that hold a path, and the labels by which they take one.
  static let pathTypes: Set<Name> = ["URL", "NSURL", "FilePath", "NSString", "String"]
  static let pathLabels: Set<Name> = ["fileURLWithPath", "filePath", "string", .none]
  /// The label of a path that another one begins at.
  static let relativeLabel: Name = "relativeTo"
  /// The labels that say what kind of file a path leads to.
  static let kindLabels: Set<Name> = ["isDirectory", "directoryHint", "conformingTo"]

  /// What the app comes with, and what leads to it.
  static let bundle: Name = "Bundle"
  static let resources = "resources/"
  static let resourceFolders: Set<Name> = [
    "resourceURL", "resourcePath", "bundleURL", "bundlePath",
  ]
  static let resourceLabel: Name = "forResource"
  /// Types that take the path of a database without a label.
  static let unlabelledPaths: Set<Name> = ["Connection"]

  /// Types that may bring a text or path along; what the sources declare may, too.
  static let textCarriers: Set<Name> = pathTypes.union([
    "Bool", "Substring", "ModelConfiguration", "Schema", "NSPersistentContainer",
    "NSPersistentCloudKitContainer", "NSPersistentStoreDescription",
  ])

  /// Types that bring a store along without its path.
  static let containerCarriers: Set<Name> = [
    modelContainer, modelContext, configuration, realm, "NSManagedObjectContext",
  ]

  /// The system's folder that SwiftData and Core Data put their stores into.
  static let storeFolder = "applicationSupportDirectory"
  static let modelConfiguration: Name = "ModelConfiguration"

  /// Types whose instances know the file of a store, and the members that lead to such.
  static let storeOwners: Set<Name> = [
    modelConfiguration, "NSPersistentContainer", "NSPersistentCloudKitContainer",
    "NSPersistentStoreDescription", "DatabaseQueue", "DatabasePool",
  ]
  static let ownerMembers: Set<Name> = [descriptions, "first", "last"]
  static let descriptions: Name = "persistentStoreDescriptions"
  /// What the containers of Core Data may be made of: they know their folder.
  static let containers: Set<Name> = ["NSPersistentContainer", "NSPersistentCloudKitContainer"]
  static let defaultFolder: Name = "defaultDirectoryURL"
  /// The names of what keeps a store in memory, the label of Realm's among them, and such paths.
  static let storesInMemory: Set<Name> = ["NSInMemoryStoreType", "inMemory", memoryIdentifier]
  static let memoryIdentifier: Name = "inMemoryIdentifier"
  static let pathsInMemory: Set<String> = ["/dev/null", ":memory:"]
  /// The members of descriptions and configurations that can say so.
  static let settingsOfMemory: [Name] = ["url", "fileURL", "type", memoryIdentifier]
  /// The members of descriptions, configurations and containers that say what is opened, and how.
  static let settingsOfStores = Set(settingsOfMemory).union([
    descriptions, "isReadOnly", "shouldMigrateStoreAutomatically", parentOfContext, cloudOptions,
  ])
  /// What makes a store of a description sync with CloudKit.
  static let cloudOptions: Name = "cloudKitContainerOptions"
  static let description: Name = "NSPersistentStoreDescription"
  /// The calls by which Core Data opens its stores.
  static let coreDataOpenings: Set<Name> = [loadingStores, "addPersistentStore"]
  /// The labels by which openings take the type of a store.
  static let labelsOfTypes: Set<Name> = ["ofType", "type"]
  static let modelContext: Name = "ModelContext"
  /// What Realm and GRDB call what says how a database is opened.
  static let configuration: Name = "Configuration"
  static let backgroundContext: Name = "newBackgroundContext"
  static let loadingStores: Name = "loadPersistentStores"
  /// The labels by which openings take files, and those of descriptions and configurations.
  static let labelsOfFiles: Set<Name> = ["at", "path", "fileURL", "url"]
  static let labelsOfStores = labelsOfFiles.union(["with", "configuration", .none])
  /// What gives each closure the file that it is called with.
  static let coordinating: Name = "coordinate"
  static let replacing: Name = "replacingOccurrences"
  /// What adds text without a label to another.
  static let appending: Name = "appending"
  /// Methods that run a closure for each element.
  static let elementMethods: Set<Name> = [
    "forEach", "map", "compactMap", "flatMap", "filter", "first", "last", "contains", "sorted",
  ]
}
