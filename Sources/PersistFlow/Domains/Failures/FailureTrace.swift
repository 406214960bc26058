import PersistIndex
import PersistSyntax

// MARK: - What is left of a failure

extension Program {
  /// Whether the error itself is logged, kept or thrown on by a failure path.
  package func preservesError(_ path: FailurePath) -> Bool {
    nodes(on: path).contains { kind($0) == .throwStatement } || usesError(on: path)
  }

  /// Whether a failure path writes something to a log.
  package func hasLogLine(on path: FailurePath) -> Bool {
    nodes(on: path).contains { kind($0) == .call && logs($0) }
  }

  /// Whether a failure path logs, keeps or shows what failed, whatever it throws on.
  package func reportsFailure(_ path: FailurePath) -> Bool {
    hasLogLine(on: path) || usesError(on: path)
      || nodes(on: path).contains { kind($0) == .expression && setsState($0) }
  }

  /// Whether a failure path does something with the error besides throwing it on.
  private func usesError(on path: FailurePath) -> Bool {
    let errors = errorNames(of: path)
    return path.nodes.contains { root in
      descendants(root, .name).contains { name in
        errors.contains(self.name(name)) && !isBoundAnew(name, on: path)
          && !ancestors(name).prefix { $0 != root }.contains {
            kind($0) == .throwStatement || kind($0) == .ifConfigClause && isDebug($0)
          }
      }
    }
  }

  /// What runs on a failure path on account of that failure: what an inner `catch` does is on
  /// account of another one.
  private func nodes(on path: FailurePath) -> [Ref] {
    path.nodes.flatMap { root in
      nodesRun(in: root).filter { node in
        !ancestors(node).prefix { $0 != root }.contains { kind($0) == .catchClause }
      }
    }
  }

  /// Whether a name means something that the path itself declares, such as the error of an inner
  /// `catch`.
  private func isBoundAnew(_ name: Ref, on path: FailurePath) -> Bool {
    guard case .local(let local)? = declared(name) else { return false }
    return path.nodes.contains { contains($0, local) }
  }

  /// The names that the failure has on its path.
  private func errorNames(of path: FailurePath) -> Set<Name> {
    var names: Set<Name> = ["error"]
    // What stands behind `??` or `?` has no name for what failed.
    guard kind(path.head) != .expression else { return names }
    let binders = descendants(path.head, .boundName).filter { bound in
      !path.nodes.contains { contains($0, bound) }
    }
    for binder in binders { names.insert(name(binder)) }
    for compared in namesComparedWithNil(in: path.head) { names.insert(name(compared)) }
    return names
  }

  /// The names that the conditions of a statement compare with nil: those that hold the error.
  private func namesComparedWithNil(in head: Ref) -> [Ref] {
    guard [.ifStatement, .guardStatement].contains(kind(head)) else { return [] }
    return children(head, .expression).compactMap { condition in
      let parts = children(condition)
      guard parts.count == 3, isNil(parts[2]), children(parts[0]).count == 1 else {
        return nil
      }
      return child(parts[0], .name)
    }
  }

  private func logs(_ call: Ref) -> Bool {
    callee(call).contains { part in
      [.name, .member].contains(kind(part))
        && nameText(part).camelWords.contains { Words.loggingWords.contains($0) }
    }
  }
}

extension Program {
  /// The calls on a failure path that end the process, in source order.
  package func processEnds(on path: FailurePath) -> [Ref] {
    path.nodes.flatMap { root in
      nodesRun(in: root).filter { node in
        guard kind(node) == .call else { return false }
        return isProcessEnd(node) || node == path.head && calledName(node) == "precondition"
      }
    }
  }
}
