import PersistSyntax

// MARK: - Values that are made anew

extension Program {
  /// Whether an expression surely gives another value each time it runs: the time, a random value.
  package func isMadeAnew(_ expression: Ref) -> Bool { isMadeAnew(expression, 0) }

  /// Whether the initial value of the stored property that a node declares is made anew.
  package func isDefaultMadeAnew(_ binding: Ref) -> Bool {
    guard let id = property(declaredAt: binding), let value = properties[id].initializer else {
      return false
    }
    return isMadeAnew(Ref(file: Int(binding.file), node: value))
  }

  private func isMadeAnew(_ value: Ref, _ functions: Int) -> Bool {
    if kind(value) == .call, isFreshCall(value, functions) { return true }
    if kind(value) == .member || kind(value) == .implicitMember || kind(value) == .name,
      isFreshMember(value, functions)
    {
      return true
    }
    // What a closure would give is made only where it runs.
    return children(value).contains { part in
      (kind(part) != .closure || isCalled(closure: part)) && isMadeAnew(part, functions)
    }
  }

  private func isCalled(closure: Ref) -> Bool {
    sibling(after: closure).map { kind($0) == .call } ?? false
  }

  private func isFreshCall(_ call: Ref, _ functions: Int) -> Bool {
    switch callTarget(call) {
    case .externalInitializer(.external(let name, _)):
      return freshTypes.contains(name) && arguments(call).isEmpty
    case .externalMethod(_, let name): return freshMethods.contains(name)
    case .externalFunction(let name): return freshFunctions.contains(name)
    case .functions(let ids):
      return isWithin(functions, .freshValues)
        && ids.contains { id in
          body(of: id).map { gives(freshFrom: $0, functions + 1) } ?? false
        }
    default: return false
    }
  }

  private func isFreshMember(_ member: Ref, _ functions: Int) -> Bool {
    if let id = property(usedBy: member) {
      guard properties[id].isComputed, let accessors = properties[id].accessors,
        isWithin(functions, .freshValues)
      else { return false }
      let body = Ref(file: Int(properties[id].ref.file), node: accessors)
      return descendants(body, .accessor).contains { accessor in
        child(accessor, .block).map { gives(freshFrom: $0, functions + 1) } ?? false
      }
    }
    guard freshMembers.contains(name(member)), kind(member) != .name else { return false }
    if kind(member) == .implicitMember { return true }
    guard let chain = parent(member), kind(chain) == .chain else { return false }
    switch type(ofChain: chain, upTo: member) {
    case .metatype(.external(let name, _)): return clocks.contains(name)
    case .external("ProcessInfo", _): return true
    default: return false
    }
  }

  private func gives(freshFrom body: Ref, _ functions: Int) -> Bool {
    let results = results(of: body)
    return !results.isEmpty && results.allSatisfy { isMadeAnew($0, functions) }
  }

  private var freshTypes: Set<Name> { ["UUID", "NSUUID", "Date", "NSDate"] }
  private var freshMethods: Set<Name> { ["random", "randomElement", "now"] }
  private var freshFunctions: Set<Name> {
    ["CFAbsoluteTimeGetCurrent", "CACurrentMediaTime", "arc4random", "arc4random_uniform"]
  }
  private var freshMembers: Set<Name> {
    ["now", "timeIntervalSinceReferenceDate", "globallyUniqueString"]
  }
  private var clocks: Set<Name> { ["Date", "DispatchTime", "ContinuousClock", "SuspendingClock"] }
}
