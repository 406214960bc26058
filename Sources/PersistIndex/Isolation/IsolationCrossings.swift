import PersistSyntax

/// A closure, or the value of an `async let`, that runs apart from the code around it.
package struct IsolationCrossing: Hashable, Sendable {
  /// What starts it.
  package enum Kind: Sendable {
    case detachedTask, globalQueue, privateQueue, operationQueue, taskGroup, asyncLet
    /// A `Task { }` in code without isolation.
    case plainTask
    /// A `Task { @concurrent in }`.
    case concurrentTask
    /// A closure on another actor than the code around it.
    case otherActor
  }

  package let kind: Kind
  /// The closure, or the expression of an `async let`.
  package let body: Ref
  /// Where the body runs.
  package let isolation: Isolation
  /// Where the code around it runs.
  package let origin: Isolation
}

/// What runs a closure that a call takes.
enum ClosureExecutor: Equatable {
  /// The code that makes the call, at once.
  case caller
  case main
  case contextQueue
  case detached(IsolationCrossing.Kind)
  case unknown
}

/// All places where code leaves its actor or queue.
private struct IsolationCrossings: Query {
  static var provisional: [IsolationCrossing] { [] }
  func answer(in program: Program) -> [IsolationCrossing] { program.findCrossings() }
}

// MARK: - Where code leaves its actor

extension Program {
  /// All places outside of tests and previews where code leaves its actor or queue, in source
  /// order.
  package var crossings: [IsolationCrossing] {
    answer(IsolationCrossings())
  }

  fileprivate func findCrossings() -> [IsolationCrossing] {
    guard holdsModelsOrContexts || usesRealm else { return [] }
    let starters = Words.crossingCalls.union(findDetachingNames())
    var found: [IsolationCrossing] = []
    for file in files(startingAny: starters)
    where !files[file].isTest && !files[file].isDocumentation {
      let known = files[file].calls
      let calls = starters.flatMap { known.named($0) }
      let bodies = calls.flatMap { closures(takenBy: Ref(file: file, node: $0)) }
      let values = known.asyncLets.map { Ref(file: file, node: Int($0)) }
      for ref in (bodies + values).sorted() {
        let crossing = kind(ref) == .closure ? closureCrossing(ref) : asyncLet(ref)
        if let crossing, !isExempt(ref) { found.append(crossing) }
      }
    }
    return found
  }

  /// The files in which something may cross.
  private func files(startingAny starters: Set<Name>) -> [Int] {
    // `init` starts a task only behind `Task`.
    let calling = Set(files(usingAny: starters.subtracting(["init"])))
    return filesOfBoundValues.filter {
      calling.contains($0) || !files[$0].calls.asyncLets.isEmpty
    }
  }

  /// The closures that stand as arguments of a call or behind it.
  private func closures(takenBy call: Ref) -> [Ref] {
    let file = Int(call.file)
    let nodes = outline(call).nodes
    let end = nodes[Int(call.node)].subtreeEnd
    return (Int(call.node) + 1..<Int(end)).filter { nodes[$0].kind == .closure }
      .map { Ref(file: file, node: $0) }
      .filter { callTaking($0)?.call == call }
  }

  private func closureCrossing(_ closure: Ref) -> IsolationCrossing? {
    guard let (call, _) = callTaking(closure), let kind = crossingKind(closure, call)
    else { return nil }
    let inner = isolation(ofClosure: closure)
    let origin = isolation(at: closure)
    switch inner {
    case .concurrent:
      return IsolationCrossing(kind: kind, body: closure, isolation: inner, origin: origin)
    case .mainActor, .globalActor:
      guard origin.isActor, origin != inner else { return nil }
      return IsolationCrossing(kind: .otherActor, body: closure, isolation: inner, origin: origin)
    default: return nil
    }
  }

  private func crossingKind(_ closure: Ref, _ call: Ref) -> IsolationCrossing.Kind? {
    switch executor(ofClosure: closure, in: call) {
    case .detached(.plainTask) where isConcurrent(closure): .concurrentTask
    case .detached(let kind): kind
    case .main: .otherActor
    default: nil
    }
  }

  private func asyncLet(_ declaration: Ref) -> IsolationCrossing? {
    guard children(declaration, .modifier).contains(where: { name($0) == "async" }),
      let binding = child(declaration, .binding), let value = child(binding, .expression)
    else { return nil }
    return IsolationCrossing(
      kind: .asyncLet, body: value, isolation: .concurrent, origin: isolation(at: declaration))
  }

  // MARK: Who runs a closure

  /// What runs a closure that a call takes.
  func executor(ofClosure closure: Ref, in call: Ref) -> ClosureExecutor {
    let method = calledName(call)
    let callee = callee(call)
    guard let first = callee.first, let called = calledNode(call) else { return .caller }
    if let executor = firstDispatchExecutor(call) { return executor }
    if kind(first) == .name, name(first) == "Task", declared(first) == nil {
      if method == "Task" || method == "init" { return .detached(.plainTask) }
      return Words.detachingMethods.contains(method) ? .detached(.detachedTask) : .unknown
    }
    if kind(first) == .name, name(first) == "MainActor" { return .main }
    if Words.performMethods.contains(method) { return .contextQueue }
    if method == "write", receiverType(ofCall: call).unwrapped.isExternal("Realm") {
      return .caller
    }
    if kind(called) == .member {
      if let queue = queueExecutor(method, call, called) { return queue }
    }
    if Words.immediateMethods.contains(method) { return .caller }
    return declaredExecutor(closure, call) ?? .unknown
  }

  private func queueExecutor(_ method: Name, _ call: Ref, _ called: Ref) -> ClosureExecutor? {
    if Words.groupMethods.contains(method), isTaskGroup(call) { return .detached(.taskGroup) }
    let isQueue = Words.queueMethods.contains(method)
    guard isQueue || Words.operationMethods.contains(method), let chain = parent(call) else {
      return nil
    }
    let receiver = type(ofChain: chain, upTo: called)
    if receiver.isExternal("MainQueue") { return .main }
    if receiver.isExternal(isQueue ? "DispatchQueue" : "OperationQueue"),
      let kind = backgroundQueue(chain, before: called)
    {
      return .detached(isQueue ? kind : .operationQueue)
    }
    return .unknown
  }

  private func isTaskGroup(_ call: Ref) -> Bool {
    guard let first = callee(call).first, kind(first) == .name else { return false }
    switch declared(first) {
    case .local(let local):
      if let list = parent(local), let closure = parent(list), kind(closure) == .closure,
        let (taker, _) = callTaking(closure)
      {
        return Words.taskGroupCalls.contains(calledName(taker))
      }
      guard case .external(let name, _) = type(ofLocal: local) else { return false }
      return Words.taskGroupTypes.contains(name)
    case .closureArgument(let closure, 0):
      return callTaking(closure).map { Words.taskGroupCalls.contains(calledName($0.call)) } ?? false
    default: return false
    }
  }

  /// What the closure's parameter in a function of the sources says of who runs it.
  private func declaredExecutor(_ closure: Ref, _ call: Ref) -> ClosureExecutor? {
    guard case .functions(let candidates) = callTarget(call), candidates.count == 1 else {
      return nil
    }
    let function = functions[candidates[0]]
    guard let parameter = parameter(of: function, taking: closure, in: call),
      let node = parameter.type
    else { return nil }
    let type = Ref(file: Int(function.ref.file), node: node)
    let words = outline(type).tokenNames(of: node)
    if words.contains("MainActor") { return .main }
    if case .function = self.type(ofTypeNode: type), !words.contains("escaping"),
      !words.contains("Sendable")
    {
      return .caller
    }
    return executor(
      ofParameter: Ref(file: Int(function.ref.file), node: parameter.node), of: candidates[0])
  }
}

extension Outline {
  /// The names that the tokens of a node spell.
  package func tokenNames(of node: Int) -> [Name] {
    (Int(nodes[node].first)..<Int(nodes[node].end)).compactMap {
      tokens[$0].kind == .identifier ? name(ofToken: $0) : nil
    }
  }
}
