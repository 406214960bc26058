import PersistIndex
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

// MARK: - Backups that come before

extension Program {
  /// Whether a store is backed up before work on it, on each way that leads there.
  package func isBackedUp(before work: StoreFileWork) -> Bool {
    answer(IsBackedUp(work: work))
  }

  fileprivate func findBackup(before work: StoreFileWork) -> Bool {
    let store = work.files.filter { $0.isStoreFile }
    return work.calls.contains { isBackedUp(before: $0, store, order) }
      || isCalledAfter(work.site) { isBackedUp(before: $0, store, order) }
  }

  /// Whether each way to a node leads past a backup of a store, in its own body or in those of its
  /// callers; `failed` is a call whose failure leads there, so that it has backed up nothing.
  package func comesAfterBackup(_ node: Ref, failureOf failed: Ref? = nil) -> Bool {
    isBackedUp(before: node, [], order(.whereCaught), failed)
      || isCalledAfter(node) { isBackedUp(before: $0, [], order, failed) }
  }

  /// Whether the ways to a node in its own body lead past a backup of a store, or come from its
  /// failure.
  package func followsBackup(_ node: Ref) -> Bool {
    isBackedUp(before: node, [], order(.whereCaught))
  }

  /// The same for the store of some opening, as far as that tells its file.
  package func followsBackup(_ node: Ref, ofStoreOpenedAt site: Ref) -> Bool {
    let stores = storeFlow.openings.filter { $0.site == site }
      .flatMap { openedPaths(of: $0.root) }.filter { $0.literalName != nil }
    guard !stores.isEmpty else { return followsBackup(node) }
    return stores.contains { isBackedUp(before: node, [$0], order(.whereCaught)) }
  }

  private var order: Order { order(.never) }

  private func order(_ attempts: Attempts) -> Order {
    Order(program: self, attempts: attempts, isNeedless: asksForFile)
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
      let calls = shippingCallers(of: function)
      guard !calls.isEmpty else { return false }
      for call in calls {
        if holds(call) { isHeld = true } else { pending.append(call) }
      }
    }
    return isHeld
  }

  /// Whether the ways to a node in its own body lead past a backup.
  private func isBackedUp(
    before node: Ref, _ store: [StorePath], _ order: Order, _ failed: Ref? = nil
  ) -> Bool {
    let copies = copies(around: node).filter { copy in
      outlivesFailure(copy) && isBackup(copy, of: store)
        && !(failed.map { copy.calls.contains($0) } ?? false)
    }
    let named = bodies(around: node).flatMap { answer(BackupCalls(statement: $0)) }
    return order.surely(copies.map(\.calls) + named.map { [$0] }, before: node)
  }

  /// The work in the bodies around a node that brings files to another place.
  private func copies(around node: Ref) -> [StoreFileWork] {
    bodies(around: node).flatMap { work(ofStatement: $0) }.filter { work in
      // What a migration by hand writes is another version of the store.
      work.kind != .deletion && !migrates(work)
        && !work.calls.contains { isExempt($0) } && !relocates(work)
    }
  }

  /// The code of the bodies that hold a node, the innermost first.
  func bodies(around node: Ref) -> [Ref] {
    ancestors(node).compactMap { outer in
      switch kind(outer) {
      case .closure: outer
      case .functionDecl, .initDecl, .deinitDecl, .accessor: child(outer, .block)
      case .binding: child(outer, .expression)
      default: nil
      }
    }
  }

  private func isBackup(_ work: StoreFileWork, of store: [StorePath]) -> Bool {
    let same = work.files.filter { file in store.allSatisfy { $0.maySharesStore(with: file) } }
    if work.isWhole, work.files.isEmpty || same.contains(where: { !$0.isPassing }) { return true }
    if same.contains(where: { $0.isStoreFile && $0.part == .main }) { return true }
    if work.files.contains(where: { $0.isFolder(ofAll: store) }) { return true }
    return same.contains { $0.isUnknown || isParameter($0) } && saysBackup(work)
  }

  /// The calls in a statement that back up by their names.
  fileprivate func findBackupCalls(in statement: Ref) -> [Ref] {
    nodesRun(in: statement).filter { node in
      guard kind(node) == .call else { return false }
      return calls(node, oneOf: project.backups)
        || functions(calledBy: node).isEmpty && fileWork(by: node)?.files.isEmpty ?? true
          && calledText(node).camelWords.contains { ["backup", "backups"].contains($0) }
    }
  }

  /// Whether a store's file is moved aside before a node runs. Where that fails nothing is lost
  /// either: the file stays where it was.
  package func isMovedAside(before node: Ref) -> Bool {
    let moves = copies(around: node).filter { work in
      work.kind == .move && work.files.contains { $0.isStoreFile && $0.part == .main }
    }
    return order(.always).surely(moves.map(\.calls), before: node)
  }

  /// Whether a node stands in a closure that a function of the sources runs as its last resort: one
  /// that moves or copies a store.
  package func isPassedToBackup(_ node: Ref) -> Bool {
    ancestors(node).contains { closure in
      guard kind(closure) == .closure, let (call, _) = callTaking(closure) else { return false }
      return functions(calledBy: call).contains { function in
        guard let body = body(of: function), case let work = fileWork(in: body) else {
          return false
        }
        // A migration by hand leaves nothing of the old version.
        return work.contains { $0.kind != .deletion } && !work.contains { migrates($0) }
      }
    }
  }

  /// A copy of the store before a deletion that keeps nothing on some way there, and why.
  package func weakCopy(before work: StoreFileWork) -> WeakCopy? {
    let store = work.files.filter { $0.isStoreFile }
    let copy = copies(around: work.site).last { copy in
      copy.files.contains { file in
        file.isStoreFile && file.part == .main
          && store.allSatisfy { $0.maySharesStore(with: file) }
      } && order.perhaps(copy.calls, before: work.site)
    }
    return copy.map { copy in
      let isTried = order(.always).surely([copy.calls], before: work.site)
      return WeakCopy(
        place: copy.site,
        flaw: !outlivesFailure(copy) ? .passing : isTried ? .ignored : .conditional)
    }
  }

  /// Whether a version of a store is made out of another one.
  private func migrates(_ work: StoreFileWork) -> Bool {
    calledName(work.call) == "migrateStore"
  }

  /// Whether files go to where a store is opened, from elsewhere or under their own name.
  private func relocates(_ work: StoreFileWork) -> Bool {
    guard !work.isWhole else { return false }
    let names = Set(work.files.compactMap { $0.saysOther ? nil : $0.literalName })
    return targets(of: work.call).contains { target in
      guard !target.saysOther, let name = target.literalName else { return false }
      return names.contains(name) ? !isNeverOpened(target) : isOpened(target)
    }
  }

  /// Whether some opening opens a file, by its name and as far as its folder is told.
  private func isOpened(_ file: StorePath) -> Bool {
    answer(OpenedFiles()).contains {
      $0.literalName == file.literalName && $0.mayLie(beside: file)
    }
  }

  /// Whether all openings surely open other files than a copy.
  private func isNeverOpened(_ copy: StorePath) -> Bool {
    guard copy.isTold else { return false }
    let opened = answer(OpenedFiles())
    return !opened.isEmpty && opened.allSatisfy { $0.isTold && !$0.maySharesStore(with: copy) }
  }

  /// The files of all stores on disk; one of them is unknown where an opening doesn't tell.
  fileprivate func findOpenedFiles() -> [StorePath] {
    storeFlow.openings.filter { $0.site == $0.root && !$0.isInMemory && !isExempt($0.site) }
      .flatMap { opening in
        let paths = openedPaths(of: opening.root)
        return paths.isEmpty ? [.unknown] : paths
      }
  }

  private func isParameter(_ path: StorePath) -> Bool {
    switch path.base {
    case .parameter, .receiver: return true
    default: return false
    }
  }

  private func saysBackup(_ work: StoreFileWork) -> Bool {
    work.calls.contains { call in
      (words(in: call) + calledText(call).camelWords).contains {
        $0.hasPrefix("backup") || ["quarantine", "corrupt", "aside"].contains($0)
      }
    }
  }

  /// Whether a condition asks whether there is something to copy.
  private func asksForFile(_ condition: Ref, isBinding: Bool) -> Bool {
    if isBinding { return true }
    return words(in: condition).contains { Words.existenceWords.contains($0) }
  }
}

/// Whether a store is backed up before work on it.
private struct IsBackedUp: Query {
  let work: StoreFileWork

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findBackup(before: work) }
}

/// The files of all stores that the program opens on disk.
private struct OpenedFiles: Query {
  static var provisional: [StorePath] { [] }
  func answer(in program: Program) -> [StorePath] { program.findOpenedFiles() }
}

/// The calls in a statement that back up by their names, which many deletions after it ask for.
private struct BackupCalls: Query {
  let statement: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findBackupCalls(in: statement) }
}
