import PersistIndex
import PersistSyntax

// MARK: - Closures that the network calls on a thread of its own

extension Program {
  /// The closures that surely run on the background queue of a session of URLs, directly or through
  /// functions of the sources; in source order.
  var networkCallbacks: [Ref] {
    guard !usesMainDelegateQueue else { return [] }
    var found: Set<Ref> = []
    var open: [Ref] = []
    for name: Name in ["dataTask", "downloadTask", "uploadTask"] {
      for call in calls(named: name) where isSessionCall(call) && !isExempt(call) {
        open += arguments(call).compactMap { argument in
          kind(argument) == .closure ? argument : closures(ofArgument: argument).first
        }
      }
    }
    while let closure = open.popLast() {
      guard found.insert(closure).inserted else { continue }
      open += closuresHanded(toCallersOf: closure)
    }
    return found.sorted()
  }

  private var usesMainDelegateQueue: Bool {
    calls(named: "URLSession").contains { call in
      argument(call, "delegateQueue").map { lastName(of: $0) == "main" } ?? false
    }
  }

  private func isSessionCall(_ call: Ref) -> Bool {
    let receiver = receiverType(ofCall: call).unwrapped
    if receiver != .unknown { return receiver.isExternal("URLSession") }
    return callee(call).first.map { nameText($0) == "URLSession" } ?? false
      || argument(call, "completionHandler") != nil
      || callee(call).dropLast().last.map { nameText($0).lowercased().hasSuffix("session") }
        ?? false
  }

  private func closures(ofArgument argument: Ref) -> [Ref] {
    descendants(argument, .closure).filter { callTaking($0)?.call == parent(argument) }
  }

  /// The closures that callers hand to a function whose parameter a closure calls, on its own turn.
  private func closuresHanded(toCallersOf closure: Ref) -> [Ref] {
    descendants(closure, .name).flatMap { use -> [Ref] in
      guard case .local(let local)? = declared(use), kind(local) == .parameter,
        !contains(closure, local), staysOnTurn(use, of: closure), isCalledOrHanded(use),
        !isCalledElsewhere(local),
        let list = parent(local), let owner = parent(list), let id = function(declaredAt: owner)
      else { return [] }
      return closures(handedFor: local, of: id, depth: 0)
    }
  }

  /// What the callers of a function hand over for a parameter, through those that hand on their
  /// own.
  func closures(handedFor parameter: Ref, of id: FunctionID, depth: Int) -> [Ref] {
    guard isWithin(depth, .closureCallers), let list = parent(parameter),
      let index = children(list, .parameter).firstIndex(of: parameter)
    else { return [] }
    return callers(of: id).filter { !isExempt($0) }.flatMap { call -> [Ref] in
      guard let given = argument(of: call, for: index, of: functions[id]) else { return [] }
      if kind(given) == .closure { return [given] }
      let literal = closures(ofArgument: given)
      if !literal.isEmpty { return literal }
      guard let chain = descendants(given, .chain).first, children(chain).count == 1,
        let head = children(chain).first, kind(head) == .name,
        case .local(let outer)? = declared(head), kind(outer) == .parameter,
        let owner = parent(outer).flatMap({ self.parent($0) }),
        let next = function(declaredAt: owner), next != id,
        enclosingBody(call) == owner
      else { return [] }
      return closures(handedFor: outer, of: next, depth: depth + 1)
    }
  }

  /// Whether a function takes a closure to another queue on some of its ways.
  private func isCalledElsewhere(_ parameter: Ref) -> Bool {
    uses(ofLocal: parameter).contains { use in
      ancestors(use).contains { scope in
        guard kind(scope) == .closure, let (call, _) = callTaking(scope) else { return false }
        return ["async", "asyncAfter", "addOperation", "Task", "run"].contains(calledName(call))
      }
    }
  }

  private func isCalledOrHanded(_ use: Ref) -> Bool {
    guard let chain = parent(use) else { return false }
    let rest = children(chain).dropFirst().filter { kind($0) != .optionalChain }
    return rest.first.map { kind($0) == .call } ?? false
  }

  /// Whether no closure between a place and the one around it runs on another turn.
  func staysOnTurn(_ place: Ref, of closure: Ref) -> Bool {
    for scope in ancestors(place) {
      if scope == closure { return true }
      if kind(scope) == .functionDecl { return false }
      if kind(scope) == .closure, time(of: scope) != .atOnce { return false }
    }
    return false
  }
}
