import PersistSyntax

// MARK: - Contexts and what stands around them

extension Program {
  /// Whether a type is a Core Data context.
  package func isManagedContext(_ type: SwiftType) -> Bool {
    isContext(type) && !type.isExternal("ModelContext")
  }

  /// The type of `self` in a type, or in an extension of a type from elsewhere.
  package func selfType(_ type: TypeID) -> SwiftType {
    types[type].kind == .extensionDecl ? .external(types[type].name, []) : .declared(type)
  }

  /// Whether the name of a method from elsewhere says that it makes a background context.
  func makesForeignContext(_ call: Ref) -> Bool {
    guard let called = calledNode(call), kind(called) == .member else { return false }
    let words = nameText(called).camelWords
    return words.first == "new" && words.suffix(2) == ["background", "context"]
  }
}

// MARK: - Arguments and values

extension Program {
  /// The operands on the right of `target = …`, where a chain ends in the target.
  package func valueAssigned(to target: Ref) -> [Ref]? {
    guard let chain = parent(target), kind(chain) == .chain, children(chain).last == target,
      let expression = parent(chain), kind(expression) == .expression
    else { return nil }
    let parts = children(expression)
    guard parts.first == chain, parts.count > 2, kind(parts[1]) == .binaryOperator,
      isAssignmentSign(parts[1]) || name(parts[1]) == "+="
    else { return nil }
    var operands: [Ref] = []
    for part in parts[2...] {
      switch kind(part) {
      case .tryMark, .awaitMark, .cast: continue
      case .binaryOperator: if nameText(part) == "?" { operands = [] }
      default: operands.append(part)
      }
    }
    return operands
  }

  /// The closure that an argument is.
  package func closure(in argument: Ref) -> Ref? {
    if kind(argument) == .closure { return argument }
    if let direct = child(argument, .closure) { return direct }
    guard let value = child(argument, .expression), children(value).count == 1,
      let chain = child(value, .chain), children(chain).count == 1
    else { return nil }
    return child(chain, .closure)
  }
}

// MARK: - Publishers in front of a call

extension Program {
  /// The name of the property from which `sink` gets what operators hand on as it is.
  func publishedSource(of call: Ref) -> Ref? {
    guard let chain = parent(call) else { return nil }
    let parts = children(chain)
    guard let first = parts.firstIndex(where: { kind($0) == .call }), first > 0,
      parts[first...].prefix(while: { $0 < call }).allSatisfy({
        kind($0) != .call || Words.passingOperators.contains(calledName($0))
      })
    else { return nil }
    return parts[..<(first - 1)].last { kind($0) == .name || kind($0) == .member }
  }

  /// The property of which `$name` is the publisher.
  func propertyPublished(by source: Ref) -> PropertyID? {
    let name = Name(String(nameText(source).dropFirst()))
    if kind(source) == .name {
      if case .property(let id)? = lookUp(name, from: source) { return id }
      return nil
    }
    guard let chain = parent(source),
      case .declared(let type, _) = type(ofChain: chain, upTo: source).unwrapped,
      case .property(let id)? = member(name, of: type)
    else { return nil }
    return id
  }
}
