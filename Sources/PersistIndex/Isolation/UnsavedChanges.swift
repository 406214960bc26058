import PersistSyntax

/// A function that changes what a context holds, and from which no save is reached.
package struct UnsavedChange: Sendable {
  /// Whose context it is that nobody saves.
  package enum Owner: Sendable {
    case local, background
  }

  /// The name of the function.
  package let function: Ref
  package var owner = Owner.local
  /// The first change.
  package let change: Ref
  /// The model actor; nil where the context is a local of the function.
  package let actor: TypeID?
  /// The name of a method with which the actor lets its callers save.
  package let saver: String?

  package init(
    function: Ref, owner: Owner = .local, change: Ref, actor: TypeID?, saver: String?
  ) {
    self.function = function
    self.owner = owner
    self.change = change
    self.actor = actor
    self.saver = saver
  }
}

/// Whether a function saves a context.
private struct CallsSave: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.body(of: function).map { program.callsSave(in: $0) } ?? false
  }
}

// MARK: - Changes that nobody saves

extension Program {
  /// The methods of model actors, and the functions with a context of their own, that don't save.
  package var unsavedChanges: [UnsavedChange] {
    var found: [UnsavedChange] = []
    for actor in contextActors where isModelActor(actor) && !autosaves(actor) {
      let saver = publicSaver(of: actor)
      for id in types[actor].functions where functions[id].kind == .functionDecl {
        guard !functions[id].isStatic, let change = firstChange(in: id),
          !callsSave(id), !callersSave(id, in: actor)
        else { continue }
        found.append(
          UnsavedChange(function: functions[id].ref, change: change, actor: actor, saver: saver))
      }
    }
    return found + localUnsavedChanges
  }

  private func firstChange(in id: FunctionID) -> Ref? {
    guard let body = body(of: id) else { return nil }
    return descendants(body, .name).first { name in
      guard let use = use(of: name, in: body), !isExempt(name) else { return false }
      switch use.action {
      case .calls(let method):
        return isContext(use.type) && !isParameter(use.source)
          && (method == "insert" || method == "delete")
      case .sets: return model(in: use.type) != nil && !isParameter(use.source)
      case .reads:
        return model(in: use.type) != nil && !isParameter(use.source) && changesInPlace(use)
      default: return false
      }
    }
  }

  /// Whether a property that a use reads is changed where it is: `trip.stops.append(stop)`.
  private func changesInPlace(_ use: ValueUse) -> Bool {
    guard let chain = parent(use.place) else { return false }
    let rest = children(chain).filter { part in
      part > use.place && ![.optionalChain, .force, .subscriptSuffix].contains(kind(part))
    }
    return rest.count > 2 && kind(rest[2]) == .call && Words.mutatingMethods.contains(name(rest[1]))
  }

  private func isParameter(_ ref: Ref) -> Bool { kind(ref) == .parameter }

  /// The block of a function; nil where it has none.
  package func body(of id: FunctionID) -> Ref? {
    functions[id].body.map { Ref(file: Int(functions[id].ref.file), node: $0) }
  }

  private func autosaves(_ actor: TypeID) -> Bool {
    ([types[actor].ref] + types[actor].extensions).contains { part in
      descendants(part, .member).contains { member in
        name(member) == "autosaveEnabled" && isOn(member)
      }
    }
  }

  private func publicSaver(of actor: TypeID) -> String? {
    (lineage(of: actor) + extended("ModelActor")).flatMap { types[$0].functions }.first { id in
      let name = nameText(functions[id].ref)
      return !functions[id].isPrivate && Words.saysSave(name) && firstChange(in: id) == nil
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

  /// Whether a function saves a context, itself or through functions of the sources.
  package func callsSave(_ id: FunctionID) -> Bool {
    answer(CallsSave(function: id))
  }

  /// Whether code saves a context, itself or through functions of the sources.
  package func callsSave(in body: Ref) -> Bool {
    descendants(body, .call).contains { call in
      switch callTarget(call) {
      case .functions(let candidates), .initializer(_, let candidates):
        return candidates.contains { bodies(of: $0).allSatisfy { callsSave($0) } }
      default: return Words.saysSave(calledNode(call).map { nameText($0) } ?? "")
      }
    }
  }

  // MARK: Contexts in locals

  private var localUnsavedChanges: [UnsavedChange] {
    var seen: Set<FunctionID> = []
    return calls(named: "ModelContext").compactMap { call in
      guard !isExempt(call), case .externalInitializer = callTarget(call),
        let id = enclosingFunction(call), let local = boundLocal(call), let body = body(of: id),
        !callsSave(in: body), !mentionsMemory(body), !seen.contains(id)
      else { return nil }
      guard let change = localChange(of: local, in: body) else { return nil }
      seen.insert(id)
      return UnsavedChange(function: functions[id].ref, change: change, actor: nil, saver: nil)
    }
  }

  private func boundLocal(_ call: Ref) -> Ref? {
    guard let binding = ancestors(call).first(where: { kind($0) == .binding }),
      property(declaredAt: binding) == nil, let value = child(binding, .expression),
      let chain = child(value, .chain), children(chain).last == call
    else { return nil }
    return child(binding, .boundName)
  }

  private func mentionsMemory(_ body: Ref) -> Bool {
    descendants(body, .argument).contains { label($0) == "isStoredInMemoryOnly" }
  }

  /// The first change through a local context; nil also when the context leaves the function.
  private func localChange(of local: Ref, in body: Ref) -> Ref? {
    var change: Ref?
    for name in descendants(body, .name) where declared(name) == .local(local) {
      guard let use = use(of: name, in: body) else { return nil }
      switch use.action {
      case .calls(let method) where method == "insert" || method == "delete":
        change = change ?? name
      case .sets("autosaveEnabled"), .passes: return nil
      case .mentions:
        if parent(name).map({ children($0).count }) == 1 { return nil }
        if let member = parent(name).flatMap({ child($0, .member) }),
          self.name(member) == "autosaveEnabled", isOn(member)
        {
          return nil
        }
      default: break
      }
    }
    return change
  }

  private func isOn(_ member: Ref) -> Bool {
    assignment(toWhatEndsWith: member)?.value.flatMap { booleanLiteral($0) } ?? false
  }
}

// MARK: - Model actors made on the main actor

extension Program {
  /// The calls on the main actor that make a model actor.
  package var modelActorsMadeOnMain: [(call: Ref, actor: TypeID)] {
    contextActors.filter { isModelActor($0) && !borrowsExecutor($0) }.flatMap { actor in
      calls(named: types[actor].name).compactMap { call in
        guard case .initializer(actor, _) = callTarget(call), !isExempt(call),
          answer(SureMain(place: call))
        else { return nil }
        return (call, actor)
      }
    }
  }

  /// Whether an actor works on an executor that is made elsewhere, wherever the actor is made.
  private func borrowsExecutor(_ actor: TypeID) -> Bool {
    guard case .property(let id)? = member("modelExecutor", of: actor) else { return false }
    return properties[id].isComputed
  }

  /// Whether code runs on the main actor: by its own isolation, or because all that calls the
  /// synchronous function around it, or first asks for the static property, does.
  fileprivate func surelyRunsOnMain(_ place: Ref) -> Bool {
    if let id = staticProperty(around: place) {
      let uses = uses(ofProperty: id).filter { !isExempt($0) && !contains(properties[id].ref, $0) }
      return !uses.isEmpty && uses.allSatisfy { answer(SureMain(place: $0)) }
    }
    switch isolation(at: place) {
    case .mainActor: return true
    case .nonisolated:
      guard let function = enclosingFunction(place),
        !functions[function].isAsync || staysWithCaller(function),
        enclosingBody(place) == functions[function].ref
      else { return false }
      let calls = callers(of: function).filter { !isExempt($0) }
      return !calls.isEmpty && calls.allSatisfy { answer(SureMain(place: $0)) }
    default: return false
    }
  }

  /// Whether an asynchronous function without isolation runs on its caller's actor, as its target
  /// says.
  private func staysWithCaller(_ function: FunctionID) -> Bool {
    !functions[function].attributes.contains("concurrent")
      && projects.staysWithCaller(files[Int(functions[function].ref.file)].path) == true
  }

  /// The static or global property whose initial value a node stands in.
  private func staticProperty(around place: Ref) -> PropertyID? {
    guard enclosingFunction(place) == nil else { return nil }
    return ancestors(place).lazy.compactMap { self.property(declaredAt: $0) }.first {
      (properties[$0].isStatic || properties[$0].owner == nil) && !properties[$0].isComputed
    }
  }
}

/// Whether code surely runs on the main actor.
private struct SureMain: Query {
  let place: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.surelyRunsOnMain(place) }
}
