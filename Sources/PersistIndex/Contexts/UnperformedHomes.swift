import PersistSyntax

/// Whether nothing in the sources ever puts work on the queue of a context that a property keeps.
private struct IsUnperformed: Query {
  let home: ContextHome

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnperformed(home) }
}

// MARK: - Queues that nothing runs on

extension Program {
  /// Whether no `perform` of the sources can be one of a context that a property keeps, so that no
  /// place is on its queue, whoever runs it.
  func isUnperformed(_ home: ContextHome) -> Bool {
    guard case .kept(let place) = home, !isPublic(place) else { return false }
    return answer(IsUnperformed(home: home))
  }

  fileprivate func findUnperformed(_ home: ContextHome) -> Bool {
    !Words.performMethods.flatMap { calls(named: $0) }.contains { call in
      !isSilent(call) && mayPerform(home, call)
    }
  }

  private func mayPerform(_ home: ContextHome, _ call: Ref) -> Bool {
    guard arguments(call).contains(where: { closure(of: $0) != nil }) else { return false }
    let receiver = receiverType(ofCall: call).unwrapped
    if case .external = receiver, !isManagedContext(receiver) { return false }
    let homes = homes(ofReceiver: call)
    // A method of all contexts counts when it is called.
    if homes.only == .receiver, let function = enclosingFunction(call) {
      return callers(of: function).contains { !isSilent($0) }
    }
    return homes.isOpen || homes.known.contains { $0 == home || !$0.isPrivate }
  }

  private func isPublic(_ property: Ref) -> Bool {
    ([property] + ancestors(property)).prefix(3).contains { node in
      children(node, .modifier).contains { ["public", "open"].contains(name($0)) }
    }
  }
}
