import PersistIndex
import PersistSyntax

// MARK: - Methods

extension Run {
  /// A method of something that the types don't tell, or of a framework's object.
  func callMember(
    _ name: Name, _ operands: Operands, _ site: CallSite, _ value: Value, _ written: SwiftType,
    at node: Ref
  ) -> OriginsID {
    if site.receiver < 0 { return callImplicit(name, operands, site, at: node) }
    var result = OriginTable.nothing
    var isTold = false
    let whole = solver.table[operands.receiver]
    let parts = split(operands.receiver)
    var single = operands
    for (type, framework) in parts.frameworks {
      single.receiver = framework
      guard let made = call(name, ofFramework: type, single, site, value, at: node) else {
        continue
      }
      isTold = true
      result = solver.table.union(result, made)
    }
    for number in parts.others {
      single.receiver = solver.table.one(ofNumber: number)
      guard let made = call(name, of: solver.table[origin: number], single, site, value, at: node)
      else { continue }
      isTold = true
      result = solver.table.union(result, made)
    }
    // Which context it is doesn't matter for the objects that it gives.
    let isFramework = isTracking && parts.others.isEmpty
    if isTold { return whole.isOpen && !isFramework ? solver.table.opened(result) : result }
    let known = solver.rows.row(name, of: written) ?? inheritedRow(name, at: node)
    if let row = known ?? facts.tellingRow(name, of: written) {
      return evaluate(row, operands, at: node)
    }
    if written == .unknown { solver.noteUnseenCall(name) }
    // What goes into a collection stays with the code.
    let isCollected = written.isCollection || parts.frameworks.contains { $0.0 == "Array" }
    return unread(
      operands, at: node, isElsewhere: isElsewhere(written), isCollected: isCollected)
  }

  /// The row of a method that a type of the sources inherits from a framework's.
  private func inheritedRow(_ name: Name, at node: Ref) -> API? {
    guard case .declared(let id, _) = program.receiverType(ofCall: node).unwrapped else {
      return nil
    }
    return facts.externalBases(of: id).lazy.compactMap { self.solver.rows.row(name, of: $0) }.first
  }

  /// `.name(…)`: a case with a payload.
  func callImplicit(
    _ name: Name, _ operands: Operands, _ site: CallSite, at node: Ref
  ) -> OriginsID {
    guard let called = program.calledNode(node), program.kind(called) == .implicitMember else {
      if let row = solver.rows.row(name, of: .none) { return evaluate(row, operands, at: node) }
      return unread(operands, at: node)
    }
    return solver.table.one(.enumCase(name, operands.arguments.map(\.value)))
  }

  private func call(
    _ name: Name, of origin: Origin, _ operands: Operands, _ site: CallSite, _ value: Value,
    at node: Ref
  ) -> OriginsID? {
    if let type = origin.declaredType {
      let isStatic = if case .type = origin { true } else { false }
      switch facts.member(name, of: type, isStatic: isStatic) {
      // `super.init()` is another class's, which the sources don't declare.
      case .functions where name == Frameworks.initializerName: return nil
      case .functions(let ids):
        let fitting = ids.filter { labelsFit(program.functions[$0], site) }
        if !fitting.isEmpty {
          return callFunctions(Array(fitting.prefix(1)), operands, site, value, at: node)
        }
      case .property(let id):
        let held = get(program.properties[id].name, of: operands.receiver, at: node)
        return callValues(held, operands, at: node)
      default: break
      }
      if isStatic {
        return solver.table.one(.enumCase(name, operands.arguments.map(\.value)))
      }
      for base in facts.externalBases(of: type) {
        if let row = solver.rows.row(name, of: base) { return evaluate(row, operands, at: node) }
      }
      return mapOptional(name, operands, at: node)
    }
    if case .externalType(let type) = origin {
      if let row = solver.rows.row(name, of: type, isStatic: true) {
        return evaluate(row, operands, at: node)
      }
      return nil
    }
    return mapOptional(name, operands, at: node)
  }

  /// `map` and `flatMap` of a value that is no collection are those of the optional around it.
  private func mapOptional(_ name: Name, _ operands: Operands, at node: Ref) -> OriginsID? {
    if name == Frameworks.outcomeValue { return outcome(of: operands.receiver) }
    guard Frameworks.mapsOfOptionals.contains(name) else { return nil }
    return solver.rows.row(name, of: "Optional").map { evaluate($0, operands, at: node) }
  }

  private func call(
    _ name: Name, ofFramework type: Name, _ operands: Operands, _ site: CallSite, _ value: Value,
    at node: Ref
  ) -> OriginsID? {
    if let first = solver.table.members(operands.receiver).first, first.isStored,
      let mapped = mapOptional(name, operands, at: node)
    {
      return mapped
    }
    if isTracking, Frameworks.mutatingMethods.contains(name),
      !Frameworks.addingMethods.contains(name),
      !solver.table.members(operands.receiver).contains(where: \.isObject)
    {
      // Which of several objects are left nobody knows.
      receiversAfter[value] = OriginTable.unknown
    }
    for origin in solver.table.members(operands.receiver) {
      grow(origin, by: name, operands, value)
    }
    noteAdded(operands, by: name, of: type, site, at: node)
    if let row = solver.rows.row(name, of: type) { return evaluate(row, operands, at: node) }
    noteList(operands.receiver, name, at: node)
    return callExtension(name, of: type, operands, site, value, at: node)
  }

  /// What a collection holds behind a call that adds to it.
  private func grow(
    _ origin: Origin, by name: Name, _ operands: Operands, _ value: Value
  ) {
    guard Frameworks.addingMethods.contains(name), let argument = operands.arguments.first else {
      return
    }
    let added = argument.label == "contentsOf" ? element(of: argument.value) : argument.value
    let old = receiversAfter[value] ?? OriginTable.nothing
    switch origin {
    case .collection(let inner):
      let grown = solver.table.one(.collection(solver.table.union(inner, added)))
      receiversAfter[value] = solver.table.union(old, grown)
    case .dictionary(let inner):
      let grown = solver.table.one(.dictionary(solver.table.union(inner, added)))
      receiversAfter[value] = solver.table.union(old, grown)
    case .holder(let type, _, let inner) where Frameworks.ownedLists.contains(type):
      insert(added, into: inner)
    case .holder(_, let site, _): write(added, to: .channel("values", site))
    default: break
    }
  }

  /// A method that the sources add to a framework's type.
  private func callExtension(
    _ name: Name, of type: Name, _ operands: Operands, _ site: CallSite, _ value: Value,
    at node: Ref
  ) -> OriginsID? {
    for owner in [type] + (Frameworks.supertypes[type] ?? []) {
      guard let foreign = program.foreignType(named: owner) else { continue }
      let fitting = program.methods(name, of: foreign).filter {
        program.functions[$0].body != nil && labelsFit(program.functions[$0], site)
      }
      if let first = fitting.first {
        return run(first, receiver: operands.receiver, operands, site, value, at: node)
      }
    }
    return nil
  }

  /// Whether the labels of a call's arguments are those of parameters, in their order.
  private func labelsFit(_ function: FunctionDeclaration, _ site: CallSite) -> Bool {
    var next = 0
    for argument in site.arguments where !argument.isTrailing {
      guard
        let found = function.parameters.indices.first(where: {
          $0 >= next && function.parameters[$0].label == argument.label
        })
      else { return false }
      next = found + 1
    }
    return true
  }

  /// What `get()` gives of a result.
  private func outcome(of set: OriginsID) -> OriginsID? {
    var found: OriginsID?
    for case .enumCase(Frameworks.success, let parts) in solver.table.members(set) {
      found = solver.table.union(found ?? OriginTable.nothing, parts.first ?? OriginTable.unknown)
    }
    return found
  }
}
