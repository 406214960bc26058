import PersistSyntax

// MARK: - What a person asked for

extension Program {
  /// Whether a node is on the way of something that a person asked for: a reset, a
  /// restore, an import, a sign-out.
  package func isAskedFor(_ node: Ref) -> Bool {
    Reach(from: node, by: shippingCallers(around:)).surely { node in
      isInAction(node)
        || enclosingFunction(node).map { function in
          functions[function].kind == .functionDecl
            && functionName(function).camelWords.contains { Words.askedWords.contains($0) }
        } ?? false
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
