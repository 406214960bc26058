import PersistSyntax

// MARK: - What is left of a failure

extension Program {
  /// Whether a failure path logs, keeps, shows or throws on what failed.
  package func keepsFailure(_ path: FailurePath) -> Bool {
    let errors = errorNames(of: path)
    return path.nodes.contains { root in
      nodesRun(in: root).contains { node in
        switch kind(node) {
        case .throwStatement: true
        case .call: logs(node)
        case .name: errors.contains(name(node))
        default: false
        }
      }
    }
  }

  /// The names that the failure has on its path.
  private func errorNames(of path: FailurePath) -> Set<Name> {
    var names: Set<Name> = ["error"]
    let binders = descendants(path.head, .boundName).filter { bound in
      !path.nodes.contains { contains($0, bound) }
    }
    for binder in binders { names.insert(name(binder)) }
    return names
  }

  private func logs(_ call: Ref) -> Bool {
    callee(call).contains { part in
      [.name, .member].contains(kind(part))
        && nameText(part).camelWords.contains { Words.loggingWords.contains($0) }
    }
  }
}
