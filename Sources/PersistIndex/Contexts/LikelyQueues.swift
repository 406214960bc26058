import PersistSyntax

// MARK: - Places that are probably not on the main queue

extension Program {
  /// The hop to the main queue that a handler makes for other work than a place: so it seems to
  /// know that it doesn't run there. Nil for code of which the sources tell the queue, and for code
  /// that isn't handed to others.
  func hintOfOtherQueue(_ place: Ref) -> Ref? {
    guard let body = handlerBody(around: place) else { return nil }
    return descendants(body, .call).first { call in
      call != place && !contains(call, place) && isOwnCode(call, of: body) && goesToMain(call)
    }.flatMap { calledNode($0) }
  }

  /// The body of the completion of unknown queue in which a place stands: a closure, or a function
  /// that is handed over by its name.
  private func handlerBody(around place: Ref) -> Ref? {
    for scope in ancestors(place) {
      switch kind(scope) {
      case .closure:
        let queue = answer(QueueOfClosure(closure: scope))
        if queue == .here { continue }
        guard queue == .unknown, isolation(at: place) != .mainActor,
          let (call, _) = callTaking(scope)
        else { return nil }
        if case .functions = callTarget(call) { return nil }
        return isForeignCompletion(call) ? scope : nil
      case .functionDecl:
        return isHandedOver(scope) && isolation(ofDeclaration: scope) != .mainActor
          ? child(scope, .block) : nil
      case .initDecl, .deinitDecl, .accessor, .subscriptDecl, .members: return nil
      default: break
      }
    }
    return nil
  }

  /// Whether a call of something from elsewhere may keep its closure for later.
  private func isForeignCompletion(_ call: Ref) -> Bool {
    guard let called = calledNode(call), kind(called) == .member else { return false }
    return !isViewCode(call) && !Words.immediateMethods.contains(calledName(call))
  }

  /// Whether a function is only handed over by its name, to calls of unknown queue.
  private func isHandedOver(_ declaration: Ref) -> Bool {
    guard let id = function(declaredAt: declaration), functions[id].attributes.isEmpty,
      callers(of: id).allSatisfy({ isExempt($0) })
    else { return false }
    let uses = uses(of: [functions[id].name]).filter {
      !isExempt($0) && callTaking(name: $0) != nil
    }
    return !uses.isEmpty
      && uses.allSatisfy { use in
        callTaking(name: use).map { queue(ofFunctionNamed: $0.argument, in: $0.call) == .unknown }
          ?? false
      }
  }

  /// Whether a call stands in a body itself, not in a closure that runs elsewhere.
  private func isOwnCode(_ call: Ref, of body: Ref) -> Bool {
    for scope in ancestors(call) {
      if scope == body { return true }
      if kind(scope) == .closure, answer(QueueOfClosure(closure: scope)) != .here { return false }
    }
    return false
  }

  /// Whether a call sends its closure to the main queue, at once.
  private func goesToMain(_ call: Ref) -> Bool {
    guard ["async", "sync", "run", "Task"].contains(calledName(call)),
      let closure = arguments(call).lazy.compactMap({ self.closure(of: $0) }).first
    else { return false }
    return answer(QueueOfClosure(closure: closure)) == .main
  }
}
