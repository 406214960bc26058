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
  fileprivate static let merging: Set<Name> = [
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

  /// Whether a function, or one that leads to it behind the call, may let contexts know, or has a store
  /// of its own.
  private func mayMerge(_ id: FunctionID) -> Bool {
    guard let body = body(of: id) else { return false }
    if !calls(named: "NSPersistentContainer", in: body).isEmpty || names("entities", in: body) {
      return true
    }
    let mergers = answer(Mergers())
    if mergers.contains(id) { return true }
    return Reach(from: callers(of: id)) { call in
      self.enclosingFunction(call).map { self.callers(of: $0) } ?? []
    }.contains { call in
      guard let body = enclosingFunctionBody(call) else { return false }
      return calls(in: body).contains { next in
        (merges(next) || functions(calledBy: next).contains { mergers.contains($0) })
          && perhapsRuns(call, before: next)
      }
    }
  }

  /// Whether a call lets contexts know; one of the sources or of a view that has the name doesn't, nor
  /// does a background context that is emptied.
  fileprivate func merges(_ call: Ref) -> Bool {
    guard Self.merging.contains(calledName(call)), functions(calledBy: call).isEmpty,
      let called = calledNode(call), !facts.contexts.used(at: called).arePrivate
    else { return false }
    let receiver = receiverType(ofCall: call).unwrapped
    return !["refresh", "reset"].contains(calledName(call)) || receiver == .unknown
      || isContext(receiver)
  }

  /// The calls that tell contexts of what changed.
  private func merges(in body: Ref) -> [Ref] { calls(named: "mergeChanges", in: body) }
}

/// The functions that merge or refresh contexts, by themselves or through functions of the sources.
private struct Mergers: Query {
  static var provisional: Set<FunctionID> { [] }
  func answer(in program: Program) -> Set<FunctionID> {
    let merging = Program.merging.flatMap { program.calls(named: $0) }
      .filter { program.merges($0) }.compactMap { program.enclosingFunction($0) }
    return Set(
      Reach(from: merging) { function in
        program.callers(of: function).compactMap { program.enclosingFunction($0) }
      })
  }
}
