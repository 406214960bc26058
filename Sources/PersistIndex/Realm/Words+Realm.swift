extension Words {
  /// The classes that Realm's objects inherit from.
  static let realmBases: Set<Name> = [
    "Object", "EmbeddedObject", "RealmSwiftObject", "RealmSwiftEmbeddedObject", "AsymmetricObject",
  ]

  /// The classes that objects without a life of their own inherit from.
  static let embeddedRealmBases: Set<Name> = ["EmbeddedObject", "RealmSwiftEmbeddedObject"]

  /// The types of stored properties that hold their value in an object of their own.
  static let realmContainers: Set<Name> = [
    "List", "RealmOptional", "RealmProperty", "MutableSet", "Map",
  ]

  /// The methods of a realm that find or make objects.
  static let realmFinders: Set<Name> = [
    "objects", "object", "create", "dynamicObjects", "dynamicObject", "resolve",
  ]

  /// The methods of a realm that open a write and close it.
  package static let realmTransactions: Set<Name> = ["write", "asyncWrite", "writeAsync"]

  /// Calls that run a closure after a delay, after an answer from elsewhere, or when somebody asks.
  static let delays: Set<Name> = [
    "asyncAfter", "dispatch_after", "scheduledTimer", "dataTask", "downloadTask", "uploadTask",
    "addObserver", "UIAlertAction", "UIAction", "UIContextualAction", "responseJSON",
    "responseData", "responseDecodable", "responseString",
  ]

  /// Methods of promises that take what runs then.
  static let promiseMethods: Set<Name> = [
    "then", "done", "map", "flatMap", "compactMap", "ensure", "finally", "always", "recover", "get",
    "tap", "catch",
  ]

  /// What tells whether an object is still in its realm.
  package static let realmLifeSigns: Set<Name> = [
    "isInvalidated", "invalidated", "realm", "thaw", "isFrozen",
  ]

  /// Labels of closures that run when something else has ended.
  static let callbackLabels: Set<Name> = [
    "completion", "completionHandler", "completionBlock", "handler", "onCompletion", "onSuccess",
    "onFailure", "onError", "success", "failure", "callback",
  ]
}
