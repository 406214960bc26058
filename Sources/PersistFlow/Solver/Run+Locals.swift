import PersistIndex
import PersistSyntax

// MARK: - Locals and what `inout` parameters become

extension Run {
  func loaded(_ step: Instruction) -> OriginsID {
    let value = locals[Int(step.index)]
    guard let declaration = body.locals[Int(step.index)].declaration, isShared(declaration)
    else { return value }
    return solver.table.union(value, current(read(.local(declaration))))
  }

  /// Whether several bodies may change a variable. What can't change is no more than put back.
  private func isShared(_ declaration: Ref) -> Bool {
    mayBeReplaced(declaration) && (!isTracking || program.isVariable(declaration))
  }

  /// Whether several bodies may give a variable another value. A parameter that is an instance of a class
  /// stays that one, whatever is set in it.
  func mayBeReplaced(_ declaration: Ref) -> Bool {
    guard solver.bodies.shared.contains(declaration) else { return false }
    guard program.kind(declaration) != .boundName, !program.isVariable(declaration),
      case .declared(let type, _) = program.type(ofLocal: declaration).unwrapped
    else { return true }
    return program.types[program.resolveAlias(type)].kind != .classDecl
  }

  func store(_ value: OriginsID, _ step: Instruction) {
    let value = isTracking ? typed(value, step) : written(value, step)
    if step.index <= -2 {
      let declaration = body.captures[Int(-2 - step.index)]
      if mayBeReplaced(declaration) { write(value, to: .local(declaration)) }
      return
    }
    locals[Int(step.index)] = value
    if let declaration = body.locals[Int(step.index)].declaration, mayBeReplaced(declaration) {
      write(value, to: .local(declaration))
    }
  }

  /// A value that a variable gets, as its written type has it: an array isn't lazy.
  private func written(_ value: OriginsID, _ step: Instruction) -> OriginsID {
    guard solver.table.mayBeLazyView(value), step.index >= 0,
      let declaration = body.locals[Int(step.index)].declaration,
      let binding = program.parent(declaration), program.child(binding, .type) != nil
    else { return value }
    return facts.admitted(value, by: program.type(ofLocal: declaration), solver.table)
  }

  /// A value that a variable gets, as an object of its type where nothing else is known.
  private func typed(_ value: OriginsID, _ step: Instruction) -> OriginsID {
    guard isVague(value), step.index >= 0,
      let declaration = body.locals[Int(step.index)].declaration
    else { return value }
    let type = program.type(ofLocal: declaration)
    guard program.model(in: type) != nil || facts.realmModel(in: type) != nil else { return value }
    return object(of: type, .made(declaration), at: declaration)
  }

  // MARK: `inout`

  /// What an argument of a call is behind it.
  func argumentAfter(_ step: Instruction) -> OriginsID {
    guard let call = body.operands(of: step).first,
      let after = argumentsAfter[call]?[Int(step.index)]
    else { return OriginTable.unknown }
    return after
  }

  /// Notes what a parameter may have become.
  func change(_ parameter: Int, to value: OriginsID) {
    guard !isTracking else { return }
    changed[parameter] = solver.table.union(changed[parameter] ?? OriginTable.nothing, value)
  }

  /// Notes what the parameters are that the body assigns, where it ends.
  func changeParameters() {
    for (parameter, local) in solver.assignedParameters(of: key.body) {
      change(parameter, to: locals[local])
    }
  }

  /// Takes in what code that was called has made of the arguments.
  func takeChanges(by target: InstanceID?) {
    guard making.call >= 0, let target else { return }
    for (parameter, value) in solver.instance(target).changed {
      guard let argument = making.parameters.firstIndex(of: parameter) else { continue }
      let known = argumentsAfter[making.call]?[argument] ?? OriginTable.nothing
      argumentsAfter[making.call, default: [:]][argument] = solver.table.union(known, value)
    }
  }

  // MARK: Casts

  /// A value as another type: what an object has under some key is a model of the same context where
  /// the code takes it for one.
  func cast(_ step: Instruction, _ value: OriginsID) -> OriginsID {
    guard !isTracking, let type = typeOfCast(step) else {
      return solver.make(step, [value], body, key)
    }
    let made = solver.make(
      step, [facts.admitted(value, by: type.unwrapped, solver.table)], body, key)
    guard let source = body.operands(of: step).first, source >= 0,
      let owner = receiver(ofKeyed: source)
    else { return made }
    let inner = type.unwrapped.element == .unknown ? type.unwrapped : type.unwrapped.element
    guard program.model(in: inner) != nil else { return made }
    let found = inner == type.unwrapped ? owner : solver.table.one(.collection(owner))
    return solver.table.union(found, OriginTable.null)
  }

  /// The model that code takes a value for at once.
  func castModel(of value: Value) -> TypeID? {
    for (index, step) in body.steps.enumerated()
    where value >= 0 && body.operands(of: step).first == value {
      switch step.operation {
      case .cast: return typeOfCast(step).flatMap { program.model(in: $0) }
      case .await, .unwrap: return castModel(of: Value(truncatingIfNeeded: index))
      default: continue
      }
    }
    return nil
  }

  /// The object that is asked for a value by a key, if a step does so.
  private func receiver(ofKeyed value: Value) -> OriginsID? {
    var value = value
    while [.unwrap, .load].contains(body.steps[Int(value)].operation) {
      guard let inner = stored(in: value) else { return nil }
      value = inner
    }
    let step = body.steps[Int(value)]
    guard step.operation == .call, Frameworks.valuesForKeys.contains(step.name),
      case let site = body.calls[Int(step.index)], site.receiver >= 0
    else { return nil }
    let receiver = solver.table.unwrapped(values[Int(site.receiver)])
    let isManaged = solver.table.members(receiver).contains {
      if case .managed = $0 { true } else { false }
    }
    return isManaged ? receiver : nil
  }

  /// What a step unwraps, or the last value that its local has got.
  private func stored(in value: Value) -> Value? {
    let step = body.steps[Int(value)]
    guard step.operation == .load else {
      return body.operands(of: step).first.flatMap { $0 < 0 ? nil : $0 }
    }
    let stores = body.steps.filter { $0.operation == .store && $0.index == step.index }
    let given = stores.compactMap { body.operands(of: $0).first }.filter {
      $0 >= 0 && body.steps[Int($0)].operation != .none
    }
    return given.count == 1 ? given[0] : nil
  }

  /// The type that a step takes a value for.
  private func typeOfCast(_ step: Instruction) -> SwiftType? {
    let node = body.ref(step)
    return program.child(node, .type).map { program.type(ofTypeNode: $0) }
  }
}
