import PersistIndex
import PersistSyntax

// MARK: - Statements behind which a body doesn't go on

extension Program {
  /// The statements that run after a statement when it falls through, to the end of the body.
  package func rest(after statement: Ref) -> [Ref] {
    var found: [Ref] = []
    var child = statement
    while let parent = parent(child) {
      switch kind(parent) {
      case .block, .closure, .switchCase, .ifConfigClause:
        let later = children(parent).filter { $0 > child }
        found += later
        if let last = later.last, leaves(last) { return found }
        if kind(parent) == .closure { return found }
      case .ifStatement, .doStatement, .forStatement, .whileStatement, .repeatStatement,
        .switchStatement, .ifConfig, .guardStatement, .catchClause, .deferStatement:
        break
      default: return found
      }
      child = parent
    }
    return found
  }

  /// Whether the end of a block is never reached.
  package func alwaysLeaves(_ block: Ref) -> Bool {
    children(block).contains { leaves($0) }
  }

  /// Whether a statement never goes on to the next one.
  package func leaves(_ statement: Ref) -> Bool {
    switch kind(statement) {
    case .returnStatement, .throwStatement, .breakStatement, .continueStatement: return true
    case .expression: return endsProcess(statement)
    case .block: return alwaysLeaves(statement)
    case .ifStatement:
      let branches = children(statement).filter { [.block, .ifStatement].contains(kind($0)) }
      return branches.count > 1 && branches.allSatisfy { leaves($0) }
    case .doStatement:
      return child(statement, .block).map { alwaysLeaves($0) } ?? false
        && children(statement, .catchClause).allSatisfy {
          child($0, .block).map { alwaysLeaves($0) } ?? false
        }
    case .switchStatement:
      let cases = children(statement, .switchCase)
      return !cases.isEmpty
        && cases.allSatisfy { children($0).last.map { leaves($0) } ?? false }
    case .ifConfig:
      let clauses = children(statement, .ifConfigClause)
      return hasElse(statement) && clauses.allSatisfy { children($0).contains { leaves($0) } }
    default: return false
    }
  }

  /// Whether one clause of an `#if` is compiled in any case.
  func hasElse(_ config: Ref) -> Bool {
    children(config, .ifConfigClause).last.map {
      outline($0).tokens[Int(node($0).first)].kind == .poundElse
    } ?? false
  }
}
