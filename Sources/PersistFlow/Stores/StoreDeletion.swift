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
          && !deletesLeftover(work) && !isRepeated(work.site) && !isOfNewAttempt(work, on: path)
          && !work.calls.contains { opensInMemory($0) }
      }.map { ($0, storeFlow.innermostPath(at: $0.site) ?? path) }
    }
  }

  /// Whether a path tries the same opening again, and that does the work on its way without a
  /// failure: it did so before, unless the path hands it something else, or sets what it looks at.
  private func isOfNewAttempt(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    let root = storeFlow.opening(of: path).root
    return work.calls.indices.dropLast().contains { index in
      let attempt = work.calls[index]
      guard storeFlow.openings.contains(where: { $0.site == attempt && $0.root == root }) else {
        return false
      }
      return work.calls[(index + 1)...].allSatisfy { call in
        storeFlow.innermostPath(at: call) == nil
          && conditions.ways(to: call)?.allSatisfy { way in
            way.allSatisfy { $0.looks.allSatisfy { isSameAgain($0, on: path) } }
          } ?? false
      }
    }
  }

  /// Whether a look finds at the next attempt what the first one has found, or left.
  private func isSameAgain(_ look: Look, on path: FailurePath) -> Bool {
    switch look {
    case .file, .launch, .failure: true
    case .name(let node): !isChanged(node, on: path)
    case .parameter, .keptSetting, .setting, .error: false
    }
  }

  /// Whether the body around a path sets the property that a node stands for.
  private func isChanged(_ node: Ref, on path: FailurePath) -> Bool {
    guard let id = property(usedBy: node), let body = bodies(around: path.head).first else {
      return false
    }
    return uses(of: [name(node)]).contains { use in
      contains(body, use) && property(usedBy: use) == id && assignment(toWhatEndsWith: use) != nil
    }
  }

  /// Whether what is deleted surely lies elsewhere than what could not be opened.
  private func isOfOtherStore(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    let own = work.files.filter { $0.isStoreFile }
    let call = storeFlow.opening(of: path).root
    let isNamed = (configurations(of: call) ?? []).allSatisfy {
      placeConfigured(by: $0) != nil || opensInMemory($0)
    }
    let opened = openedPaths(of: call)
    guard isNamed, !own.isEmpty, !opened.isEmpty, (own + opened).allSatisfy(\.isTold) else {
      return false
    }
    return own.allSatisfy { file in !opened.contains { $0.maySharesStore(with: file) } }
  }

  /// Whether the deleted file is one that the failed attempt had made itself, as a copy.
  private func isMadeThere(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    guard let statement = path.clause.flatMap({ parent($0) }),
      let block = child(statement, .block)
    else { return false }
    return fileWork(in: block).contains { made in
      made.kind == .copy && takes(work, targets(of: made.call))
    }
  }

  /// Whether the error is told apart from others before a node on a failure path runs.
  package func isReported(_ node: Ref, on path: FailurePath) -> Bool {
    if let clause = path.clause, !catchesAll(clause) { return true }
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
