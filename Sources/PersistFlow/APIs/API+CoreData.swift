import PersistIndex

// MARK: - Core Data

extension API {
  static let coreData: [API] =
    containers + contexts + objects + controllers

  private static let containers: [API] = [
    API(type: "NSPersistentContainer", name: "viewContext", result: .mainOwner(.coreData)),
    API(type: "NSPersistentContainer", name: "newBackgroundContext", result: .ownOwner(.coreData)),
    API(
      type: "NSPersistentContainer", name: "performBackgroundTask", result: .returned(.last),
      closures: [
        Closure(operand: .last, place: .given, given: [.ownOwner(.coreData)])
      ]),
    API(
      type: "NSPersistentContainer", name: "loadPersistentStores",
      closures: [Closure(operand: .last, place: .unknown, given: [.unknown, .unknown])]),
    API(type: "NSPersistentContainer", name: "init", result: .external("NSPersistentContainer")),
    API(
      type: "NSPersistentCloudKitContainer", name: "init",
      result: .external("NSPersistentCloudKitContainer")),
    API(
      type: "NSManagedObjectContext", name: "init", result: .chosenOwner(.argument(0))),
    API(
      type: "NSPersistentStoreCoordinator", name: "init",
      result: .holder("NSPersistentStoreCoordinator", nil)),
    API(
      type: "NSModelObjectContextExecutor", name: "init", result: .value(.labelled("context"))),
  ]

  private static let performing: [API] = ["perform", "performAndWait", "schedule"].map {
    API(
      type: "NSManagedObjectContext", name: $0, result: .returned(.last),
      closures: [
        Closure(
          operand: .last, place: .owner(.receiver), isWaitedFor: $0 == "performAndWait")
      ], waits: $0 == "performAndWait" ? .receiver : nil)
  }

  /// Methods that give one object, or none.
  private static let finding: [API] = [
    "existingObject", "registeredObject",
  ].map {
    API(
      type: "NSManagedObjectContext", name: $0, result: .object(of: .receiver), uses: [.receiver])
  }

  /// Sets of objects that a context knows.
  private static let known: [API] = [
    "registeredObjects", "insertedObjects", "updatedObjects", "deletedObjects",
  ].map {
    API(
      type: "NSManagedObjectContext", name: $0, result: .collection(.object(of: .receiver)),
      uses: [.receiver])
  }

  /// Methods that have to be called on the queue of the context.
  private static let touching: [API] = [
    "redo", "processPendingChanges", "count",
    "refreshAllObjects", "mergeChanges", "obtainPermanentIDs", Frameworks.pinning, "assign",
  ].map { API(type: "NSManagedObjectContext", name: $0, uses: [.receiver], isWrite: true) }

  private static let ending: [API] =
    ([("save", .save), ("reset", .reset), ("rollback", .rollback), ("undo", .rollback)]
    as [(Name, Lifetime)]).map {
      API(
        type: "NSManagedObjectContext", name: $0, uses: [.receiver], lifetime: $1, isWrite: true)
    }

  private static let contexts: [API] =
    performing + finding + known + touching + ending + [
      API(
        type: "NSManagedObjectContext", name: "object", result: .identified(of: .receiver),
        uses: [.receiver]),
      API(
        type: "NSManagedObjectContext", name: "fetch", result: .collection(.object(of: .receiver)),
        uses: [.receiver]),
      API(
        type: "NSManagedObjectContext", name: "delete", uses: [.receiver, .argument(0)],
        deletes: .argument(0), changes: .receiver, isWrite: true),
      API(
        type: "NSManagedObjectContext", name: "refresh", uses: [.receiver, .argument(0)]),
      API(
        type: "NSManagedObjectContext", name: "insert", uses: [.receiver, .argument(0)],
        changes: .receiver, isWrite: true),
      API(
        type: "NSManagedObjectContext", name: "execute",
        closures: [
          Closure(
            operand: .argument(0), place: .owner(.receiver),
            given: [.holder("NSAsynchronousFetchResult", .receiver)])
        ], uses: [.receiver], isWrite: true),
      API(
        type: "NSManagedObjectContext", name: "mergeChanges", isStatic: true,
        merges: .labelled("into")),
      API(type: "NSEntityDescription", name: "entity", isStatic: true),
      API(
        type: "NSEntityDescription", name: "insertNewObject", isStatic: true,
        result: .object(of: .labelled("into")), uses: [.labelled("into")],
        changes: .labelled("into"), isWrite: true),
      API(
        type: "NSManagedObject", name: "init", result: .object(of: .last), uses: [.last],
        changes: .last),
    ]

  private static let objects: [API] = [
    API(type: "NSManagedObject", name: "value", uses: [.receiver]),
    API(type: "NSManagedObject", name: "primitiveValue", uses: [.receiver]),
    API(
      type: "NSManagedObject", name: "setValue", uses: [.receiver], changes: .receiver,
      isWrite: true),
    API(
      type: "NSManagedObject", name: "setValuesForKeys", uses: [.receiver], changes: .receiver,
      isWrite: true),
    API(
      type: "NSManagedObject", name: "setPrimitiveValue", uses: [.receiver], changes: .receiver,
      isWrite: true),
    API(type: "NSManagedObject", name: "mutableSetValue", uses: [.receiver], isWrite: true),
    API(type: "NSManagedObject", name: "changedValues", uses: [.receiver]),
    API(type: "NSManagedObject", name: "committedValues", uses: [.receiver]),
    API(type: "NSManagedObject", name: "dictionaryWithValues", uses: [.receiver]),
  ]

  private static let controllers: [API] = [
    API(
      type: "NSFetchedResultsController", name: "init",
      result: .holder("NSFetchedResultsController", .labelled("managedObjectContext"))),
    API(
      type: "NSFetchedResultsController", name: "fetchedObjects",
      result: .orNil(.collection(.object(of: .held)))),
    API(
      type: "NSFetchedResultsController", name: "object", result: .object(of: .held)),
    API(type: "NSFetchedResultsController", name: "performFetch", uses: [.held]),
    API(
      type: "NSFetchedResultsController", name: "managedObjectContext", result: .value(.held)),
    API(
      type: "NSAsynchronousFetchRequest", name: "init",
      result: .holder("NSAsynchronousFetchRequest", .last)),
    API(
      type: "NSAsynchronousFetchResult", name: "finalResult",
      result: .orNil(.collection(.object(of: .held)))),
    // A request carries nothing of a context.
    API(type: "NSFetchRequest", name: "init", result: .external("NSFetchRequest")),
    API(
      type: "NSFetchRequest", name: "execute", result: .collection(.object(of: .performing)),
      uses: [.performing]),
  ]
}
