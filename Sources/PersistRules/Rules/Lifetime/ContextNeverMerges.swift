import PersistFlow
import PersistIndex
import PersistVersions

/// A view context that never merges: the screen shows old values, and later saves conflict.
struct ContextNeverMerges: Rule {
  static let id: RuleID = "context-never-merges"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    guard
      let store = program.coreDataOpenings.first(where: {
        program.calledName($0.site) == "loadPersistentStores" && !program.isExempt($0.site)
      }), let writer = writer(program), isRead(program), !merges(program)
    else { return }
    let mention = program.memberCode(around: store.site).flatMap { setup in
      program.uses(of: ["viewContext"]).last { program.contains(setup, $0) }
    }
    findings.report(
      .showsOldValues,
      at: mention ?? program.calledNode(store.site) ?? store.site,
      related: [writer])
  }

  /// What writes to the store beside the view context: another context, or an import of CloudKit.
  private func writer(_ program: Program) -> Findings.Related? {
    if let writer = backgroundWriter(program) {
      return .init(program.chain(of: writer), "another context writes here")
    }
    return program.syncingContainers.first.map {
      .init(
        program.calledNode($0) ?? $0,
        "this container syncs, and another context writes what it imports")
    }
  }

  /// The first place that makes a context beside the view's and changes something in it.
  private func backgroundWriter(_ program: Program) -> Ref? {
    guard !program.contextSaves.isEmpty else { return nil }
    let contexts = program.facts.contexts
    let changes = (contexts.changes + contexts.saves).map(\.node)
    let tasks = program.calls(named: "performBackgroundTask").filter { call in
      program.isRun(call)
        && (changes.contains { program.contains(call, $0) }
          || Self.changes.contains { !program.calls(named: $0, in: call).isEmpty })
    }
    let made = program.calls(named: "newBackgroundContext").filter { call in
      guard program.isRun(call), let function = program.enclosingFunction(call) else {
        return false
      }
      return program.callsSave(function)
        || contexts.saves.contains { save in
          program.isRun(save.node) && save.contexts.only == .background(madeBy: call)
        }
    }
    return (tasks + made).min()
  }

  private static let changes: [Name] = ["save", "delete", "insert", "saveIfNeeded"]

  /// Whether something beside its own setup reads the view context.
  private func isRead(_ program: Program) -> Bool {
    if !program.uses(of: ["FetchRequest", "NSFetchedResultsController"]).isEmpty { return true }
    return program.uses(of: ["viewContext"]).contains { use in
      guard !program.isExempt(use), let asked = program.memberAsked(of: use) else { return false }
      return asked == .none ? !isOnlySaved(use, program) : Self.reads.contains(asked)
    }
  }

  private static let reads: Set<Name> = [
    "count", "existingObject", "fetch", "object", "perform", "performAndWait",
  ]

  /// Whether a local takes the context, and of that nothing is used but whether it has changes, and
  /// the save of these.
  private func isOnlySaved(_ context: Ref, _ program: Program) -> Bool {
    guard let local = program.local(beginningWith: context) else { return false }
    return program.uses(ofLocal: local).allSatisfy { use in
      program.memberAsked(of: use).map { ["hasChanges", "save"].contains($0) } ?? false
    }
  }

  /// Whether the program merges, refreshes or observes, in whatever way.
  private func merges(_ program: Program) -> Bool {
    let words: Set<Name> = [
      "mergeChanges", "refreshAllObjects", "NSManagedObjectContextDidSave",
      "didSaveObjectsNotification", "didSaveObjectIDsNotification", "NSPersistentStoreRemoteChange",
      "NSManagedObjectContextDidSaveNotification", "automaticallyMergesChangesFromParent",
    ]
    let off = program.settings(["automaticallyMergesChangesFromParent"]).filter {
      program.booleanLiteral($0.value) == false
    }.map(\.place)
    let told = program.uses(of: words).contains { use in
      !program.files[Int(use.file)].isTest && !off.contains(use)
    }
    // Contexts that save into another one give it what they save.
    let contexts = program.facts.contexts
    return told || refreshes(program) || !contexts.links.isEmpty || contexts.hasUnreadLinks
  }

  /// Whether a context is reset, or objects of one are refreshed.
  private func refreshes(_ program: Program) -> Bool {
    (program.calls(named: "refresh") + program.calls(named: "reset")).contains { call in
      if program.isContext(program.receiverType(ofCall: call)) { return true }
      return program.argument(call, "mergeChanges") != nil
        || program.callee(call).contains {
          program.nameText($0).lowercased().hasSuffix("context")
        }
    }
  }
}

extension Finding.Message {
  fileprivate static let showsOldValues: Self =
    """
    people see old values and their next save conflicts, because other contexts write to this \
    store and the view context never merges their changes; set \
    `automaticallyMergesChangesFromParent = true` on it
    """
}
