import PersistIndex
import PersistSyntax

/// What goes into a call.
struct Operands {
  var receiver: OriginsID
  var arguments: [(label: Name, value: OriginsID)] = []
  /// The transaction that a closure runs in, where it isn't that of the caller.
  var transaction: Transaction?
  /// Whether the call stands under `await`, so that code of an actor runs there.
  var isAwaited = false
  /// Whether code that is handed over runs when the code around the call has gone on.
  var isLater = false
  /// Whether the compiler lets nothing through that doesn't belong where the closure runs.
  var isPlainTask = false

  func value(_ operand: API.Operand) -> OriginsID? {
    switch operand {
    case .receiver: receiver
    case .argument(let index):
      arguments.indices.contains(index) ? arguments[index].value : nil
    case .labelled(let label): arguments.first { $0.label == label }?.value
    case .last: arguments.last?.value
    case .waiting, .held, .performing, .returned: nil
    }
  }
}

// MARK: - Calls

extension Run {
  func call(_ site: CallSite, _ value: Value, _ step: Instruction) -> OriginsID {
    let node = body.ref(step)
    var operands = Operands(
      receiver: site.receiver >= 0 ? values[Int(site.receiver)] : OriginTable.nothing)
    operands.arguments = site.arguments.map {
      ($0.label, $0.value >= 0 ? values[Int($0.value)] : OriginTable.plain)
    }
    receiversAfter[value] = operands.receiver
    let around = making
    making = (value, Array(site.arguments.indices))
    defer { making = around }
    if site.callsValue {
      operands.isAwaited = site.isAwaited
      return callValues(operands.receiver, operands, at: node)
    }
    switch facts.target(node) {
    case .functions(let ids):
      return callFunctions(ids, operands, site, value, at: node)
    case .initializer(let type, let ids):
      return make(type, ids, operands, site, value, at: node)
    case .externalInitializer(let type): return makeExternal(type, operands, at: node)
    case .externalFunction(let name):
      if let row = solver.rows.row(name, of: .none) { return evaluate(row, operands, at: node) }
      return unread(operands, at: node)
    case .closure:
      operands.isAwaited = site.isAwaited
      return callValues(get(site.name, of: operands.receiver, at: node), operands, at: node)
    case .externalMethod(let type, let name):
      if solver.rows.row(name, of: type) == nil, let row = freeRow(name, at: node) {
        return evaluate(row, operands, at: node)
      }
      return callMember(name, operands, site, value, type, at: node)
    case .unknownMethod, .unknown:
      if let row = freeRow(site.name, at: node) { return evaluate(row, operands, at: node) }
      return callMember(site.name, operands, site, value, .unknown, at: node)
    }
  }

  /// The row of a function that a bare name calls, which in a framework's type may be a method's.
  private func freeRow(_ name: Name, at node: Ref) -> API? {
    guard program.calledNode(node).map({ program.kind($0) == .name }) ?? false else { return nil }
    return solver.rows.row(name, of: .none)
  }

  // MARK: Functions of the sources

  func callFunctions(
    _ ids: [FunctionID], _ operands: Operands, _ site: CallSite, _ value: Value, at node: Ref
  ) -> OriginsID {
    guard ids.count <= 4 else { return unread(operands, at: node) }
    if ids.allSatisfy({ program.functions[$0].body == nil }) {
      noteAdded(operands, by: .none, of: Frameworks.managedObject, site, at: node)
    }
    // Of overloads that differ in `async` alone the call says which one it means.
    let fitting = ids.filter { program.functions[$0].isAsync == site.isAwaited }
    return eachWay(fitting.isEmpty ? ids : fitting) {
      callFunction($0, operands, site, value, at: node)
    }
  }

  private func callFunction(
    _ id: FunctionID, _ operands: Operands, _ site: CallSite?, _ value: Value, at node: Ref,
    on executor: Executor? = nil
  ) -> OriginsID {
    let function = program.functions[id]
    guard function.owner != nil, !function.isStatic else {
      let owner = function.owner.map { solver.table.one(.type($0)) }
      return run(
        id, receiver: owner ?? taken(by: id).first ?? OriginTable.unknown, operands, site, value,
        at: node, on: executor)
    }
    // A context that isn't found yet is not an unknown one.
    if operands.receiver == OriginTable.nothing, !isTracking, let owner = function.owner,
      Frameworks.framework(ofContext: program.types[owner].name) != nil
    {
      return OriginTable.nothing
    }
    // Each kind of receiver may have a method of its own.
    var byMethod: [(FunctionID, OriginsID)] = []
    let whole = solver.table[operands.receiver]
    for number in whole.known {
      let one = solver.table.one(ofNumber: number)
      if one == OriginTable.null { continue }
      let type = solver.table[origin: number].declaredType
      let method = type.flatMap { facts.implementation(of: id, in: $0) } ?? id
      if let index = byMethod.firstIndex(where: { $0.0 == method }) {
        byMethod[index].1 = solver.table.union(byMethod[index].1, one)
      } else {
        byMethod.append((method, one))
      }
    }
    if whole.isOpen || byMethod.isEmpty {
      for method in function.body == nil ? program.witnesses(of: id) ?? [] : [id] {
        let owner = program.functions[method].owner
        let receiver =
          owner.map { facts.value(of: .declared($0), solver.table) } ?? OriginTable.unknown
        if !byMethod.contains(where: { $0.0 == method }) {
          byMethod.append((method, receiver))
        }
      }
    }
    if byMethod.isEmpty { return unread(operands, at: node) }
    return eachWay(byMethod) { method, receiver in
      let isOther = whole.isOpen && (isTracking || !whole.known.isEmpty)
      let handed = isOther ? solver.table.opened(receiver) : receiver
      return run(method, receiver: handed, operands, site, value, at: node, on: executor)
    }
  }

  func run(
    _ id: FunctionID, receiver: OriginsID, _ operands: Operands, _ site: CallSite?, _ value: Value,
    at node: Ref, on executor: Executor? = nil
  ) -> OriginsID {
    guard let code = facts.body(of: id) else { return unread(operands, at: node) }
    let function = program.functions[id]
    let arguments = bind(operands, to: id, site, at: node)
    let target = invoke(
      InstanceKey(
        body: code, receiver: receiver, arguments: arguments, captures: taken(by: id),
        executor: facts.executor(
          of: solver.bodies[code], calledOn: executor ?? key.executor,
          isAwaited: site?.isAwaited ?? operands.isAwaited),
        transaction: transaction),
      at: node)
    takeChanges(by: target)
    if let target, function.modifiers.contains("mutating") {
      receiversAfter[value] = mapped(back: solver.instance(target).receiver, from: target)
    }
    // What is handed over isn't found yet: it may give the body something to do.
    if target == nil, !isTracking, arguments.contains(OriginTable.nothing) {
      return OriginTable.nothing
    }
    return fresh(result(of: target, code), from: target, at: node)
  }

  /// What a function that is declared in a body takes along where it is called or handed over, `self`
  /// first.
  private func taken(by id: FunctionID) -> [OriginsID] {
    let function = program.functions[id]
    guard function.owner == nil, let code = facts.body(of: id),
      program.enclosingBody(function.ref) != nil
    else { return [] }
    return [receiver] + solver.bodies[code].captures.map(current)
  }

  /// What a variable of the code around holds now.
  private func current(_ declaration: Ref) -> OriginsID {
    if let index = body.locals.firstIndex(where: { $0.declaration == declaration }) {
      return locals[index]
    }
    return body.captures.firstIndex(of: declaration).map(captured) ?? OriginTable.nothing
  }

  /// A function of the sources as a value.
  func function(_ step: Instruction, _ operands: [OriginsID]) -> OriginsID {
    guard case .functions(let ids)? = program.declared(body.ref(step)) else {
      return solver.make(step, operands, body, key)
    }
    if let method = facts.overloaded(by: ids, at: body.ref(step)) {
      return solver.table.one(.method(method.name, operands.first ?? receiver))
    }
    guard ids.count == 1, let code = facts.body(of: ids[0]), case let captures = taken(by: ids[0]),
      !captures.isEmpty
    else { return solver.make(step, operands, body, key) }
    return solver.table.one(.closure(code, captures))
  }

  /// What each parameter gets: an argument, or its default.
  private func bind(
    _ operands: Operands, to id: FunctionID, _ site: CallSite?, at node: Ref
  ) -> [OriginsID] {
    let function = program.functions[id]
    var given = Array(each: false, count: function.parameters.count)
    var bound = Array(each: OriginTable.unknown, count: function.parameters.count)
    var next = 0
    for (index, argument) in operands.arguments.enumerated() {
      guard next < bound.count else { break }
      let isTrailing = site.map { $0.arguments[index].isTrailing } ?? false
      let found =
        isTrailing
        ? function.parameters.indices.last { $0 >= next }
        : function.parameters.indices.first {
          $0 >= next && (site == nil || function.parameters[$0].label == argument.label)
        }
      guard let parameter = found else { continue }
      bound[parameter] = argument.value
      given[parameter] = true
      if site != nil, index < making.parameters.count { making.parameters[index] = parameter }
      if function.parameters[parameter].isVariadic { bound[parameter] = OriginTable.unknown }
      next = parameter + 1
    }
    for (index, code) in facts.defaults(of: id) where !given[index] {
      let key = InstanceKey(
        body: code, receiver: OriginTable.unknown, arguments: [], captures: [],
        executor: key.executor, transaction: transaction)
      bound[index] = result(of: invoke(key, at: node), code)
    }
    return bound
  }

  /// Runs the getter, setter or other body that a member leads to.
  func invokeBody(
    _ code: BodyID, _ receiver: OriginsID, _ arguments: [OriginsID], at node: Ref
  ) -> OriginsID {
    let target = invoke(
      InstanceKey(
        body: code, receiver: receiver, arguments: arguments, captures: [],
        executor: facts.executor(of: solver.bodies[code], calledOn: key.executor),
        transaction: transaction),
      at: node)
    return fresh(result(of: target, code), from: target, at: node)
  }

  // MARK: Closures

  /// Calls what a value may be, on the executor of the caller or another one.
  @discardableResult
  func callValues(
    _ set: OriginsID, _ operands: Operands, on executor: Executor? = nil, at node: Ref
  ) -> OriginsID {
    let whole = solver.table[set]
    var result = whole.isOpen ? OriginTable.unknown : OriginTable.nothing
    for number in whole.known {
      switch solver.table[origin: number] {
      case .closure(let code, let captures):
        let made = runClosure(code, captures, operands, on: executor, at: node)
        result = solver.table.union(result, made)
      case .function(let id, let receiver):
        var handed = operands
        handed.receiver = receiver
        result = solver.table.union(
          result, callFunction(id, handed, nil, -1, at: node, on: executor))
      case .holder(_, _, let inner):
        callValues(inner, operands, on: executor, at: node)
        result = OriginTable.unknown
      case .type(let type):
        result = solver.table.union(result, make(type, [], operands, nil, -1, at: node))
      case .method(let name, let receiver):
        var handed = operands
        handed.receiver = receiver
        result = solver.table.union(result, callMethod(name, handed, at: node))
      case .keyPath(let path):
        let place = program.contains(node, path) ? path : node
        let read = operands.arguments.first.map { follow(path, from: $0.value, at: place) }
        result = solver.table.union(result, read ?? OriginTable.unknown)
      case .null, .plain: break
      case .collection(let inner):
        callValues(inner, operands, on: executor, at: node)
        result = OriginTable.unknown
      case let origin:
        guard let method = methodOfCall(on: origin) else {
          // What is no code was handed over as an expression that is worked out where it is asked for.
          let isExpression = operands.arguments.isEmpty
          result = solver.table.union(
            result, isExpression ? solver.table.one(origin) : OriginTable.unknown)
          continue
        }
        var handed = operands
        handed.receiver = solver.table.one(origin)
        result = solver.table.union(
          result, callFunction(method, handed, nil, -1, at: node, on: executor))
      }
    }
    if whole.isOpen {
      if operands.arguments.contains(where: { solver.leadsToOwner($0.value) }) {
        solver.noteReceiver(key.body)
      }
      _ = unread(operands, at: node)
    }
    return result
  }

  private func runClosure(
    _ code: BodyID, _ captures: [OriginsID], _ operands: Operands, on executor: Executor?,
    at node: Ref
  ) -> OriginsID {
    let closure = solver.bodies[code]
    var arguments = operands.arguments.map(\.value)
    if arguments.count == 1, closure.parameterCount > 1 {
      arguments = (0..<closure.parameterCount).map { part($0, of: arguments[0]) }
    }
    while arguments.count < closure.parameterCount { arguments.append(OriginTable.unknown) }
    var inner = InstanceKey(
      body: code, receiver: captures.first ?? OriginTable.unknown, arguments: arguments,
      captures: captures,
      executor: facts.writtenExecutor(closure.place)
        ?? (operands.isAwaited ? facts.awaitedExecutor(closure.place) : nil)
          ?? executor ?? key.executor,
      transaction: operands.transaction ?? transaction)
    if !isTracking, executor != nil, !operands.isPlainTask { handOver(&inner) }
    let target = invoke(inner, at: node, isLater: operands.isLater)
    takeChanges(by: target)
    return result(of: target, code)
  }

  /// Calls a framework's method that was handed over as a value.
  private func callMethod(_ name: Name, _ operands: Operands, at node: Ref) -> OriginsID {
    for origin in solver.table.members(operands.receiver) {
      guard let type = Frameworks.type(of: origin), let row = solver.rows.row(name, of: type) else {
        continue
      }
      return evaluate(row, operands, at: node)
    }
    return unread(operands, at: node)
  }

  private func part(_ index: Int, of set: OriginsID) -> OriginsID {
    var result = solver.table[set].isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in solver.table.members(set) {
      guard case .tuple(let parts, _) = origin, parts.indices.contains(index) else {
        return OriginTable.unknown
      }
      result = solver.table.union(result, parts[index])
    }
    return result
  }
}
