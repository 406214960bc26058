import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - Background contexts that functions make

extension Program {
  /// A background context that is made for one function.
  fileprivate struct BackgroundContext {
    /// The call that makes it.
    let call: Ref
    let function: FunctionID
    /// The function's body.
    let body: Ref
    /// The closure of `performBackgroundTask`, or the body.
    let scope: Ref

    /// The context itself.
    var owner: Owner { .background(madeBy: call) }
  }

  /// The background contexts that functions make for themselves, in source order.
  private var backgroundContexts: [BackgroundContext] {
    let tasks = calls(named: "performBackgroundTask").compactMap { call -> BackgroundContext? in
      if case .functions = callTarget(call) { return nil }
      guard let place = function(around: call), let argument = arguments(call).last,
        let closure = closure(in: argument)
      else { return nil }
      return BackgroundContext(
        call: call, function: place.id, body: place.body, scope: closure)
    }
    let made = calls(named: "newBackgroundContext").compactMap { call -> BackgroundContext? in
      if case .functions = callTarget(call) { return nil }
      guard let place = function(around: call), let chain = parent(call),
        children(chain).last == call, let expression = parent(chain),
        children(expression) == [chain], let binding = parent(expression),
        kind(binding) == .binding, child(binding, .boundName) != nil
      else { return nil }
      return BackgroundContext(
        call: call, function: place.id, body: place.body, scope: place.body)
    }
    return (tasks + made).sorted { $0.call < $1.call }
  }

  private func function(around call: Ref) -> (id: FunctionID, body: Ref)? {
    guard !isExempt(call), let id = enclosingFunction(call), let body = body(of: id),
      contains(body, call)
    else { return nil }
    return (id, body)
  }
}

// MARK: - Background contexts without a merge policy

extension Program {
  /// The calls that make a background context which is saved and never gets a merge policy, each with
  /// the first place that saves it; empty where the sources don't tell which contexts get one.
  var savedContextsWithoutPolicy: [(call: Ref, save: Ref?, changesStored: Bool)] {
    let contexts = facts.contexts
    guard !contexts.withPolicy.isOpen else { return [] }
    return backgroundContexts.filter { context in
      !contexts.withPolicy.known.contains(context.owner)
        && !descendants(context.body, .member).contains { name($0) == "mergePolicy" }
        && callsSave(in: context.scope) && !mayBeSetUp(byContainerOf: context.call)
    }.map { context in
      let save = contexts.saves.first { $0.contexts.only == context.owner }
      return (context.call, save?.node, contexts.isAskedForObjects(context.owner))
    }
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
