import PersistIndex
import PersistSyntax

// MARK: - What deletes objects that other code may hold

extension Frameworks {
  static let batchDeletion: Name = "NSBatchDeleteRequest"
  /// The method that sets a property by its name.
  static let settingByKey: Name = "setValue"
  /// Macros whose closures are queries.
  static let queryMacros: Set<Name> = ["Predicate", "Expression"]
  static let comparisons: Set<Name> = ["==", "!=", "<", ">", "<=", ">="]

  /// Requests that change the store past all contexts.
  static let batchRequests: Set<Name> = [
    batchDeletion, "NSBatchUpdateRequest", "NSBatchInsertRequest",
  ]
  static let reset: Name = "reset"
  static let modelContainer: Name = "ModelContainer"

  /// Calls that delete objects, or what holds them.
  static let removals: Set<Name> = [
    deletion, batchDeletion, reset, modelContainer, forEach, "deleteAllData", "erase",
  ]

  /// The labels of `delete(model:where:)`.
  static let deletedModel: Name = "model"
  static let deletionFilter: Name = "where"
  /// The label of what a batch deletes.
  static let batchRequest: Name = "fetchRequest"

  /// The method of a context that hands out objects, and what makes its requests.
  static let fetch: Name = "fetch"
  /// The method of a realm that hands out all objects of a class.
  static let objects: Name = "objects"
  static let requests: Set<Name> = ["FetchDescriptor", "NSFetchRequest", madeRequest]
  /// The method of a class that makes a request for its objects.
  static let madeRequest: Name = "fetchRequest"
  /// The label of the name for whose objects a request asks, and all entities of a model.
  static let entityName: Name = "entityName"
  static let entities: Name = "entities"
  /// Arguments and properties by which a request asks for some objects alone.
  static let filterLabels: Set<Name> = ["filter", "predicate"]
  static let narrowing: Set<Name> = ["predicate", "fetchLimit", "fetchOffset"]

  /// Methods that put something more into a list.
  static let growingMethods: Set<Name> = ["append", "insert", "formUnion", "updateValue"]
  /// The method that takes all out of it.
  static let emptying: Name = "removeAll"

  /// Contexts of which a container has one.
  static let mainContexts: Set<Name> = ["viewContext", "mainContext"]

  /// Types whose values may be any object.
  static let anything: Set<Name> = ["Any", "AnyObject", "NSObject"]

  /// The member by which a type is a value.
  static let itself: Name = "self"

  /// Views that keep several screens at once.
  static let screensBeside: Set<Name> = ["TabView", "NavigationSplitView"]

  /// What begins an app, and what all of its screens are.
  static let roots: Set<Name> = ["App", "Scene"]
  static let view: Name = "View"
  static let bodyOfViews: Name = "body"
  /// Classes of controllers of screens, what these do once, and each time that the screen is shown.
  static let controllers: Set<Name> = [
    "UIViewController", "NSViewController", "UITableViewController", "UICollectionViewController",
  ]
  static let loading: Name = "viewDidLoad"
  static let appearing: Set<Name> = [
    "viewWillAppear", "viewDidAppear", "viewIsAppearing", "viewWillLayoutSubviews",
  ]
  /// The controller that keeps several screens at once, and what it gets them by.
  static let tabController: Name = "UITabBarController"
  static let screensOfTabs: Set<Name> = ["viewControllers", "setViewControllers"]
  /// What takes the screens of an app away for others.
  static let screenChanges: Set<Name> = [
    "rootViewController", "contentViewController", "popToRootViewController",
    "setViewControllers", "viewControllers",
  ]
  /// Views and methods that open another screen over the one that calls them.
  static let links: Set<Name> = ["NavigationLink", "navigationDestination"]
  /// Wrappers by which a view shares an object with others.
  static let sharingWrappers: Set<Name> = ["Environment", "EnvironmentObject"]

  /// Methods of views whose closures run when something happens.
  static let events: Set<Name> = [
    "onAppear", "onDisappear", "task", "onChange", "onReceive", "onSubmit",
  ]
  /// Methods of SwiftData's contexts that get a model, or a request for one.
  static let callsWithModels: [Name] = [
    "enumerate", "fetch", "fetchCount", "fetchIdentifiers", "insert",
  ]
  /// What runs code beside the code around it.
  static let taskType: Name = "Task"
  /// What begins child tasks, and hands out what these return.
  static let taskGroup: Name = "TaskGroup"
  /// Methods of views that compare what they get with what they got before.
  static let comparing: Set<Name> = ["onChange", "task", "animation", "id"]
  /// The argument by which views get what is selected, and compare it with what they show.
  static let selection: Name = "selection"
  /// Methods of lists that ask for each element and hand out none.
  static let askingMethods: Set<Name> = ["contains", "allSatisfy", "firstIndex", "forEach"]

  /// Methods by which code hears of what others tell.
  static let hearing: Set<Name> = [
    "onReceive", "addObserver", "notifications", "publisher", "sink",
  ]
  static let publishing: Name = "publisher"
  static let waitingForNotifications: Name = "notifications"
  /// The labels by which observers are told the name of a notification.
  static let namesHeard: Set<Name> = ["for", "forName", "name", "named"]
  static let subscribing: Set<Name> = ["onReceive", "sink"]
  /// Operators of publishers that hand on what they get at once.
  static let passingAtOnce: Set<Name> = [
    "dropFirst", "removeDuplicates", "map", "compactMap", "filter", "handleEvents",
    "eraseToAnyPublisher",
  ]

  /// Methods that tell others of something.
  static let telling: Set<Name> = [posting, "send"]

  /// Members of a list that ask none of its objects for anything.
  static let countingMembers: Set<Name> = ["isEmpty", "count"]

  /// Wrappers of properties that keep a value as long as the view or object lives.
  static let keepingWrappers: Set<Name> = ["State", "Published"]
  /// What reads media inside of the process, from files mostly.
  static let localMedia: Set<Name> = [
    "AVAsset", "AVURLAsset", "AVAssetTrack", "AVAssetImageGenerator", "UIImage",
  ]
  /// Wrappers with which a view keeps the one object that it gets.
  static let lastingWrappers: Set<Name> = [
    "Bindable", "ObservedObject", "StateObject", "EnvironmentObject", "Environment",
  ]
  /// What hands out a screen that has just been made.
  static let makersOfScreens: Set<Name> = [
    "instantiateViewController", "instantiateInitialViewController", "destination",
  ]
  /// Attributes that say nothing of what a property keeps.
  static let plainAttributes: Set<Name> = ["MainActor", "objc"]

  /// What tells code of changes that others make.
  static let listening: Set<Name> = [
    "NSManagedObjectContextDidSave", "NSManagedObjectContextObjectsDidChange",
    "NSPersistentStoreRemoteChange", "didSave", "didSaveObjectsNotification",
    "didChangeObjectsNotification", "didMergeChangesObjectIDsNotification",
    "NSFetchedResultsController", "ValueObservation",
  ]

  /// The methods that ask or change what a context stores.
  static let dataCalls: Set<Name> = [
    "fetch", "save", "delete", "enumerate", "fetchCount", "fetchIdentifiers", "transaction",
  ]
  /// The functions that clear something away.
  static let clearing: Set<Name> = [deletion, "removeItem"]
  /// The words that say of something that nobody misses it.
  static let passing: Set<String> = [
    "cache", "cached", "caches", "draft", "drafts", "temporary", "tmp",
  ]
  /// The types that make data of values.
  static let encoders: [Name] = ["JSONEncoder", "PropertyListEncoder"]
}
