import PersistIndex
import PersistSyntax

/// A batch request that is executed, and of which live contexts don't hear.
struct BatchChange {
  /// What is missing.
  enum Lapse {
    case nothing, castToIdentifiers, withoutViewContext
  }

  let request: Ref
  /// The call that executes it, or that hands it to too few contexts.
  let place: Ref
  let lapse: Lapse
  let isInsertion: Bool
}

extension Program {
  private static let requests: [Name] = [
    "NSBatchDeleteRequest", "NSBatchUpdateRequest", "NSBatchInsertRequest",
  ]
  private static let merging: Set<Name> = [
    "mergeChanges", "refreshAllObjects", "reset", "refresh", "NSPersistentHistoryChangeRequest",
    "destroyPersistentStore", "mergePolicyReset", "replacePersistentStore",
  ]

  /// Members of a context out of which no objects come.
  private static let quiet: Set<Name> = [
    "automaticallyMergesChangesFromParent", "mergePolicy", "name", "transactionAuthor",
    "undoManager", "shouldDeleteInaccessibleFaults", "stalenessInterval", "count", "hasChanges",
    "save", "rollback", "reset", "refreshAllObjects", "processPendingChanges", "mergeChanges",
    "setQueryGenerationFrom", "persistentStoreCoordinator", "retainsRegisteredObjects",
    "propagatesDeletesAtEndOfEvent",
  ]

  /// Whether the sources process the store's history, which merges the change some time later.
  var mergesHistory: Bool {
    !uses(of: ["NSPersistentHistoryChangeRequest", "fetchHistory"]).isEmpty
  }

  /// The batch changes that no context hears of.
  var unmergedBatchChanges: [BatchChange] {
    guard showsObjects else { return [] }
    return Self.requests.flatMap { name in
      calls(named: name).compactMap { request -> BatchChange? in
        guard !isExempt(request), showsObjects(of: request), let id = enclosingFunction(request),
          let body = body(of: id),
          let execution = execution(of: request, in: body)
        else { return nil }
        guard let lapse = lapse(after: execution, in: body, of: id) else { return nil }
        let place = lapse == .withoutViewContext ? merges(in: body).first ?? execution : execution
        return BatchChange(
          request: request, place: calledNode(place) ?? place, lapse: lapse,
          isInsertion: name == "NSBatchInsertRequest")
      }
    }
  }

  /// Whether views can hold objects: something shows or keeps those of the main queue's context.
  private var showsObjects: Bool {
    !uses(of: ["FetchRequest", "NSFetchedResultsController", "mainQueueConcurrencyType"]).isEmpty
      || uses(of: ["viewContext"]).contains { !isExempt($0) && yieldsObjects($0) }
  }

  /// Whether views can hold objects that a request changes, as far as it says which these are.
  private func showsObjects(of request: Ref) -> Bool {
    guard let value = argument(request, "fetchRequest"),
      let entity = entity(askedBy: value, depth: 0)
    else { return true }
    return once(ShownEntities.init).contains(entity)
  }

  /// Whether objects may come out of a use of a context: it is asked for some, or goes elsewhere.
  private func yieldsObjects(_ context: Ref) -> Bool {
    let next = parent(context).flatMap { chain in
      children(chain).drop { $0 <= context }.first { kind($0) == .member }
    }
    return next.map { !Self.quiet.contains(name($0)) } ?? true
  }

  /// The call that executes a request in the function that makes it.
  private func execution(of request: Ref, in body: Ref) -> Ref? {
    let calls = descendants(body, .call).filter { calledName($0) == "execute" }
    if let around = calls.first(where: { contains($0, request) }) { return around }
    guard let binding = ancestors(request).first(where: { kind($0) == .binding }),
      let local = child(binding, .boundName), property(declaredAt: binding) == nil
    else { return nil }
    return calls.first { call in
      children(call, .argument).contains { argument in
        descendants(argument, .name).contains { declared($0) == .local(local) }
      }
    }
  }

  private func lapse(after execution: Ref, in body: Ref, of id: FunctionID) -> BatchChange.Lapse? {
    if isCastToIdentifiers(execution) { return .castToIdentifiers }
    let merges = merges(in: body)
    if !merges.isEmpty {
      let leaveOut = merges.allSatisfy { merge in
        facts.contexts.merged(by: merge).arePrivate
      }
      return leaveOut ? .withoutViewContext : nil
    }
    guard !descendants(body, .call).contains(where: { calledName($0) == "NSPersistentContainer" }),
      !reachesMerge(id, 0), !callers(of: id).contains(where: callerMerges),
      !descendants(body, .member).contains(where: { name($0) == "entities" })
    else { return nil }
    return .nothing
  }

  /// The calls that tell contexts of what changed.
  private func merges(in body: Ref) -> [Ref] {
    descendants(body, .call).filter { calledName($0) == "mergeChanges" }
  }

  private func isCastToIdentifiers(_ execution: Ref) -> Bool {
    guard let chain = parent(execution), let expression = parent(chain) else { return false }
    return children(expression, .cast).contains { cast in
      child(cast, .type).map { type(ofTypeNode: $0).element.isExternal("NSManagedObjectID") }
        ?? false
    }
  }

  private func callerMerges(_ call: Ref) -> Bool {
    guard let caller = enclosingFunction(call) else { return false }
    return reachesMerge(caller, 1)
      || callers(of: caller).contains { outer in
        enclosingFunction(outer).map { reachesMerge($0, 2) } ?? false
      }
  }

  /// Whether a function merges or refreshes contexts, itself or through functions of the sources.
  private func reachesMerge(_ id: FunctionID, _ depth: Int) -> Bool {
    guard isWithin(depth, .mergingCalls), let body = body(of: id) else { return false }
    let isMerging = { (node: Ref) in Self.merging.contains(self.name(node)) }
    if descendants(body, .member).contains(where: isMerging)
      || descendants(body, .name).contains(where: isMerging)
    {
      return true
    }
    return descendants(body, .call).contains { call in
      functions(calledBy: call).contains { $0 != id && reachesMerge($0, depth + 1) }
    }
  }
}
