import PersistIndex
import PersistSyntax

// MARK: - Chains along a path

extension LifeWalk {
  /// Goes through a chain: what its calls are given, what is read, and what the calls do.
  func walk(chain: Ref, isTarget: Bool = false, _ state: inout LifeState) {
    let parts = program.children(chain)
    guard let first = parts.first else { return }
    if program.kind(first) == .macro { return }
    if program.kind(first) != .name { walkInside(first, &state) }
    read(chain, parts, isTarget: isTarget, &state)
    for part in parts where program.kind(part) == .call || program.kind(part) == .subscriptSuffix {
      let whole = receiver(of: part, parts, state)
      for argument in program.children(part) {
        if let closure = program.closure(of: argument) {
          walk(closure: closure, whole: whole, &state)
        } else {
          walkInside(argument, &state)
        }
      }
      if program.kind(part) == .call { apply(call: part, in: parts, &state) }
    }
  }

  private func walkInside(_ node: Ref, _ state: inout LifeState) {
    switch program.kind(node) {
    case .expression: walk(expression: node, &state)
    case .chain: walk(chain: node, &state)
    case .closure: walk(closure: node, whole: nil, &state)
    case .macro, .keyPath, .type: return
    default: for inner in program.children(node) { walkInside(inner, &state) }
    }
  }

  /// The collection whose method a call is.
  private func receiver(of call: Ref, _ parts: [Ref], _ state: LifeState) -> Int? {
    guard let place = parts.firstIndex(of: call), place > 1 else { return nil }
    var copy = state
    let found = resolve(Array(parts[..<(place - 1)]), &copy, onStep: nil)
    return found.flatMap { objects[$0].isCollection ? $0 : nil }
  }

  func walk(closure: Ref, whole: Int?, _ state: inout LifeState) {
    var inner = state
    // What a closure is given is new each time that it runs.
    for index in 0..<2 { inner.objects[.argument(closure, index)] = nil }
    if let parameters = program.child(closure, .parameters) {
      for parameter in program.children(parameters, .parameter) {
        inner.objects[.local(parameter)] = nil
      }
    }
    if let whole {
      var object = LifeObject(model: objects[whole].model, isCollection: false)
      object.whole = whole
      let element = add(object)
      inner.objects[.argument(closure, 0)] = element
      if let parameter = program.child(closure, .parameters).flatMap({
        program.children($0, .parameter).first
      }) {
        inner.objects[.local(parameter)] = element
      }
    }
    bindCaptures(closure, &inner)
    if let wait = program.wait(before: closure) { suspend(at: wait, &inner) }
    let count = exits.count
    let end = walk(list: closure, inner) ?? exits[count...].first
    exits.removeSubrange(count...)
    guard program.runsInPlace(closure), let end else { return }
    takeOver(end, from: inner, &state)
    if let whole { deleteAll(whole, in: closure, end, &state) }
    savesTransaction(closure, &state)
  }

  private func bindCaptures(_ closure: Ref, _ state: inout LifeState) {
    guard let captures = program.child(closure, .captures) else { return }
    for capture in program.children(captures, .capture) {
      if let value = program.child(capture, .expression) {
        state.objects[.local(capture)] = object(of: value, state)
      } else if let outer = program.lookUp(program.name(capture), from: captures),
        let variable = variable(outer)
      {
        state.objects[.local(capture)] = held(variable, at: capture, &state)
      }
    }
  }

  private func takeOver(_ end: LifeState, from start: LifeState, _ state: inout LifeState) {
    state.ends = end.ends
    state.suspensions = end.suspensions
    state.lastAwait = end.lastAwait
    state.objects = end.objects
  }

  /// `albums.forEach { context.delete($0) }` deletes all of the collection.
  private func deleteAll(_ whole: Int, in closure: Ref, _ end: LifeState, _ state: inout LifeState)
  {
    guard state.ends[whole] == nil, let (call, _) = program.callTaking(closure),
      program.calledName(call) == "forEach"
    else { return }
    let elements = end.ends.keys.filter { objects[$0].whole == whole }
    guard elements.count == 1, let fate = end.ends[elements[0]], fate.branch == nil else { return }
    state.ends[whole] = fate
  }

  private func savesTransaction(_ closure: Ref, _ state: inout LifeState) {
    guard let (call, _) = program.callTaking(closure), program.calledName(call) == "transaction",
      case .externalMethod(let receiver, _) = program.callTarget(call), program.isContext(receiver)
    else { return }
    save(at: call, context: nil, &state)
  }

  // MARK: Reads

  private func read(_ chain: Ref, _ parts: [Ref], isTarget: Bool, _ state: inout LifeState) {
    var steps: [(object: Int, part: Ref, isCalled: Bool)] = []
    var copy = state
    let last = resolve(parts, &copy) { steps.append(($0, $1, $2)) }
    state.objects = copy.objects
    state.suspensions = copy.suspensions
    for step in steps {
      if objects[step.object].isCollection {
        readElements(chain, step.object, step.part, parts, &state)
        continue
      }
      let model = objects[step.object].model
      switch program.lifeUse(of: step.part, asMemberOf: model, isCalled: step.isCalled) {
      case .look:
        state.suspensions[step.object] = nil
        state.ends[step.object] = nil
      case .touch:
        let isWrite = isTarget && step.part == parts.last
        touch(chain, step.object, step.part, isWrite: isWrite, &state)
      case .mention: break
      }
    }
    guard let last, steps.last?.part != parts.last || steps.isEmpty,
      !objects[last].isCollection, program.handsToReader(chain)
    else { return }
    touch(chain, last, nil, isWrite: false, &state)
  }

  /// `albums.map(\.name)`
  private func readElements(
    _ chain: Ref, _ whole: Int, _ part: Ref, _ parts: [Ref], _ state: inout LifeState
  ) {
    guard let place = parts.firstIndex(of: part), place + 1 < parts.count,
      program.kind(parts[place + 1]) == .call,
      let path = program.child(parts[place + 1], .argument).flatMap({
        program.chainParts($0)
      }), path.count == 1, program.kind(path[0]) == .keyPath,
      let id = program.storedProperty(program.name(path[0]), of: objects[whole].model)
    else { return }
    note(chain, whole, id, isWrite: false, &state)
  }

  private func touch(
    _ chain: Ref, _ object: Int, _ part: Ref?, isWrite: Bool, _ state: inout LifeState
  ) {
    let id = part.flatMap { program.storedProperty(program.name($0), of: objects[object].model) }
    note(chain, object, id, isWrite: isWrite, &state)
  }

  private func note(
    _ chain: Ref, _ object: Int, _ property: PropertyID?, isWrite: Bool, _ state: inout LifeState
  ) {
    let text = program.pathText(program.children(chain)[...])
    if let end = end(of: object, state), end.save != nil {
      note(
        LifeRead(
          place: chain, text: text, model: objects[object].model, property: property,
          isWrite: isWrite, end: end, suspension: nil), of: object)
    } else if let wait = suspension(of: object, state) {
      note(
        LifeRead(
          place: chain, text: text, model: objects[object].model, property: property,
          isWrite: isWrite, end: nil, suspension: wait), of: object)
      // One use after a suspension tells of all.
      forget(object, &state)
    }
  }

  /// How an object ended: itself, with the collection it was taken from, or with its owner.
  func end(of object: Int, _ state: LifeState) -> LifeEnd? {
    var next: Int? = object
    var seen = 0
    while let current = next, program.isWithin(seen, .owners) {
      if let end = state.ends[current] { return end }
      seen += 1
      let facts = objects[current]
      if let whole = facts.whole {
        next = whole
      } else if let owner = facts.owner, let id = facts.relationship, program.cascades(id) {
        next = owner
      } else {
        next = nil
      }
    }
    return nil
  }

  private func suspension(of object: Int, _ state: LifeState) -> Ref? {
    var next: Int? = object
    while let current = next {
      if objects[current].isMade { return nil }
      if let wait = state.suspensions[current] { return wait }
      next = objects[current].whole
    }
    return nil
  }

  private func forget(_ object: Int, _ state: inout LifeState) {
    var next: Int? = object
    while let current = next {
      state.suspensions[current] = nil
      next = objects[current].whole
    }
  }

  /// From here on, nobody has looked whether the objects still exist.
  func suspend(at wait: Ref, _ state: inout LifeState) {
    for object in Set(state.objects.values) where object >= 0 && !objects[object].isMade {
      state.suspensions[object] = wait
    }
    state.lastAwait = wait
  }
}
