import PersistIndex
import PersistSyntax

// MARK: - What is known of a body before it runs

extension Solver {
  /// The names of the stored properties of classes that a body assigns in its own instance, or of
  /// whose object it asks whether a context has it.
  func ownFields(of id: BodyID) -> [Name] {
    if let known = ownFields[id] { return known }
    let body = bodies[id]
    var found: [Name] = []
    if let owner = body.owner, [.classDecl, .actorDecl].contains(program.types[owner].kind) {
      let asked = body.steps.filter {
        $0.operation == .get && Frameworks.contextProperties.contains($0.name)
      }.flatMap { body.operands(of: $0) }.flatMap { body.givers(of: $0) }
        .map { body.steps[Int($0)] }.filter { $0.operation == .get }
      for step in body.steps.filter({ $0.operation == .set && !$0.isWriteBack }) + asked {
        guard body.isOfSelf(step), !found.contains(step.name),
          case .property(let property)? = facts.member(step.name, of: owner),
          !program.properties[property].isComputed, facts.setters(of: property).isEmpty,
          facts.wrapped(by: property, table) == nil
        else { continue }
        found.append(step.name)
      }
    }
    ownFields[id] = found
    return found
  }

  /// Whether whoever begins a body is no code that could have opened a write transaction: nothing
  /// that can be seen or guessed calls it.
  func isBegunUnseen(_ id: BodyID) -> Bool {
    let body = bodies[id]
    guard let function = body.function, body.kind == .function else { return false }
    let declaration = program.functions[function]
    return !program.mayBeCalledByOthers(function)
      && !declaration.modifiers.contains { $0 == "public" || $0 == "open" }
      && !relevance.isMentioned(function)
  }

  /// Those of some bodies to begin with: what none of them calls may hand something over to the
  /// others, and what gets nothing from its caller before what does.
  func first(of others: [BodyID]) -> [BodyID] {
    var next = others
    // What becomes of an object that code is given is asked of all code.
    if analysis == .owners {
      let called = Set(others.flatMap { id in facts.callees(of: id).filter { $0 != id } })
      next.removeAll { called.contains($0) }
      if next.isEmpty { next = others }
    }
    let least = next.map { bodies[$0].openness }.min()
    return next.filter { bodies[$0].openness == least }
  }

  /// Whether code keeps a context that its caller hands over, for all that an object does later.
  func keepsContext(_ body: BodyID) -> Bool {
    bodies[body].function != nil && bodies[body].writesHeap
      && parameterTypes(of: body).contains { program.isContext($0.unwrapped) }
  }

  /// An instance with the call that leads to it on a shortest way; neither for a root.
  struct Reached {
    let id: InstanceID
    let from: InstanceID?
    let call: Ref?
    /// Whether code that something runs leads there.
    let isRun: Bool
  }

  /// The instances that the roots lead to, those first that code leads to which something runs.
  func reached() -> [Reached] {
    var found: [Reached] = []
    var seen: Set<InstanceID> = []
    var next = 0
    let unused = Set(roots.filter { isUnnamed($0) })
    for isRun in [true, false] {
      for root in roots where unused.contains(root) != isRun && seen.insert(root).inserted {
        found.append(Reached(id: root, from: nil, call: nil, isRun: isRun))
      }
      while next < found.count {
        let id = found[next].id
        next += 1
        for call in instances[Int(id)].calls where seen.insert(call.target).inserted {
          found.append(Reached(id: call.target, from: id, call: call.node, isRun: isRun))
        }
      }
    }
    return found
  }

  /// Whether nothing that ships names the code of an instance, which is looked at for itself.
  func isUnnamed(_ id: InstanceID) -> Bool {
    let place = bodies[instances[Int(id)].key.body].place
    return program.isUnnamed(program.firstChild(place) ?? place)
  }

  /// The parameters that a body assigns, with their locals.
  func assignedParameters(of id: BodyID) -> [(parameter: Int, local: Int)] {
    if let known = assignedParameters[id] { return known }
    let body = bodies[id]
    var stores: [Int32: Int] = [:]
    var parameters: [(Int, Int)] = []
    for step in body.steps where step.operation == .store && step.index >= 0 {
      stores[step.index, default: 0] += 1
      guard let given = body.operands(of: step).first, given >= 0,
        body.steps[Int(given)].operation == .parameter
      else { continue }
      parameters.append((Int(body.steps[Int(given)].index), Int(step.index)))
    }
    let found = parameters.filter { stores[Int32($0.1), default: 0] > 1 }
    assignedParameters[id] = found
    return found
  }
}

// MARK: - Who assigns what was read

extension Solver {
  /// Takes in whoever assigns a queue to a property that was read, for it decides where code runs, or
  /// code that gets something of an owner.
  func addMakersOfRead() {
    let queues = Set(emptyReads.map(\.property)).filter { id in
      let type = program.type(ofProperty: id).unwrapped
      return Frameworks.queues.contains { type.isExternal($0) }
    }
    for property in queues.sorted() { relevance.addMakers(ofQueue: property) }
    for property in readReceivers.sorted() { relevance.addMakers(ofReceiver: property) }
  }
}
