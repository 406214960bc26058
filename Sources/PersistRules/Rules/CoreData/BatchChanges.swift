import PersistFlow
import PersistIndex

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
  private static let merging: Set<Name> = [
    "mergeChanges", "refreshAllObjects", "reset", "refresh", "destroyPersistentStore",
    "mergePolicyReset", "replacePersistentStore",
  ]
  /// What hands on to others, whom nobody sees there, what a reader of the history has found.
  private static let telling: Set<Name> = ["post", "send", "yield"]

  /// Members of a context out of which no objects come.
  private static let quiet: Set<Name> = [
    "automaticallyMergesChangesFromParent", "mergePolicy", "name", "transactionAuthor",
    "undoManager", "shouldDeleteInaccessibleFaults", "stalenessInterval", "count", "hasChanges",
    "save", "rollback", "reset", "refreshAllObjects", "processPendingChanges", "mergeChanges",
    "setQueryGenerationFrom", "persistentStoreCoordinator", "retainsRegisteredObjects",
    "propagatesDeletesAtEndOfEvent",
  ]

  /// How many callers of a batch are looked through.
  private static let callersThatMerge = 2

  /// Whether what reads the store's history may merge into contexts what that tells, some time later.
  var mergesHistory: Bool {
    let merges = uses(of: Self.merging).contains { !isExempt($0) }
    return merges
      && uses(of: ["fetchHistory"]).contains { read in
        guard !isExempt(read), let reader = enclosingFunction(read), let body = body(of: reader)
        else { return !isExempt(read) }
        return mayMerge(reader) || uses(of: Self.telling).contains { contains(body, $0) }
      }
  }

  /// The batch changes that no context hears of.
  var unmergedBatchChanges: [BatchChange] {
    guard showsObjects else { return [] }
    var told: Set<Ref> = []
    return fates(of: .batchRequests).compactMap { fate in
      guard case .hands("execute", _) = fate.deed, !isExempt(fate.origin),
        showsObjects(of: fate.origin), let execution = call(takingValueAt: fate.place),
        told.insert(fate.origin).inserted, !isAskedAtLaunchAlone(execution),
        !(calledNode(execution).map { facts.contexts.haveOwnStores(at: $0) } ?? false),
        let lapse = lapse(of: fate.origin, executedBy: execution)
      else { return nil }
      let merge = enclosingFunctionBody(execution).flatMap { merges(in: $0).first }
      let place = lapse == .withoutViewContext ? merge ?? execution : execution
      return BatchChange(
        request: fate.origin, place: calledNode(place) ?? place, lapse: lapse,
        isInsertion: calledName(fate.origin) == "NSBatchInsertRequest")
    }
  }

  /// Whether views can hold objects: something shows or keeps those of the main queue's context.
  private var showsObjects: Bool {
    !uses(of: ["FetchRequest", "NSFetchedResultsController", "mainQueueConcurrencyType"]).isEmpty
      || uses(of: ["viewContext"]).contains { use in
        // Objects may come out of a context that is asked for some, or goes elsewhere.
        !isExempt(use) && memberAsked(of: use).map { !Self.quiet.contains($0) } ?? true
      }
  }

  /// Whether views can hold objects that a request changes, as far as it says which these are.
  private func showsObjects(of request: Ref) -> Bool {
    guard let value = argument(request, "fetchRequest"), let entity = entity(askedBy: value) else {
      return true
    }
    if calledName(request) == "NSBatchDeleteRequest", renewsHolders(of: entity, around: request) {
      return false
    }
    return once(ShownEntities.init).contains(entity)
  }

  private func lapse(of request: Ref, executedBy execution: Ref) -> BatchChange.Lapse? {
    if castType(ofCall: execution)?.element.isExternal("NSManagedObjectID") ?? false {
      return .castToIdentifiers
    }
    let functions = Set([request, execution].compactMap { enclosingFunction($0) })
    guard functions.contains(where: { body(of: $0) != nil }) else { return nil }
    let merges = functions.sorted().compactMap { body(of: $0) }.flatMap { self.merges(in: $0) }
    if !merges.isEmpty {
      let leaveOut = merges.allSatisfy { facts.contexts.merged(by: $0).arePrivate }
      return leaveOut ? .withoutViewContext : nil
    }
    return functions.contains { mayMerge($0) } ? nil : .nothing
  }

  /// Whether a function, or one that leads to it, may let contexts know, or has a store of its own.
  private func mayMerge(_ id: FunctionID) -> Bool {
    guard let body = body(of: id) else { return false }
    if !calls(named: "NSPersistentContainer", in: body).isEmpty || names("entities", in: body) {
      return true
    }
    var functions: Set<FunctionID> = [id]
    for depth in 0...Self.callersThatMerge {
      if functions.contains(where: { reachesMerge($0, depth) }) { return true }
      functions = Set(functions.flatMap { callers(of: $0) }.compactMap { enclosingFunction($0) })
    }
    return false
  }

  /// Whether a function merges or refreshes contexts, itself or through functions of the sources.
  private func reachesMerge(_ id: FunctionID, _ depth: Int) -> Bool {
    guard isWithin(depth, .mergingCalls), let body = body(of: id) else { return false }
    // A background context that is emptied tells the others nothing.
    if uses(of: Self.merging).contains(where: {
      contains(body, $0) && !facts.contexts.used(at: $0).arePrivate
    }) {
      return true
    }
    return calls(in: body).contains { call in
      functions(calledBy: call).contains { $0 != id && reachesMerge($0, depth + 1) }
    }
  }

  /// The calls that tell contexts of what changed.
  private func merges(in body: Ref) -> [Ref] { calls(named: "mergeChanges", in: body) }
}
