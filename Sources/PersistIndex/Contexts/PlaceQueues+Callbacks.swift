import PersistSyntax

/// The bodies that ask in a condition whether they run on the main thread.
private struct BodiesAskingThread: Query {
  static var provisional: Set<Ref> { [] }
  func answer(in program: Program) -> Set<Ref> { program.findBodiesAskingThread() }
}

// MARK: - Code whose queue its frameworks or conditions tell

extension Program {
  /// The queue of a place that depends on a question for the thread in its body: the main one in
  /// the branch that says so; nil for a place that runs on any.
  func queue(at place: Ref, asking body: Ref) -> PlaceQueue? {
    guard answer(BodiesAskingThread()).contains(body) else { return nil }
    let asking = uses(of: ["isMainThread"]).filter { $0.file == place.file && contains(body, $0) }
    for use in asking where !isExempt(use) && !contains(use, place) {
      guard let statement = ancestors(use).first(where: { asksInCondition($0, use) }) else {
        continue
      }
      if contains(statement, place) {
        guard kind(statement) == .ifStatement, let block = child(statement, .block),
          contains(block, place), let condition = children(statement).first,
          saysMainThread(condition)
        else { return .unknown }
        return .main
      }
      let isDecided =
        statement < place
        && (kind(statement) == .guardStatement
          || children(statement, .block).contains { alwaysLeaves($0) })
      if isDecided { return .unknown }
    }
    return nil
  }

  /// Whether a name stands in the condition of a statement or of `?:`.
  private func asksInCondition(_ statement: Ref, _ use: Ref) -> Bool {
    switch kind(statement) {
    case .ifStatement, .guardStatement, .switchStatement:
      return !children(statement).contains {
        [.block, .switchCase, .ifStatement].contains(kind($0)) && contains($0, use)
      }
    case .expression:
      return children(statement, .binaryOperator).contains { nameText($0) == "?" }
    default: return false
    }
  }

  fileprivate func findBodiesAskingThread() -> Set<Ref> {
    let asking = uses(of: ["isMainThread"]).filter { use in
      !isExempt(use) && ancestors(use).contains { asksInCondition($0, use) }
    }
    return Set(asking.compactMap { enclosingBody($0) })
  }

  /// The queue of an asynchronous function that belongs to no actor.
  package func queue(ofUnboundAsync declaration: Ref) -> PlaceQueue {
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
      argument(call, "delegate").map { spells(["self"], $0) } ?? false
        && enclosingType(call).map { lineage(of: $0).contains(owner) || $0 == owner } ?? false
    }
    return !made.isEmpty
      && made.allSatisfy { argument($0, "delegateQueue").map { isNil($0) } ?? true }
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
      return name(first) == "BGTaskScheduler" && isNil(queue)
    }
    guard Words.offMainCallbacks.contains(method) else { return false }
    let type = type(ofChain: chain, upTo: called)
    return Words.offMainCallers.contains { name in
      type.isExternal(name)
        || kind(first) == .name && self.name(first) == name
          && declared(first) == nil
    }
  }

  /// Whether UIKit or AppKit calls the closure that a call takes, on the main queue.
  func isMainCallback(_ call: Ref, _ method: Name) -> Bool {
    if case .externalInitializer(let type) = callTarget(call) {
      return Words.mainHandlers.contains { type.isExternal($0) }
    }
    guard Words.mainCompletions.contains(method), let called = calledNode(call),
      let chain = parent(call)
    else { return false }
    let receiver =
      kind(called) == .member
      ? type(ofChain: chain, upTo: called).unwrapped
      : enclosingType(call).map { .declared($0) } ?? .unknown
    switch receiver {
    case .declared(let type, _), .metatype(.declared(let type, _)): return isShown(type)
    case .external(let name, _), .metatype(.external(let name, _)):
      return Words.viewClasses.contains(name)
    default: return false
    }
  }

  /// Whether a type is a view or its controller.
  private func isShown(_ type: TypeID) -> Bool {
    if types[type].kind == .extensionDecl { return Words.viewClasses.contains(types[type].name) }
    return lineage(of: type).contains { owner in
      inherited(by: owner).contains { base in
        guard case .external(let name, _) = base else { return false }
        // A controller is called after what it inherits from, which may be another module's.
        return Words.viewClasses.contains(name)
          || nameText(types[owner].ref).camelWords.suffix(2) == ["view", "controller"]
      }
    }
  }
}
