import PersistIndex
import PersistSyntax

/// A to-many relationship of SwiftData, whose objects have no order, where code reads it.
struct UnorderedList: Hashable {
  let property: PropertyID
  let place: Ref
  /// Whether a condition has chosen some of the objects.
  var isChosen = false
}

/// What a value is, as far as the order of relationships goes.
indirect enum Arrangement: Hashable {
  /// `nil`, or an empty list.
  case nothing
  case list(UnorderedList)
  /// What was taken from a list by its position, at a place.
  case element(UnorderedList, Ref)
  case tuple([Arrangement], [Name])
  /// An index that stands for a position, such as one behind another.
  case position
  /// The indices from a position on.
  case positions
  /// Anything else: a list in some order, or nobody knows what.
  case other

  /// Whether it is or holds a list without an order, or an element of one.
  var matters: Bool {
    switch self {
    case .list, .element: true
    case .tuple(let parts, _): parts.contains(where: \.matters)
    case .nothing, .position, .positions, .other: false
    }
  }
}

/// Follows the to-many relationships of SwiftData through bodies, until something sorts them.
final class UnorderedLists: LocalDomain {
  static let nothing = Arrangement.nothing
  static let other = Arrangement.other

  /// An element or a part that code takes from a list by its position.
  struct Taken {
    let list: UnorderedList
    let body: Body
    let value: Value
    var deletion: Ref?
  }

  private let program: Program
  private let relationships: Set<PropertyID>
  private lazy var flow = LocalFlow(program, for: self)
  private(set) var taken: [Ref: Taken] = [:]

  init(_ program: Program) {
    self.program = program
    relationships = Set(program.properties.indices.filter { program.isUnorderedRelationship($0) })
    guard !relationships.isEmpty else { return }
    // What gives such a list under a name of its own leads to it as well.
    let computed = program.properties.indices.filter { id in
      let property = program.properties[id]
      return property.isComputed && property.owner.map(program.isModel) ?? false
        && mayBeList(program.type(ofProperty: id))
    }
    flow.runAll(naming: Set(relationships.union(computed).map { program.properties[$0].name }))
  }

  func joined(_ left: Arrangement, _ right: Arrangement) -> Arrangement {
    switch (left, right) {
    case (.nothing, _): right
    case (_, .nothing): left
    case (.list(let one), .list(let other)) where one.property == other.property: left
    case (.element(let one, _), .element(let other, _)) where one.property == other.property: left
    case (.tuple(let one, let labels), .tuple(let other, _)) where one.count == other.count:
      .tuple(zip(one, other).map { joined($0, $1) }, labels)
    default: left == right ? left : .other
    }
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [Arrangement], in run: LocalRun<UnorderedLists>
  ) -> Arrangement {
    switch step.operation {
    case .none: return .nothing
    case .array: return operands.isEmpty ? .nothing : .other
    case .unwrap: return operands[0]
    case .tuple:
      let parts = program.children(run.body.ref(step), .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part:
      guard case .tuple(let parts, _) = operands[0], parts.indices.contains(Int(step.index)) else {
        return .other
      }
      return parts[Int(step.index)]
    case .closure:
      _ = flow.run(step.index, [], Array(operands.dropFirst()))
      return .other
    case .get: return get(step, operands.first ?? .other, value, run)
    case .binary: return position(step, operands, run.body)
    case .next: return operands[0] == .positions ? .position : .other
    case .getElement:
      guard case .list(let list) = operands[0], operands.count == 2,
        operands[1] == .position || isLiteral(run.body.operands(of: step).last, run.body)
      else { return .other }
      return element(of: list, step, value, run)
    case .call: return call(step, value, run)
    default: return .other
    }
  }

  /// What two indices make: one that is counted from another, or those from one on that a search has
  /// found. All indices of a list, and those of pairs, name its elements in any order.
  private func position(
    _ step: Instruction, _ operands: [Arrangement], _ body: Body
  ) -> Arrangement {
    let values = body.operands(of: step)
    guard operands.count == 2, let first = values.first, let last = values.last else {
      return .other
    }
    if Frameworks.countingOperators.contains(step.name) {
      return isLiteral(last, body) && !isLiteral(first, body) ? .position : .other
    }
    guard Frameworks.rangeOperators.contains(step.name) else { return .other }
    return operands[0] == .other && !isLiteral(first, body) && !isBeginning(first, body)
      ? .positions : .other
  }

  private func isBeginning(_ value: Value, _ body: Body) -> Bool {
    value < 0 || body.steps[Int(value)].name == Frameworks.beginningOfIndices
  }

  private func isLiteral(_ value: Value?, _ body: Body) -> Bool {
    guard let value, value >= 0 else { return false }
    return body.steps[Int(value)].operation == .literal
  }

  private func element(
    of list: UnorderedList, _ step: Instruction, _ value: Value, _ run: LocalRun<UnorderedLists>
  ) -> Arrangement {
    let node = run.body.ref(step)
    let place = step.operation == .call ? program.calledNode(node) ?? node : node
    if taken[place] == nil { taken[place] = Taken(list: list, body: run.body, value: value) }
    return .element(list, place)
  }

  private func get(
    _ step: Instruction, _ receiver: Arrangement, _ value: Value, _ run: LocalRun<UnorderedLists>
  ) -> Arrangement {
    switch receiver {
    case .list(let list):
      if Frameworks.endsOfLists.contains(step.name) {
        // The first one that meets a condition is looked for, as a rule the only one.
        if list.isChosen, step.name == Frameworks.beginningOfLists { return .other }
        return element(of: list, step, value, run)
      }
      return Frameworks.sameOrder.contains(step.name) ? receiver : .other
    case .tuple(let parts, let labels):
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    case .element, .nothing, .position, .positions: return .other
    case .other:
      return isUnstored(run.body.operands(of: step).first ?? -1, run.body)
        ? .other : self.value(ofProperty: run.body.ref(step))
    }
  }

  /// Whether a value is a model that is in no store, so that its lists stay as they are.
  private func isUnstored(_ value: Value, _ body: Body) -> Bool {
    value >= 0
      && program.property(readBy: body.steps[Int(value)], in: body)
        .map { program.holdsUnstoredModel($0) } ?? false
  }

  /// What a property is: a relationship, or what its getter gives.
  private func value(ofProperty node: Ref) -> Arrangement {
    guard let id = program.property(usedBy: node) else { return .other }
    if relationships.contains(id) { return .list(UnorderedList(property: id, place: node)) }
    guard program.properties[id].isComputed, mayBeList(program.type(ofProperty: id)),
      let getter = flow.facts.getter(of: id)
    else { return .other }
    return flow.run(getter)
  }

  private func call(
    _ step: Instruction, _ value: Value, _ run: LocalRun<UnorderedLists>
  ) -> Arrangement {
    let site = run.body.calls[Int(step.index)]
    let arguments = run.marks(of: site)
    if site.name == Frameworks.deletion, case .element(_, let place)? = arguments.first,
      taken[place]?.deletion == nil
    {
      taken[place]?.deletion = run.body.ref(step)
    }
    guard case .list(let list) = run.mark(site.receiver) else {
      return result(of: run.body.ref(step), site, arguments)
    }
    if Frameworks.sameOrder.contains(site.name) {
      var same = list
      same.isChosen = list.isChosen || site.name == Frameworks.choosing
      return .list(same)
    }
    let isCounted = site.arguments.allSatisfy { argument in
      argument.label == .none && !argument.isTrailing && argument.value >= 0
        && run.body.steps[Int(argument.value)].operation != .closure
    }
    if isCounted, Frameworks.partsOfLists.contains(site.name) {
      _ = element(of: list, step, value, run)
      return .other
    }
    let takesIndex =
      site.name == Frameworks.removal && site.arguments.map(\.label) == ["at"]
      && isLiteral(site.arguments[0].value, run.body)
    return takesIndex || isCounted && Frameworks.takersOfEnds.contains(site.name)
      ? element(of: list, step, value, run) : .other
  }

  private func result(of call: Ref, _ site: CallSite, _ arguments: [Arrangement]) -> Arrangement {
    switch flow.facts.target(call) {
    case .functions(let ids):
      guard let function = ids.first.map({ program.functions[$0] }),
        arguments.contains(where: \.matters) || mayBeList(resultType(of: function))
      else { return .other }
      return flow.result(of: call, arguments) ?? .other
    case .externalInitializer(let type):
      let isCopy = type.unwrapped.element != .unknown || type.isExternal("Array")
      return isCopy && arguments.count == 1 && site.arguments[0].label == .none
        ? arguments[0] : .other
    default: return .other
    }
  }

  private func resultType(of function: FunctionDeclaration) -> SwiftType {
    function.result.map {
      program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
    } ?? .unknown
  }

  private func mayBeList(_ type: SwiftType) -> Bool {
    switch type {
    case .array(let element): program.model(in: element) != nil
    case .optional(let inner): mayBeList(inner)
    case .tuple(let parts, _): parts.contains(where: mayBeList)
    default: false
    }
  }
}
