import PersistIndex
import PersistSyntax

// MARK: - The code that runs where a call has failed

extension FailureFrame {
  /// The statements, blocks and values that run only where the call has failed, or where something
  /// else holds, the outermost ones.
  func failurePaths(where holds: (FailureState) -> Bool) -> [FailurePath] {
    var isFailing: [Ref: Bool] = [:]
    for (node, block) in body.places {
      guard let state = states[Int(block)] else { continue }
      let ref = Ref(file: Int(body.place.file), node: Int(node))
      isFailing[ref] = (isFailing[ref] ?? true) && holds(state)
    }
    let roots = isFailing.keys.filter { node in
      guard isFailing[node] == true else { return false }
      for outer in program.ancestors(node) {
        if let known = isFailing[outer] { return !known }
        if outer == body.place { break }
      }
      return true
    }
    let groups = Dictionary(grouping: roots.sorted()) { program.parent($0) }
    return groups.compactMap { parent, nodes in parent.flatMap { path(of: nodes, in: $0) } }
      .sorted { $0.nodes[0] < $1.nodes[0] }
  }

  private func path(of nodes: [Ref], in parent: Ref) -> FailurePath? {
    let first = nodes[0]
    switch program.kind(parent) {
    case .catchClause: return path(nodes, parent, .handler, clause: parent)
    case .ifStatement, .guardStatement, .whileStatement, .forStatement, .expression:
      return path(nodes, parent, .branch)
    case .switchStatement:
      let statements = nodes.flatMap { clause in
        program.kind(clause) == .switchCase
          ? program.children(clause).filter { program.kind($0) != .caseItem } : [clause]
      }
      return statements.isEmpty ? nil : path(statements, first, .branch)
    default:
      // What leads here is decided by the statement before.
      let before = program.children(parent).last { $0 < first } ?? parent
      let clause = program.child(before, .catchClause)
      return path(nodes, clause ?? before, .rest, clause: clause)
    }
  }

  private func path(
    _ nodes: [Ref], _ head: Ref, _ kind: FailurePath.Kind, clause: Ref? = nil
  ) -> FailurePath {
    FailurePath(opening: run.opening, nodes: nodes, head: head, clause: clause, kind: kind)
  }

  /// The blocks in which something of some paths begins.
  func blocks(of paths: [FailurePath]) -> Set<Int32> {
    guard !paths.isEmpty else { return [] }
    var found: Set<Int32> = []
    for (node, block) in body.places where !found.contains(block) {
      let ref = Ref(file: Int(body.place.file), node: Int(node))
      if paths.contains(where: { $0.contains(ref, in: program) }) { found.insert(block) }
    }
    return found
  }
}
