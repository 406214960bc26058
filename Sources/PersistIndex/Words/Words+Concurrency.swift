// MARK: - Words of concurrency

extension Words {
  /// Types and protocols whose members run on the main actor.
  static let mainActorTypes: Set<Name> = [
    "View", "App", "Scene", "ViewModifier", "Commands", "ToolbarContent", "TabContent",
    "UIViewRepresentable", "UIViewControllerRepresentable", "NSViewRepresentable",
    "NSViewControllerRepresentable", "WKInterfaceObjectRepresentable", "ButtonStyle",
    "PrimitiveButtonStyle", "LabelStyle", "ToggleStyle", "GroupBoxStyle", "DynamicProperty",
    "Widget", "WidgetBundle", "ControlWidget", "PreviewProvider", "CustomizableToolbarContent",
    "UIViewController", "UITableViewController", "UICollectionViewController", "UIView",
    "UINavigationController", "UITabBarController", "UISplitViewController", "UITableViewCell",
    "UICollectionViewCell", "UIApplication", "UIResponder", "UIWindow", "UIControl", "UIButton",
    "UILabel", "UIImageView", "UIScrollView", "UITableView", "UICollectionView", "UIStackView",
    "UIApplicationDelegate", "UISceneDelegate", "UIWindowSceneDelegate", "UITableViewDelegate",
    "UITableViewDataSource", "UICollectionViewDelegate", "UICollectionViewDataSource",
    "NSViewController", "NSWindowController", "NSView", "NSWindow", "NSResponder", "NSApplication",
    "NSApplicationDelegate", "NSWindowDelegate", "NSTableViewDelegate", "NSTableViewDataSource",
    "NSOutlineViewDelegate", "NSOutlineViewDataSource", "WKInterfaceController",
    "WKApplicationDelegate", "WKExtensionDelegate", "SKScene", "WKWebView", "UIHostingController",
    "NSHostingController", "NSHostingView",
  ]

  /// Protocols whose conforming types are views or hold them.
  static let viewProtocols: Set<Name> = [
    "View", "App", "Scene", "ViewModifier", "Commands", "ToolbarContent",
  ]

  /// Types and protocols from elsewhere that leave isolation as it is.
  static let nonisolatedTypes: Set<Name> = [
    "ObservableObject", "Observable", "NSObject", "NSObjectProtocol", "Sendable", "Codable",
    "Encodable", "Decodable", "Hashable", "Equatable", "Identifiable", "Comparable", "Error",
    "LocalizedError", "CaseIterable", "CustomStringConvertible", "CustomDebugStringConvertible",
    "RawRepresentable", "String", "Int", "AnyObject", "AppIntent", "AppEntity", "EntityQuery",
    "TimelineProvider", "IntentTimelineProvider", "AppIntentTimelineProvider", "NSManagedObject",
    "PersistentModel", "NSPersistentContainer", "NSPersistentCloudKitContainer",
    "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
    "URLSessionDownloadDelegate", "WCSessionDelegate", "XMLParserDelegate", "NSCopying",
    "NSSecureCoding", "NSCoding", "AsyncSequence", "Sequence", "OptionSet", "CKSyncEngineDelegate",
    "CLLocationManagerDelegate", "VersionedSchema", "SchemaMigrationPlan", "Operation", "Any",
    "NSFetchedResultsControllerDelegate", "AnyClass", "CVarArg", "ExpressibleByStringLiteral",
  ]

  /// Property wrappers that only views use.
  static let viewWrappers: Set<Name> = [
    "State", "StateObject", "ObservedObject", "EnvironmentObject", "Environment", "Query",
    "FetchRequest", "SectionedFetchRequest", "Bindable", "Binding", "FocusState", "GestureState",
    "AppStorage", "SceneStorage",
  ]

  /// Methods that call their closure at once, where they are called themselves.
  static let immediateMethods: Set<Name> =
    elementMethods.union(pairMethods).union(sameElementMethods).union([
      "reduce", "withLock", "withAnimation", "withUnsafePointer", "autoreleasepool", "sync",
      "transaction", "enumerate", "ForEach", "Group", "List", "assumeIsolated", "mapValues",
      "compactMapValues", "withTransaction", "withObservationTracking", "sum", "joined", "with",
      "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
      "withThrowingDiscardingTaskGroup", "withCheckedContinuation", "Dictionary",
      "withCheckedThrowingContinuation", "withUnsafeContinuation",
      "withUnsafeThrowingContinuation", "withTaskCancellationHandler", "Result",
    ])

  /// Types of frameworks that call completions on queues of their own.
  static let offMainCallers: [Name] = [
    "UNUserNotificationCenter", "PHPhotoLibrary", "HKHealthStore", "CKDatabase", "CKContainer",
    "AVCaptureDevice", "EKEventStore", "CNContactStore", "NSBackgroundActivityScheduler",
  ]

  /// Methods of these types that take a completion.
  static let offMainCallbacks: Set<Name> = [
    "requestAuthorization", "getNotificationSettings", "getPendingNotificationRequests",
    "getDeliveredNotifications", "add", "performChanges", "requestAccess", "save", "delete",
    "fetch", "perform", "fetchUserRecordID", "accountStatus", "enableBackgroundDelivery",
    "requestFullAccessToEvents", "requestFullAccessToReminders", "fetchReminders", "schedule",
    "getRequestStatusForAuthorization",
  ]

  /// Queries of HealthKit, which call their handlers on a queue of their own.
  static let offMainQueries: Set<Name> = [
    "HKSampleQuery", "HKObserverQuery", "HKAnchoredObjectQuery", "HKStatisticsQuery",
    "HKWorkoutRouteQuery",
  ]

  /// What UIKit makes of handlers, which it calls on the main queue.
  static let mainHandlers: [Name] = [
    "UIAlertAction", "UIAction", "UIContextualAction", "UICommand", "UIKeyCommand",
    "UIViewPropertyAnimator", "UIContextMenuConfiguration",
  ]

  /// Methods of views and their controllers that call their closures on the main queue.
  static let mainCompletions: Set<Name> = [
    "present", "dismiss", "animate", "animateKeyframes", "transition", "performBatchUpdates",
    "presentAsSheet", "beginSheet", "beginSheetModal",
  ]

  /// Operators of publishers that hand on what they get.
  static let passingOperators: Set<Name> = [
    "receive", "subscribe", "removeDuplicates", "filter", "debounce", "throttle", "share",
    "eraseToAnyPublisher", "dropFirst", "first", "print", "sink", "compactMap", "handleEvents",
  ]

  /// Operators of publishers that hand on what they get where they get it.
  static let synchronousOperators: Set<Name> = [
    "map", "tryMap", "compactMap", "tryCompactMap", "filter", "tryFilter", "removeDuplicates",
    "dropFirst", "first", "last", "share", "print", "handleEvents", "decode", "encode", "mapError",
    "setFailureType", "replaceNil", "scan", "eraseToAnyPublisher", "assertNoFailure", "drop",
    "prefix", "sink", "breakpoint", "ignoreOutput", "multicast", "autoconnect", "replaceEmpty",
    "replaceError", "tryScan", "collect", "count", "allSatisfy", "contains", "reduce", "assign",
  ]

  /// Publishers that hand on what they have where somebody subscribes to them.
  static let immediatePublishers: [Name] = ["Just", "Fail", "Empty"]

  /// Operators that go on with the publisher which their closure makes.
  static let replacingOperators: Set<Name> = ["flatMap", "catch", "tryCatch"]

  /// Operators that call their closure for each value.
  static let closureOperators: Set<Name> = [
    "map", "tryMap", "compactMap", "tryCompactMap", "filter", "tryFilter", "removeDuplicates",
    "flatMap", "scan", "handleEvents", "sink", "drop", "prefix", "first", "last",
    // RxSwift's.
    "subscribe", "bind", "do", "flatMapLatest",
  ]

  /// Types from elsewhere that hand on values.
  static let publisherTypes: [Name] = [
    "PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "ObservableObjectPublisher",
    "Future",
  ]

  /// Notifications that Core Data posts on queues of its own.
  static let backgroundNotifications: Set<Name> = [
    "NSPersistentStoreRemoteChange", "NSPersistentStoreRemoteChangeNotification",
  ]

  /// Notifications that a context posts where it is changed or saved.
  static let contextNotifications: Set<Name> = [
    "NSManagedObjectContextDidSave", "NSManagedObjectContextWillSave",
    "NSManagedObjectContextObjectsDidChange", "NSManagedObjectContextDidSaveNotification",
    "NSManagedObjectContextWillSaveNotification", "didSaveObjectsNotification",
    "NSManagedObjectContextObjectsDidChangeNotification", "willSaveObjectsNotification",
    "didChangeObjectsNotification", "didSaveObjectIDsNotification",
  ]

  /// Types from elsewhere that post their notifications on the main queue.
  static let mainNotificationPosters: Set<Name> = [
    "UIApplication", "UIScene", "NSApplication", "WKApplication", "WKExtension",
  ]

  /// Methods of a Core Data context that run a closure on the context's queue.
  package static let performMethods: Set<Name> = [
    "perform", "performAndWait", "performBackgroundTask", "performAsync", "schedule",
  ]

  /// Calls that hand a closure a task group, to which `addTask` belongs.
  static let taskGroupCalls: Set<Name> = [
    "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
    "withThrowingDiscardingTaskGroup",
  ]

  /// Calls in a package's manifest that declare a target of code.
  static let packageTargets: Set<Name> = ["target", "executableTarget", "testTarget"]

  /// Labels in manifests of what doesn't belong to a target.
  static let leftOutLabels: Set<Name> = ["exclude", "excluding"]

  /// Task groups.
  static let taskGroupTypes: Set<Name> = [
    "TaskGroup", "ThrowingTaskGroup", "DiscardingTaskGroup", "ThrowingDiscardingTaskGroup",
  ]

  /// Methods of a queue that run a closure later.
  static let queueMethods: Set<Name> = ["async", "asyncAfter"]
  /// Methods of an operation queue that run a closure later.
  static let operationMethods: Set<Name> = ["addOperation", "addBarrierBlock"]
  /// Methods that add a closure to a task group.
  static let groupMethods: Set<Name> = ["addTask", "addTaskUnlessCancelled", "async"]

  /// The names of all calls that may run a closure elsewhere.
  static let crossingCalls: Set<Name> =
    queueMethods.union(operationMethods).union(groupMethods).union([
      "Task", "init", "detached", "run", "immediateDetached",
    ]).union(FirstDispatch.calls)

  /// Methods of `Task` that keep no actor.
  static let detachingMethods: Set<Name> = ["detached", "immediateDetached"]

  /// Calls that make a new context.
  static let contextMakers: Set<Name> = [
    "ModelContext", "NSManagedObjectContext", "newBackgroundContext",
  ]

  /// What the frameworks call contexts, realms and what gives them.
  static let boundValues: Set<Name> = [
    "ModelContext", "NSManagedObjectContext", "Realm", "PersistentModel", "NSManagedObject",
    "modelContext", "mainContext", "viewContext", "newBackgroundContext", "managedObjectContext",
    "performBackgroundTask", "modelExecutor", "registeredModel", "existingObject",
  ]

  /// The classes from elsewhere that managed objects inherit from.
  static let objectBases: Set<Name> = ["NSManagedObject", "NSObject"]

  /// Properties of models and contexts that any thread may read.
  static let threadSafeMembers: Set<Name> = [
    "objectID", "persistentModelID", "managedObjectContext", "container",
    "persistentStoreCoordinator",
    "concurrencyType",
  ]

  /// Properties that set a context up before it is used.
  static let contextSettings: Set<Name> = [
    "name", "transactionAuthor", "mergePolicy", "automaticallyMergesChangesFromParent", "parent",
    "parentContext",
    "undoManager", "autosaveEnabled", "retainsRegisteredObjects", "stalenessInterval",
    "shouldDeleteInaccessibleFaults", "userInfo", "author",
  ]

  /// The properties that identify an object in its store.
  static let identifiers: Set<Name> = ["persistentModelID", "objectID"]

  /// Types from elsewhere that hand on values of their first argument's type.
  static let carriers: Set<Name> = [
    "Result", "AsyncStream", "AsyncThrowingStream", "Task", "UnsafeContinuation",
    "CheckedContinuation",
  ]

  /// Methods of collections that keep their argument.
  static let insertingMethods: Set<Name> = ["append", "insert"]

  /// Methods that only write a message.
  static let loggingMethods: Set<Name> = [
    "print", "debug", "info", "notice", "warning", "error", "log", "trace", "fault", "critical",
  ]

  /// Whether the name of a function says that it saves.
  static func saysSave(_ name: String) -> Bool {
    name == "transaction"
      || name.camelWords.contains { ["save", "saves", "commit", "persist"].contains($0) }
  }

  /// Functions from elsewhere that read what they are given.
  static let readingFunctions: Set<Name> = ["print", "debugPrint", "dump", "encode", "String"]

  /// Methods of a Core Data context that give objects of it.
  static let contextGivers: Set<Name> = [
    "fetch", "existingObject", "object", "registeredObject",
  ]

  /// Labels under which an initializer of a managed object gets its context.
  static let contextLabels: Set<Name> = [
    "context", "insertInto", "insertIntoManagedObjectContext", "managedObjectContext", "moc", "in",
  ]

  /// Functions that wait for `resume(returning:)`.
  static let continuationCalls: Set<Name> = [
    "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
    "withUnsafeThrowingContinuation",
  ]

  /// Property wrappers that fetch from the view's context.
  static let fetchWrappers: Set<Name> = ["FetchRequest", "SectionedFetchRequest"]

  /// Views that make one of each element.
  static let listViews: Set<Name> = ["ForEach", "List", "Table"]

  /// What may be asked of a context by its own name in an extension of it.
  static let contextState: Set<Name> = [
    "hasChanges", "insertedObjects", "updatedObjects", "deletedObjects", "registeredObjects",
    contextNotes,
  ]

  /// What code keeps in a context for itself: no setting, but guarded by the context's queue.
  static let contextNotes: Name = "userInfo"
}
