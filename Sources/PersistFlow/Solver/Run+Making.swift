import PersistIndex
import PersistSyntax

// MARK: - Making instances

extension Run {
  func make(
    _ type: TypeID, _ ids: [FunctionID], _ operands: Operands, _ site: CallSite?, _ value: Value,
    at node: Ref
  ) -> OriginsID {
    let kind = program.types[type].kind
    if facts.isModel(type) {
      return makeModel(type, ids, operands, site, value, at: node)
    }
    // `self.init` and `super.init` go on with the instance that is there.
    let isDelegating = site?.name == "init" && table(holdsSelf: operands.receiver)
    var made = operands.receiver
    if !isDelegating {
      made = solver.table.one(
        kind == .structDecl
          ? .structure(type, fields(of: type, operands, ids))
          : facts.isMadeSeldom(type) ? .object(type, node) : .instance(type))
    }
    for id in ids.prefix(4) where facts.body(of: id) != nil {
      _ = run(id, receiver: made, operands, site, value, at: node)
      guard let code = facts.body(of: id) else { continue }
      if kind == .structDecl {
        made = finished(code, made)
      } else if isTracking {
        takeFields(of: made, from: code)
      }
    }
    if ids.isEmpty {
      for base in facts.externalBases(of: type) {
        guard let row = solver.rows.row("init", of: base) else { continue }
        let result = evaluate(row, operands, at: node)
        // An object of a context's subclass is a context.
        if !isDelegating, holdsContexts(result) { return result }
        break
      }
      if kind != .structDecl { _ = unread(operands, at: node) }
    }
    if isDelegating {
      receiver = made
      return OriginTable.plain
    }
    if kind == .enumDecl { return OriginTable.unknown }
    return ids.contains(where: program.isFailable)
      ? solver.table.union(made, OriginTable.null) : made
  }

  /// What the last call has left of the instance that it began with.
  private func finished(_ code: BodyID, _ begun: OriginsID) -> OriginsID {
    let target = lastCall.flatMap { call -> OriginsID? in
      let instance = solver.instance(call.target)
      return instance.key.body == code ? mapped(back: instance.receiver, from: call.target) : nil
    }
    return target ?? begun
  }

  /// Has an instance hold the objects that its initializer has put into it. Others of its type that
  /// this code makes aren't told apart from it.
  private func takeFields(of made: OriginsID, from code: BodyID) {
    guard let call = lastCall, let origin = solver.table.members(made).first,
      case let instance = solver.instance(call.target), instance.key.body == code
    else { return }
    for (property, value) in instance.effects.fields.sorted(by: { $0.key < $1.key }) {
      let key = ObjectState.FieldKey(origin: number(origin.anywhere), property: property)
      let taken = mapped(back: value, from: call.target)
      state.fields[key] = state.fields[key].map { solver.table.union($0, taken) } ?? taken
    }
  }

  private func table(holdsSelf set: OriginsID) -> Bool { set == receiver }

  private func holdsContexts(_ set: OriginsID) -> Bool {
    solver.table.members(set).contains { if case .owner = $0 { true } else { false } }
  }

  /// The stored properties that a memberwise initializer is given.
  private func fields(of type: TypeID, _ operands: Operands, _ ids: [FunctionID])
    -> [Origin.Field]
  {
    guard ids.isEmpty else { return [] }
    var fields: [Origin.Field] = []
    for (label, value) in operands.arguments {
      guard case .property(let id)? = facts.member(label, of: type) else { continue }
      fields.append(Origin.Field(property: id, value: value))
      write(value, to: .anyField(id))
    }
    return fields.sorted { $0.property < $1.property }
  }

  private func makeModel(
    _ type: TypeID, _ ids: [FunctionID], _ operands: Operands, _ site: CallSite?, _ value: Value,
    at node: Ref
  ) -> OriginsID {
    if isTracking { return self.made(type, at: node) }
    var result = OriginTable.nothing
    for (_, argument) in operands.arguments {
      // What is handed a realm is in none before that adds it.
      for case .owner(let owner) in solver.table.members(argument) where owner.framework != .realm {
        result = solver.table.union(result, solver.table.one(.managed(owner)))
      }
    }
    // An object with a context is inserted there.
    if result != OriginTable.nothing {
      for (_, argument) in operands.arguments { noteUse(of: argument, at: node) }
      note(.change, result, at: place(of: node))
    } else {
      result = solver.table.one(.object(type, node))
    }
    let places = program.arguments(node)
    for (index, argument) in operands.arguments.enumerated() where index < places.count {
      let given =
        site?.arguments.indices.contains(index) ?? false ? site?.arguments[index].value : nil
      noteRelated(argument.value, from: given, of: result, at: places[index])
    }
    for id in ids.prefix(4) where facts.body(of: id) != nil {
      _ = run(id, receiver: result, operands, site, value, at: node)
    }
    return result
  }

  func makeExternal(_ type: SwiftType, _ operands: Operands, at node: Ref)
    -> OriginsID
  {
    switch type {
    case .external(let name, _):
      if let row = solver.rows.row("init", of: name) { return evaluate(row, operands, at: node) }
      for (_, argument) in operands.arguments {
        escape(argument, at: node, isLater: true)
        if !isTracking { noteHanded(argument, at: node) }
      }
      return Frameworks.statelessTypes.contains(name)
        ? solver.table.one(.external(name)) : OriginTable.unknown
    case .array, .set: return solver.table.one(.collection(OriginTable.nothing))
    case .dictionary: return solver.table.one(.dictionary(OriginTable.nothing))
    default: return unread(operands, at: node)
    }
  }
}
