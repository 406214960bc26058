import PersistSyntax

// MARK: - Whose queue runs a place

extension Program {
  /// Whose queue runs the code at a node.
  package func queue(at place: Ref) -> PlaceQueue {
    var inner = place
    var next = parent(place)
    while let scope = next {
      defer { inner = scope }
      switch kind(scope) {
      // What a capture list names is looked at before the closure runs.
      case .closure where kind(inner) != .captures:
        if let queue = queue(at: place, asking: scope) { return queue }
        let queue = answer(QueueOfClosure(closure: scope))
        if queue != .here { return queue }
      case .functionDecl, .initDecl, .subscriptDecl, .accessor:
        return queue(at: place, asking: scope) ?? queue(ofBody: scope)
      case .deinitDecl, .members: return .unknown
      case .binding where property(declaredAt: scope) != nil: return .callers(scope)
      default: break
      }
      next = parent(scope)
    }
    return isolation(at: place) == .mainActor ? .main : .unknown
  }

  /// Whose queue runs a closure, whatever runs the code around it.
  package func queue(ofClosure closure: Ref) -> PlaceQueue {
    answer(QueueOfClosure(closure: closure))
  }

  private func queue(ofBody declaration: Ref) -> PlaceQueue {
    if kind(declaration) == .accessor, !["", "get", "set"].contains(nameText(declaration)) {
      return isolation(ofDeclaration: declaration) == .mainActor ? .main : .unknown
    }
    let isAsync = node(declaration).flags.contains(.isAsync)
    if isCalledOffMain(declaration) { return .elsewhere }
    // The initializer of an actor runs on no executor yet, but wherever it is called.
    if kind(declaration) == .initDecl, !isAsync,
      case .actor = isolation(ofDeclaration: declaration)
    {
      return .callers(declaration)
    }
    switch isolation(ofDeclaration: declaration) {
    case .mainActor: return .main
    case .actor(let actor): return hasOwnExecutor(actor) ? .unknown : .elsewhere
    case .globalActor: return .elsewhere
    case .concurrent: return .elsewhere
    case .nonisolated where isAsync: return queue(ofUnboundAsync: declaration)
    case .nonisolated, .unknown: return isAsync ? .apart : .callers(declaration)
    case .contextQueue: return .unknown
    }
  }

  /// Whether an actor runs where it says, perhaps on the queue of a context.
  private func hasOwnExecutor(_ actor: TypeID) -> Bool {
    ["unownedExecutor", "modelExecutor"].contains { member(Name($0), of: actor) != nil }
  }

  /// The queue of what runs with an isolation, for sure apart from the queues of contexts.
  private func queue(of isolation: Isolation) -> PlaceQueue {
    switch isolation {
    case .mainActor: .main
    case .actor(let actor): hasOwnExecutor(actor) ? .unknown : .elsewhere
    case .globalActor, .concurrent, .nonisolated, .contextQueue: .elsewhere
    case .unknown: .apart
    }
  }

  // MARK: Closures

  func findQueue(ofClosure closure: Ref) -> PlaceQueue {
    if children(closure, .attribute).contains(where: { name($0) == "MainActor" }) { return .main }
    if let chain = parent(closure), kind(chain) == .chain, children(chain).count > 1,
      children(chain)[0] == closure, kind(children(chain)[1]) == .call
    {
      return .here
    }
    guard let (call, _) = callTaking(closure) else { return .unknown }
    return queue(ofArgument: closure, in: call)
  }

  /// Whose queue runs a closure, or a function named instead, that is an argument of a call.
  private func queue(ofArgument argument: Ref, in call: Ref) -> PlaceQueue {
    guard let first = callee(call).first, let called = calledNode(call) else { return .unknown }
    let method = calledName(call)
    if kind(first) == .name, declared(first) == nil {
      if let executor = firstDispatchExecutor(call) {
        return executor == .main ? .main : .elsewhere
      }
      switch name(first) {
      case "Task" where method == "Task" || method == "init":
        return queue(of: isolation(at: call))
      case "Task": return method == "detached" ? .elsewhere : .unknown
      case "MainActor": return .main
      default: break
      }
    }
    if case .functions = callTarget(call) { return queue(ofArgument: argument, inOwn: call) }
    if let queue = contextQueue(method, call) { return queue }
    if kind(called) == .member, let queue = dispatchQueue(method, call, called) { return queue }
    if let queue = scheduledQueue(method, call) { return queue }
    if isMainCallback(call, method) { return .main }
    if Words.immediateMethods.contains(method) { return .here }
    if method == "write", receiverType(ofCall: call).unwrapped.isExternal("Realm") { return .here }
    if case .initializer(let type, let candidates) = callTarget(call),
      isolation(ofType: type) != .mainActor
    {
      return candidates.isEmpty ? .unknown : queue(ofArgument: argument, inOwn: call)
    }
    if kind(argument) == .closure, isViewCode(argument),
      isolation(ofClosure: argument) == .mainActor
    {
      return .main
    }
    return .unknown
  }

  /// The queue of what `perform` of a context runs.
  private func contextQueue(_ method: Name, _ call: Ref) -> PlaceQueue? {
    if method == "performBackgroundTask" { return .context }
    guard method == "perform" || method == "performAndWait" else { return nil }
    if case .externalMethod(let receiver, _) = callTarget(call), !isManagedContext(receiver) {
      return .unknown
    }
    return .context
  }

  private func dispatchQueue(_ method: Name, _ call: Ref, _ called: Ref) -> PlaceQueue? {
    guard let chain = parent(call) else { return nil }
    let isQueue = Words.queueMethods.contains(method) || method == "sync"
    if Words.groupMethods.contains(method), case .detached = executor(ofClosure: call, in: call) {
      return .elsewhere
    }
    guard isQueue || Words.operationMethods.contains(method) else { return nil }
    let receiver = type(ofChain: chain, upTo: called)
    if receiver.isExternal("MainQueue") { return .main }
    if method == "sync" { return nil }
    guard receiver.isExternal("DispatchQueue") || receiver.isExternal("OperationQueue") else {
      return nil
    }
    return backgroundQueue(chain, before: called) == nil ? .apart : .elsewhere
  }

  /// The queue that an argument or an earlier call in the chain names.
  private func scheduledQueue(_ method: Name, _ call: Ref) -> PlaceQueue? {
    switch method {
    case "notify":
      return argument(call, "queue").map { queue(named: $0) ?? .apart }
    case "addObserver":
      guard argument(call, "forName") != nil, let queue = argument(call, "queue") else {
        return nil
      }
      return isNil(queue)
        ? self.queue(ofNotificationFrom: call) : self.queue(named: queue) ?? .unknown
    case "DispatchWorkItem", "BlockOperation", "scheduledTimer": return .apart
    case "dataTask", "uploadTask", "downloadTask": return sessionQueue(call)
    case _ where callsBackOffMain(call, method): return .elsewhere
    case "sink", "handleEvents": return queue(ofOperator: call) ?? .unknown
    case _ where Words.closureOperators.contains(method): return queue(ofOperator: call)
    default: return nil
    }
  }

  /// The queue that an expression such as `.main` or `DispatchQueue.global()` names.
  func queue(named expression: Ref) -> PlaceQueue? {
    guard let chain = child(expression, .chain), let last = children(chain).last else { return nil }
    if let queue = queue(ofScheduler: chain) { return queue }
    let words = children(chain).map { nameText($0) }
    if words.last == "main" || words.last == "mainQueue" { return .main }
    if words.contains("global") { return .elsewhere }
    let type = type(of: chain)
    if type.isExternal("MainQueue") { return .main }
    guard type.isExternal("DispatchQueue") || type.isExternal("OperationQueue") else { return nil }
    return backgroundQueue(chain, before: Ref(file: Int(last.file), node: Int(last.node) + 1))
      == nil
      ? .apart : .elsewhere
  }

  /// Where a session calls its completions: on a queue of its own, unless it got one.
  func sessionQueue(_ call: Ref) -> PlaceQueue? {
    guard let called = calledNode(call), kind(called) == .member, let chain = parent(call),
      let session = children(chain).last(where: { $0 < called && kind($0) != .optionalChain })
    else { return nil }
    let type = type(ofChain: chain, upTo: called)
    guard type.isExternal("URLSession") || children(chain).first.map({ name($0) }) == "URLSession"
    else { return nil }
    if name(session) == "shared" { return .elsewhere }
    guard let made = declaredValue(session) else { return .unknown }
    let inner = kind(made) == .chain ? made : child(made, .chain) ?? made
    guard let creation = child(inner, .call), calledName(creation) == "URLSession" else {
      return .unknown
    }
    guard let queue = argument(creation, "delegateQueue") else { return .elsewhere }
    if isNil(queue) { return .elsewhere }
    return self.queue(named: queue) ?? .unknown
  }

  // MARK: Closures that functions of the sources take

  /// Whose queue runs a function that is named as an argument of a call.
  func queue(ofFunctionNamed argument: Ref, in call: Ref) -> PlaceQueue {
    let queue = queue(ofArgument: argument, in: call)
    return queue == .here ? self.queue(at: call) : queue
  }

  private func queue(ofArgument argument: Ref, inOwn call: Ref) -> PlaceQueue {
    var found: PlaceQueue?
    for id in functions(calledBy: call) where functions[id].body != nil {
      guard let parameter = parameter(of: functions[id], taking: argument, in: call),
        !saysMainActor(parameter, of: id)
      else { return .unknown }
      let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
      let queue = answer(QueueOfParameter(parameter: place, function: id))
      guard found == nil || found == queue else { return .unknown }
      found = queue
    }
    return found ?? .unknown
  }

  private func saysMainActor(_ parameter: Parameter, of id: FunctionID) -> Bool {
    guard let node = parameter.type else { return false }
    return files[Int(functions[id].ref.file)].outline.tokenNames(of: node).contains("MainActor")
  }

  func findQueue(ofParameter parameter: Ref, of id: FunctionID) -> PlaceQueue {
    guard let body = body(of: id) else { return .unknown }
    var found: PlaceQueue?
    for use in descendants(body, .name) where name(use) == name(parameter) {
      guard declared(use) == .local(parameter), let chain = parent(use) else { continue }
      let parts = children(chain).filter { kind($0) != .optionalChain }
      var queue = PlaceQueue.here
      if parts.count < 2 || parts[0] != use || kind(parts[1]) != .call {
        guard let (call, argument) = callTaking(name: use) else { return .unknown }
        queue = self.queue(ofArgument: argument, in: call)
      }
      if queue == .here { queue = self.queue(at: use) }
      if queue == .callers(functions[id].ref) { queue = .here }
      if case .callers = queue { return .unknown }
      guard found == nil || found == queue else { return .unknown }
      found = queue
    }
    return found ?? .unknown
  }
}
