import PersistSyntax

/// Who runs what a parameter of a function holds.
private struct ExecutorOfParameter: Query {
  let parameter: Ref
  let function: FunctionID

  static var provisional: ClosureExecutor { .unknown }
  func answer(in program: Program) -> ClosureExecutor {
    program.findExecutor(ofParameter: parameter, of: function)
  }
}

// MARK: - Functions of the sources that run a closure elsewhere

extension Program {
  /// Who runs what a parameter of a function of the sources holds; `.unknown` where it can't be
  /// told, or where the function runs it in several ways.
  func executor(ofParameter parameter: Ref, of id: FunctionID) -> ClosureExecutor {
    answer(ExecutorOfParameter(parameter: parameter, function: id))
  }

  fileprivate func findExecutor(ofParameter parameter: Ref, of id: FunctionID) -> ClosureExecutor {
    guard let body = body(of: id), !isBoundToItsActor(parameter) else { return .unknown }
    var found: ClosureExecutor?
    for use in descendants(body, .name) where name(use) == name(parameter) {
      guard declared(use) == .local(parameter) else { continue }
      let next = executor(ofUse: use, in: body, of: id)
      guard next != .unknown, found == nil || found == next else { return .unknown }
      found = next
    }
    return found ?? .unknown
  }

  /// Whether a closure goes back to the actor that it was made on: it is `async`, and nothing lets
  /// it be sent elsewhere.
  private func isBoundToItsActor(_ parameter: Ref) -> Bool {
    guard let type = child(parameter, .type) else { return true }
    let outline = outline(type)
    let tokens = Int(node(type).first)..<Int(node(type).end)
    let words = outline.tokenNames(of: Int(type.node))
    if words.contains("isolated") { return true }
    return tokens.contains { outline.tokens[$0].keyword == .async }
      && !words.contains("Sendable")
      && !tokens.contains { outline.tokens[$0].keyword == .sending }
  }

  private func executor(ofUse use: Ref, in body: Ref, of id: FunctionID) -> ClosureExecutor {
    guard let chain = parent(use) else { return .unknown }
    let rest = children(chain).dropFirst().filter { kind($0) != .optionalChain }
    if let call = rest.first {
      return kind(call) == .call ? executor(ofPlace: use, in: body, of: id) : .unknown
    }
    guard let expression = parent(chain), children(expression) == [chain],
      let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
      kind(call) == .call
    else { return .unknown }
    let executor = settled(executor(ofClosure: argument, in: call))
    return executor == .caller ? self.executor(ofPlace: use, in: body, of: id) : executor
  }

  /// Who runs the code at a place of a function: the innermost closure around it that does not run
  /// where it stands, else the function itself.
  private func executor(ofPlace place: Ref, in body: Ref, of id: FunctionID) -> ClosureExecutor {
    var next = parent(place)
    while let scope = next, scope != body {
      if kind(scope) == .functionDecl { return .unknown }
      if kind(scope) == .closure {
        if case .mainActor = isolation(ofClosure: scope) { return .main }
        guard let (call, _) = callTaking(scope) else { return .unknown }
        let executor = settled(executor(ofClosure: scope, in: call))
        if executor != .caller { return executor }
      }
      next = parent(scope)
    }
    switch isolation(ofFunction: id) {
    case .mainActor: return .main
    case .nonisolated where !functions[id].isAsync: return .caller
    default: return .unknown
    }
  }

  /// A plain task runs where the code around it does, which is not told here.
  private func settled(_ executor: ClosureExecutor) -> ClosureExecutor {
    executor == .detached(.plainTask) ? .unknown : executor
  }

  /// The names of the functions of the sources that run a closure apart from their callers.
  func findDetachingNames() -> Set<Name> {
    var detaching: Set<FunctionID> = []
    var open: [FunctionID] = []
    func look(around call: Ref) {
      guard let id = enclosingFunction(call), !detaching.contains(id), sendsClosureAway(id) else {
        return
      }
      detaching.insert(id)
      open.append(id)
    }
    for name in Words.crossingCalls {
      for call in calls(named: name) where !files[Int(call.file)].isTest { look(around: call) }
    }
    while let id = open.popLast() {
      for call in calls(named: functions[id].name) { look(around: call) }
    }
    return Set(detaching.map { functions[$0].name })
  }

  private func sendsClosureAway(_ id: FunctionID) -> Bool {
    functions[id].parameters.contains { parameter in
      guard let node = parameter.type else { return false }
      let file = Int(functions[id].ref.file)
      guard case .function = type(ofTypeNode: Ref(file: file, node: node)).unwrapped else {
        return false
      }
      let place = Ref(file: file, node: parameter.node)
      if case .detached = executor(ofParameter: place, of: id) { return true }
      return false
    }
  }
}
