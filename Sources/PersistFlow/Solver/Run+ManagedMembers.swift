import PersistIndex
import PersistSyntax

// MARK: - Members of objects that belong to a store

extension Run {
  func getManaged(_ name: Name, _ receiver: OriginsID, at node: Ref) -> OriginsID {
    if Frameworks.contextProperties.contains(name) {
      return solver.table.mapped(receiver) { origin in
        if case .managed(let owner) = origin { return self.solver.table.one(.owner(owner)) }
        return OriginTable.unknown
      }
    }
    if Frameworks.safeMembers.contains(name) || isIdentifier(name, at: node) {
      return OriginTable.plain
    }
    let known = program.property(usedBy: node)
    // What is worked out from other things doesn't use the object, and closures run for themselves.
    let getters = known.map { witnesses(of: $0).map(facts.getter) } ?? []
    let free = getters.compactMap { $0.flatMap { usesObject(solver.bodies[$0]) ? nil : $0 } }
    if !free.isEmpty, free.count == getters.count {
      return solver.table.union(free.map { invokeBody($0, receiver, [], at: node) })
    }
    if let known, program.isLeftOutOfRealm(known) { return OriginTable.unknown }
    if let known, facts.isReadOnMain(known, from: key.executor) {
      return related(known, receiver, at: node)
    }
    note(.object, receiver, at: node)
    if let known { return related(known, receiver, at: node) }
    // Where the written types don't tell the model, those that have such a property do.
    let candidates = facts.propertiesOfModels(named: name)
    guard let first = candidates.first else { return OriginTable.unknown }
    let result = related(first, receiver, at: node)
    let isOne = candidates.dropFirst().allSatisfy { related($0, receiver, at: node) == result }
    return isOne ? result : OriginTable.unknown
  }

  /// The properties of models that a requirement of a protocol may stand for; else the property.
  private func witnesses(of property: PropertyID) -> [PropertyID] {
    guard let owner = program.properties[property].owner,
      program.types[owner].kind == .protocolDecl
    else { return [property] }
    return facts.propertiesOfModels(named: program.properties[property].name).filter {
      program.properties[$0].owner.map { program.lineage(of: $0).contains(owner) } ?? false
    }
  }

  /// Whether the code of an object uses it, apart from its context, in closures and in own methods.
  private func usesObject(_ body: Body) -> Bool {
    body.usesSelf
      && body.steps.contains { step in
        let usesSelf = body.operands(of: step).contains {
          $0 >= 0 && body.steps[Int($0)].operation == .selfValue
        }
        guard usesSelf else { return false }
        switch step.operation {
        case .closure: return false
        case .get:
          return !Frameworks.contextProperties.contains(step.name)
            && !Frameworks.safeMembers.contains(step.name)
        case .call:
          guard case .functions = facts.target(body.ref(step)) else { return true }
          let given = body.calls[Int(step.index)].arguments.map(\.value)
          return given.contains { $0 >= 0 && body.steps[Int($0)].operation == .selfValue }
        default: return true
        }
      }
  }

  /// Whether `id` is the identifier that a framework gives an object, and no property of the model.
  private func isIdentifier(_ name: Name, at node: Ref) -> Bool {
    name == Frameworks.identity && program.property(usedBy: node) == nil
  }

  /// What a property of an object hands out: an object of the same context, several, or data.
  private func related(_ property: PropertyID, _ receiver: OriginsID, at node: Ref)
    -> OriginsID
  {
    if let getter = facts.getter(of: property) {
      return invokeBody(getter, receiver, [], at: node)
    }
    let type = program.type(ofProperty: property)
    let isRealm =
      switch type.unwrapped {
      case .declared(let id, _), .array(.declared(let id, _)), .set(.declared(let id, _)):
        program.isRealmObject(id)
      default: false
      }
    guard isRealm || program.model(in: type) != nil || type.isList else { return OriginTable.plain }
    switch type.unwrapped {
    case .external("List", _), .external("Results", _), .external("LinkingObjects", _),
      .external("MutableSet", _):
      return solver.table.one(.holder("List", program.properties[property].ref, receiver))
    case .array where isRealm, .set where isRealm:
      return solver.table.one(.holder("List", program.properties[property].ref, receiver))
    case .array, .set, .external: return solver.table.one(.collection(receiver))
    default: return solver.table.union(receiver, OriginTable.null)
    }
  }
}

// MARK: - Members of what frameworks declare

extension Run {
  /// A property of a framework's object: a closure that is assigned runs as the row says.
  func setFramework(
    _ name: Name, of types: [Name], _ receiver: OriginsID, _ value: OriginsID, at node: Ref
  ) {
    for type in types {
      guard let row = solver.rows.row(name, of: type) else { continue }
      let operands = Operands(receiver: receiver, arguments: [(label: .none, value: value)])
      _ = evaluate(row, operands, at: node)
      return
    }
    escape(value, at: node)
  }

  /// A write to something of which only the written type is known.
  func setByType(_ step: Instruction, _ value: OriginsID, at node: Ref) {
    guard !step.isWriteBack else { return }
    if let id = program.property(usedBy: node) {
      for setter in facts.setters(of: id) {
        _ = invokeBody(setter, solver.valueByType(before: node), [value], at: node)
      }
      write(value, to: .anyField(id))
      if let owner = program.properties[id].owner {
        write(value, to: .field(number(.instance(owner)), id))
      }
    } else if value != OriginTable.plain, !isOfFramework(node) {
      write(solver.table.opened(value), to: .named(step.name))
    }
  }

  /// Whether a member follows a value of a framework's type.
  private func isOfFramework(_ member: Ref) -> Bool {
    guard program.kind(member) == .member, let chain = program.parent(member),
      case .external = program.type(ofChain: chain, upTo: member).unwrapped
    else { return false }
    return true
  }
}
