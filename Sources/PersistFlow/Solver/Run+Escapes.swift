import PersistIndex
import PersistSyntax

// MARK: - Code that goes to what can't be read

extension Run {
  /// A call of something that can't be read: closures may run at any time and anywhere.
  func unread(
    _ operands: Operands, at node: Ref, isElsewhere: Bool = false, isCollected: Bool = false
  ) -> OriginsID {
    // Views that get a context from the environment are read.
    let isRead = isCollected || Frameworks.environment.contains(program.calledName(node))
    for (_, argument) in operands.arguments {
      escape(argument, at: node, isElsewhere: isElsewhere)
      if !isTracking, !isRead { noteHanded(argument, at: node) }
    }
    if !isTracking { noteReceiver(operands.receiver, at: node) }
    return OriginTable.unknown
  }

  /// Whether a method is one of a framework's type that knows nothing of realms.
  func isElsewhere(_ type: SwiftType) -> Bool {
    guard case .external(let name, _) = type.unwrapped else { return false }
    return name != Frameworks.realm && program.foreignType(named: name) == nil
  }

  /// Whether code uses a realm that it is given: who gives it may have begun a write.
  private func takesRealm(_ code: Body) -> Bool {
    func isGiven(_ value: Value) -> Bool {
      guard value >= 0 else { return false }
      let step = code.steps[Int(value)]
      guard step.operation == .load else { return step.operation == .parameter }
      return code.steps.contains {
        $0.operation == .store && $0.index == step.index
          && code.steps[Int(code.operands[Int($0.firstOperand)])].operation == .parameter
      }
    }
    return code.calls.contains { call in
      if Frameworks.methodsOfRealms.contains(call.name), isGiven(call.receiver) { return true }
      guard call.arguments.contains(where: { isGiven($0.value) }),
        case .functions(let ids) = facts.target(
          code.ref(call))
      else { return false }
      return ids.contains { id in
        facts.body(of: id).map { solver.parameterTypes(of: $0) }?
          .contains { $0.unwrapped.isExternal(Frameworks.realm) } ?? false
      }
    }
  }

  /// Code that goes to what can't be read; `isLater` where it surely doesn't run in the call,
  /// `isElsewhere` where nothing begins a write for it.
  func escape(
    _ set: OriginsID, at node: Ref, isLater: Bool = false, isElsewhere: Bool = false
  ) {
    for origin in solver.table.members(set) {
      var key: InstanceKey
      switch origin {
      case .holder(let type, _, _) where Frameworks.signalTypes.contains(type):
        noteWait(.unread, solver.table.one(origin), at: node)
        continue
      case .closure(let code, let captures):
        let place = solver.bodies[code]
        key = InstanceKey(
          body: code, receiver: captures.first ?? OriginTable.unknown,
          arguments: Array(repeating: OriginTable.unknown, count: place.parameterCount),
          captures: captures, executor: facts.executor(ofEscaping: place.place))
      case .function(let function, let receiver):
        guard let code = facts.body(of: function) else { continue }
        let place = solver.bodies[code]
        key = InstanceKey(
          body: code, receiver: receiver,
          arguments: Array(repeating: OriginTable.unknown, count: place.parameterCount),
          captures: [], executor: facts.executor(ofEntry: place))
      default: continue
      }
      // What the system calls on main runs outside of transactions, and so does what views hand on.
      let isView = !isTracking && transaction == .none && program.isViewCode(node)
      if isLater && key.executor == .main || isElsewhere && transaction == .none || isView,
        !takesRealm(solver.bodies[key.body])
      {
        key.transaction = .none
      }
      solver.note(.untold, at: node)
      _ = invoke(key, at: node, isLater: true)
    }
  }
}
