import PersistSyntax

/// What becomes of a model or context that is the argument of a call inside an isolation crossing.
package enum ArgumentEscape: Hashable, Sendable {
  /// The called function runs where the code around the crossing runs.
  case none
  /// The called function uses the value, and runs elsewhere.
  case escapes
  /// The value is only stored, or the sources don't tell what is called.
  case unknown
}

// MARK: - Arguments

extension Program {
  /// What becomes of a value that is the argument of a call.
  package func argumentEscape(
    of type: SwiftType, to argument: Ref, of call: Ref, from origin: Isolation
  ) -> ArgumentEscape {
    switch callTarget(call) {
    case .functions(let candidates):
      return argumentEscape(of: type, to: argument, of: call, candidates, origin)
    case .initializer(let made, let candidates):
      if isModel(made), model(in: type) != nil || label(argument) == "context" { return .escapes }
      return argumentEscape(of: type, to: argument, of: call, candidates, origin)
    case .externalMethod(let receiver, let name):
      if isContext(receiver), name == "insert" || name == "delete" { return .escapes }
      return Words.readingFunctions.contains(name) ? .escapes : .unknown
    case .externalFunction(let name):
      return Words.readingFunctions.contains(name) ? .escapes : .unknown
    default: return .unknown
    }
  }

  private func argumentEscape(
    of type: SwiftType, to argument: Ref, of call: Ref, _ candidates: [FunctionID],
    _ origin: Isolation
  ) -> ArgumentEscape {
    let answers = Set(
      candidates.flatMap { bodies(of: $0) }.map { id -> ArgumentEscape in
        let inner = isolation(ofFunction: id)
        if inner.isActor {
          if inner == origin { return .none }
          guard origin.isActor || inner != .mainActor else { return .unknown }
          return usesParameter(of: id, taking: argument, in: call) ? .escapes : .unknown
        }
        guard inner == .nonisolated || !isAwaited(call) else { return .unknown }
        return usesParameter(of: id, taking: argument, in: call) ? .escapes : .unknown
      })
    return answers.count == 1 ? answers.first ?? .unknown : .unknown
  }

  /// Whether an `await` stands before a call.
  package func isAwaited(_ ref: Ref) -> Bool {
    var next = parent(ref)
    while let current = next {
      switch kind(current) {
      case .expression:
        if children(current, .awaitMark).contains(where: { $0 < ref }) { return true }
      case .closure, .block: return false
      default: break
      }
      next = parent(current)
    }
    return false
  }

  func usesParameter(of id: FunctionID, taking argument: Ref, in call: Ref) -> Bool {
    guard let parameter = parameter(of: functions[id], taking: argument, in: call) else {
      return false
    }
    return usesParameter(Ref(file: Int(functions[id].ref.file), node: parameter.node), of: id, 0)
  }

  /// Whether a function reads, sets or calls what a parameter holds, without going elsewhere first.
  private func usesParameter(_ parameter: Ref, of id: FunctionID, _ depth: Int) -> Bool {
    let function = functions[id]
    guard isWithin(depth, .parameterCalls), let node = function.body else { return false }
    let body = Ref(file: Int(function.ref.file), node: node)
    return descendants(body, .name).contains { name in
      guard let use = use(of: name, in: body), use.source == parameter, staysIn(body, name) else {
        return false
      }
      switch use.action {
      case .reads, .sets, .calls: return true
      case .mentions: return false
      case .passes(let call, let argument):
        switch callTarget(call) {
        case .functions(let next), .initializer(_, let next):
          guard next.count == 1, goesOn(from: id, to: next[0]),
            let inner = self.parameter(of: functions[next[0]], taking: argument, in: call)
          else { return false }
          return usesParameter(
            Ref(file: Int(functions[next[0]].ref.file), node: inner.node), of: next[0], depth + 1)
        case .externalMethod(let receiver, _): return isContext(receiver)
        default: return false
        }
      }
    }
  }

  /// Whether a function that another one calls surely runs where that one runs.
  private func goesOn(from caller: FunctionID, to called: FunctionID) -> Bool {
    let there = isolation(ofFunction: called)
    return !there.isActor || there == isolation(ofFunction: caller)
  }

  /// Whether no closure between a node and the body around it runs elsewhere than the body.
  func staysIn(_ body: Ref, _ place: Ref) -> Bool {
    var next = parent(place)
    while let current = next, current != body {
      if kind(current) == .closure {
        guard let (call, _) = callTaking(current), executor(ofClosure: current, in: call) == .caller
        else { return false }
      }
      next = parent(current)
    }
    return true
  }

  // MARK: Methods of self

  /// A call, inside a crossing, of a method of `self` that uses a model or context that `self`
  /// holds.
  package struct OwnCall: Sendable {
    /// The name of the called method.
    package let place: Ref
    package let method: String
    /// The use inside the method.
    package let use: ValueUse
  }

  /// The calls in a crossing of methods that use, there, what `self` holds.
  package func ownCalls(in crossing: IsolationCrossing) -> [OwnCall] {
    var found: [OwnCall] = []
    for call in descendants(crossing.body, .call) {
      guard let place = ownMethod(call), let id = onlyFunction(call),
        isolation(at: call, in: crossing) == .concurrent,
        runsHere(id, calledBy: call, in: crossing)
      else { continue }
      if let use = heldUse(in: id, 0) {
        found.append(OwnCall(place: place, method: nameText(place), use: use))
      }
    }
    return found
  }

  /// Whether a method runs where it is called. Older SDKs isolate of a view only its body, so that
  /// its methods can be called from anywhere.
  private func runsHere(_ id: FunctionID, calledBy call: Ref, in crossing: IsolationCrossing)
    -> Bool
  {
    // The value of an `async let` is awaited without a word.
    if crossing.kind == .asyncLet { return !isolation(ofFunction: id).isActor }
    if isAwaited(call), !functions[id].isAsync { return false }
    guard isolation(ofFunction: id).isActor else { return true }
    return !isAwaited(call) && functions[id].attributes.isEmpty && isViewCode(functions[id].ref)
  }

  private func ownMethod(_ call: Ref) -> Ref? {
    let parts = callee(call).filter { kind($0) != .optionalChain && kind($0) != .force }
    guard let first = parts.first, kind(first) == .name else { return nil }
    if parts.count == 1, case .functions? = declared(first) { return first }
    return parts.count == 2 && nameText(first) == "self" && kind(parts[1]) == .member
      ? parts[1] : nil
  }

  private func onlyFunction(_ call: Ref) -> FunctionID? {
    guard case .functions(let candidates) = callTarget(call), candidates.count == 1,
      let owner = functions[candidates[0]].owner, !functions[candidates[0]].isStatic,
      enclosingType(call) == owner
    else { return nil }
    return candidates[0]
  }

  private func heldUse(in id: FunctionID, _ depth: Int) -> ValueUse? {
    let function = functions[id]
    guard isWithin(depth, .ownCalls), let node = function.body else { return nil }
    let body = Ref(file: Int(function.ref.file), node: node)
    for name in descendants(body, .name) where staysIn(body, name) {
      if let use = use(of: name, in: body), isHeld(use, by: function.owner) {
        switch use.action {
        case .reads, .sets, .calls: return use
        default: break
        }
      }
      if let chain = parent(name), let call = child(chain, .call), let place = ownMethod(call),
        place == name || children(chain).contains(place), let next = onlyFunction(call), next != id,
        !isolation(ofFunction: next).isActor, let use = heldUse(in: next, depth + 1)
      {
        return use
      }
    }
    return nil
  }

  private func isHeld(_ use: ValueUse, by owner: TypeID?) -> Bool {
    guard let owner else { return false }
    if use.value == "self" { return isModel(owner) }
    guard let id = property(declaredAt: use.source) else { return false }
    return properties[id].owner == owner && !properties[id].isStatic
  }
}

// MARK: - Values made where they are used

extension Program {
  /// Whether a captured value is a computed property that makes a context, or fetches the model,
  /// each time it is asked for.
  package func isMadeInside(_ capture: Capture) -> Bool {
    guard let id = property(declaredAt: capture.source), properties[id].isComputed,
      let accessors = properties[id].accessors
    else { return false }
    let getter = Ref(file: Int(capture.source.file), node: accessors)
    if isContext(capture.type) {
      return descendants(getter, .call).contains { Words.contextMakers.contains(calledName($0)) }
    }
    return descendants(getter, .name).contains { isContext(type(of: $0)) }
  }
}
