import PersistSyntax

// MARK: - Core Data away from its queue

extension Program {
  /// The uses of contexts and managed objects away from their queues, one a function and value.
  package var misplacedUses: [MisplacedUse] {
    var seen: Set<Ref> = []
    var pairs: Set<[Ref]> = []
    return
      (objectsInBackgroundTasks + misplacedContextUses + tasksInPerform + objectsOnGlobalActors)
      .filter { use in
        let pair = [use.closure ?? use.place, use.source]
        return seen.insert(use.place).inserted && pairs.insert(pair).inserted
      }
  }

  private var tasksInPerform: [MisplacedUse] {
    crossings.filter { $0.kind == .plainTask && $0.origin == .contextQueue }.flatMap { crossing in
      captures(of: crossing).compactMap { capture in
        guard
          let use = capture.uses.first(where: { isTouched($0) }),
          isManagedContext(capture.type) || isManagedObject(model(in: capture.type)),
          !mayRunOnMain(crossing.body)
        else { return nil }
        return MisplacedUse(
          place: use.place, value: use.value, source: use.source, reason: .taskInPerform,
          model: model(in: use.type), uses: capture.uses)
      }
    }
  }

  /// Whether a task inside `perform` may run on the main queue, and that be the context's own: code of
  /// the main actor hands its actor on to the tasks in closures that aren't sent.
  private func mayRunOnMain(_ task: Ref) -> Bool {
    let performing = ancestors(task).compactMap { scope in
      kind(scope) == .closure ? callTaking(scope)?.call : nil
    }.first { Words.performMethods.contains(calledName($0)) }
    guard let performing, let chain = parent(performing), let called = calledNode(performing),
      isolation(at: performing) == .mainActor || isViewCode(performing)
    else { return false }
    return !contextExecutors(ofChain: chain, upTo: called).arePrivate
  }

  private func isManagedObject(_ model: TypeID?) -> Bool {
    model.map { inherits($0, from: "NSManagedObject") } ?? false
  }

  private func isTouched(_ use: ValueUse) -> Bool {
    switch use.action {
    case .reads, .sets: return true
    case .calls: return !onlyBecomesParent(use)
    case .mentions: return false
    case .passes(let call, let argument):
      switch callTarget(call) {
      case .functions(let candidates), .initializer(_, let candidates):
        if candidates.isEmpty { return label(argument) == "context" }
        return candidates.allSatisfy { usesParameter(of: $0, taking: argument, in: call) }
      default: return false
      }
    }
  }

  /// Whether the method that is called only makes the context the parent of another one, which any
  /// thread may do.
  private func onlyBecomesParent(_ use: ValueUse) -> Bool {
    guard let chain = parent(use.place),
      let call = children(chain).first(where: { $0 > use.place && kind($0) == .call }),
      case .functions(let candidates) = callTarget(call), candidates.count == 1,
      let body = body(of: candidates[0])
    else { return false }
    let own = descendants(body, .name).filter { nameText($0) == "self" }
    let isParent = own.allSatisfy { name in
      guard let value = parent(name), children(value) == [name],
        let last = assignment(of: value).flatMap({ lastPart(ofTarget: $0) })
      else { return false }
      return self.name(last) == "parent"
    }
    let callsItself = descendants(body, .call).contains { call in
      if case .externalMethod(let receiver, _) = callTarget(call), isContext(receiver) {
        return children(parent(call) ?? call).first.map {
          kind($0) == .name && $0 == calledNode(call)
        }
          ?? true
      }
      return false
    }
    return !own.isEmpty && isParent && !callsItself
  }

  // MARK: Background tasks

  /// The objects from outside that the closure of `performBackgroundTask` touches: its context is a
  /// new one, so that no object from outside can belong to it.
  private var objectsInBackgroundTasks: [MisplacedUse] {
    calls(named: "performBackgroundTask").flatMap { call -> [MisplacedUse] in
      guard !isExempt(call), hasNewContext(call), let closure = closureArgument(call) else {
        return []
      }
      let uses = outsideUses(in: closure).filter { use in
        isManagedObject(model(in: use.type)) && staysIn(closure, use.place)
          && !isAssigned(use.source, in: closure)
      }
      return Dictionary(grouping: uses, by: \.source).values.compactMap { uses in
        guard let first = uses.first(where: { isTouched($0) }) else {
          return nil
        }
        return MisplacedUse(
          place: first.place, value: first.value, source: first.source, reason: .backgroundTask,
          model: model(in: first.type), uses: uses, closure: closure)
      }.sorted { $0.place < $1.place }
    }
  }

  /// Whether a call hands its closure a context that was made for it.
  private func hasNewContext(_ call: Ref) -> Bool {
    guard case .functions(let candidates) = callTarget(call) else { return true }
    return candidates.allSatisfy { id in
      body(of: id).map { body in
        descendants(body, .call).contains { calledName($0) == "performBackgroundTask" }
      } ?? false
    }
  }

  private func closureArgument(_ call: Ref) -> Ref? {
    arguments(call).lazy.compactMap { argument -> Ref? in
      if self.kind(argument) == .closure { return argument }
      guard let value = self.child(argument, .expression), let chain = self.child(value, .chain)
      else { return self.child(argument, .closure) }
      return self.child(chain, .closure)
    }.first
  }

  /// Whether code gives a variable from outside another value.
  private func isAssigned(_ local: Ref, in body: Ref) -> Bool {
    descendants(body, .expression).contains { expression in
      guard let target = assignment(expression)?.target, kind(target) == .chain,
        children(target).count == 1, let name = children(target).first, kind(name) == .name
      else { return false }
      switch declared(name) {
      case .local(let found): return found == local
      case .property(let id): return properties[id].ref == local
      default: return false
      }
    }
  }

  // MARK: Global actors

  private var objectsOnGlobalActors: [MisplacedUse] {
    // Where no type inherits from it, no parameter is a managed object.
    guard !files(using: "globalActor").isEmpty else { return [] }
    let classes = types(inheritingFrom: ["NSManagedObject"])
    guard
      classes.contains(where: {
        inherited(by: $0).contains { $0.isExternal("NSManagedObject") }
      }), types(inFilesUsing: "globalActor").contains(where: isGlobalActor)
    else { return [] }
    return functions(inFilesUsingAny: Set(classes.map { types[$0].name })).flatMap {
      id -> [MisplacedUse] in
      guard !functions[id].parameters.isEmpty, !isTestFile(functions[id].ref),
        let body = body(of: id),
        case .globalActor(let actor) = isolation(ofFunction: id), !isExempt(functions[id].ref)
      else { return [] }
      let found = functions[id].parameters.compactMap { parameter -> MisplacedUse? in
        let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
        guard isManagedObject(model(in: type(ofLocal: place))) else { return nil }
        return firstRead(of: place, in: body)
      }
      return found.isEmpty || holdsContext(actor) ? [] : found
    }
  }

  private func isGlobalActor(_ type: TypeID) -> Bool {
    types[type].attributes.contains("globalActor")
  }

  private func isTestFile(_ ref: Ref) -> Bool { files[Int(ref.file)].isTest }

  private func firstRead(of parameter: Ref, in body: Ref) -> MisplacedUse? {
    let uses = descendants(body, .name).compactMap { name in
      staysIn(body, name) ? use(of: name, in: body) : nil
    }.filter { $0.source == parameter }
    guard
      let first = uses.first(where: { use in
        switch use.action {
        case .reads, .sets, .calls: true
        default: false
        }
      })
    else { return nil }
    return MisplacedUse(
      place: first.place, value: first.value, source: parameter, reason: .globalActor,
      model: model(in: first.type), uses: uses)
  }

  /// Whether types of a global actor have contexts of their own.
  private func holdsContext(_ actor: Name) -> Bool {
    properties.indices.contains { id in
      isContext(type(ofProperty: id)) && isolation(at: properties[id].ref) == .globalActor(actor)
    }
  }

  /// Whether the context that a use names has a queue of its own.
  package func isPrivateContext(_ use: ValueUse) -> Bool {
    guard let chain = parent(use.place), kind(chain) == .chain else { return false }
    let next = children(chain).first { part in
      part > use.place && kind(part) != .optionalChain && kind(part) != .force
    }
    let executors = contextExecutors(ofChain: chain, upTo: next)
    return executors.arePrivate
  }
}
