import PersistIndex

// MARK: - Realm

extension API {
  static let realm: [API] =
    [
      API(type: "Realm", name: "init", result: .makersOwner(.realm)),
      API(
        type: "Realm", name: "objects", result: .list("Results", .object(of: .receiver)),
        uses: [.receiver]),
      API(
        type: "Realm", name: "object", result: .orNil(.object(of: .receiver)), uses: [.receiver]),
      API(type: "Realm", name: "resolve", result: .orNil(.object(of: .receiver))),
      API(
        type: "Realm", name: "add", uses: [.receiver, .argument(0)], inserts: .argument(0),
        isWrite: true),
      API(
        type: "Realm", name: "create", result: .object(of: .receiver), uses: [.receiver],
        isWrite: true),
      API(
        type: "Realm", name: "delete", uses: [.receiver, .argument(0)], deletes: .argument(0),
        isWrite: true),
      API(
        type: "Realm", name: "deleteAll", uses: [.receiver], lifetime: .reset, isWrite: true),
      API(type: "Realm", name: "refresh", uses: [.receiver]),
      API(type: "Realm", name: "beginWrite", uses: [.receiver]),
      API(type: "Realm", name: "commitWrite", uses: [.receiver]),
      API(type: "Realm", name: "cancelWrite", uses: [.receiver]),
      API(
        type: "Realm", name: "write", result: .returned(.last),
        closures: [Closure(operand: .last, place: .inPlace, opensTransaction: true)],
        uses: [.receiver]),
      API(
        type: "Realm", name: "asyncWrite", result: .returned(.last),
        closures: [Closure(operand: .last, place: .inPlace, opensTransaction: true)],
        uses: [.receiver]),
      API(
        type: "Realm", name: "writeAsync",
        closures: [Closure(operand: .argument(0), place: .inPlace, opensTransaction: true)],
        uses: [.receiver]),
      API(type: "ThreadSafeReference", name: "init"),
      API(
        type: "Results", name: "observe",
        closures: [Closure(operand: .last, place: .queue(.labelled("on")), given: [.unknown])]),
      API(
        type: "Object", name: "observe",
        closures: [Closure(operand: .last, place: .queue(.labelled("on")), given: [.unknown])]),
      API(type: "Object", name: "setValue", uses: [.receiver], isWrite: true),
      API(type: "Object", name: "value", uses: [.receiver]),
    ]
    + ["Results", "List"].map { API(type: $0, name: "realm", result: .owner(of: .held)) }
    + ["Object", "Results", "List", "Realm"].flatMap {
      [
        API(type: $0, name: "freeze", result: .frozen),
        API(type: $0, name: "thaw", result: .orNil(.thawed)),
      ]
    }
    + ["map", "compactMap", "flatMap"].map {
      API(
        type: "Results", name: $0, result: .lazyView(joins: $0 == "flatMap"),
        closures: [Closure(operand: .last, place: .inPlace, given: [.element(.receiver)])])
    }
    + ["where", "filter", "sorted", "distinct"].map {
      API(type: "Results", name: $0, result: $0 == "sorted" ? .sorted : .value(.receiver))
    }
    + ["append", "insert", "remove", "removeAll", "removeLast", "removeFirst"].map {
      API(type: "List", name: $0)
    }
}
