import PersistIndex
import PersistSyntax

// MARK: - What guards a deletion

extension Program {
  /// The deletions of stores on the failure paths of stores on disk, each with the innermost path.
  package var deletionsOnFailure: [(work: StoreFileWork, path: FailurePath)] {
    storeFlow.paths.filter { !storeFlow.opening(of: $0).isInMemory }.flatMap { path in
      path.nodes.flatMap { fileWork(in: $0) }.filter { work in
        work.kind == .deletion && work.takesStore && !isExempt(work.site)
          && !isMadeThere(work, on: path) && !isOfOtherStore(work, on: path)
          && !deletesLeftover(work) && !isRepeated(work.site)
          && !work.calls.contains { opensInMemory($0) }
      }.map { ($0, storeFlow.innermostPath(at: $0.site) ?? path) }
    }
  }

  /// Whether what is deleted surely lies elsewhere than what could not be opened.
  private func isOfOtherStore(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    let own = work.files.filter { $0.isStoreFile }
    let call = storeFlow.opening(of: path).root
    let isNamed = (configurations(of: call) ?? []).allSatisfy {
      argument($0, "url") != nil || opensInMemory($0)
    }
    let opened = openedPaths(of: call)
    guard isNamed, !own.isEmpty, !opened.isEmpty, (own + opened).allSatisfy(\.isTold) else {
      return false
    }
    return own.allSatisfy { file in !opened.contains { $0.maySharesStore(with: file) } }
  }

  /// Whether the deleted file is one that the failed attempt had made itself, as a copy.
  private func isMadeThere(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    guard kind(path.head) == .catchClause, let statement = parent(path.head),
      let block = child(statement, .block)
    else { return false }
    return fileWork(in: block).contains { made in
      made.kind == .copy && takes(work, targets(of: made.call))
    }
  }

  /// Whether the error is told apart from others before a node on a failure path runs.
  package func isReported(_ node: Ref, on path: FailurePath) -> Bool {
    if kind(path.head) == .catchClause, !catchesAll(path.head) { return true }
    return conditions.surely(before: node) { part in
      path.contains(part.node, in: self) && part.looks.contains { saysError($0) }
    }
  }

  private func saysError(_ look: Look) -> Bool {
    switch look {
    case .error: return true
    case .name(let node), .parameter(let node):
      let text = kind(node) == .call ? calledText(node) : nameText(node)
      return text.camelWords.contains {
        ["error", "code", "reason", "corrupt", "corrupted"].contains($0)
      }
    default: return false
    }
  }
}
