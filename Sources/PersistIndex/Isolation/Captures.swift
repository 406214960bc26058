import PersistSyntax

/// What code does with a model.
package enum ValueAction: Hashable, Sendable {
  /// A property is read, a property is set, a method is called.
  case reads(String)
  case sets(String)
  case calls(String)
  /// The whole value is an argument of a call.
  case passes(call: Ref, argument: Ref)
  /// The value is only named: bound, returned, compared, captured, or asked what any thread may
  /// ask.
  case mentions
}

/// A use of a model, or of a collection of models.
package struct ValueUse: Hashable, Sendable {
  /// The node that spells the value.
  package let place: Ref
  /// The value as written, `self` left out where it can be: `trip`, `viewModel.trip`, `self`.
  package let value: String
  package let type: SwiftType
  /// The declaration from which the value comes.
  package let source: Ref
  package let action: ValueAction
  /// Whether a model is one element of the value.
  package let isElement: Bool
}

/// The uses of one value from outside of a closure.
package struct Capture: Sendable {
  /// The closure, or the value of an `async let`.
  package let body: Ref
  package let value: String
  package let type: SwiftType
  package let source: Ref
  package let uses: [ValueUse]
}

// MARK: - Captures

extension Program {
  /// The value from outside of a body that it uses at a place, with all uses of it there; nil where
  /// there is none.
  package func capture(by body: Ref, usedAt place: Ref) -> Capture? {
    let uses = outsideUses(in: body)
    let used = uses.last { use in
      if case .passes(let call, _) = use.action, calledNode(call) == place { return true }
      return use.place <= place && chain(around: use.place) == chain(around: place)
    }
    guard let used else { return nil }
    return Capture(
      body: body, value: used.value, type: used.type, source: used.source,
      uses: uses.filter { $0.source == used.source && $0.value == used.value })
  }

  private func chain(around part: Ref) -> Ref? {
    parent(part).flatMap { kind($0) == .chain ? $0 : nil }
  }

  /// The uses in a body of models that come from outside of it.
  func outsideUses(in body: Ref) -> [ValueUse] {
    let outline = outline(body)
    let skipped = child(body, .captures).map { subtree($0) } ?? 0..<0
    var found: [ValueUse] = []
    for index in subtree(body) where !skipped.contains(index) {
      guard outline.nodes[Int(index)].kind == .name else { continue }
      let name = Ref(file: Int(body.file), node: Int(index))
      if let use = use(of: name, in: body), isOutside(use.source, name, body) { found.append(use) }
    }
    return found
  }

  private func isOutside(_ source: Ref, _ name: Ref, _ body: Ref) -> Bool {
    if kind(body) == .closure, let captures = child(body, .captures), contains(captures, source) {
      return !isFresh(source)
    }
    return !contains(body, source)
  }

  /// Whether a capture holds what was made for it: `[trip = Trip()]`.
  private func isFresh(_ capture: Ref) -> Bool {
    guard let value = child(capture, .expression), let chain = child(value, .chain),
      let last = children(chain).last, kind(last) == .call
    else { return false }
    if case .initializer = callTarget(last) { return true }
    return false
  }

  // MARK: Uses

  /// What code does with the model that a `name` begins; nil for other names. What the
  /// scope binds anew is looked through.
  package func use(of name: Ref, in scope: Ref) -> ValueUse? {
    guard let chain = parent(name), let root = root(of: name, in: scope) else { return nil }
    let parts = children(chain)
    guard parts.first == name else { return nil }
    if root.isOwnProperty {
      return ValueUse(
        place: name, value: "self", type: root.type, source: root.source,
        action: memberAction(parts, 0, chain), isElement: false)
    }
    guard let (index, whole) = firstModel(in: chain, from: root.type) else { return nil }
    let place = parts[index]
    let source = index == 0 ? root.source : declaration(of: place, in: chain) ?? root.source
    let value = valueText(parts, index, root)
    var (type, isElement) = (whole, root.isElement)
    let action = action(on: &type, parts, index, chain, &isElement)
    return ValueUse(
      place: place, value: value, type: whole, source: source, action: action, isElement: isElement)
  }

  /// The part of a chain behind which a model stands first, and the model's type.
  func firstModel(
    in chain: Ref, from type: SwiftType, upTo limit: Ref? = nil
  ) -> (index: Int, type: SwiftType)? {
    let parts = children(chain)
    var (index, type) = (0, type)
    while model(in: type) == nil {
      index += 1
      guard index < parts.count, limit.map({ parts[index] < $0 }) ?? true,
        [.member, .optionalChain, .force].contains(kind(parts[index]))
      else { return nil }
      type = typeBehind(index, parts, chain)
      if type == .unknown { return nil }
    }
    return (index, type)
  }

  /// The type of a chain's value behind one of its parts.
  private func typeBehind(_ index: Int, _ parts: [Ref], _ chain: Ref) -> SwiftType {
    self.type(ofChain: chain, upTo: index + 1 < parts.count ? parts[index + 1] : nil)
  }

  /// A value as code around the scope spells it; of a tuple's part, what the tuples come from.
  func valueText(_ parts: [Ref], _ index: Int, _ root: ValueRoot) -> String {
    if index > 0, root.isElement, root.type.isTuple, let text = root.text { return text }
    var words = parts[...index].filter { kind($0) == .name || kind($0) == .member }
      .map { nameText($0) }
    if let name = root.text { words[0] = name }
    if words.count > 1, words[0] == "self" { words.removeFirst() }
    return words.joined(separator: ".")
  }

  /// The property that a member at the end of a chain names.
  func declaration(of part: Ref, in chain: Ref) -> Ref? {
    guard kind(part) == .member else { return nil }
    switch type(ofChain: chain, upTo: part).unwrapped {
    case .declared(let owner, _), .metatype(.declared(let owner, _)):
      if case .property(let id)? = member(name(part), of: owner) { return properties[id].ref }
      return nil
    default: return nil
    }
  }

  // MARK: Actions

  private func action(
    on type: inout SwiftType, _ parts: [Ref], _ start: Int, _ chain: Ref, _ isElement: inout Bool
  ) -> ValueAction {
    var index = start
    while true {
      var next = index + 1
      while next < parts.count, kind(parts[next]) == .optionalChain || kind(parts[next]) == .force {
        next += 1
      }
      guard type.unwrapped.isCollection else {
        return memberAction(parts, next, chain, of: model(in: type))
      }
      guard next < parts.count else { return wholeAction(chain) }
      isElement = true
      if let path = elementPath(parts, next) {
        return isFree(name(path), of: model(in: type)) ? .mentions : .reads(nameText(path))
      }
      let isCall = next + 1 < parts.count && kind(parts[next + 1]) == .call
      index = isCall ? next + 1 : next
      type = typeBehind(index, parts, chain)
      if model(in: type) == nil { return .mentions }
    }
  }

  /// The key path that a method of a collection is given: `map(\.name)`.
  private func elementPath(_ parts: [Ref], _ index: Int) -> Ref? {
    guard index + 1 < parts.count, kind(parts[index + 1]) == .call,
      let argument = child(parts[index + 1], .argument), let value = child(argument, .expression),
      let chain = child(value, .chain)
    else { return nil }
    return child(chain, .keyPath)
  }

  /// What is done with one model, whose next suffix stands at an index.
  private func memberAction(
    _ parts: [Ref], _ index: Int, _ chain: Ref, of model: TypeID? = nil
  ) -> ValueAction {
    guard index < parts.count else { return wholeAction(chain) }
    let part = parts[index]
    guard kind(part) == .member || kind(part) == .name else { return .mentions }
    let isCalled = index + 1 < parts.count && kind(parts[index + 1]) == .call
    let member = name(part)
    if isFree(member, of: model) { return .mentions }
    if isCalled { return .calls(nameText(part)) }
    return index == parts.count - 1 && isAssigned(chain)
      ? .sets(nameText(part)) : .reads(nameText(part))
  }

  /// Whether any thread may ask an object for a member. The `id` that a class doesn't declare is the
  /// identifier that its framework gives it.
  private func isFree(_ member: Name, of model: TypeID?) -> Bool {
    if Words.threadSafeMembers.contains(member) { return true }
    guard member == "id", let model else { return false }
    return self.member("id", of: model) == nil
  }

  private func isAssigned(_ chain: Ref) -> Bool {
    guard let expression = parent(chain), kind(expression) == .expression else { return false }
    let siblings = children(expression)
    guard let place = siblings.firstIndex(of: chain), place + 1 < siblings.count else {
      return false
    }
    return isAssigningOperator(siblings[place + 1])
  }

  /// The chain that goes on behind parentheses: `(context as Context).save()`.
  private func chainAround(_ chain: Ref) -> Ref? {
    guard let expression = parent(chain), kind(expression) == .expression,
      let argument = parent(expression), kind(argument) == .argument,
      let tuple = parent(argument), kind(tuple) == .tuple, children(tuple).count == 1,
      let outer = parent(tuple), kind(outer) == .chain, children(outer).count > 1,
      children(expression, .binaryOperator).isEmpty
    else { return nil }
    return outer
  }

  private func wholeAction(_ chain: Ref) -> ValueAction {
    if let outer = chainAround(chain) { return memberAction(children(outer), 1, outer) }
    guard let expression = parent(chain), kind(expression) == .expression,
      let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
      kind(call) == .call
    else { return .mentions }
    let rest = children(expression).filter {
      kind($0) != .tryMark && kind($0) != .awaitMark && kind($0) != .cast
    }
    if rest == [chain], label(argument) == "grouping", calledName(call) == "Dictionary",
      let by = self.argument(call, "by"),
      let path = child(by, .chain).flatMap({ child($0, .keyPath) })
    {
      return Words.threadSafeMembers.contains(name(path)) ? .mentions : .reads(nameText(path))
    }
    return rest == [chain] ? .passes(call: call, argument: argument) : .mentions
  }
}

extension SwiftType {
  /// Whether the value holds several others.
  package var isCollection: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// Whether the value is several values in parentheses.
  var isTuple: Bool {
    if case .tuple = self { return true }
    return false
  }
}
