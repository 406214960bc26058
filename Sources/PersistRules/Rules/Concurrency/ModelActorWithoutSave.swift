import PersistFlow
import PersistIndex

/// A change in a background context that nobody saves is lost.
struct ModelActorWithoutSave: Rule {
  static let id: RuleID = "model-actor-without-save"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let all = program.unsavedActorChanges + program.lostChanges
    // Callers that may save are one cause, however many methods leave it to them.
    let left = Dictionary(grouping: all.filter { $0.saver != nil }) { $0.actor }
    for unsaved in all {
      let others = unsaved.saver == nil ? nil : left[unsaved.actor]?.map(\.function).sorted()
      if let others, others[0] != unsaved.function { continue }
      let method = program.nameText(unsaved.function)
      var related = [Findings.Related(unsaved.change, "this change is not saved")]
      related += (others ?? []).dropFirst().map { .init($0, "and `\(program.nameText($0))`") }
      related += unsaved.others.map { .init($0, "and neither is this one") }
      guard let actor = unsaved.actor else {
        findings.report(
          .loses(method, unsaved.owner), at: unsaved.function, related: related,
          cause: unsaved.owner.isKept ? nil : program.typeCause(at: unsaved.function))
        continue
      }
      findings.report(
        .loses(method, actor: program.nameText(program.types[actor].ref), saver: unsaved.saver),
        at: unsaved.function, severity: unsaved.saver == nil ? nil : .note,
        related: related, cause: program.cause(of: actor))
    }
  }
}

/// A function that changes what a context holds, and from which no save is reached.
struct UnsavedChange {
  /// Whose context it is that nobody saves.
  enum Owner {
    case local, background, kept, main
    /// Other code changes and saves it.
    case shared
    /// Some ways lead to a save, and others to the end before it.
    case early

    /// Whether the context outlives the function.
    var isKept: Bool { self == .kept || self == .main || self == .shared }
  }

  /// The name of the function.
  let function: Ref
  var owner = Owner.local
  /// The first change.
  let change: Ref
  /// The first changes of other functions that the same context loses.
  var others: [Ref] = []
  /// The model actor; nil where the context is a local of the function.
  var actor: TypeID?
  /// The name of a method with which the actor lets its callers save.
  var saver: String?
}

extension Program {
  /// The methods of model actors that change what their context holds and don't save.
  fileprivate var unsavedActorChanges: [UnsavedChange] {
    contextActors.filter { isModelActor($0) && !autosaves($0) }.flatMap { actor in
      let changes = changes(of: actor)
      let saver = publicSaver(of: actor, changes)
      return types[actor].functions.compactMap { id -> UnsavedChange? in
        guard functions[id].kind == .functionDecl, let change = changes[id],
          !callsSave(id), !callersSave(id, in: actor)
        else { return nil }
        return UnsavedChange(
          function: functions[id].ref, change: change, actor: actor, saver: saver)
      }
    }
  }

  /// The first change of an actor's context in each function.
  private func changes(of actor: TypeID) -> [FunctionID: Ref] {
    facts.modelContexts.changes.reduce(into: [:]) { found, change in
      guard case .actor(actor)? = change.contexts.only?.home, !isExempt(change.node),
        let function = enclosingFunction(change.node)
      else { return }
      found[function] = found[function] ?? change.node
    }
  }

  private func autosaves(_ actor: TypeID) -> Bool {
    ([types[actor].ref] + types[actor].extensions).contains {
      gives("autosaveEnabled", true, in: $0)
    }
  }

  private func publicSaver(of actor: TypeID, _ changes: [FunctionID: Ref]) -> String? {
    (lineage(of: actor) + extended("ModelActor")).flatMap { types[$0].functions }.first { id in
      !functions[id].isPrivate && Words.saysSave(nameText(functions[id].ref)) && changes[id] == nil
        && callsSave(id)
    }.map { nameText(functions[$0].ref) }
  }

  /// What the sources add to a type from elsewhere.
  private func extended(_ name: Name) -> [TypeID] { foreignType(named: name).map { [$0] } ?? [] }

  /// Whether a function of the type that leads to this one saves a context.
  private func callersSave(_ id: FunctionID, in actor: TypeID) -> Bool {
    var seen: Set<FunctionID> = [id]
    var pending = [id]
    while let next = pending.popLast() {
      for call in calls(named: functions[next].name) where enclosingType(call) == actor {
        guard let caller = enclosingFunction(call), seen.insert(caller).inserted else { continue }
        if callsSave(caller) { return true }
        pending.append(caller)
      }
    }
    return false
  }

  /// The functions that change what a context holds which nobody saves afterwards.
  fileprivate var lostChanges: [UnsavedChange] {
    let all = facts.modelContexts.lost + facts.contexts.lost
    var found: [UnsavedChange] = []
    var indices: [LostKey: Int] = [:]
    // What the file of a kept context changes stands before what others do for it.
    let sorted = all.sorted {
      ($0.isAway ? 1 : 0, $0.node) < ($1.isAway ? 1 : 0, $1.node)
    }
    for lost in sorted where !isExempt(lost.node) {
      let isForOne = !lost.isKept && !lost.isHandedOut
      let place = lost.method ?? (isForOne ? lost.context.site ?? lost.node : lost.node)
      guard !isExempt(place), !isInMemory(place),
        let id = lost.method.flatMap({ function(declaredAt: $0) }) ?? enclosingFunction(place)
      else { continue }
      // A context that outlives its function is one cause.
      let key = LostKey(context: lost.context, function: lost.isKept ? nil : id)
      if let known = indices[key] {
        if lost.isKept, !found[known].isBeside(lost.node, in: self) {
          found[known].others.append(lost.node)
        }
        continue
      }
      indices[key] = found.count
      found.append(
        UnsavedChange(
          function: functions[id].ref, owner: owner(of: lost), change: lost.node))
    }
    return found
  }

  private func owner(of lost: LostChange) -> UnsavedChange.Owner {
    if lost.isSavedElsewhere { return .shared }
    if lost.isSavedOnOthers { return .early }
    if lost.context.framework == .swiftData { return lost.isKept ? .kept : .local }
    if lost.isKept { return lost.context.home == .main ? .main : .kept }
    return .background
  }

  /// Whether the function around a place opens a store in memory.
  private func isInMemory(_ place: Ref) -> Bool {
    enclosingFunctionBody(place).map { names("isStoredInMemoryOnly", in: $0) } ?? false
  }
}

extension LostChange {
  /// Whether the change stands in another file than what makes the context that is kept.
  fileprivate var isAway: Bool { isKept && context.site.map { $0.file != node.file } ?? false }
}

/// What one finding tells of: a context that something keeps, or one of a function.
private struct LostKey: Hashable {
  let context: PersistFlow.Owner
  let function: FunctionID?
}

extension UnsavedChange {
  /// Whether a change belongs to a function that is told of already.
  fileprivate func isBeside(_ node: Ref, in program: Program) -> Bool {
    let function = program.enclosingFunction(node)
    return ([change] + others).contains { program.enclosingFunction($0) == function }
  }
}

extension Finding.Message {
  fileprivate static func loses(_ method: String, actor: String, saver: String?) -> Self {
    guard let saver else {
      return
        "what `\(method)` changes is lost, because the context of `\(actor)` doesn't save automatically; end the method with `try modelContext.save()`"
    }
    return
      "what `\(method)` changes is lost unless every caller then calls `\(saver)`; save in `\(method)` itself"
  }

  fileprivate static func loses(_ method: String, _ owner: UnsavedChange.Owner) -> Self {
    switch owner {
    case .background:
      "what `\(method)` changes is lost, because nothing saves its background context; end the work with `if context.hasChanges { try context.save() }`"
    case .local:
      "what `\(method)` changes is lost, because a `ModelContext` that the code creates doesn't save automatically; call `save()` at the end"
    case .kept:
      "what `\(method)` changes is lost at the next launch, because nothing ever saves its context; end the work with `try context.save()`"
    case .shared:
      "what `\(method)` changes is lost if the app ends before other code changes something and saves it; end the work with `try context.save()`"
    case .early:
      "what `\(method)` changes is lost where it ends before the save, because nobody else has its context; save before each `return`"
    case .main:
      "what `\(method)` changes is lost at the next launch, because nothing ever saves `viewContext`; end the work with `try context.save()`"
    }
  }
}
