import PersistSyntax

/// A use of a Core Data context or of its objects away from the context's queue.
package struct MisplacedUse: Sendable {
  /// What is wrong about the place.
  package enum Reason: Sendable {
    /// In a task that began inside `perform` and runs after it.
    case taskInPerform
    /// On a global actor that has no context of its own.
    case globalActor
    /// A context with a private queue, used without `perform`.
    case outsidePerform
    /// An object that `perform` gave back, touched outside of it.
    case afterPerform
    /// On the queue of a new context, while the object belongs to another one.
    case backgroundTask
  }

  package let place: Ref
  package let value: String
  package let source: Ref
  package let reason: Reason
  /// The managed object's class; nil for a context.
  package let model: TypeID?
  /// All uses of the value there.
  package var uses: [ValueUse] = []
}

// MARK: - Core Data away from its queue

extension Program {
  /// The uses of contexts and managed objects away from their queues, one a function and value.
  package var misplacedUses: [MisplacedUse] {
    tasksInPerform + objectsOnGlobalActors + privateContextUses + handedOutContextUses
      + objectsInBackgroundTasks + objectsAfterPerform
  }

  /// Whether a value is a Core Data context.
  func isCoreDataContext(_ type: SwiftType) -> Bool {
    isContext(type) && !type.isExternal("ModelContext")
  }

  private var tasksInPerform: [MisplacedUse] {
    crossings.filter { $0.kind == .plainTask && $0.home == .contextQueue }.flatMap { crossing in
      captures(of: crossing).compactMap { capture in
        guard
          let use = capture.uses.first(where: { isTouched($0, home: .contextQueue) }),
          isCoreDataContext(capture.type) || isManagedObject(model(in: capture.type))
        else { return nil }
        return MisplacedUse(
          place: use.place, value: use.value, source: use.source, reason: .taskInPerform,
          model: model(in: use.type), uses: capture.uses)
      }
    }
  }

  func isManagedObject(_ model: TypeID?) -> Bool {
    model.map { inherits($0, from: "NSManagedObject") } ?? false
  }

  func isTouched(_ use: ValueUse, home: Isolation) -> Bool {
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
      guard let value = parent(name), children(value) == [name], let expression = parent(value),
        let target = children(expression).first, kind(target) == .chain
      else { return false }
      let parts = children(expression)
      return parts.count == 3 && parts[2] == value && nameText(parts[1]) == "="
        && children(target).last.map { nameText($0) } == "parent"
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
      guard !isSilent(call), hasNewContext(call), let closure = closureArgument(call) else {
        return []
      }
      let uses = outsideUses(in: closure).filter { use in
        isManagedObject(model(in: use.type)) && staysIn(closure, use.place)
          && !isAssigned(use.source, in: closure)
      }
      return Dictionary(grouping: uses, by: \.source).values.compactMap { uses in
        guard let first = uses.first(where: { isTouched($0, home: .contextQueue) }) else {
          return nil
        }
        return MisplacedUse(
          place: first.place, value: first.value, source: first.source, reason: .backgroundTask,
          model: model(in: first.type), uses: uses)
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
      let parts = children(expression)
      guard parts.count > 2, kind(parts[0]) == .chain, children(parts[0]).count == 1,
        let name = children(parts[0]).first, kind(name) == .name, nameText(parts[1]) == "="
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
    guard !files(using: "globalActor").isEmpty,
      types(inheritingFrom: ["NSManagedObject"]).contains(where: {
        inherited(by: $0).contains { $0.isExternal("NSManagedObject") }
      }), types(inFilesUsing: "globalActor").contains(where: isGlobalActor)
    else { return [] }
    load(Array(files.indices))
    return functions.indices.sorted { functions[$0].ref < functions[$1].ref }.flatMap {
      id -> [MisplacedUse] in
      guard !functions[id].parameters.isEmpty, !isTestFile(functions[id].ref),
        let body = body(of: id),
        case .globalActor(let actor) = isolation(ofFunction: id), !holdsContext(actor),
        !isSilent(functions[id].ref)
      else { return [] }
      return functions[id].parameters.compactMap { parameter in
        let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
        guard isManagedObject(model(in: type(ofLocal: place))) else { return nil }
        return firstRead(of: place, in: body)
      }
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

  // MARK: Contexts with a private queue

  private var privateContextUses: [MisplacedUse] {
    var found: [MisplacedUse] = []
    var seen: Set<[Ref]> = []
    for file in files(using: "CoreData") where mayHoldContexts(file) {
      for (index, node) in files[file].outline.nodes.enumerated() where node.kind == .name {
        let name = Ref(file: file, node: index)
        guard let function = enclosingFunction(name), let body = body(of: function),
          contains(body, name), let use = use(of: name, in: body), isCoreDataContext(use.type),
          isPrivateContext(use.source), seen.insert([functions[function].ref, use.source]).inserted
        else { continue }
        let uses = descendants(body, .name).compactMap { self.use(of: $0, in: body) }.filter {
          $0.source == use.source && !runsInPerform($0.place, in: body)
        }
        guard let first = uses.first(where: { isTouched($0, home: .nonisolated) }),
          !isSilent(first.place), isLocal(use.source) || !isCalledInPerform(function, [function])
        else { continue }
        found.append(
          MisplacedUse(
            place: first.place, value: first.value, source: use.source, reason: .outsidePerform,
            model: nil))
      }
    }
    return found
  }

  private func isLocal(_ source: Ref) -> Bool { property(declaredAt: source) == nil }

  func mayHoldContexts(_ file: Int) -> Bool {
    !files[file].isTest && !files[file].isDocumentation && importsCoreData(file)
  }

  func runsInPerform(_ place: Ref, in body: Ref) -> Bool {
    ancestors(place).prefix { $0 != body }.contains { scope in
      guard kind(scope) == .closure, let (call, _) = callTaking(scope) else { return false }
      switch runner(ofClosure: scope, in: call) {
      case .contextQueue, .unknown: return true
      default: return false
      }
    }
  }

  /// Whether some caller of a function stands in `perform`.
  func isCalledInPerform(_ id: FunctionID, _ seen: Set<FunctionID>) -> Bool {
    guard seen.count < 8 else { return true }
    return callers(of: id).contains { call in
      guard let caller = enclosingFunction(call), let body = body(of: caller) else { return false }
      if runsInPerform(call, in: body) { return true }
      return !seen.contains(caller) && isCalledInPerform(caller, seen.union([caller]))
    }
  }
}
