import PersistIndex
import PersistSyntax

// MARK: - Errors that go no further

extension Program {
  /// Where the error of a call is dropped on its way out of the code around it: by a `try?`, or by a
  /// `catch` that takes any error and goes on; no further than the closure of a call of some name.
  package func dropping(errorOf call: Ref, upTo name: Name) -> Ref? {
    var inner = call
    for ancestor in ancestors(call) {
      switch kind(ancestor) {
      case .expression:
        if let mark = children(ancestor, .tryMark).last(where: { $0 < inner }),
          node(mark).flags.contains(.isOptional)
        {
          return mark
        }
      case .doStatement where kind(inner) == .block:
        let clauses = children(ancestor, .catchClause)
        guard !clauses.isEmpty else { break }
        if let clause = clauses.first(where: { ignores($0) }) { return clause }
        return nil
      // Nothing can be thrown out of `defer`.
      case .deferStatement, .functionDecl, .initDecl, .accessor, .members: return nil
      case .closure:
        if let (taker, _) = callTaking(ancestor), calledName(taker) == name {
          return nil
        }
      default: break
      }
      inner = ancestor
    }
    return nil
  }

  /// The clauses of a `do` without code, with what is tried.
  func emptyClauses(ofStatement statement: Ref) -> (tried: Ref, clauses: [Ref])? {
    guard let tried = child(statement, .block) else { return nil }
    let clauses = children(statement, .catchClause).filter { clause in
      child(clause, .block).map { children($0).isEmpty } ?? false
    }
    return (tried, clauses)
  }

  /// Whether a clause takes any error, and neither throws nor does anything about it.
  private func ignores(_ clause: Ref) -> Bool {
    guard children(clause, .caseItem).allSatisfy({ bindsError($0) }),
      let block = child(clause, .block), descendants(block, .throwStatement).isEmpty
    else { return false }
    return !descendants(block, .tryMark).contains { node($0).flags.isEmpty }
      && !descendants(block, .call).contains { Words.endsProcess(calledName($0)) }
  }

  /// Whether a pattern only gives the error a name, as `let error as DatabaseError` does.
  private func bindsError(_ item: Ref) -> Bool {
    guard children(item).count == 1, var pattern = pattern(of: item) else { return false }
    while [.bindingPattern, .castPattern].contains(kind(pattern)), let inner = firstChild(pattern) {
      pattern = inner
    }
    return kind(pattern) == .namePattern
  }
}
