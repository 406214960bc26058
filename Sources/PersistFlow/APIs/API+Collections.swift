import PersistIndex

// MARK: - Collections and optionals

extension API {
  static let collections: [API] =
    arrays + sameElements + elementReads + dictionaries + optionals + views

  private static func each(_ type: Name, _ name: Name, _ result: Result) -> API {
    API(
      type: type, name: name, result: result,
      closures: [Closure(operand: .last, place: .inPlace, given: [.element(.receiver)])])
  }

  private static let arrays: [API] = [
    each("Array", "map", .collection(.returned(.last))),
    each("Array", "compactMap", .collection(.returned(.last))),
    each("Array", "flatMap", .collection(.elementOfReturned)),
    each("Array", "forEach", .plain),
    each("Array", "filter", .value(.receiver)),
    each("Array", "first", .elementOrNil(.receiver)),
    each("Array", "last", .elementOrNil(.receiver)),
    each("Array", "contains", .plain),
    each("Array", "allSatisfy", .plain),
    each("Array", "drop", .value(.receiver)),
    each("Array", "prefix", .value(.receiver)),
    each("Array", "removeAll", .plain),
    each("Array", "firstIndex", .plain),
    each("Array", "sorted", .value(.receiver)),
    API(
      type: "Array", name: "sorted", result: .value(.receiver),
      closures: [
        Closure(
          operand: .last, place: .inPlace, given: [.element(.receiver), .element(.receiver)])
      ]),
    API(
      type: "Array", name: "min", result: .elementOrNil(.receiver),
      closures: [
        Closure(
          operand: .last, place: .inPlace, given: [.element(.receiver), .element(.receiver)])
      ]),
    API(
      type: "Array", name: "max", result: .elementOrNil(.receiver),
      closures: [
        Closure(
          operand: .last, place: .inPlace, given: [.element(.receiver), .element(.receiver)])
      ]),
    API(
      type: "Array", name: "reduce", result: .reduced,
      closures: [
        Closure(operand: .last, place: .inPlace, given: [.argument0, .element(.receiver)])
      ]),
    API(
      type: "Array", name: "enumerated",
      result: .collection(.tuple([.plain, .element(.receiver)], labels: ["offset", "element"]))),
    API(type: "Array", name: "init", result: .copied(.argument(0))),
    API(type: "Set", name: "init", result: .copied(.argument(0))),
    API(
      type: .none, name: "zip",
      result: .collection(.tuple([.element(.argument(0)), .element(.argument(1))]))),
  ]

  /// What has the same elements.
  private static let sameElements: [API] = [
    "reversed", "lazy", "shuffled", "dropFirst", "dropLast", "suffix", "allObjects", "array",
    "subtracting", "intersection", "union",
  ].map { API(type: "Array", name: $0, result: .value(.receiver)) }

  private static let elementReads: [API] =
    ["randomElement", "popFirst", "popLast", "anyObject", "firstObject", "lastObject"].map {
      API(type: "Array", name: $0, result: .elementOrNil(.receiver))
    }
    + ["removeFirst", "removeLast", "remove"].map {
      API(type: "Array", name: $0, result: .element(.receiver))
    }
    + ["count", "isEmpty", "indices", "startIndex", "endIndex", "underestimatedCount"].map {
      API(type: "Array", name: $0)
    }

  private static let dictionaries: [API] = [
    API(type: "Dictionary", name: "values", result: .collection(.valuesOfReceiver)),
    API(type: "Dictionary", name: "keys", result: .collection(.plain)),
    API(type: "Dictionary", name: "count"),
    API(type: "Dictionary", name: "isEmpty"),
    API(type: "Dictionary", name: "removeValue", result: .orNil(.valuesOfReceiver)),
    each("Dictionary", "forEach", .plain),
    each("Dictionary", "map", .collection(.returned(.last))),
    each("Dictionary", "compactMap", .collection(.returned(.last))),
    each("Dictionary", "filter", .value(.receiver)),
    each("Dictionary", "first", .elementOrNil(.receiver)),
    API(
      type: "Dictionary", name: "init", result: .grouped,
      closures: [Closure(operand: .last, place: .inPlace, given: [.element(.argument(0))])]),
  ]

  private static let optionals: [API] = [
    API(
      type: "Optional", name: "map", result: .orNil(.returned(.last)),
      closures: [Closure(operand: .last, place: .inPlace, given: [.value(.receiver)])]),
    API(
      type: "Optional", name: "flatMap", result: .orNil(.returned(.last)),
      closures: [Closure(operand: .last, place: .inPlace, given: [.value(.receiver)])]),
  ]

  /// Views that show something of each element.
  private static let views: [API] = ["ForEach", "List"].map {
    API(
      type: $0, name: "init", result: .copied(.argument(0)),
      closures: [Closure(operand: .last, place: .inPlace, given: [.element(.argument(0))])])
  }
}
