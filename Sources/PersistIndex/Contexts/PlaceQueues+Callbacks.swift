import PersistSyntax

/// The bodies that ask in a condition whether they run on the main thread.
private struct BodiesAskingThread: Query {
  static var provisional: Set<Ref> { [] }
  func answer(in program: Program) -> Set<Ref> { program.findBodiesAskingThread() }
}

// MARK: - Code whose queue its frameworks or conditions tell

extension Program {
  /// The queue of a place in a body that asks for its thread: the main one in the branch that says
  /// so; nil for a body that doesn't ask.
  func queue(at place: Ref, asking body: Ref) -> PlaceQueue? {
    guard answer(BodiesAskingThread()).contains(body) else { return nil }
    let isMain = ancestors(place).prefix { $0 != body }.contains { scope in
      guard kind(scope) == .ifStatement, let block = child(scope, .block), contains(block, place),
        let condition = children(scope).first, kind(condition) == .expression
      else { return false }
      return ["Thread.isMainThread", "Thread.current.isMainThread"].contains(text(condition))
    }
    return isMain ? .main : .unknown
  }

  fileprivate func findBodiesAskingThread() -> Set<Ref> {
    let asking = uses(of: ["isMainThread"]).filter { use in
      !isSilent(use)
        && ancestors(use).contains {
          [.ifStatement, .guardStatement, .switchStatement].contains(kind($0))
            || kind($0) == .expression
              && children($0, .binaryOperator).contains { nameText($0) == "?" }
        }
    }
    return Set(asking.compactMap { enclosingBody($0) })
  }

  /// The queue of an asynchronous function that belongs to no actor.
  func queue(ofUnboundAsync declaration: Ref) -> PlaceQueue {
    if children(declaration, .attribute).contains(where: { name($0) == "concurrent" }) {
      return .elsewhere
    }
    switch projects.staysWithCaller(files[Int(declaration.file)].path) {
    case true?: return .callers(declaration)
    case false?: return .elsewhere
    case nil: return .apart
    }
  }

  /// Whether a framework calls a delegate's method on a queue of its own.
  func isCalledOffMain(_ declaration: Ref) -> Bool {
    guard kind(declaration) == .functionDecl, let id = function(declaredAt: declaration),
      let owner = functions[id].owner, !functions[id].isStatic,
      isolation(ofDeclaration: declaration) != .mainActor
    else { return false }
    switch nameText(declaration) {
    case "session": return inherits(owner, fromAny: ["WCSessionDelegate"])
    case "urlSession":
      return inherits(
        owner,
        fromAny: [
          "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
          "URLSessionDownloadDelegate", "URLSessionWebSocketDelegate",
        ]) && makesSessionsOffMain(owner)
    default: return false
    }
  }

  private func inherits(_ type: TypeID, fromAny names: [Name]) -> Bool {
    names.contains { inherits(type, from: $0) }
  }

  /// Whether a type gives itself as a delegate to sessions, none of which gets a queue.
  private func makesSessionsOffMain(_ owner: TypeID) -> Bool {
    let made = calls(named: "URLSession").filter { call in
      argument(call, "delegate").map { text($0) == "self" } ?? false
        && enclosingType(call).map { lineage(of: $0).contains(owner) || $0 == owner } ?? false
    }
    return !made.isEmpty
      && made.allSatisfy { argument($0, "delegateQueue").map { text($0) == "nil" } ?? true }
  }

  /// Whether a method of a framework calls its closure on a queue of the framework's own.
  func callsBackOffMain(_ call: Ref, _ method: Name) -> Bool {
    if Words.offMainQueries.contains(method) {
      if case .externalInitializer = callTarget(call) { return true }
      return false
    }
    guard let called = calledNode(call), kind(called) == .member, let chain = parent(call),
      let first = children(chain).first
    else { return false }
    if method == "register", let queue = argument(call, "using") {
      return name(first) == "BGTaskScheduler" && text(queue) == "nil"
    }
    guard Words.offMainCallbacks.contains(method) else { return false }
    let type = type(ofChain: chain, upTo: called)
    return Words.offMainCallers.contains { name in
      type.isExternal(name)
        || kind(first) == .name && self.name(first) == name
          && declared(first) == nil
    }
  }
}
