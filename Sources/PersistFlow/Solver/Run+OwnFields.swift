import PersistIndex
import PersistSyntax

// MARK: - What a body has just put into the properties of its own instance

extension Run {
  /// Where the values of the body's own properties stand behind its locals: `self` comes first.
  private func place(of field: Int) -> Int { body.locals.count + 1 + field }

  /// What the body itself has put into a property of `self`, where nothing can have changed it since.
  func ownField(_ step: Instruction) -> OriginsID? {
    guard !isTracking, let field = index(of: step) else { return nil }
    let value = locals[place(of: field)]
    return value == OriginTable.nothing ? nil : value
  }

  /// Notes what the body puts into a property of `self`.
  func keepOwnField(_ step: Instruction, _ value: OriginsID) {
    guard !isTracking, !step.isWriteBack, let field = index(of: step) else { return }
    let type = program.property(usedBy: body.ref(step)).map { program.type(ofProperty: $0) }
    locals[place(of: field)] =
      type.map { facts.admitted(value, by: $0, solver.table) } ?? value
  }

  /// Forgets what properties hold, which code that runs now may change.
  func forgetOwnFields() {
    for field in ownFields.indices { locals[place(of: field)] = OriginTable.nothing }
  }

  /// Forgets them where a call may run code of the sources.
  func forgetOwnFields(behind site: CallSite, at node: Ref) {
    guard !ownFields.isEmpty else { return }
    let handsCode = site.arguments.contains { argument in
      guard argument.value >= 0 else { return false }
      return solver.table.members(values[Int(argument.value)]).contains {
        switch $0 {
        case .closure, .function, .object, .instance: true
        default: false
        }
      }
    }
    switch facts.target(node) {
    case .externalFunction, .externalInitializer, .externalMethod:
      if handsCode { forgetOwnFields() }
    case .initializer(let type, let ids):
      if !ids.isEmpty || handsCode || !facts.isModel(type) { forgetOwnFields() }
    default: forgetOwnFields()
    }
  }

  /// Takes in what another way knows of the properties: where the two differ, anything may be there.
  func joinOwnFields(_ joined: inout [OriginsID], _ known: [OriginsID]) {
    for field in ownFields.indices {
      let place = place(of: field)
      if known[place] == OriginTable.nothing || locals[place] == OriginTable.nothing {
        joined[place] = OriginTable.nothing
      }
    }
  }

  private func index(of step: Instruction) -> Int? {
    guard !ownFields.isEmpty, let first = body.operands(of: step).first, first >= 0,
      body.steps[Int(first)].operation == .selfValue
    else { return nil }
    return ownFields.firstIndex(of: step.name)
  }
}

// MARK: - What a look at an object's context tells

extension Run {
  /// The object whose context or realm a condition compares with `nil`, and whether it has none where
  /// the condition holds.
  func objectAskedForContext(by condition: Value) -> (object: Value, isFree: Bool)? {
    let (condition, isFree) = body.condition(condition)
    guard condition >= 0, case let step = body.steps[Int(condition)], step.operation == .isNil,
      let asked = operand(of: step).map({ body.steps[Int($0)] }),
      asked.operation == .get, Frameworks.contextProperties.contains(asked.name),
      let object = operand(of: asked)
    else { return nil }
    return (object, isFree)
  }

  /// Takes a variable or an own property for one that holds nothing of a context or realm.
  func release(_ object: Value) {
    let step = body.steps[Int(object)]
    let free = solver.table.mapped(solver.table.closed(values[Int(object)])) {
      $0.isManaged ? OriginTable.plain : nil
    }
    let value = free == OriginTable.nothing ? OriginTable.plain : free
    switch step.operation {
    case .unwrap: if let operand = operand(of: step) { release(operand) }
    case .load: locals[Int(step.index)] = value
    case .get: if let field = index(of: step) { locals[place(of: field)] = value }
    default: break
    }
  }

  private func operand(of step: Instruction) -> Value? {
    body.operands(of: step).first.flatMap { $0 < 0 ? nil : $0 }
  }
}

// MARK: - What other code gets of a value

extension Run {
  /// What those who read a cell get of a value: nothing of an owner where the readers run on other
  /// devices than this body, such as an app whose watch app alone sets the property.
  func fed(_ value: OriginsID, to cell: Cell) -> OriginsID {
    if let id = cell.property, program.runsElsewhere(body.place, than: program.properties[id].ref) {
      return OriginTable.plain
    }
    return solver.table.withoutGiven(value)
  }
}
