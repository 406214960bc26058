import PersistSyntax

// MARK: - Executors of what patterns bind

extension Program {
  /// The executors of what a name in a pattern stands for: a part of a tuple, or what an enum's
  /// case holds.
  func executors(ofPatternName local: Ref) -> ContextExecutors {
    var inner = local
    var payload: (call: Ref, argument: Ref)?
    var next = parent(local)
    while let current = next {
      switch kind(current) {
      case .call: if payload == nil { payload = (current, inner) }
      case .binding, .optionalBinding, .caseCondition, .forStatement, .caseItem:
        if let payload { return executors(ofPayload: payload.argument, in: payload.call, current) }
        return executors(matchedBy: current, local)
      case .block, .closure, .members: return .unknown
      default: break
      }
      inner = current
      next = parent(current)
    }
    return .unknown
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

  /// The executors of what all code gives to the case that a pattern names, at the place of one of
  /// its arguments.
  private func executors(ofPayload argument: Ref, in pattern: Ref, _ binder: Ref)
    -> ContextExecutors
  {
    guard let index = children(pattern, .argument).firstIndex(of: argument),
      let called = calledNode(pattern)
    else { return .unknown }
    if name(called) == "some" || name(called) == "success" {
      return executors(matchedBy: binder, argument)
    }
    let given = calls(named: name(called)).filter { call in
      guard call != pattern, !isExempt(call), !isInPattern(call) else { return false }
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
  /// The executors of what `sink` of a publisher gets: what its property holds, or what is sent to
  /// it.
  func executors(publishedTo call: Ref) -> ContextExecutors {
    guard let chain = parent(call) else { return .unknown }
    let parts = children(chain)
    guard let first = parts.firstIndex(where: { kind($0) == .call }), first > 0,
      parts[first...].prefix(while: { $0 < call }).allSatisfy({
        kind($0) != .call || Words.passingOperators.contains(calledName($0))
      })
    else { return .unknown }
    let source = parts[..<(first - 1)].last { kind($0) == .name || kind($0) == .member }
    guard let source else { return .unknown }
    if nameText(source).hasPrefix("$") {
      return propertyPublished(by: source).map { answer(ExecutorsOfProperty(property: $0)) }
        ?? .unknown
    }
    let subject =
      kind(source) == .name ? declared(source) : property(usedBy: source).map { .property($0) }
    guard case .property(let id)? = subject else { return .unknown }
    let found = calls(named: "send").reduce(ContextExecutors.none) { found, call in
      guard !isExempt(call), let called = calledNode(call), kind(called) == .member,
        let holder = children(parent(call) ?? call).last(where: {
          $0 < called && kind($0) != .optionalChain
        }), property(usedBy: holder) == id || declared(holder) == .property(id),
        let value = children(call, .argument).first
      else { return found }
      return found.union(fromCallers(contextExecutors(of: value)))
    }
    return found == .none ? .unknown : found
  }

  /// The property of which `$name` is the publisher.
  private func propertyPublished(by source: Ref) -> PropertyID? {
    let name = Name(String(nameText(source).dropFirst()))
    if kind(source) == .name {
      if case .property(let id)? = lookUp(name, from: source) { return id }
      return nil
    }
    guard let chain = parent(source),
      case .declared(let type) = type(ofChain: chain, upTo: source).unwrapped,
      case .property(let id)? = member(name, of: type)
    else { return nil }
    return id
  }
}
