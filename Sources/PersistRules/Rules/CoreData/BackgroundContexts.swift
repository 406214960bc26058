import PersistFlow
import PersistIndex

// MARK: - Background contexts without a merge policy

extension Program {
  /// The calls that make a background context which is saved and never gets a merge policy, each with
  /// the first place that saves it, in source order; empty where the sources don't tell which contexts
  /// get one.
  var savedContextsWithoutPolicy: [(call: Ref, save: Ref, changesStored: Bool)] {
    let contexts = facts.contexts
    // An actor's context is the one that its executor was made with.
    func holds(_ contexts: Contexts, _ owner: Owner) -> Bool {
      contexts.known.contains { $0.site == owner.site }
    }
    guard !contexts.withPolicy.isOpen else { return [] }
    let children = contexts.links.map(\.child)
    return contexts.savedAlone.compactMap { owner, save in
      // A context that is made by hand may be the only one of its coordinator.
      guard owner.home != .main, !owner.isGiven, let call = owner.site, !isExempt(call),
        makesContextOfContainer(call) || contexts.sharing.contains(owner),
        !holds(contexts.withPolicy, owner), contexts.mayBeChanged(owner),
        !children.contains(where: { $0.isOpen || holds($0, owner) }),
        !(enclosingFunctionBody(call).map { names("mergePolicy", in: $0) } ?? false),
        !mayBeSetUp(byContainerOf: call)
      else { return nil }
      return (call, save, contexts.isAskedForObjects(owner))
    }.sorted { $0.call < $1.call }
  }

  private func makesContextOfContainer(_ call: Ref) -> Bool {
    ["newBackgroundContext", "performBackgroundTask"].contains(calledName(call))
  }

  /// Whether the class of a container may set up each context that it makes: it has a
  /// `newBackgroundContext` of its own, or isn't known to the end.
  private func mayBeSetUp(byContainerOf call: Ref) -> Bool {
    let containers: [Name] = ["NSPersistentContainer", "NSPersistentCloudKitContainer"]
    switch receiverType(ofCall: call).unwrapped {
    case .declared(let type, _):
      let type = resolveAlias(type)
      guard types[type].kind == .classDecl else { return false }
      let heirs = types(inheritingFrom: containers)
      return !heirs.contains(type)
        || functions(named: "newBackgroundContext").contains { id in
          functions[id].owner.map { lineage(of: type).contains($0) } ?? false
        }
    case .external(let name, _): return !containers.contains(name)
    default: return false
    }
  }

  /// Whether the context of the view has a merge policy.
  var viewContextHasPolicy: Bool {
    facts.contexts.withPolicy.known.contains { $0.home == .main }
  }

  /// Whether the context of the view writes to the store and has no policy, though others may have
  /// one: what a child has, helps its parent nothing.
  var savesViewContextWithoutPolicy: Bool {
    let contexts = facts.contexts
    let children = contexts.links.map(\.child)
    return !contexts.withPolicy.isOpen && !contexts.hasUnreadLinks && !viewContextHasPolicy
      && contexts.savedAlone.keys.contains { owner in
        owner.home == .main && !owner.isGiven
          && !children.contains { $0.isOpen || $0.known.contains(owner) }
      }
  }

  /// Whether contexts of the main queue are saved that others merge into, or that may change what
  /// was stored before.
  var savesViewContext: Bool {
    facts.contexts.saves.contains { save in
      guard let context = save.contexts.only, context.home == .main else { return false }
      return isRun(save.node) && (mergesFromParent || facts.contexts.isAskedForObjects(context))
    }
  }

  /// Whether a context takes in what others save.
  var mergesFromParent: Bool {
    !uses(of: ["automaticallyMergesChangesFromParent"]).isEmpty
  }
}
