// MARK: - Words of values

extension Words {
  /// Types from elsewhere whose values any thread may have.
  package static let sendableValues: Set<Name> = [
    "String", "Substring", "Character", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt",
    "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "CGFloat", "Decimal", "Date", "URL",
    "UUID", "Data", "TimeInterval", "Locale", "TimeZone", "Calendar", "DateComponents",
    "DateInterval", "CGPoint", "CGSize", "CGRect", "PersistentIdentifier", "NSManagedObjectID",
  ]

  /// Types of numbers, which arithmetic leaves what they are.
  static let numbers: Set<Name> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double", "Float", "CGFloat", "Decimal", "TimeInterval",
  ]

  /// Types whose values go into a list of `CVarArg` as they are, and not as objects.
  static let plainArguments = numbers.subtracting(["Decimal"]).union(["Bool"])

  /// Collections that say nothing where their elements aren't known.
  static let collections: Set<Name> = ["Array", "Set", "Dictionary"]

  /// Protocols to which only collections and other sequences conform.
  static let lists: Set<Name> = [
    "Sequence", "Collection", "BidirectionalCollection", "RandomAccessCollection",
    "MutableCollection", "RangeReplaceableCollection", "DataProtocol", "StringProtocol",
  ]

  /// Members of models that give an identifier, which any thread may have.
  package static let identifierMembers: Set<Name> = ["persistentModelID", "objectID"]

  /// Methods that change the value they are called on.
  package static let changingMethods: Set<Name> = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeSubrange",
    "removeValue", "popFirst", "popLast", "sort", "reverse", "shuffle", "swapAt", "partition",
    "toggle", "negate", "formUnion", "formIntersection", "formSymmetricDifference", "subtract",
    "update", "updateValue", "merge", "replaceSubrange", "replace", "reserveCapacity", "add",
    "move", "round", "resetBytes", "appendPathComponent", "appendPathExtension",
    "deleteLastPathComponent", "deletePathExtension", "standardize", "resolveSymlinksInPath",
    "setTemporaryResourceValue", "setResourceValues", "addTimeInterval", "formTruncatingRemainder",
    "makeIterator", "next", "hash", "encode", "withUnsafeMutableBytes",
    "withUnsafeMutableBufferPointer", "withUTF8", "multiply", "divide", "trimPrefix", "trim",
  ]

  /// Protocols of what the system makes when the app is launched.
  static let launchTypes: Set<Name> = [
    "App", "UIApplicationDelegate", "NSApplicationDelegate", "UISceneDelegate",
    "UIWindowSceneDelegate", "WKApplicationDelegate", "WKExtensionDelegate",
  ]

  /// The functions that begin an app from its `main.swift`.
  static let callsOfApps: Set<Name> = ["UIApplicationMain", "NSApplicationMain"]

  /// Attributes of the type that begins an app.
  static let appAttributes: Set<Name> = ["main", "UIApplicationMain", "NSApplicationMain"]

  /// Attributes by which nothing finds a declaration.
  static let plainAttributes: Set<Name> = [
    "MainActor", "Observable", "ObservationIgnored", "available", "discardableResult", "inlinable",
    "ViewBuilder", "Sendable", "concurrent", "ModelActor",
  ]

  /// Attributes of what Objective-C or a storyboard uses.
  static let attributesOfObjectiveC: [Name] = [
    "objc", "objcMembers", "IBAction", "IBInspectable", "IBOutlet", "IBSegueAction",
  ]

  /// Protocols through which no framework makes objects, nor calls methods but those of
  /// `functionsOfProtocols`.
  static let uncallingProtocols: Set<Name> = [
    "View", "ObservableObject", "Observable", "Sendable", "Hashable", "Equatable", "Comparable",
    "Identifiable", "Codable", "Encodable", "Decodable", "Error", "CaseIterable", "Actor",
    "AnyObject", "CustomStringConvertible", "String", "Int", "ModelActor",
  ]

  /// Classes and delegate protocols by which no framework calls a method without parameters, or with
  /// types of the sources, that these add.
  static let objectTypes: Set<Name> = baseClasses.union([
    "UIApplicationDelegate", "NSApplicationDelegate", "WKExtensionDelegate",
    "WKApplicationDelegate",
    "UISceneDelegate", "UIWindowSceneDelegate",
    "UNUserNotificationCenterDelegate", "UITableViewDelegate", "UITableViewDataSource",
    "UICollectionViewDelegate", "UICollectionViewDataSource", "UISplitViewControllerDelegate",
    "NSFetchedResultsControllerDelegate", "UITextFieldDelegate", "UISearchBarDelegate",
    "WCSessionDelegate", "CLLocationManagerDelegate", "MessagingDelegate",
    "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
    "URLSessionDownloadDelegate",
  ])

  /// Classes of the frameworks that call of their heirs only what these override, or show to
  /// Objective-C.
  static let baseClasses: Set<Name> = [
    "NSObject", "UIResponder", "NSResponder", "UIViewController", "UITableViewController",
    "UICollectionViewController", "UINavigationController", "UITabBarController", "UIView",
    "UITableViewCell", "UICollectionViewCell", "NSViewController", "NSWindowController", "NSView",
    "NSManagedObject", "Object", "EmbeddedObject",
  ]

  /// Functions that such protocols ask for.
  static let functionsOfProtocols: Set<Name> = ["hash", "encode", "callAsFunction", "main"]

  /// Labels of the initializers that such protocols ask for.
  static let labelsOfDecoding: Set<Name> = ["from", "coder", "rawValue", "stringValue", "intValue"]

  /// Words of functions whose main work is to bring what can be brought again.
  package static let refreshingWords: Set<String> = [
    "refresh", "reload", "fetch", "load", "sync", "synchronize", "download", "poll", "prefetch",
  ]

  /// Words of functions that clear away what the next run would clear away.
  package static let purgingWords: Set<String> = [
    "purge", "cleanup", "clean", "prune", "trim", "sweep", "evict", "expire", "vacuum",
  ]

  /// Words of names for what can be fetched again.
  package static let cacheWords: Set<String> = ["cache", "caches", "cached", "caching"]

  /// Words of functions that take everything away; of a cache, they can be called again.
  package static let emptyingWords: Set<String> = [
    "clear", "empty", "flush", "drop", "reset", "remove",
  ]

  /// The types of whose properties wrappers take key paths.
  static let keyPathRoots: [Name: [Name]] = [
    "Environment": ["EnvironmentValues"], "Dependency": ["DependencyValues"],
    "Injected": ["Container", "InjectedValues"], "LazyInjected": ["Container"],
    "WeakLazyInjected": ["Container"], "InjectedObject": ["Container"],
    "InjectedObservable": ["Container"],
  ]

  /// The types of key paths, whose first generic argument is the root.
  static let keyPathTypes: Set<Name> = ["KeyPath", "WritableKeyPath", "ReferenceWritableKeyPath"]

  /// What a container of dependencies holds for each of them; the last argument is what it makes.
  static let factories: Set<Name> = ["Factory", "ParameterFactory"]

  /// What functions from elsewhere hand to their closures.
  static let closureArguments: [Name: SwiftType] = [
    "prepareDependencies": .external("DependencyValues", []),
    "withDependencies": .external("DependencyValues", []),
    "loadPersistentStores": .external("NSPersistentStoreDescription", []),
  ]
}
