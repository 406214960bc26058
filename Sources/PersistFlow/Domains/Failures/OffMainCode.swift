import PersistIndex
import PersistSyntax

// MARK: - Code that the main thread never runs

extension Program {
  /// Whether a node runs only where the thread isn't the main one: behind `Thread.isMainThread ? … :`,
  /// in the `else` of such an `if`, or after one that returns.
  func runsOnlyOffMain(_ node: Ref) -> Bool {
    guard files[Int(node.file)].spells("isMainThread") else { return false }
    var inner = node
    for outer in ancestors(node) {
      switch kind(outer) {
      case .expression:
        let parts = children(outer)
        if let first = parts.first, let colon = parts.firstIndex(where: { name($0) == ":" }),
          saysMainThread(first), parts.count > 1, name(parts[1]) == "?", colon + 1 < parts.count,
          parts[(colon + 1)...].contains(where: { contains($0, inner) })
        {
          return true
        }
      case .ifStatement:
        let blocks = children(outer).filter { [.block, .ifStatement].contains(kind($0)) }
        if asksMainThread(outer), blocks.count > 1, contains(blocks[1], inner) { return true }
      case .block, .closure:
        if let first = answer(MainThreadExit(block: outer)), first < inner { return true }
      case .functionDecl, .initDecl, .accessor, .members: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  /// The first statement of a block that leaves it on the main thread.
  fileprivate func findMainThreadExit(of block: Ref) -> Ref? {
    children(block, .ifStatement).first { statement in
      asksMainThread(statement) && (child(statement, .block).map { alwaysLeaves($0) } ?? false)
    }
  }

  private func asksMainThread(_ statement: Ref) -> Bool {
    let conditions = children(statement).prefix { kind($0) != .block }
    return conditions.count == 1 && conditions.allSatisfy { saysMainThread($0) }
  }

  /// Whether a condition is `Thread.isMainThread` and nothing else.
  func saysMainThread(_ condition: Ref) -> Bool {
    spells(["Thread", "isMainThread"], condition)
      || spells(["Thread", "current", "isMainThread"], condition)
  }

  /// Whether a place runs on the main thread.
  func runsOnMain(_ place: Ref) -> Bool { isolation(at: place) == .mainActor }
}

/// The first statement of a block that leaves it on the main thread.
private struct MainThreadExit: Query {
  let block: Ref

  static var provisional: Ref? { nil }
  func answer(in program: Program) -> Ref? { program.findMainThreadExit(of: block) }
}
