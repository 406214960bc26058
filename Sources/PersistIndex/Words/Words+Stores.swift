/// The words by which stores are opened, deleted, copied and saved.
extension Words {
  /// How a call tells that a store could not be opened.
  package enum Opening {
    /// It throws.
    case thrown
    /// It hands the error to a closure, as the argument with that index.
    case completion(Int)
    /// It hands a `Result` to a closure, as the argument with that index.
    case result(Int)
    /// It returns nil.
    case missing
    /// It returns false.
    case denied
  }

  /// The types whose initializers open a store, with the labels of which one must be there.
  package static let openingTypes: [Name: Set<Name>] = [
    "ModelContainer": [], "Realm": [], "DatabaseQueue": ["path"], "DatabasePool": ["path"],
    "Connection": [],
  ]

  /// The methods that read from a store, and the types that have them.
  static let storeReads: Set<Name> = [
    "fetch", "fetchCount", "fetchIdentifiers", "count", "read", "objects", "execute",
    "unsafeRead",
  ]
  static let storeReaders: Set<Name> = [
    "ModelContext", "NSManagedObjectContext", "DatabasePool", "DatabaseQueue", "DatabaseReader",
    "DatabaseWriter", "Realm",
  ]

  /// The types whose methods lock a store while they run, with the calls that open it.
  package static let storeUsers: [(types: Set<Name>, methods: Set<Name>, openings: Set<Name>)] = [
    (["ModelContext"], ["fetch", "save"], ["ModelContainer"]),
    (
      ["NSManagedObjectContext"], ["fetch", "save"], ["loadPersistentStores", "addPersistentStore"]
    ),
    (
      ["DatabaseQueue", "DatabasePool", "DatabaseWriter", "DatabaseReader"], ["read", "write"],
      ["DatabaseQueue", "DatabasePool"]
    ),
    (["Realm"], ["write"], ["Realm"]),
  ]

  /// The types of the frameworks that open stores, or read from them.
  static let frameworkTypes: Set<Name> = storeReaders.union(openingTypes.keys).union([
    "ModelConfiguration", "Schema", "NSPersistentContainer", "NSPersistentCloudKitContainer",
    "NSManagedObject", "DatabaseMigrator",
  ])

  /// The types whose initializers open a store in memory when no path is given.
  package static let typesInMemoryWithoutPath: Set<Name> = ["DatabaseQueue", "Connection"]

  /// The modules that other modules bring along, so that files needn't import them.
  static let sharedModules: Set<Name> = ["Foundation", "Swift", "Dispatch"]

  /// The modules that the types and methods that open a store come from.
  static let openingModules: Set<Name> = [
    "SwiftData", "CoreData", "GRDB", "GRDBSQLite", "SQLiteData", "SharingGRDB", "RealmSwift",
    "Realm", "SQLite",
  ]

  /// Whether a method of that name opens a store and answers by a closure.
  package static func opensStore(_ method: Name) -> Bool { openingMethods[method] != nil }

  /// The methods that open a store.
  static let openingMethods: [Name: Opening] = [
    "loadPersistentStores": .completion(1), "addPersistentStore": .thrown, "asyncOpen": .result(0),
    "migrate": .thrown,
  ]

  /// The free functions that open a store.
  static let openingFunctions: Set<Name> = ["defaultDatabase"]

  /// The labels of arguments that say `true` when a store is in memory.
  package static let inMemoryLabels: Set<Name> = [
    "isStoredInMemoryOnly", "inMemory", "inMemoryOnly", "isInMemory", "isInMemoryOnly",
    "storeInMemory", "useInMemory", "useInMemoryStore", "usesInMemoryStore", "memoryOnly",
  ]

  /// Free functions that end the process.
  package static let processEnds: Set<Name> = [
    "fatalError", "preconditionFailure", "exit", "_exit", "abort",
  ]

  /// The types of the errors with which calls on stores fail: any error, and GRDB's.
  static let errorsOfStores: Set<Name> = ["NSError", "Error", "DatabaseError"]

  /// The modules by which those functions may be qualified.
  package static let processModules: Set<Name> = ["Swift", "Darwin", "Foundation", "Glibc"]

  /// Calls that run the closures they take, now or soon, without being asked.
  static let closureExecutors: Set<Name> = [
    "Task", "detached", "async", "asyncAfter", "sync", "run", "perform", "performAndWait",
    "performBackgroundTask", "addOperation", "forEach", "map", "flatMap", "compactMap", "defer",
    "autoreleasepool", "assumeIsolated", "write", "read", "barrierWrite", "inDatabase",
    "scheduledTimer", "performExpiringActivity", "onMainThread", "coordinate",
    "loadPersistentStores",
  ]

  /// Methods that add an element to a list or dictionary.
  package static let addingMethods: Set<Name> = ["append", "insert", "updateValue"]

  /// Functions whose `resume(throwing:)` makes them throw.
  package static let throwingContinuations: Set<Name> = [
    "withCheckedThrowingContinuation", "withUnsafeThrowingContinuation",
  ]

  /// Calls that bring a store to another place.
  package static let transfers: Set<Name> = [
    "migratePersistentStore", "replacePersistentStore", "migrateStore", "copyItem", "moveItem",
    "replaceItem", "replaceItemAt",
  ]

  /// The methods by which a store is migrated by hand, its metadata first.
  package static let migrationSteps: Set<Name> = [
    "migrateStore", "metadataForPersistentStore", "inferredMappingModel",
  ]

  /// The method that says whether a store fits a model.
  package static let compatibility: Name = "isConfiguration"

  /// The methods that write a store anew at another place and leave its files where they are.
  package static let wholeTransfers: Set<Name> = [
    "migratePersistentStore", "replacePersistentStore", "migrateStore",
  ]

  /// The types that `deleteAllData()` and `erase()` delete a store of.
  package static let erasableTypes: Set<Name> = ["ModelContainer", "DatabaseQueue", "DatabasePool"]

  /// The endings of a store's file name.
  package static let storeEndings = [".store", ".sqlite", ".sqlite3", ".db", ".realm"]

  /// Members of types from elsewhere that are contexts, whatever the type.
  package static let contextNames: Set<Name> = [
    "viewContext", "mainContext", "modelContext", "managedObjectContext",
  ]

  /// Calls that show an alert and wait for the answer.
  package static let waitingAlerts: Set<Name> = ["runModal", "beginSheetModal", "presentError"]

  /// Words of calls that show something.
  package static let showingWords: Set<String> = ["alert", "banner", "toast", "present"]

  /// Words of calls and states by which a person learns of a failure.
  package static let reportingWords: Set<String> = showingWords.union([
    "failed", "failure", "fallback", "degraded", "recovery", "recovered",
    "ephemeral",
  ])

  /// Words of functions that a person's wish runs.
  package static let askedWords: Set<String> = [
    "reset", "restore", "import", "logout", "wipe", "replace", "restoring", "importing", "truncate",
  ]

  /// What shows something over a screen, which can't be used meanwhile.
  package static let modalPresentations: Set<Name> = [
    "sheet", "fullScreenCover", "alert", "confirmationDialog",
  ]

  /// Views and controls whose closures run when a person acts.
  package static let actions: Set<Name> = [
    "Button", "onTapGesture", "UIAlertAction", "UIAction", "alert", "confirmationDialog",
    "addAction", "swipeActions", "contextMenu", "Menu", "Toggle", "refreshable", "onDelete",
    "onLongPressGesture", "CommandMenu", "beginSheetModal",
  ]

  /// Words of the cases by which enums say that something failed.
  package static let failureWords: Set<String> = [
    "failed", "failure", "fail", "broken", "error", "errored", "unavailable", "corrupt",
    "corrupted", "unreadable",
  ]

  /// Words of calls that leave a trace.
  package static let loggingWords: Set<String> = [
    "log", "logger", "logging", "logs", "print", "trace", "report", "record", "capture", "error",
    "fault", "warning", "notice", "debug", "nslog", "telemetry", "analytics", "crashlytics",
  ]

  /// Words of a log's levels that also name what is shown.
  package static let levelWords: Set<String> = ["error", "warning", "notice"]

  /// Switches by which a changed schema empties the store.
  package static let destructiveSwitches: Set<Name> = [
    "eraseDatabaseOnSchemaChange"
  ]

  /// Protocols of intents and of what answers for them.
  static let intentTypes: Set<Name> = [
    "AppIntent", "EntityQuery", "EntityStringQuery", "DynamicOptionsProvider",
    "LiveActivityIntent", "ForegroundContinuableIntent", "AudioPlaybackIntent", "SetValueIntent",
    "EntityPropertyQuery", "EnumerableEntityQuery", "WidgetConfigurationIntent", "DeleteIntent",
    "ControlConfigurationIntent",
  ]

  /// How the protocols end by which code answers Siri's intents: the system's own, and those that
  /// Xcode generates from a definition of intents.
  static let endOfIntentProtocols = "IntentHandling"

  /// Protocols and classes whose types run in a widget or another extension.
  package static let processTypes: Set<Name> = [
    "Widget", "WidgetBundle", "TimelineProvider", "AppIntentTimelineProvider",
    "IntentTimelineProvider", "INExtension", "UNNotificationServiceExtension",
    "SLComposeServiceViewController", "ControlWidget", "ControlValueProvider",
    "UNNotificationContentExtension", "AppIntentControlValueProvider", "FileProviderExtension",
    "NSExtensionRequestHandling", "CSIndexExtensionRequestHandler", "NCWidgetProviding",
    "NSFileProviderExtension", "NSFileProviderReplicatedExtension", "NSFileProviderEnumerator",
    "MSMessagesAppViewController", "ASCredentialProviderViewController", "CXCallDirectoryProvider",
    "DeviceActivityMonitor", "NEPacketTunnelProvider",
  ]

  /// Protocols and classes whose types run in a widget, an intent or another extension.
  package static let extensionTypes = intentTypes.union(processTypes)

  /// Protocols of what a command-line tool runs.
  static let commandTypes: Set<Name> = ["ParsableCommand", "AsyncParsableCommand"]

  /// Protocols of a watch app's delegates.
  static let watchTypes: Set<Name> = ["WKExtensionDelegate", "WKApplicationDelegate"]

  /// What the entry points of processes beside the app conform to.
  package static let otherProcessTypes = extensionTypes.union(watchTypes)

  /// Classes that show something, besides SwiftUI's views.
  static let viewClasses: Set<Name> = [
    "UIViewController", "UITableViewController", "UICollectionViewController", "UIView",
    "UITableViewCell", "UICollectionViewCell", "NSViewController", "NSWindowController", "NSView",
    "UIHostingController", "UINavigationController", "UITabBarController",
    "WKInterfaceController", "UIControl", "UIWindow", "NSWindow", "UISplitViewController",
  ]

  /// Labels of a delegate's methods that the system calls in the background.
  static let backgroundLabels: Set<Name> = [
    "performFetchWithCompletionHandler", "didReceiveRemoteNotification",
    "handleEventsForBackgroundURLSession",
  ]

  /// Labels of a delegate's methods that the system calls at launch; a scene connects then.
  static let launchLabels: Set<Name> = [
    "didFinishLaunchingWithOptions", "willFinishLaunchingWithOptions", "willConnectTo",
  ]

  /// A delegate's methods that the system calls at launch.
  static let launchMethods: Set<Name> = [
    "applicationDidFinishLaunching", "applicationWillFinishLaunching",
  ]

  /// The types of background tasks that the system hands to a handler.
  static let backgroundTasks: Set<Name> = [
    "BGTask", "BGAppRefreshTask", "BGProcessingTask", "BGContinuedProcessingTask",
    "WKRefreshBackgroundTask", "WKApplicationRefreshBackgroundTask",
  ]

  /// Methods of those that the system calls again and again.
  package static let repeatedMethods: Set<Name> = [
    "perform", "timeline", "snapshot", "getTimeline", "getSnapshot", "entities", "results",
    "suggestedEntities", "defaultResult", "currentValue",
  ]

  /// Calls that ask for time in the background.
  package static let backgroundAssertions: Set<Name> = [
    "beginBackgroundTask", "performExpiringActivity", "beginActivity",
  ]

  /// Words of conditions on the state of a store or its schema.
  package static let outdatedWords: Set<String> = [
    "version", "schema", "migration", "migrate", "corrupt", "corrupted", "incompatible", "older",
    "outdated", "invalid", "mismatch", "compatible",
  ]

  /// Words of questions whether a file is there, or has something in it.
  package static let existenceWords: Set<String> = [
    "exists", "exist", "reachable", "empty", "size", "has", "memory", "preview", "previews",
  ]

  /// Methods by which a value is read from the settings.
  package static let defaultsReads: Set<Name> = [
    "bool", "integer", "string", "object", "double", "float", "value", "data", "array",
  ]

  /// Words of names that are no stores, or no longer the store in use.
  package static let noStoreWords: Set<String> = [
    "cache", "cached", "caches", "temp", "temporary", "tmp", "export", "exported", "exports",
    "image", "images", "download", "downloaded", "downloads", "thumbnail", "thumbnails", "backup",
    "backups", "old", "parked", "orphaned", "legacy", "archive", "archived", "staging", "scratch",
    "probe", "keystore", "snapshot", "snapshots", "probes", "deprecated", "previous", "test",
    "bundled", "bundle", "dictionary", "zip", "zipped", "compressed",
  ]

  /// Words at the end of names for what a bundle says of itself.
  package static let textsOfBundles: Set<String> = ["identifier", "id", "name", "version"]

  /// Words of names for places where files lie only on their way to another one.
  package static let stagingWords: Set<String> = ["staging", "staged", "scratch", "incoming"]

  /// Words of names for the store that was in use before.
  package static let formerWords: Set<String> = ["old", "legacy", "previous", "deprecated"]

  /// Words of names that say store.
  package static let storeWords: Set<String> = [
    "store", "database", "db", "sqlite", "realm", "persistent",
  ]

  /// Words of names for what a project keeps of a store beside it.
  package static let descriptionWords: Set<String> = ["settings", "preferences", "metadata"]

  /// Words of names that say URL or path.
  package static let placeWords: Set<String> = [
    "url", "path", "file", "location", "urls", "files", "paths",
  ]
}
