import PersistSyntax

/// Whether nothing in the sources ever puts work on the queue of a context that a property keeps.
private struct IsUnperformed: Query {
  let executor: ContextExecutor

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnperformed(executor) }
}

// MARK: - Queues that nothing runs on

extension Program {
  /// Whether no `perform` of the sources can be one of a context that a property keeps, so that no
  /// place is on its queue, whoever runs it.
  func isUnperformed(_ executor: ContextExecutor) -> Bool {
    guard case .kept(let place) = executor, !isPublic(place) else { return false }
    return answer(IsUnperformed(executor: executor))
  }

  fileprivate func findUnperformed(_ executor: ContextExecutor) -> Bool {
    !Words.performMethods.flatMap { calls(named: $0) }.contains { call in
      !isExempt(call) && mayPerform(executor, call)
    }
  }

  func mayPerform(_ executor: ContextExecutor, _ call: Ref) -> Bool {
    guard arguments(call).contains(where: { closure(of: $0) != nil }) else { return false }
    let receiver = receiverType(ofCall: call).unwrapped
    if case .external = receiver, !isManagedContext(receiver) { return false }
    let executors = executors(ofReceiver: call)
    // A method of all contexts counts when it is called.
    if executors.only == .receiver, let function = enclosingFunction(call) {
      return callers(of: function).contains { !isExempt($0) }
    }
    return executors.isOpen || executors.known.contains { $0 == executor || !$0.isPrivate }
  }

  private func isPublic(_ property: Ref) -> Bool {
    ([property] + ancestors(property)).prefix(3).contains { node in
      children(node, .modifier).contains { ["public", "open"].contains(name($0)) }
    }
  }
}
