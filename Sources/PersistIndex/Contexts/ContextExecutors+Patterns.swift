import PersistSyntax

// MARK: - Executors of what patterns bind

extension Program {
  /// The executors of what a name in a pattern stands for: a part of a tuple, or what an enum's
  /// case holds.
  func executors(ofPatternName local: Ref) -> ContextExecutors {
    guard let binder = binder(ofName: local) else { return .unknown }
    guard let (enumCase, index) = payload(binding: local) else {
      return executors(matchedBy: binder, local)
    }
    if name(enumCase) == "some" || name(enumCase) == "success" {
      return executors(matchedBy: binder, local)
    }
    return executors(ofPayload: index, of: enumCase)
  }

  /// The executors of the value that a pattern is matched with.
  private func executors(matchedBy binder: Ref, _ local: Ref) -> ContextExecutors {
    if kind(binder) == .caseItem {
      guard parent(binder).map({ kind($0) == .switchCase }) ?? false,
        let statement = ancestors(binder).first(where: { kind($0) == .switchStatement })
      else { return .unknown }
      return child(statement, .expression).map { contextExecutors(of: $0) } ?? .unknown
    }
    let value = children(binder, .expression).first { !contains($0, local) }
    return value.map { contextExecutors(of: $0) } ?? .unknown
  }

  /// The executors of what all code gives to the case that a pattern names, at one place.
  private func executors(ofPayload index: Int, of enumCase: Ref) -> ContextExecutors {
    let named = source(enumCase)
    let given = calls(named: name(enumCase)).filter { call in
      guard sibling(before: call) != named, !isExempt(call), !isInPattern(call) else {
        return false
      }
      if case .functions = callTarget(call) { return false }
      return true
    }
    let found = given.reduce(ContextExecutors.none) { found, call in
      let arguments = children(call, .argument)
      guard index < arguments.count else { return found.union(.unknown) }
      return found.union(fromCallers(contextExecutors(of: arguments[index])))
    }
    return found == .none ? .unknown : found
  }

  private func isInPattern(_ call: Ref) -> Bool {
    var inner = call
    for scope in ancestors(call) {
      switch kind(scope) {
      case .caseItem: return true
      case .caseCondition: return child(scope, .expression) == inner
      case .block, .closure, .members, .switchCase: return false
      default: inner = scope
      }
    }
    return false
  }

  /// The executors of the parts of a tuple that are contexts or objects.
  func executors(ofTuple tuple: Ref) -> ContextExecutors {
    let parts = children(tuple, .argument)
    guard parts.count > 1 else { return parts.first.map { contextExecutors(of: $0) } ?? .unknown }
    let found = parts.reduce(ContextExecutors.none) { found, part in
      let type = type(of: part)
      guard !type.isKnown || isManagedContext(type) || managedModel(in: type) != nil else {
        return found
      }
      return found.union(contextExecutors(of: part))
    }
    return found == .none ? .unknown : found
  }

  /// The executors of the values of a dictionary's literal.
  func executors(ofDictionary dictionary: Ref) -> ContextExecutors {
    let parts = children(dictionary)
    return stride(from: 1, to: parts.count, by: 2).reduce(.none) {
      $0.union(contextExecutors(of: parts[$1]))
    }
  }
}

// MARK: - Executors of what publishers send

extension Program {
  /// The executors of what `sink` of a publisher gets, or of a part of the tuple that it takes
  /// apart: what its property holds, or what is sent to it.
  func executors(publishedTo call: Ref, part index: Int, of closure: Ref) -> ContextExecutors {
    let taken = self.closure(in: closure)
    guard taken.map({ takesValues($0, of: call) }) ?? true,
      let source = publishedSource(of: call)
    else { return .unknown }
    if nameText(source).hasPrefix("$") {
      guard index == 0 else { return .unknown }
      return propertyPublished(by: source).map { answer(ExecutorsOfProperty(property: $0)) }
        ?? .unknown
    }
    let subject =
      kind(source) == .name ? declared(source) : property(usedBy: source).map { .property($0) }
    guard case .property(let id)? = subject else { return .unknown }
    let count = taken.map { parameterCount(of: $0) } ?? 1
    let found = sends(to: id).reduce(ContextExecutors.none) { found, call in
      guard let value = children(call, .argument).first else { return found }
      return found.union(
        fromCallers(
          count > 1
            ? contextExecutors(ofPart: index, among: count, of: value) : contextExecutors(of: value)
        ))
    }
    return found == .none ? .unknown : found
  }

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

  /// The executors of a part of a tuple that is written out.
  private func contextExecutors(ofPart index: Int, among count: Int, of value: Ref)
    -> ContextExecutors
  {
    var inner = value
    while let only = children(inner).first, children(inner).count == 1, kind(inner) != .tuple {
      inner = only
    }
    let parts = children(inner, .argument)
    guard kind(inner) == .tuple, parts.count == count, index < count else { return .unknown }
    return contextExecutors(of: parts[index])
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
