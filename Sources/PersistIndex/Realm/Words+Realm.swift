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

  /// What asks an object whether it was deleted.
  package static let realmQuestions: Set<Name> = ["isInvalidated", "invalidated"]

  /// What tells whether an object is still in its realm.
  package static let realmLifeSigns: Set<Name> = [
    "isInvalidated", "invalidated", "realm", "thaw", "isFrozen",
  ]
}
