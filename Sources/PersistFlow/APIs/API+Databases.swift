import PersistIndex

// MARK: - GRDB and CloudKit

extension API {
  static let databases: [API] = accesses + cloudOperations

  /// Accesses to a database: who calls waits for the one kind, and not for the other.
  private static let accesses: [API] =
    ["read", "unsafeRead", "write", "writeWithoutTransaction", "barrierWriteWithoutTransaction"].map
  {
    access($0, .inPlace, result: .returned(.last))
  }
    + ["asyncRead", "asyncWrite", "asyncWriteWithoutTransaction", "spawnConcurrentRead"].map {
      access($0, .background)
    }

  private static func access(_ name: Name, _ place: Place, result: Result = .plain) -> API {
    API(
      type: "DatabaseWriter", name: name, result: result,
      closures: [Closure(operand: .argument(0), place: place, given: [.plain])])
  }

  /// Closures that an operation of CloudKit keeps, and calls on a queue of its own.
  private static let cloudOperations: [API] =
    [API(type: "CKOperation", name: "init", result: .external("CKOperation"))]
    + [
      "completionBlock", "perRecordCompletionBlock", "perRecordResultBlock", "perRecordSaveBlock",
      "perRecordDeleteBlock", "modifyRecordsCompletionBlock", "modifyRecordsResultBlock",
      "fetchRecordsCompletionBlock", "fetchRecordsResultBlock", "recordFetchedBlock",
      "recordMatchedBlock", "queryCompletionBlock", "queryResultBlock", "recordChangedBlock",
      "recordWasChangedBlock", "recordWithIDWasDeletedBlock", "recordZoneFetchResultBlock",
      "fetchRecordZoneChangesCompletionBlock", "fetchRecordZoneChangesResultBlock",
      "fetchDatabaseChangesCompletionBlock", "fetchDatabaseChangesResultBlock",
    ].map {
      API(
        type: "CKOperation", name: $0, closures: [Closure(operand: .last, place: .background)])
    }
}
