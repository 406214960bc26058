import PersistIndex
import PersistSyntax

// MARK: - Subscripts, key paths and instances that are called

extension Run {
  /// What a subscript hands out: what a key path leads to, what a getter of the sources returns, an
  /// element, or the model that an actor looks up.
  func subscripted(_ step: Instruction, _ operands: [OriginsID]) -> OriginsID {
    let node = body.ref(step)
    if let read = readByKeyPath(operands, at: node) { return read }
    if let made = runGetter(operands, at: node) { return made }
    if operands.count > 1,
      solver.table.members(operands[1]).contains(.literal(Frameworks.variableOfPreviews))
    {
      return OriginTable.null
    }
    var found = singles(solver.make(step, operands, body, key), at: node)
    for origin in solver.table.members(operands[0]) {
      if !isTracking, let own = origin.declaredType.flatMap({ ownContext(of: $0) }) {
        let model = mapped(own) { if case .owner(let owner) = $0 { .managed(owner) } else { nil } }
        found = solver.table.union(model, OriginTable.null)
      }
      guard case .holder(let type, _, let inner) = origin else { continue }
      if Frameworks.ownedLists.contains(type) { note(.object, inner, at: node) }
      found = solver.table.union(solver.table.closed(found), element(of: operands[0]))
    }
    return found
  }

  /// What is there after a subscript was assigned.
  func setSubscript(_ step: Instruction, _ operands: [OriginsID]) -> OriginsID {
    let node = body.ref(step)
    if isKeyPath(node) {
      if !step.isWriteBack { noteUse(of: operands[0], at: node, isWrite: true) }
      return operands[0]
    }
    for id in facts.subscripts(before: node, labels(of: node)) {
      guard let setter = facts.accessors(ofSubscript: id).first(where: isSetter) else { continue }
      _ = invokeBody(setter, operands[0], [operands[1]], at: node)
      return operands[0]
    }
    return solver.make(step, operands, body, key)
  }

  private func isSetter(_ id: BodyID) -> Bool { solver.bodies[id].kind == .setter }

  // MARK: Key paths

  /// What a key path leads to; its members stand in the code that names it.
  func follow(_ path: Ref, from value: OriginsID, at node: Ref) -> OriginsID {
    let isMember = program.kind(path) == .member
    let names = isMember ? [program.name(path)] : program.members(ofKeyPath: path)
    return names.reduce(value) { get($1, of: $0, at: node) }
  }

  private func isKeyPath(_ node: Ref) -> Bool {
    program.arguments(node).first.map { program.label($0) } == Frameworks.keyPathLabel
  }

  private func readByKeyPath(_ operands: [OriginsID], at node: Ref) -> OriginsID? {
    guard operands.count == 2, isKeyPath(node) else { return nil }
    var result = OriginTable.nothing
    var isTold = false
    for case .keyPath(let path) in solver.table.members(operands[1]) {
      result = solver.table.union(result, follow(path, from: operands[0], at: node))
      isTold = true
    }
    if isTold, !solver.table[operands[1]].isOpen { return result }
    // Whichever property it is, it is one of the object.
    noteUse(of: operands[0], at: node)
    return OriginTable.unknown
  }

  // MARK: Subscripts of the sources

  private func labels(of node: Ref) -> [Name] {
    program.arguments(node).map { program.label($0) }
  }

  /// What the getter of a subscript returns that the sources declare.
  private func runGetter(_ operands: [OriginsID], at node: Ref) -> OriginsID? {
    let given = labels(of: node)
    var known = facts.subscripts(before: node, given)
    if known.isEmpty {
      let types = solver.table.members(operands[0]).compactMap(\.declaredType)
      known = types.first.map { facts.subscripts(of: $0, given) } ?? []
    }
    guard known.count == 1 else { return nil }
    return runGetter(of: known[0], operands[0], Array(operands.dropFirst()), at: node)
  }

  private func runGetter(
    of id: FunctionID, _ receiver: OriginsID, _ indices: [OriginsID], at node: Ref
  ) -> OriginsID? {
    let getter = facts.accessors(ofSubscript: id).first { solver.bodies[$0].kind == .getter }
    guard let getter else { return nil }
    let parameters = program.functions[id].parameters.count
    let arguments = (0..<parameters).map { index in
      indices.count == parameters ? indices[index] : OriginTable.unknown
    }
    return invokeBody(getter, receiver, arguments, at: node)
  }

  /// What a member means that a type looks up by a key path or text.
  func getDynamic(_ receiver: Origin, of type: TypeID, at node: Ref) -> OriginsID? {
    guard program.kind(node) == .member,
      let id = facts.subscripts(of: type, [Frameworks.dynamicMember]).first
    else { return nil }
    let path = solver.table.one(.keyPath(node))
    return runGetter(of: id, solver.table.one(receiver), [path], at: node)
  }

  // MARK: Instances that are called

  /// The method that runs where an instance is called like a function, or an operation by its queue.
  func methodOfCall(on origin: Origin) -> FunctionID? {
    guard let type = origin.declaredType else { return nil }
    let isOperation = facts.externalBases(of: type).contains(Frameworks.operation)
    let name = isOperation ? Frameworks.operationMain : Frameworks.callAsFunction
    guard case .functions(let ids)? = facts.member(name, of: type), ids.count == 1 else {
      return nil
    }
    return ids[0]
  }

  // MARK: Wrappers

  /// What wrappers hand out that a property was given.
  func handedOut(by wrappers: OriginsID, at node: Ref) -> OriginsID {
    var result = solver.table[wrappers].isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in solver.table.members(wrappers) {
      let isWrapper = origin.declaredType.map {
        program.types[$0].attributes.contains(Frameworks.propertyWrapper)
      }
      let one = solver.table.one(origin)
      result = solver.table.union(
        result, isWrapper ?? false ? get(Frameworks.wrappedValue, of: one, at: node) : one)
    }
    return result
  }
}
