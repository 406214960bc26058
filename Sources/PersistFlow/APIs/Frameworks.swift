import PersistIndex

/// What is known of frameworks besides rows: names here, in no other place.
enum Frameworks {
  /// The calls whose first argument has the method that a selector names, and the labels of such an
  /// argument elsewhere.
  static let targetTakers: Set<Name> = ["addObserver", "addTarget"]
  static let targetLabels: Set<Name> = ["target"]

  /// Methods of the standard library that change the collection or value they are called on.
  static let mutatingMethods: Set<Name> = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue",
    "removeSubrange", "updateValue", "popFirst", "popLast", "merge", "formUnion", "subtract",
    "formIntersection", "sort", "reverse", "swapAt", "shuffle", "take", "toggle", "replaceSubrange",
    "update",
  ]

  /// Those that a list of a realm doesn't have: they were methods that return a new array once.
  static let orderingMethods: Set<Name> = ["sort", "reverse", "shuffle"]

  /// Methods of a realm, and of what refers to an object of another thread.
  static let methodsOfRealms: Set<Name> = [
    "objects", "object", "add", "create", "delete", "deleteAll", "resolve",
  ]

  /// Members that one type of the frameworks has and no other, so that they tell what an unknown
  /// receiver is.
  static let tellingMembers: [Name: Name] = [
    "newBackgroundContext": "NSPersistentContainer", "viewContext": "NSPersistentContainer",
    "performBackgroundTask": "NSPersistentContainer",
  ]

  /// Names that lead to a context or realm.
  static let namesOfOwners: Set<Name> = [
    "viewContext", "newBackgroundContext", "performBackgroundTask", "NSManagedObjectContext",
    "mainContext", "ModelContext", "modelContext", "Realm", "managedObjectContext", "asyncOpen",
    "NSFetchedResultsController", "insertNewObject", "thaw", "freeze",
  ]

  /// Names of what runs code elsewhere, and the modifier that does so.
  static let namesOfCrossings: Set<Name> = [
    "detached", "immediateDetached", "addTask", "addTaskUnlessCancelled", "Task", "global",
    "DispatchQueue", "addOperation", "async", "asyncAfter", "concurrentPerform",
  ]

  /// The modifier of a variable whose value a child task makes.
  static let childTask: Name = "async"

  /// Names by which code looks on which thread or queue it runs.
  static let threadQuestions: Set<Name> = [
    "isMainThread", "dispatchPrecondition", "preconditionIsolated", "assertIsolated",
  ]

  /// Names that let go on what waits for them.
  static let namesOfSignals: [Name] = ["signal", "leave"]
  static let nameOfWait: Name = "wait"

  /// Types of what threads wait for.
  static let signalTypes: Set<Name> = ["DispatchSemaphore", "DispatchGroup"]

  /// Protocols all of whose requirements are called on main.
  static let mainEntries: Set<Name> = [
    "View", "App", "Scene", "UIApplicationDelegate", "NSApplicationDelegate",
    "UIWindowSceneDelegate", "UISceneDelegate", "UITableViewDataSource", "UITableViewDelegate",
  ]

  /// Methods of classes of the main actor that are called where something changes.
  static let entriesOnAnyThread: Set<Name> = ["observeValue"]

  static let posting: Name = "post"
  static let observing: Name = "addObserver"

  /// The property of a notification that says who posts it.
  static let poster: Name = "object"

  /// Types of queues.
  static let dispatchQueue: Name = "DispatchQueue"
  static let mapsOfOptionals: Set<Name> = ["map", "flatMap"]
  static let outcomeValue: Name = "get"
  static let valuesForKeys: Set<Name> = ["value", "primitiveValue"]
  static let success: Name = "success"
  static let failure: Name = "failure"
  static let operation: Name = "Operation"
  static let operationMain: Name = "main"
  static let keyPathLabel: Name = "keyPath"
  static let dynamicMember: Name = "dynamicMember"
  static let callAsFunction: Name = "callAsFunction"
  static let operationQueue: Name = "OperationQueue"
  static let queues: [Name] = [dispatchQueue, operationQueue]

  /// The main queue as a type of its own.
  static let mainQueue: Name = "MainQueue"

  /// The function that gives a queue of the system.
  static let globalQueue: Name = "global"

  /// The variable of the environment that is set in previews alone.
  static let variableOfPreviews: Name = "\"XCODE_RUNNING_FOR_PREVIEWS\""

  /// The literals that decide a condition.
  static let truths: Set<Name> = ["true", "false"]

  /// What lets some time pass.
  static let sleeping: Name = "sleep"
  /// How many of a unit make a second.
  static let partsOfSecond: [Name: Double] = [
    "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9,
  ]

  /// Labels of a wait that ends by itself.
  static let timeLimits: Set<Name> = ["timeout", "wallTimeout"]

  /// Property wrappers that code makes with the value that they hold.
  static let wrappersOfValues: Set<Name> = [
    "State", "StateObject", "ObservedObject", "Bindable", "Binding", "Published",
  ]

  /// Property wrappers that hold a context or its objects.
  static let wrappersOfOwners: Set<Name> = [
    "FetchRequest", "SectionedFetchRequest", "Query", "ObservedResults",
    "ObservedSectionedResults", "ObservedRealmObject", "StateRealmObject",
  ]

  /// The classes of Core Data's objects and contexts.
  static let managedObject: Name = "NSManagedObject"
  static let managedContext: Name = "NSManagedObjectContext"

  /// The macro that makes a class one of SwiftData's models.
  static let modelMacro: Name = "Model"

  /// The macro or protocol of actors that have a context of their own.
  static let modelActor: Name = "ModelActor"

  /// With this property an actor says where it runs.
  static let executorOfActor: Name = "unownedExecutor"

  /// How an initializer is called by name.
  static let initializerName: Name = "init"

  /// The dispatch queue that an operation queue runs its work on.
  static let underlyingQueue: Name = "underlyingQueue"

  /// Methods that add their argument to a collection.
  static let addingMethods: Set<Name> = ["append", "insert", "updateValue"]

  /// How the methods begin that Core Data makes to add to a relationship.
  static let addingPrefix = "addTo"

  /// What takes the first or last element of a list.
  static let endsOfLists: Set<Name> = ["first", "last"]
  static let beginningOfLists: Name = "first"
  static let beginningOfIndices: Name = "startIndex"
  static let countingOperators: Set<Name> = ["+", "-"]
  static let rangeOperators: Set<Name> = ["..<", "..."]

  /// The method that asks whether all elements meet a condition.
  static let comparingAll: Name = "allSatisfy"

  /// The method that leaves out what doesn't meet a condition.
  static let choosing: Name = "filter"

  /// Methods that take it out of the list.
  static let takersOfEnds: Set<Name> = ["removeFirst", "removeLast", "popFirst", "popLast"]

  /// Methods that give some elements by their position.
  static let partsOfLists: Set<Name> = ["prefix", "suffix", "dropFirst", "dropLast"]

  /// What gives the elements, or something of each, in the order of the list.
  static let sameOrder: Set<Name> = ["filter", "map", "compactMap", "lazy", "reversed"]

  /// The method that takes an element out of a list by its index.
  static let removal: Name = "remove"

  /// Methods that delete an object or a file.
  static let deletions: Set<Name> = ["delete", "removeItem", "deleteRecord", "deleteObject"]

  /// All cases of an enum in an array.
  static let allCases: Name = "allCases"

  /// Methods of contexts that change what is stored.
  static let changesOfStores: [Name] = ["insert", "delete", "save"]
  /// What a widget shows, and what gives it that.
  static let widgets: [Name] = [
    "Widget", "WidgetBundle", "TimelineProvider", "AppIntentTimelineProvider",
    "IntentTimelineProvider",
  ]

  /// The method of a context that deletes an object.
  static let deletion: Name = "delete"

  /// Methods behind which a write transaction is open.
  static let transactionBegins: Set<Name> = ["beginWrite", "beginAsyncWrite", "writeAsync"]

  /// The property that tells whether a write transaction is open.
  static let transactionState: Name = "isInWriteTransaction"

  /// The property wrapper of what Realm keeps.
  static let persistedWrapper: Name = "Persisted"

  /// Lists that belong to the owner of their objects.
  static let ownedLists: Set<Name> = ["Results", "List", lazyView]

  /// What `map` makes of a list of a realm.
  static let lazyView: Name = "LazyMapSequence"

  /// A realm, and the configuration of those that are opened without one.
  static let realm: Name = "Realm"

  /// What a realm has found, as it is now.
  static let results: Name = "Results"
  static let defaultConfiguration: Name = "defaultConfiguration"

  /// What a configuration says of the migration.
  static let migrationSettings: Set<Name> = ["schemaVersion", migration]
  static let migration: Name = "migrationBlock"

  /// Wrappers whose initial value is made when a view is shown first.
  static let lateWrappers: Set<Name> = ["StateObject"]

  /// What the system makes at launch and tells of it.
  static let appDelegates: [Name] = ["UIApplicationDelegate", "NSApplicationDelegate"]
  static let delegateAdaptors: Set<Name> = [
    "UIApplicationDelegateAdaptor", "NSApplicationDelegateAdaptor",
  ]

  /// The methods of a delegate that are called first, in this order, by name and a label.
  static let launchMethods: [(name: Name, label: Name)] = [
    ("application", "willFinishLaunchingWithOptions"), ("applicationWillFinishLaunching", .none),
    ("application", "didFinishLaunchingWithOptions"), ("applicationDidFinishLaunching", .none),
  ]

  /// Functions that don't return.
  static let endingFunctions: Set<Name> = [
    "fatalError", "preconditionFailure", "exit", "abort", "_exit", "dispatchMain",
  ]

  /// The types whose rows a type has as well.
  static let supertypes: [Name: [Name]] = [
    "NSPersistentCloudKitContainer": ["NSPersistentContainer"],
    "Set": ["Array"], "Slice": ["Array"], "ArraySlice": ["Array"], "Results": ["Array"],
    "LazyMapSequence": ["Array"],
    "Single": ["Observable"], "Maybe": ["Observable"], "Infallible": ["Observable"],
    "PublishSubject": ["Observable"], "BehaviorSubject": ["Observable"],
    "PublishRelay": ["Observable"], "BehaviorRelay": ["Observable"],
    "List": ["Array"], "FetchedResults": ["Array"], "LinkingObjects": ["Array"],
    "NSSet": ["Array"], "NSOrderedSet": ["Array"],
    "CurrentValueSubject": ["PassthroughSubject"],
    "AsyncThrowingStream": ["AsyncStream"],
    "PassthroughSubject": ["Publisher"], "AnyPublisher": ["Publisher"], "Just": ["Publisher"],
    "NSBatchDeleteRequest": ["NSPersistentStoreRequest"],
    "Thread": ["Operation"], "BlockOperation": ["Operation"],
    "DispatchSourceTimer": ["DispatchSource"], "DispatchSourceProtocol": ["DispatchSource"],
    "DatabaseQueue": ["DatabaseWriter"], "DatabasePool": ["DatabaseWriter"],
    "DatabaseReader": ["DatabaseWriter"],
    "CKModifyRecordsOperation": ["CKOperation"], "CKFetchRecordsOperation": ["CKOperation"],
    "CKQueryOperation": ["CKOperation"], "CKFetchRecordZoneChangesOperation": ["CKOperation"],
    "CKFetchDatabaseChangesOperation": ["CKOperation"],
  ]

  static let containerTypes: Set<Name> = containers.union([modelContainer])
  /// Types of which an instance says nothing more than that it is one.
  static let statelessTypes: Set<Name> = [
    "NSPersistentContainer", "NSPersistentCloudKitContainer", "ModelContainer", "OperationQueue",
    "URLSession", "NotificationCenter", "NSPersistentStoreCoordinator", "TaskGroup",
    "ThrowingTaskGroup", "DiscardingTaskGroup", "FileManager", "UserDefaults",
    "NSBatchDeleteRequest", "NSBatchUpdateRequest",
  ]

  /// Types whose values are plain data.
  static let plainTypes = dataTypes.union(["Bool", "NSManagedObjectID", "PersistentIdentifier"])

  /// Those of which no value decides where code goes or which object it finds.
  static let dataTypes: Set<Name> = [
    "String", "Int", "Double", "Float", "Date", "UUID", "URL", "Data", "Int64", "Int32", "Int16",
    "TimeInterval", "Decimal", "Character",
  ]

  /// Property wrappers that fetch from the view's context.
  static let fetchWrappers: [Name: Owner.Framework] = [
    "FetchRequest": .coreData, "SectionedFetchRequest": .coreData, "Query": .swiftData,
    "ObservedResults": .realm, "ObservedSectionedResults": .realm,
  ]

  /// Contexts in SwiftUI's environment.
  static let environmentContexts: [Name: Owner.Framework] = [
    "managedObjectContext": .coreData, "modelContext": .swiftData, "realm": .realm,
  ]

  /// What frameworks call on threads of their own, by the protocol that asks for it.
  static let backgroundEntries: [Name: Set<Name>] = [
    "WCSessionDelegate": [
      "session", "sessionDidBecomeInactive", "sessionDidDeactivate", "sessionReachabilityDidChange",
      "sessionWatchStateDidChange", "sessionCompanionAppInstalledDidChange",
    ],
    "TimelineProvider": ["getSnapshot", "getTimeline"],
    "IntentTimelineProvider": ["getSnapshot", "getTimeline"],
  ]

  /// Properties of an object that are its context.
  static let contextProperties: Set<Name> = ["managedObjectContext", "modelContext", "realm"]

  /// The properties of a model actor that are its context, and what runs its code.
  static let actorContext: Name = "modelContext"
  static let actorExecutor: Name = "modelExecutor"

  /// Members of objects and contexts that any thread may ask for.
  static let safeMembers: Set<Name> = [
    "objectID", "persistentModelID", "isFrozen", "isInvalidated", "entity", "hash",
    "persistentStoreCoordinator", "concurrencyType", "container", "hasPersistentChangedValues",
  ]

  /// Members by which code looks whether an object is still there.
  static let looks: Set<Name> = [
    "modelContext", "managedObjectContext", "isFault", "isInvalidated", "realm",
  ]

  /// The identifier of an object under the name that SwiftUI asks for.
  static let identity: Name = "id"

  /// Properties of an object that find it again.
  static let identifiers: Set<Name> = ["persistentModelID", "objectID", "id"]

  /// Functions that wait for the tasks of a closure.
  static let taskGroups: Set<Name> = [
    "withDiscardingTaskGroup", "withTaskGroup", "withThrowingDiscardingTaskGroup",
    "withThrowingTaskGroup",
  ]

  /// Calls that wait for the process itself.
  static let quickCalls: Set<Name> = [
    "yield", "run", "perform", "save", "fetch", "withTaskGroup", "withThrowingTaskGroup",
    "withDiscardingTaskGroup", "checkCancellation", "print", "String", "map", "filter",
  ]

  /// Calls that ask or change a store.
  static let storeCalls: Set<Name> = ["fetch", "insert", "delete", "save", "fetchCount"]

  /// Methods of contexts that search for objects.
  static let finders: Set<Name> = ["fetch", "fetchCount", "registeredModel", "existingObject"]

  /// Calls that run a closure when some time has passed.
  static let timers: Set<Name> = ["asyncAfter", "dispatch_after", "scheduledTimer"]

  /// Calls that run a closure after a wait.
  static let delays: Set<Name> = [
    "asyncAfter", "dataTask", "downloadTask", "scheduledTimer", "uploadTask", "UIAlertAction",
    "UIAction", "UIContextualAction", "responseData", "responseDecodable", "responseJSON",
    "responseString",
  ]

  /// Those that run one when a person answers an alert, which keeps all other actions away.
  static let alertActions: Set<Name> = ["UIAlertAction"]

  /// Those that run one after an answer from elsewhere, or when somebody asks.
  static let answers: Set<Name> = [
    "dispatch_after", "addObserver",
  ]

  /// Labels of closures that run when something else has ended.
  static let callbackLabels: Set<Name> = [
    "completion", "completionHandler", "completionBlock", "handler", "onCompletion", "onSuccess",
    "onFailure", "onError", "success", "failure", "callback",
  ]

  /// Promises, and their methods that take what runs then.
  static let promises: [Name] = ["Promise", "Guarantee"]
  static let promiseMethods: Set<Name> = [
    "then", "done", "map", "flatMap", "compactMap", "ensure", "finally", "always", "recover", "get",
    "tap", "catch",
  ]

  /// Collections of Realm's objects.
  static let realmLists: Set<Name> = [
    "List", "Results", "LinkingObjects", "MutableSet", "AnyRealmCollection",
  ]

  /// Calls that delete objects.
  static let objectDeletions: Set<Name> = ["delete", "deleteAll", "reset"]

  /// The method that runs a closure for each element.
  static let forEach: Name = "forEach"

  /// The property of a context that says whether there is something to save.
  static let hasChanges: Name = "hasChanges"

  /// The properties of a context that hold its parent, and its merge policy.
  static let parentOfContext: Name = "parent"
  /// The method by which a context is set up to read one state of the store.
  static let pinning: Name = "setQueryGenerationFrom"
  static let mergePolicy: Name = "mergePolicy"
  /// The property that lets a context save by itself.
  static let autosaving: Name = "autosaveEnabled"
  /// The property of a context that is what it saves to.
  static let coordinator: Name = "persistentStoreCoordinator"
  static let settingsOfContext: Set<Name> = [parentOfContext, mergePolicy, autosaving, coordinator]

  /// What makes a type a property wrapper, and what that hands out.
  static let propertyWrapper: Name = "propertyWrapper"
  static let wrappedValue: Name = "wrappedValue"

  /// The methods that put something into the environment of views.
  static let environment: Set<Name> = ["environment", "modelContext", storeOfViews]
  /// The modifier by which views get a store, which their queries read.
  static let storeOfViews: Name = "modelContainer"

  /// How the methods begin that a data model generates for a relationship.
  static let generatedAccessors = ["addTo", "removeFrom", "insertInto", "replace"]

  /// The method of a context that saves.
  static let saving: Name = "save"

  /// The methods that get objects out of a context's store.
  static let gettingMethods: Set<Name> = [
    "fetch", "execute", "object", "existingObject", "registeredObject", "performFetch", "count",
  ]

  /// Methods that leave a part of a collection.
  static let choosingMethods: Set<Name> = [
    "filter", "prefix", "suffix", "drop", "dropFirst", "dropLast", "where", "subtracting",
    "intersection", "distinct",
  ]

  static let persistentModel: Name = "PersistentModel"

  /// The framework whose models have a type in common.
  static func framework(ofObject type: Name) -> Owner.Framework? {
    switch type {
    case managedObject: .coreData
    case persistentModel: .swiftData
    case "Object", "EmbeddedObject", "RealmSwiftObject": .realm
    default: nil
    }
  }

  /// The framework whose objects a context keeps.
  static func framework(ofContext type: Name) -> Owner.Framework? {
    switch type {
    case "NSManagedObjectContext": .coreData
    case "ModelContext": .swiftData
    case "Realm": .realm
    default: nil
    }
  }

  /// The attribute of a global actor, and the member by which one says where it runs.
  static let globalActorAttribute: Name = "globalActor"
  static let sharedExecutorOfActor: Name = "sharedUnownedExecutor"

  /// The contexts of Core Data and SwiftData.
  static let contextTypes: Set<Name> = ["NSManagedObjectContext", "ModelContext", "Realm"]

  /// What a context holds of its objects.
  static let contextState: Set<Name> = [
    "hasChanges", "insertedObjects", "updatedObjects", "deletedObjects", "registeredObjects",
    "insertedModelsArray", "changedModelsArray", "deletedModelsArray",
  ]

  /// Members that may say that nothing is to be saved.
  static let questionsOfSaves = contextState.union(["isCancelled", "isExpired"])

  /// The queue of a context by its concurrency type.
  static let queueTypes: [Name: Owner.Home] = [
    "mainQueueConcurrencyType": .main, "privateQueueConcurrencyType": .own, "mainQueue": .main,
    "privateQueue": .own,
  ]

  /// The type whose rows a framework's object has.
  static func type(of origin: Origin) -> Name? {
    switch origin {
    case .external(let name), .holder(let name, _, _): name
    case .collection: "Array"
    case .dictionary: "Dictionary"
    case .queue: "DispatchQueue"
    case .owner(let owner): typeName(of: owner)
    case .managed(let owner): typeName(ofObject: owner.framework)
    case .token(let token): typeName(ofObject: token.framework)
    case .gone(let end): typeName(ofObject: end.framework)
    default: nil
    }
  }

  private static func typeName(ofObject framework: Owner.Framework) -> Name {
    switch framework {
    case .coreData: "NSManagedObject"
    case .swiftData: "PersistentModel"
    case .realm: "Object"
    }
  }

  static func typeName(of owner: Owner) -> Name {
    switch owner.framework {
    case .coreData: "NSManagedObjectContext"
    case .swiftData: "ModelContext"
    case .realm: "Realm"
    }
  }
}
