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
  static let nonisolatedTypes: Set<Name> = intentTypes.union([
    "ObservableObject", "Observable", "NSObject", "NSObjectProtocol", "Sendable", "Codable",
    "Encodable", "Decodable", "Hashable", "Equatable", "Identifiable", "Comparable", "Error",
    "LocalizedError", "CaseIterable", "CustomStringConvertible", "CustomDebugStringConvertible",
    "RawRepresentable", "String", "Int", "AnyObject", "AppEntity", "TimelineProvider",
    "IntentTimelineProvider", "AppIntentTimelineProvider", "NSManagedObject",
    "PersistentModel", "NSPersistentContainer", "NSPersistentCloudKitContainer",
    "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
    "URLSessionDownloadDelegate", "WCSessionDelegate", "XMLParserDelegate", "NSCopying",
    "NSSecureCoding", "NSCoding", "AsyncSequence", "Sequence", "OptionSet", "CKSyncEngineDelegate",
    "CLLocationManagerDelegate", "VersionedSchema", "SchemaMigrationPlan", "Operation", "Any",
    "NSFetchedResultsControllerDelegate", "AnyClass", "CVarArg", "ExpressibleByStringLiteral",
  ])

  /// Property wrappers that only views use.
  static let viewWrappers: Set<Name> = [
    "State", "StateObject", "ObservedObject", "EnvironmentObject", "Environment", "Query",
    "FetchRequest", "SectionedFetchRequest", "Bindable", "Binding", "FocusState", "GestureState",
    "SceneStorage",
  ]

  /// Methods that call their closure at once, where they are called themselves.
  package static let immediateMethods: Set<Name> =
    elementMethods.union(pairMethods).union(sameElementMethods).union([
      "reduce", "withLock", "withAnimation", "withUnsafePointer", "autoreleasepool", "sync",
      "transaction", "enumerate", "ForEach", "Group", "List", "assumeIsolated", "mapValues",
      "compactMapValues", "withTransaction", "withObservationTracking", "sum", "joined", "with",
      "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
      "withThrowingDiscardingTaskGroup", "withCheckedContinuation", "Dictionary",
      "withCheckedThrowingContinuation", "withUnsafeContinuation",
      "withUnsafeThrowingContinuation", "withTaskCancellationHandler", "Result", "AsyncStream",
      "AsyncThrowingStream",
    ])

  /// Operators of publishers that hand on what they get.
  static let passingOperators: Set<Name> = [
    "receive", "subscribe", "removeDuplicates", "filter", "debounce", "throttle", "share",
    "eraseToAnyPublisher", "dropFirst", "first", "print", "sink", "compactMap", "handleEvents",
  ]

  /// Types from elsewhere that hand on values.
  static let publisherTypes: [Name] = [
    "PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "ObservableObjectPublisher",
    "Future",
  ]

  /// Methods of a Core Data context that run a closure on the context's queue.
  package static let performMethods: Set<Name> = [
    "perform", "performAndWait", "performBackgroundTask", "performAsync", "schedule",
  ]

  /// Calls in a package's manifest that declare a target of code.
  static let packageTargets: Set<Name> = ["target", "executableTarget", "testTarget"]

  /// Labels in manifests of what doesn't belong to a target.
  static let leftOutLabels: Set<Name> = ["exclude", "excluding"]

  /// Methods of dispatch and operation queues that run a closure later.
  static let queueMethods: Set<Name> = ["async", "asyncAfter", "addOperation", "addBarrierBlock"]

  /// Methods that add a closure to a task group.
  static let groupMethods: Set<Name> = ["addTask", "addTaskUnlessCancelled"]

  /// The functions that gave a queue before Swift 3.
  static let firstQueues: Set<Name> = ["dispatch_get_main_queue", "dispatch_get_global_queue"]

  /// Methods of `Task` that keep no actor.
  static let detachingMethods: Set<Name> = ["detached", "immediateDetached"]

  /// The classes from elsewhere that managed objects inherit from.
  static let objectBases: Set<Name> = ["NSManagedObject", "NSObject"]

  /// Properties of models and contexts that any thread may read.
  package static let threadSafeMembers: Set<Name> = [
    "objectID", "persistentModelID", "managedObjectContext", "container",
    "persistentStoreCoordinator",
    "concurrencyType",
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
  package static func saysSave(_ name: String) -> Bool {
    name == "transaction"
      || name.camelWords.contains { ["save", "saves", "commit", "persist"].contains($0) }
  }

  /// Wrappers of views' properties through which objects of a store are shown or made.
  package static let dataWrappers: Set<Name> = [
    "FetchRequest", "SectionedFetchRequest", "Query", "Bindable", "ObservedResults",
    "ObservedRealmObject", "StateRealmObject",
  ]
}
