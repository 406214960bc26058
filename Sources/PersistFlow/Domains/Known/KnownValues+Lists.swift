import PersistIndex
import PersistSyntax

// MARK: - Lists

extension KnownValues {
  /// A member of a list.
  func member(_ name: Name, ofList list: [Known]) -> Known {
    switch name {
    case "first": list.first ?? .none
    case "last": list.last ?? .none
    case "count": .literal("\(list.count)")
    case "isEmpty": Known(flag: list.isEmpty)
    case "indices": .list(list.indices.map { .literal("\($0)") })
    default: .other
    }
  }

  /// What a method of a list, or a function that takes lists, gives back.
  func collect(
    _ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known],
    _ run: LocalRun<KnownValues>
  ) -> Known? {
    if namesFiles, let known = collectFiles(site, call, receiver, arguments) { return known }
    guard let list = receiver.elements else { return collect(site, arguments) }
    switch (site.name, arguments.count) {
    case ("enumerated", 0):
      return .list(
        list.enumerated().map { index, element in
          .tuple([.literal("\(index)"), element], labels: ["offset", "element"])
        })
    case ("reversed", 0): return .list(list.reversed())
    case ("joined", 0): return list.joined
    case ("dropFirst", _), ("dropLast", _), ("prefix", 1), ("suffix", 1):
      return part(of: list, site.name, arguments.first ?? .literal("1"))
    case ("reduce", 2): return reduced(list, site, arguments, from: call)
    case ("map", 1), ("forEach", 1), ("compactMap", 1), ("flatMap", 1), ("filter", 1):
      guard let all = elements(of: receiver, in: call) else { return nil }
      return collected(site.name, all, each(all, arguments[0], site, call, run))
    default:
      changed[call] = changed(list, by: site, arguments)
      return changed[call] == .other ? nil : .other
    }
  }

  /// What a closure gives for each of some elements, with the variables around it as the element
  /// before has left them.
  private func each(
    _ all: [Known], _ closure: Known, _ site: CallSite, _ call: Ref, _ run: LocalRun<KnownValues>
  ) -> [Known] {
    let value = site.arguments[0].value
    guard value >= 0, case let step = run.body.steps[Int(value)], step.operation == .closure,
      case .closure(let place, let own, _) = closure
    else { return all.map { apply(closure, spread($0, closure), from: call) } }
    var held = run.body.operands(of: step).dropFirst().map { run.mark($0) }
    defer {
      for (value, mark) in zip(run.body.operands(of: step).dropFirst(), held) where value >= 0 {
        run.change(variableReadBy: value, to: mark)
      }
    }
    return all.map { element in
      let code = Known.closure(place, own: own, captures: held)
      flow.left = []
      let result = apply(code, spread(element, code), from: call)
      held = flow.left.count == held.count ? flow.left : held.map { _ in .other }
      return result
    }
  }

  private func collect(_ site: CallSite, _ arguments: [Known]) -> Known? {
    switch (site.name, arguments.count) {
    case ("zip", 2):
      guard let left = arguments[0].elements, let right = arguments[1].elements else { return nil }
      return .list(zip(left, right).map { .tuple([$0, $1], labels: [.none, .none]) })
    case ("Array", 1): return arguments[0].elements.map { .list($0) }
    // Two types are the same where their identifiers are.
    case ("ObjectIdentifier", 1):
      if case .type = arguments[0] { return arguments[0] }
      return nil
    default: return nil
    }
  }

  private func collected(_ method: Name, _ elements: [Known], _ results: [Known]) -> Known {
    switch method {
    case "map": return .list(results)
    case "flatMap": return results.joined
    case "compactMap":
      let isKnown = !results.contains { [.other, .unset].contains($0) || $0.choices.count > 1 }
      return isKnown ? .list(results.filter { $0 != .none }) : .other
    case "filter":
      let flags = results.compactMap(\.flag)
      guard flags.count == elements.count else { return .other }
      return .list(zip(elements, flags).filter(\.1).map(\.0))
    default: return .other
    }
  }

  /// What `reduce` makes; a migrator that goes into it stays the same one.
  private func reduced(
    _ list: [Known], _ site: CallSite, _ arguments: [Known], from call: Ref
  ) -> Known {
    guard site.arguments[0].label == "into" else {
      return list.reduce(arguments[0]) { apply(arguments[1], [$0, $1], from: call) }
    }
    guard arguments[0].isMigrator else { return .other }
    for element in list { _ = apply(arguments[1], [arguments[0], element], from: call) }
    return arguments[0]
  }

  /// The pairs of a literal of keys and values that keeps their order.
  func pairs(_ node: Ref, _ operands: [Known], _ body: Body) -> Known {
    let written = body.property.map { program.type(ofProperty: $0) } ?? program.type(of: node)
    guard written.isExternal(Frameworks.orderedPairs), operands.count % 2 == 0 else {
      return .other
    }
    return .list(
      stride(from: 0, to: operands.count, by: 2).map { index in
        .tuple([operands[index], operands[index + 1]], labels: ["key", "value"])
      })
  }

  /// The numbers of a range that is known.
  func range(_ name: Name, _ left: Known, _ right: Known) -> Known {
    guard case .literal(let first) = left, case .literal(let last) = right,
      let first = Int(first), let last = Int(last), first <= last,
      program.isWithin(last - first, .loopElements)
    else { return .other }
    let numbers = name == "..<" ? Array(first..<last) : Array(first...last)
    return .list(numbers.map { .literal("\($0)") })
  }

  private func part(of list: [Known], _ method: Name, _ count: Known) -> Known {
    guard case .literal(let text) = count, let count = Int(text), count >= 0 else { return .other }
    switch method {
    case "dropFirst": return .list(Array(list.dropFirst(count)))
    case "dropLast": return .list(list.dropLast(count))
    case "prefix": return .list(Array(list.prefix(count)))
    default: return .list(list.suffix(count))
    }
  }

  /// What a method makes of the list that it is called on.
  private func changed(_ list: [Known], by site: CallSite, _ arguments: [Known]) -> Known {
    let isList = site.arguments.first?.label == "contentsOf"
    let more = isList ? arguments.first?.elements : arguments.prefix(1).map { $0 }
    switch (site.name, arguments.count) {
    case ("append", 1): return more.map { .list(list + $0) } ?? .other
    case ("insert", 2):
      guard case .literal(let text) = arguments[1], let place = Int(text), place <= list.count,
        let more
      else { return .other }
      return .list(list[..<place] + more + list[place...])
    case ("removeLast", 0), ("popLast", 0): return .list(list.dropLast())
    case ("removeFirst", 0): return .list(Array(list.dropFirst()))
    default: return .other
    }
  }

  /// An element as the arguments of a closure: a tuple in its parts where it takes several.
  private func spread(_ element: Known, _ closure: Known) -> [Known] {
    guard case .closure(let place, _, _) = closure, case .tuple(let parts, _) = element,
      let body = flow.bodies.body(at: place), flow.bodies[body].parameterCount == parts.count
    else { return [element] }
    return parts
  }
}

extension [Known] {
  /// The elements of the lists that these are, one after the other.
  fileprivate var joined: Known {
    let lists = compactMap(\.elements)
    return lists.count == count ? .list(lists.flatMap { $0 }) : .other
  }
}
