import PersistFlow
import PersistIndex

// MARK: - Background contexts without a merge policy

extension Program {
  /// The calls that make a background context which is saved and never gets a merge policy, each with
  /// the first place that saves it; empty where the sources don't tell which contexts get one.
  var savedContextsWithoutPolicy: [(call: Ref, save: Ref?, changesStored: Bool)] {
    let contexts = facts.contexts
    guard !contexts.withPolicy.isOpen else { return [] }
    return backgroundContexts.filter { call, scope in
      !contexts.withPolicy.known.contains(.background(madeBy: call))
        && !(enclosingFunctionBody(call).map { names("mergePolicy", in: $0) } ?? false)
        && callsSave(in: scope) && !mayBeSetUp(byContainerOf: call)
    }.map { call, _ in
      let owner = Owner.background(madeBy: call)
      let save = contexts.saves.first { $0.contexts.only == owner }
      return (call, save?.node, contexts.isAskedForObjects(owner))
    }
  }

  /// The calls that make a context for one function, with the code that has it, in source order.
  private var backgroundContexts: [(call: Ref, scope: Ref)] {
    let tasks = calls(named: "performBackgroundTask").map { ($0, lastClosure(handedTo: $0)) }
    let made = calls(named: "newBackgroundContext").filter { local(beginningWith: $0) != nil }
      .map { ($0, enclosingFunctionBody($0)) }
    return (tasks + made).compactMap { call, scope in
      if case .functions = callTarget(call) { return nil }
      guard !isExempt(call), let body = enclosingFunctionBody(call), contains(body, call) else {
        return nil
      }
      return scope.map { (call, $0) }
    }.sorted { $0.0 < $1.0 }
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

  /// Whether contexts of the main queue are saved beside others that merge into them.
  var savesViewContext: Bool {
    facts.contexts.saves.contains { save in
      save.contexts.only?.home == .main && !isExempt(save.node)
    }
  }

  /// Whether a context takes in what others save.
  var mergesFromParent: Bool {
    !uses(of: ["automaticallyMergesChangesFromParent"]).isEmpty
  }
}
