import PersistSyntax

// MARK: - What a person asked for

extension Program {
  /// Whether a node is on the way of something that a person asked for: a reset, a
  /// restore, an import, a sign-out.
  package func isAskedFor(_ node: Ref) -> Bool {
    guard let function = enclosingFunction(node) else { return isInAction(node) }
    return isInAction(node) || isAskedFor(function, depth: 0)
  }

  private func isAskedFor(_ function: FunctionID, depth: Int) -> Bool {
    let words = functionName(function).camelWords
    if functions[function].kind == .functionDecl,
      words.contains(where: { Words.askedWords.contains($0) })
    {
      return true
    }
    guard isWithin(depth, .askingCallers) else { return false }
    let calls = callers(of: function).filter { !isExempt($0) }
    return !calls.isEmpty
      && calls.allSatisfy { call in
        if isInAction(call) { return true }
        guard let caller = enclosingFunction(call), caller != function else { return false }
        return isAskedFor(caller, depth: depth + 1)
      }
  }

  /// Whether a node stands in the closure of a button, a menu item or a gesture.
  private func isInAction(_ node: Ref) -> Bool {
    ancestors(node).contains { closure in
      guard kind(closure) == .closure, let (call, label) = callTaking(closure) else { return false }
      return Words.actions.contains(calledName(call)) || label == "action"
    }
  }
}
