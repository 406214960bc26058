import PersistIndex
import PersistSyntax

/// A view context that never merges: the screen shows old values, and later saves conflict.
struct ContextNeverMerges: Rule {
  static let id: RuleID = "context-never-merges"

  func check(_ program: Program, into findings: inout Findings) {
    guard
      let store = program.coreDataOpenings.first(where: {
        program.calledName($0.site) == "loadPersistentStores" && !program.isExempt($0.site)
      }), let writer = backgroundWriter(program), isRead(program), !merges(program)
    else { return }
    let setup = program.ancestors(store.site).first {
      program.function(declaredAt: $0) != nil || program.property(declaredAt: $0) != nil
    }
    let mention = setup.flatMap { scope in
      (program.descendants(scope, .member) + program.descendants(scope, .name)).filter {
        program.nameText($0) == "viewContext"
      }.max()
    }
    findings.report(
      .showsOldValues,
      at: mention ?? program.calledNode(store.site) ?? store.site,
      related: [.init(program.chain(of: writer), "another context writes here")])
  }

  /// The first place that makes a context beside the view's and changes something in it.
  private func backgroundWriter(_ program: Program) -> Ref? {
    guard !program.contextSaves.isEmpty else { return nil }
    let tasks = program.calls(named: "performBackgroundTask").filter { call in
      !program.isExempt(call)
        && program.descendants(call, .call).contains {
          Self.changes.contains(program.calledText($0)) || program.argument($0, "context") != nil
        }
    }
    let made = program.calls(named: "newBackgroundContext").filter { call in
      guard !program.isExempt(call), let function = program.enclosingFunction(call) else {
        return false
      }
      return program.callsSave(function)
    }
    return (tasks + made).min()
  }

  private static let changes: Set<String> = ["save", "delete", "insert", "saveIfNeeded"]

  /// Whether something beside its own setup reads the view context.
  private func isRead(_ program: Program) -> Bool {
    if !program.uses(of: ["FetchRequest", "NSFetchedResultsController"]).isEmpty { return true }
    return program.uses(of: ["viewContext"]).contains { use in
      guard !program.isExempt(use), let chain = program.parent(use) else { return false }
      let parts = program.children(chain)
      guard let place = parts.firstIndex(of: use) else { return false }
      guard place + 1 < parts.count else {
        guard let value = program.parent(chain), program.kind(value) == .expression else {
          return false
        }
        return program.parent(value).map { !isOnlySaved($0, program) } ?? true
      }
      return Self.reads.contains(program.nameText(parts[place + 1]))
    }
  }

  private static let reads: Set<String> = [
    "count", "existingObject", "fetch", "object", "perform", "performAndWait",
  ]

  /// Whether a local takes the context, and of that nothing is used but whether it has changes, and
  /// the save of these.
  private func isOnlySaved(_ binding: Ref, _ program: Program) -> Bool {
    guard program.kind(binding) == .binding, program.property(declaredAt: binding) == nil,
      let local = program.child(binding, .boundName)
    else { return false }
    return program.uses(ofLocal: local).allSatisfy { use in
      guard let chain = program.parent(use) else { return false }
      let parts = program.children(chain)
      return parts.first == use && parts.count > 1
        && ["hasChanges", "save"].contains(program.nameText(parts[1]))
    }
  }

  /// Whether the program merges, refreshes or observes, in whatever way.
  private func merges(_ program: Program) -> Bool {
    let words: Set<Name> = [
      "mergeChanges", "refreshAllObjects", "NSManagedObjectContextDidSave",
      "didSaveObjectsNotification", "didSaveObjectIDsNotification", "NSPersistentStoreRemoteChange",
      "NSManagedObjectContextDidSaveNotification", "automaticallyMergesChangesFromParent",
      "NSPersistentCloudKitContainer",
    ]
    let told = program.uses(of: words).contains { use in
      !program.files[Int(use.file)].isTest && !isOff(use, program)
    }
    return told || refreshes(program) || hasChildren(program)
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

  /// Whether contexts save into another one, which then has what they save.
  private func hasChildren(_ program: Program) -> Bool {
    program.uses(of: ["parent"]).contains { use in
      guard program.kind(use) == .member, let chain = program.parent(use),
        program.children(chain).last == use, let expression = program.parent(chain),
        program.children(expression).first == chain, program.children(expression).count > 2
      else { return false }
      return program.isContext(program.type(ofChain: chain, upTo: use))
    }
  }

  /// Whether a setting is switched off where it is set.
  private func isOff(_ use: Ref, _ program: Program) -> Bool {
    guard program.nameText(use) == "automaticallyMergesChangesFromParent",
      let chain = program.parent(use), let expression = program.parent(chain)
    else { return false }
    let parts = program.children(expression)
    return parts.count == 3 && program.booleanLiteral(parts[2]) == false
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
