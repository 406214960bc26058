import PersistIndex

extension Words {
  /// File operations on a store's files, by method.
  package static let fileWork: [Name: StoreFileWork.Kind] = [
    "removeItem": .deletion, "copyItem": .copy, "moveItem": .move, "replaceItem": .move,
    "replaceItemAt": .move, "linkItem": .copy,
  ]

  /// Operations that take the whole store, its log files included.
  package static let wholeStoreWork: [Name: StoreFileWork.Kind] = [
    "destroyPersistentStore": .deletion, "deleteAllData": .deletion, "erase": .deletion,
    "deleteFiles": .deletion,
    "replacePersistentStore": .copy, "migratePersistentStore": .copy, "migrateStore": .copy,
    "writeCopy": .copy, "backup": .copy,
  ]

  /// What puts a file in the place of its first argument.
  static let replacements: Set<Name> = ["replacePersistentStore", "replaceItem", "replaceItemAt"]

  /// What writes a store that is open to another place, where the coordinator goes on with it.
  package static let movesOfStores: Set<Name> = ["migratePersistentStore", "migrateStore"]
}
