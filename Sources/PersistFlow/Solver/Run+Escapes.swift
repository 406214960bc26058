import PersistIndex
import PersistSyntax

// MARK: - Code that goes to what can't be read

extension Run {
  /// A call of something that can't be read: closures may run at any time and anywhere.
  func unread(_ operands: Operands, at node: Ref, isElsewhere: Bool = false) -> OriginsID {
    for (_, argument) in operands.arguments {
      escape(argument, at: node, isElsewhere: isElsewhere)
      if !isTracking { noteHanded(argument, at: node) }
    }
    return OriginTable.unknown
  }

  /// Whether a method is one of a framework's type that knows nothing of realms.
  func isElsewhere(_ type: SwiftType) -> Bool {
    guard case .external(let name, _) = type.unwrapped else { return false }
    return name != Frameworks.realm && program.foreignType(named: name) == nil
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
      // What the system calls on main runs outside of transactions.
      if isLater && key.executor == .main || isElsewhere && transaction == .none {
        key.transaction = .none
      }
      solver.note(.untold, at: node)
      _ = invoke(key, at: node, isLater: true)
    }
  }
}
