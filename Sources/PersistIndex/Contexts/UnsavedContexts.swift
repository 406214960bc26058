import PersistSyntax

// MARK: - Background contexts that change and are never saved

extension Program {
  /// The functions that make a background context, change objects of it and never save it.
  var unsavedContextChanges: [UnsavedChange] {
    var seen: Set<FunctionID> = []
    return backgroundContexts.compactMap { context in
      guard !seen.contains(context.function), !callsSave(in: context.body),
        !leaves(context), let change = change(in: context)
      else { return nil }
      seen.insert(context.function)
      return UnsavedChange(
        function: functions[context.function].ref, owner: .background, change: change, actor: nil,
        saver: nil)
    }
  }

  /// A background context that is made for one function.
  struct BackgroundContext {
    /// The call that makes it.
    let call: Ref
    let function: FunctionID
    /// The function's body.
    let body: Ref
    /// The closure of `performBackgroundTask`, or the body.
    let scope: Ref
    /// The local that holds it; nil in `performBackgroundTask`.
    let local: Ref?
  }

  /// The background contexts that functions make for themselves, in source order.
  var backgroundContexts: [BackgroundContext] {
    let tasks = calls(named: "performBackgroundTask").compactMap { call -> BackgroundContext? in
      if case .functions = callTarget(call) { return nil }
      guard let place = function(around: call), let argument = arguments(call).last,
        let closure = closure(in: argument)
      else { return nil }
      return BackgroundContext(
        call: call, function: place.id, body: place.body, scope: closure, local: nil)
    }
    let made = calls(named: "newBackgroundContext").compactMap { call -> BackgroundContext? in
      if case .functions = callTarget(call) { return nil }
      guard let place = function(around: call), let chain = parent(call),
        children(chain).last == call, let expression = parent(chain),
        children(expression) == [chain], let binding = parent(expression),
        kind(binding) == .binding, let local = child(binding, .boundName)
      else { return nil }
      return BackgroundContext(
        call: call, function: place.id, body: place.body, scope: place.body, local: local)
    }
    return (tasks + made).sorted { $0.call < $1.call }
  }

  private func function(around call: Ref) -> (id: FunctionID, body: Ref)? {
    guard !isExempt(call), let id = enclosingFunction(call), let body = body(of: id),
      contains(body, call)
    else { return nil }
    return (id, body)
  }

  /// Whether a context, or an object of it, is returned, kept, or handed to code that may save it.
  private func leaves(_ context: BackgroundContext) -> Bool {
    let executor = ContextExecutor.made(context.call)
    let returned = descendants(context.body, .returnStatement).compactMap { child($0, .expression) }
    if returned.contains(where: { contextExecutors(of: $0).known.contains(executor) }) {
      return true
    }
    return descendants(context.scope, .chain).contains { chain in
      let parts = children(chain)
      guard let name = parts.first, kind(name) == .name, parts.allSatisfy({ kind($0) != .call }),
        isManagedContext(type(of: chain)) || managedModel(in: type(of: chain)) != nil,
        contextExecutors(of: chain).known.contains(executor)
      else { return false }
      return isHandedOut(chain)
    }
  }

  /// Whether a value is stored, or is part of what a call gets that may keep it.
  private func isHandedOut(_ value: Ref) -> Bool {
    guard let expression = parent(value), kind(expression) == .expression else { return false }
    if let sign = children(expression, .binaryOperator).first {
      guard isAssignmentSign(sign), children(expression).first != value,
        let target = children(expression).first.flatMap({ children($0).last })
      else { return false }
      if case .local? = kind(target) == .name ? declared(target) : nil { return false }
      return managedModel(in: type(of: children(expression)[0])) == nil
        || property(usedBy: target).flatMap { properties[$0].owner }.map { !isModel($0) } ?? false
    }
    guard let argument = parent(expression), kind(argument) == .argument,
      let holder = parent(argument)
    else { return false }
    guard kind(holder) == .call else {
      return parent(holder).map { kind($0) == .chain && isHandedOut($0) } ?? false
    }
    switch callTarget(holder) {
    case .functions(let all):
      return all.contains { functions[$0].body == nil || functions[$0].owner == nil }
        || managedModel(in: type(of: value)) != nil
    case .initializer(let type, _): return managedModel(in: .declared(type)) == nil
    case .externalMethod(let receiver, _): return !isManagedContext(receiver)
    default: return !["insertNewObject", "entity"].contains(calledName(holder))
    }
  }

  /// The first place that makes, changes or deletes an object of a context.
  private func change(in context: BackgroundContext) -> Ref? {
    let executor = ContextExecutor.made(context.call)
    return descendants(context.scope, .chain).lazy.compactMap { chain -> Ref? in
      for part in self.children(chain) {
        switch self.kind(part) {
        case .member where ["delete", "insert"].contains(self.name(part)):
          let base = self.type(ofChain: chain, upTo: part)
          if self.isManagedContext(base),
            self.contextExecutors(ofChain: chain, upTo: part).only == executor
          {
            return part
          }
        case .call where self.madeModel(part) && self.executorMade(part, chain) == executor:
          return part
        case .member where self.isAssignmentTarget(part):
          if self.managedModel(in: self.type(ofChain: chain, upTo: part)) != nil,
            self.contextExecutors(ofChain: chain, upTo: part).only == executor
          {
            return part
          }
        default: break
        }
      }
      return nil
    }.first
  }

  private func madeModel(_ call: Ref) -> Bool {
    guard case .initializer(let type, _) = callTarget(call) else {
      return calledName(call) == "insertNewObject"
    }
    return managedModel(in: .declared(type)) != nil
  }

  private func executorMade(_ call: Ref, _ chain: Ref) -> ContextExecutor? {
    let next = children(chain).first { $0 > call && parent($0) == chain }
    return contextExecutors(ofChain: chain, upTo: next).only
  }
}

// MARK: - Background contexts without a merge policy

extension Program {
  /// The calls that make a background context which is saved and never gets a merge policy; empty
  /// where the sources don't tell which contexts get one.
  package var savedContextsWithoutPolicy: [Ref] {
    let policies = mergePolicyExecutors
    guard !policies.isOpen else { return [] }
    return backgroundContexts.filter { context in
      !policies.known.contains(.made(context.call))
        && !descendants(context.body, .member).contains { name($0) == "mergePolicy" }
        && callsSave(in: context.scope) && !mayBeSetUp(byContainerOf: context.call)
    }.map(\.call)
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
  package var viewContextHasPolicy: Bool { mergePolicyExecutors.known.contains(.main) }

  /// Whether contexts of the main queue are saved beside others that merge into them.
  package var savesViewContext: Bool {
    calls(named: "save").contains { call in
      guard let called = calledNode(call), kind(called) == .member, let chain = parent(call),
        isManagedContext(type(ofChain: chain, upTo: called)), !isExempt(call)
      else { return false }
      return fromCallers(contextExecutors(ofChain: chain, upTo: called)).only == .main
    }
  }

  /// Whether a context takes in what others save.
  package var mergesFromParent: Bool {
    !uses(of: ["automaticallyMergesChangesFromParent"]).isEmpty
  }

  private var mergePolicyExecutors: ContextExecutors {
    uses(of: ["mergePolicy"]).reduce(.none) { found, use in
      guard isAssignmentTarget(use), kind(use) == .member, let chain = parent(use),
        !isExempt(use)
      else { return found }
      return found.union(fromCallers(contextExecutors(ofChain: chain, upTo: use)))
    }
  }
}
