import PersistFlow
import PersistIndex
import PersistSyntax

/// A change in a background context that nobody saves is lost.
struct ModelActorWithoutSave: Rule {
  static let id: RuleID = "model-actor-without-save"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let all =
      program.unsavedActorChanges + program.unsavedLocalChanges + program.unsavedContextChanges
    // Callers that may save are one cause, however many methods leave it to them.
    let left = Dictionary(grouping: all.filter { $0.saver != nil }) { $0.actor }
    for unsaved in all {
      let others = unsaved.saver == nil ? nil : left[unsaved.actor]?.map(\.function).sorted()
      if let others, others[0] != unsaved.function { continue }
      let method = program.nameText(unsaved.function)
      var related = [Findings.Related(unsaved.change, "this change is not saved")]
      related += (others ?? []).dropFirst().map { .init($0, "and `\(program.nameText($0))`") }
      guard let actor = unsaved.actor else {
        findings.report(
          unsaved.owner == .background ? .losesBackground(method) : .losesLocal(method),
          at: unsaved.function, related: related,
          cause: program.typeCause(at: unsaved.function))
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
  enum Owner { case local, background }

  /// The name of the function.
  let function: Ref
  var owner = Owner.local
  /// The first change.
  let change: Ref
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
    ([types[actor].ref] + types[actor].extensions).contains { turnsAutosaveOn($0) }
  }

  private func turnsAutosaveOn(_ code: Ref) -> Bool {
    descendants(code, .member).contains { member in
      name(member) == "autosaveEnabled"
        && assignment(toWhatEndsWith: member)?.value.flatMap { booleanLiteral($0) } ?? false
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

  /// The functions that make a context of SwiftData, change objects of it and never save it.
  fileprivate var unsavedLocalChanges: [UnsavedChange] {
    var seen: Set<FunctionID> = []
    let contexts = facts.modelContexts
    return calls(named: "ModelContext").compactMap { call in
      guard !isExempt(call), case .externalInitializer = callTarget(call),
        let id = enclosingFunction(call), let body = body(of: id), contains(body, call),
        !callsSave(in: body), !turnsAutosaveOn(body), !seen.contains(id),
        !descendants(body, .argument).contains(where: { label($0) == "isStoredInMemoryOnly" }),
        let change = contexts.changes.first(where: { $0.contexts.only?.site == call }),
        let owner = change.contexts.only, !contexts.leaves(owner, functions[id].ref),
        !contexts.saves.contains(where: { $0.contexts.known.contains(owner) })
      else { return nil }
      seen.insert(id)
      return UnsavedChange(function: functions[id].ref, change: change.node)
    }
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

  fileprivate static func losesBackground(_ method: String) -> Self {
    "what `\(method)` changes is lost, because nothing saves its background context; end the work with `if context.hasChanges { try context.save() }`"
  }

  fileprivate static func losesLocal(_ method: String) -> Self {
    "what `\(method)` changes is lost, because a `ModelContext` that the code creates doesn't save automatically; call `save()` at the end"
  }
}
