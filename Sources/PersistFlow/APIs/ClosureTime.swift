import PersistIndex
import PersistSyntax

/// When the code of a closure runs, against the code around it.
package enum ClosureTime: Sendable {
  /// Before the code behind it.
  case atOnce
  /// On another turn of a queue.
  case later
  /// After a delay, an answer from elsewhere, or something that a person does.
  case muchLater
  case unknown
}

// MARK: - When closures run

extension Program {
  /// When the code of a closure runs.
  package func time(of closure: Ref) -> ClosureTime { answer(TimeOfClosure(closure: closure)) }

  fileprivate func findTime(of closure: Ref) -> ClosureTime {
    if isCalledAtOnce(closure) { return .atOnce }
    guard let (call, label) = callTaking(closure) else {
      return isAssigned(closure) ? .muchLater : .unknown
    }
    if Words.opensStore(calledName(call)) { return .later }
    if Frameworks.callbackLabels.contains(label) { return .muchLater }
    if Frameworks.promiseMethods.contains(calledName(call)), isPromise(call) { return .later }
    if case .functions = callTarget(call) {
      // An overload of a framework's method runs its closure when that does.
      let row = APITable.all.row(calledName(call), of: receiverType(ofCall: call))
      return row.flatMap { time(of: closure, in: call, by: $0) }
        ?? timeAtFunction(taking: closure, call)
    }
    if isDelay(call) { return .muchLater }
    if let time = row(of: call).flatMap({ time(of: closure, in: call, by: $0) }) { return time }
    return Words.immediateMethods.contains(calledName(call)) ? .atOnce : .unknown
  }

  /// What a framework's row says of when a closure runs; nil where it says nothing of closures.
  private func time(of closure: Ref, in call: Ref, by row: API) -> ClosureTime? {
    guard let told = row.closures.first else { return nil }
    if told.isDelayed { return .muchLater }
    if told.isWaitedFor { return .atOnce }
    let isReturned = if case .returned = row.result { true } else { false }
    switch told.place {
    case .inPlace, .continuation: return told.opensTransaction && !isReturned ? .later : .atOnce
    // What it is about is on that queue too: whether anything comes between nobody knows.
    case .owner, .given: return isAwaited(call) ? .atOnce : .unknown
    default: return isReturned ? .atOnce : .later
    }
  }

  /// The row of what a call calls, as far as types tell it.
  func row(of call: Ref) -> API? {
    switch callTarget(call) {
    case .externalMethod(let receiver, let name):
      APITable.all.row(
        name,
        of: receiver.isExternal(Frameworks.mainQueue)
          ? .external(Frameworks.dispatchQueue, []) : receiver)
    case .externalInitializer(.external(let type, _)):
      APITable.all.row(Frameworks.initializerName, of: type)
    case .externalFunction(let name): APITable.all.row(name, of: .none)
    // What has these methods is a context.
    case .unknownMethod(let name) where Words.performMethods.contains(name):
      APITable.all.row(name, of: Frameworks.managedContext)
    default: nil
    }
  }

  /// Whether a call is one of a promise, which answers on another turn even when it is kept already.
  private func isPromise(_ call: Ref) -> Bool {
    let receiver = receiverType(ofCall: call).unwrapped
    return Frameworks.promises.contains { receiver.isExternal($0) }
  }

  /// Whether a call runs a closure after a delay or an answer, as its name says.
  private func isDelay(_ call: Ref) -> Bool {
    Frameworks.delays.contains(calledName(call)) || Frameworks.answers.contains(calledName(call))
  }

  /// Whether a closure is kept in a property of something for later.
  private func isAssigned(_ closure: Ref) -> Bool {
    guard let chain = parent(closure), kind(chain) == .chain, children(chain) == [closure],
      let assignment = assignment(of: chain), let last = children(assignment.target).last
    else { return false }
    return kind(last) == .member
  }

  /// What a function of the sources does with a closure: one that it keeps, or hands to a delay.
  func timeAtFunction(taking closure: Ref, _ call: Ref) -> ClosureTime {
    guard case .functions(let candidates) = callTarget(call), candidates.count == 1 else {
      return .unknown
    }
    return time(taking: closure, in: call, candidates[0])
  }

  private func time(taking argument: Ref, in call: Ref, _ id: FunctionID) -> ClosureTime {
    guard let parameter = parameter(of: functions[id], taking: argument, in: call),
      let type = parameter.type
    else { return .unknown }
    return answer(TimeOfParameter(function: id, parameter: parameter.node, type: type))
  }

  fileprivate func findTime(ofParameter node: Int, _ type: Int, of id: FunctionID) -> ClosureTime {
    guard let body = body(of: id) else { return .unknown }
    let file = Int(functions[id].ref.file)
    guard
      names("escaping", in: Ref(file: file, node: type))
        || isOptionalClosure(Ref(file: file, node: type))
    else { return .atOnce }
    let local = Ref(file: file, node: node)
    var found: ClosureTime = .unknown
    for use in uses(ofLocal: local) where contains(body, use) {
      switch timeOfUse(use, in: body) {
      case .muchLater: return .muchLater
      case .later: found = .later
      default: break
      }
    }
    return found
  }

  private func isOptionalClosure(_ type: Ref) -> Bool {
    if case .optional(.function) = self.type(ofTypeNode: type) { return true }
    return false
  }

  private func timeOfUse(_ use: Ref, in body: Ref) -> ClosureTime {
    for scope in ancestors(use) {
      if scope == body { break }
      guard kind(scope) == .closure else { continue }
      let outer = time(of: scope)
      if outer == .muchLater || outer == .later { return outer }
    }
    guard let chain = parent(use), children(chain) == [use], let expression = parent(chain) else {
      return .unknown
    }
    if isSetToProperty(chain) { return .muchLater }
    guard children(expression).count == 1, let argument = parent(expression),
      kind(argument) == .argument, let call = parent(argument), kind(call) == .call
    else { return .unknown }
    if Frameworks.callbackLabels.contains(label(argument)) { return .muchLater }
    if Frameworks.addingMethods.contains(calledName(call)), isStoredReceiver(of: call) {
      return .muchLater
    }
    guard case .functions(let next) = callTarget(call), next.count == 1 else {
      return isDelay(call) ? .muchLater : .unknown
    }
    return time(taking: argument, in: call, next[0])
  }

  /// Whether a chain is what an expression assigns to a property.
  private func isSetToProperty(_ chain: Ref) -> Bool {
    guard let last = assignment(of: chain).flatMap({ lastPart(ofTarget: $0) }) else { return false }
    return property(usedBy: last) != nil
  }

  /// Whether the value whose method is called is one that a property holds.
  private func isStoredReceiver(of call: Ref) -> Bool {
    callee(call).dropLast().last { ![.optionalChain, .force].contains(kind($0)) }
      .flatMap { property(usedBy: $0) } != nil
  }
}

/// When the code of a closure runs; a function may hand a closure to itself.
private struct TimeOfClosure: Query {
  let closure: Ref

  static let provisional = ClosureTime.unknown

  func answer(in program: Program) -> ClosureTime { program.findTime(of: closure) }
}

/// When a function runs the closure that it is given for a parameter.
private struct TimeOfParameter: Query {
  let function: FunctionID
  let parameter: Int
  let type: Int

  static let provisional = ClosureTime.unknown

  func answer(in program: Program) -> ClosureTime {
    program.findTime(ofParameter: parameter, type, of: function)
  }
}
