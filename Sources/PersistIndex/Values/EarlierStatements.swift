import PersistSyntax

// MARK: - What runs before a node

extension Program {
  /// The statements and conditions that run before a node in its body, nearest first.
  package func runBefore(_ node: Ref, withDoBlocks: Bool) -> [Ref] {
    var found: [Ref] = []
    var child = node
    while let parent = parent(child) {
      switch kind(parent) {
      case .block, .switchCase, .ifConfigClause, .closure:
        found += statements(before: child, in: parent)
      case .doStatement where kind(child) == .catchClause && withDoBlocks:
        found += self.child(parent, .block).map { [$0] } ?? []
      case .ifStatement, .guardStatement:
        found += children(parent).filter {
          $0 < child && ![.block, .ifStatement].contains(kind($0))
        }
      case .functionDecl, .initDecl, .accessor, .members, .file: return found
      default: break
      }
      child = parent
    }
    return found
  }
}

extension Program {
  /// The statements of a block before one, the nearest first.
  private func statements(before statement: Ref, in block: Ref) -> [Ref] {
    var found: [Ref] = []
    var next = sibling(before: statement)
    while let current = next, isWithin(found.count, .statementsBefore) {
      if kind(current) != .caseItem { found.append(current) }
      next = sibling(before: current)
    }
    return found
  }
}
