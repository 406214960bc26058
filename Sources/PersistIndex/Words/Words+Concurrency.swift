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

  /// Operators of publishers that hand on what they get.
  static let passingOperators: Set<Name> = [
    "receive", "subscribe", "removeDuplicates", "filter", "debounce", "throttle", "share",
    "eraseToAnyPublisher", "dropFirst", "first", "print", "sink", "compactMap", "handleEvents",
  ]

  /// Publishers that hand on what they have where somebody subscribes to them.
  static let immediatePublishers: [Name] = ["Just", "Fail", "Empty"]

  /// Types from elsewhere that hand on values.
  static let publisherTypes: [Name] = [
    "PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "ObservableObjectPublisher",
    "Future",
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
}
