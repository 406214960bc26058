import PersistIndex

// MARK: - SwiftData

extension API {
  static let swiftData: [API] =
    [
      API(type: "ModelContainer", name: "mainContext", result: .mainOwner(.swiftData)),
      API(type: "ModelContainer", name: "init", result: .external("ModelContainer")),
      API(type: "ModelContext", name: "init", result: .makersOwner(.swiftData)),
      API(type: "ModelContext", name: "container", result: .external("ModelContainer")),
      API(
        type: "ModelContext", name: "fetch", result: .collection(.object(of: .receiver)),
        uses: [.receiver]),
      API(type: "ModelContext", name: "fetchCount", uses: [.receiver]),
      API(
        type: "ModelContext", name: "fetchIdentifiers", result: .collection(.plain),
        uses: [.receiver]),
      API(
        type: "ModelContext", name: "insert", uses: [.receiver, .argument(0)],
        inserts: .argument(0), changes: .receiver, isWrite: true),
      API(
        type: "ModelContext", name: "delete", uses: [.receiver, .argument(0)],
        deletes: .argument(0), changes: .receiver, isWrite: true),
      API(
        type: "ModelContext", name: "enumerate",
        closures: [
          Closure(operand: .last, place: .inPlace, given: [.object(of: .receiver)])
        ], uses: [.receiver]),
      API(
        type: "ModelContext", name: "transaction",
        closures: [Closure(operand: .last, place: .inPlace)], uses: [.receiver], lifetime: .save,
        isWrite: true),
    ] + finders + writers

  private static let finders: [API] = [
    API(
      type: "ModelContext", name: "model", result: .identified(of: .receiver), uses: [.receiver]),
    API(
      type: "ModelContext", name: "registeredModel", result: .object(of: .receiver),
      uses: [.receiver]),
  ]

  private static let writers: [API] =
    ([
      ("save", .save), ("rollback", .rollback), ("processPendingChanges", nil),
      ("undo", .rollback), ("redo", nil),
    ] as [(Name, Lifetime?)]).map {
      API(type: "ModelContext", name: $0, uses: [.receiver], lifetime: $1, isWrite: true)
    }
}
