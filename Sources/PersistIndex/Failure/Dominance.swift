import PersistSyntax

/// A copy of a store that may not be there when the store is deleted.
package struct WeakCopy: Sendable {
  /// Why the copy may be missing.
  package enum Flaw: Sendable {
    /// Its failure is thrown away, and the deletion goes on.
    case ignored
    /// It lies where the system deletes files.
    case passing
    /// It is made on some ways only.
    case conditional
  }

  /// The call that copies or moves.
  package let place: Ref
  package let flaw: Flaw
}

// MARK: - What comes before on a path

extension Program {
  /// Whether a node runs whenever a body around it does, unless something before it ends the body.
  package func runsWhenever(_ node: Ref, in body: Ref) -> Bool {
    for scope in ancestors(node) {
      if scope == body { return true }
      switch kind(scope) {
      case .closure, .ifStatement, .switchCase, .guardStatement, .forStatement, .whileStatement,
        .catchClause, .functionDecl, .ifConfigClause:
        return false
      default: break
      }
    }
    return false
  }

  /// Whether a store is backed up before work on it, on each way that leads there.
  package func isBackedUp(before work: StoreFileWork) -> Bool {
    answer(IsBackedUp(work: work))
  }

  fileprivate func findBackup(before work: StoreFileWork) -> Bool {
    let store = work.files.filter { $0.isStoreFile }
    return work.calls.contains { isBackedUp(before: $0, store: store, withDoBlocks: false) }
      || comesAfterBackup(work.site, store)
  }

  /// Whether each way to a node leads past a backup, in its own body or in those of its callers.
  package func comesAfterBackup(_ node: Ref, _ store: [StorePath]) -> Bool {
    isCalledAfter(node) { isBackedUp(before: $0, store: store, withDoBlocks: false) }
  }

  /// Whether something comes before every call of the function around a node, or before every call
  /// of the function around that, and so on.
  private func isCalledAfter(_ node: Ref, _ holds: (Ref) -> Bool) -> Bool {
    var pending = [node]
    var seen: Set<FunctionID> = []
    var isHeld = false
    while let place = pending.popLast() {
      guard let function = enclosingFunction(place) else { return false }
      guard seen.insert(function).inserted else { continue }
      let calls = callers(of: function).filter { !isExempt($0) }
      guard !calls.isEmpty else { return false }
      for call in calls {
        if holds(call) { isHeld = true } else { pending.append(call) }
      }
    }
    return isHeld
  }

  /// Whether a store is backed up before a node runs, by its own body.
  package func isBackedUp(before node: Ref, store: [StorePath], withDoBlocks: Bool) -> Bool {
    let met = conditions(around: node)
    return runBefore(node, withDoBlocks: withDoBlocks).contains { statement in
      holdsBackup(statement, of: store, isForDeletion: !withDoBlocks, met)
    }
  }

  /// Whether a node stands in a closure that a function of the sources runs as its last resort: one
  /// that moves or copies a store.
  package func isPassedToBackup(_ node: Ref) -> Bool {
    ancestors(node).contains { closure in
      guard kind(closure) == .closure, let (call, _) = callTaking(closure) else { return false }
      return functions(calledBy: call).contains { function in
        guard let body = functions[function].body else { return false }
        return fileWork(in: Ref(file: Int(functions[function].ref.file), node: body)).contains {
          $0.kind != .deletion && !$0.calls.contains { isIgnored($0, in: nil, false) }
        }
      }
    }
  }

  /// Whether a statement backs a store up; before a deletion it must not go on when that fails.
  private func holdsBackup(
    _ statement: Ref, of store: [StorePath], isForDeletion: Bool, _ met: Set<[Name]>
  ) -> Bool {
    for work in work(ofStatement: statement)
    where work.kind != .deletion && ships(work) && !isIgnored(work, in: statement, isForDeletion)
      && !relocates(work) && outlivesFailure(work)
      && !(isForDeletion && hangsOnCondition(work, in: statement, met))
    {
      let same = work.files.filter { file in store.allSatisfy { $0.maySharesStore(with: file) } }
      if work.isWhole, work.files.isEmpty || same.contains(where: { !$0.isPassing }) {
        return true
      }
      if same.contains(where: { $0.isStoreFile && $0.part == .main }) { return true }
      if same.contains(where: { $0 == .unknown || isParameter($0) }), saysBackup(work) {
        return true
      }
    }
    return answer(BackupCalls(statement: statement)).contains { call in
      !isIgnored(call, in: statement, isForDeletion)
        && !(isForDeletion && hangsOnCondition(call, in: statement, met))
    }
  }

  /// The calls in a statement that back up by their names.
  fileprivate func findBackupCalls(in statement: Ref) -> [Ref] {
    nodesRun(in: statement).filter { node in
      guard kind(node) == .call else { return false }
      return calls(node, oneOf: project.backups)
        || functions(calledBy: node).isEmpty
          && calledText(node).camelWords.contains { ["backup", "backups"].contains($0) }
    }
  }

  /// Whether a store's file is moved aside before a node runs. Where that fails nothing is lost
  /// either: the file stays where it was.
  package func isMovedAside(before node: Ref) -> Bool {
    runBefore(node, withDoBlocks: true).contains { statement in
      work(ofStatement: statement).contains { work in
        work.kind == .move && !relocates(work)
          && work.files.contains { $0.isStoreFile && $0.part == .main }
      }
    }
  }

  /// A copy of the store before a deletion that keeps nothing on some way there, and why.
  package func weakCopy(before work: StoreFileWork) -> WeakCopy? {
    let store = work.files.filter { $0.isStoreFile }
    let met = conditions(around: work.site)
    for statement in runBefore(work.site, withDoBlocks: false) {
      for copy in fileWork(in: statement)
      where copy.kind != .deletion && ships(copy) && !relocates(copy) {
        let isOfStore = copy.files.contains { file in
          file.isStoreFile && file.part == .main
            && store.allSatisfy { $0.maySharesStore(with: file) }
        }
        guard isOfStore else { continue }
        if isIgnored(copy, in: statement, true) {
          return WeakCopy(place: copy.site, flaw: .ignored)
        }
        if !outlivesFailure(copy) { return WeakCopy(place: copy.site, flaw: .passing) }
        if hangsOnCondition(copy, in: statement, met) {
          return WeakCopy(place: copy.site, flaw: .conditional)
        }
      }
    }
    return nil
  }

  /// Whether work is done in the builds that people have.
  private func ships(_ work: StoreFileWork) -> Bool { !work.calls.contains { isExempt($0) } }

  /// Whether files go to where the store is opened, under their own name.
  private func relocates(_ work: StoreFileWork) -> Bool {
    guard !work.isWhole else { return false }
    let names = Set(work.files.compactMap { $0.saysOther ? nil : $0.literalName })
    return targets(of: work.call).contains { target in
      !target.saysOther && target.literalName.map { names.contains($0) } ?? false
    }
  }

  private func isParameter(_ path: StorePath) -> Bool {
    if case .parameter = path.base { return true }
    return false
  }

  private func saysBackup(_ work: StoreFileWork) -> Bool {
    work.calls.contains { call in
      (words(in: call) + calledText(call).camelWords).contains {
        $0.hasPrefix("backup") || ["quarantine", "corrupt", "aside"].contains($0)
      }
    }
  }

  /// Whether the failure of work is thrown away in a statement, or in the functions that it calls.
  private func isIgnored(_ work: StoreFileWork, in statement: Ref, _ isForDeletion: Bool) -> Bool {
    isIgnored(work.site, in: statement, isForDeletion)
      || work.calls.dropFirst().contains { isIgnored($0, in: nil, isForDeletion) }
  }

  /// Whether the failure of a call is thrown away by `try?` or an empty `catch` around it, or, if
  /// asked for, by one after which the code goes on; in a statement, or in the whole body.
  private func isIgnored(_ call: Ref, in statement: Ref?, _ countsGoingOn: Bool) -> Bool {
    var inner = call
    while inner != statement, let outer = parent(inner) {
      switch kind(outer) {
      case .expression:
        if children(outer, .tryMark).contains(where: {
          $0 < inner && node($0).flags.contains(.isOptional)
        }) {
          return !isChecked(outer)
        }
      case .doStatement where kind(inner) == .block:
        let clauses = children(outer, .catchClause)
        if clauses.contains(where: { clause in
          guard let body = child(clause, .block) else { return false }
          return countsGoingOn ? !alwaysLeaves(body) : children(body).isEmpty
        }) {
          return true
        }
      case .closure, .functionDecl, .initDecl, .accessor, .members: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  /// Whether the value of a `try?` is looked at.
  private func isChecked(_ expression: Ref) -> Bool {
    guard let holder = parent(expression) else { return false }
    return ![.block, .closure, .switchCase, .ifConfigClause].contains(kind(holder))
      && !(assignment(expression).map { isWildcard($0.target) } ?? false)
  }
}

/// Whether a store is backed up before work on it.
private struct IsBackedUp: Query {
  let work: StoreFileWork

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findBackup(before: work) }
}

/// The calls in a statement that back up by their names, which many deletions after it ask for.
private struct BackupCalls: Query {
  let statement: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findBackupCalls(in: statement) }
}
