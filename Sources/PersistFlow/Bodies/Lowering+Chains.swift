import PersistIndex
import PersistSyntax

// MARK: - Chains

extension Lowering {
  /// A value with the way to the variable that holds it, to which a changed one is written back.
  struct Place {
    var value: Value
    /// The local, or nil.
    var declaration: Ref?
    /// The number of the argument without a name that it begins with.
    var argument: Int?
    /// The members and subscripts from the variable to the value, each with what it was asked of.
    var path: [(suffix: Ref, receiver: Value, indices: [Value])] = []
    /// Whether the beginning is a variable or an instance at all.
    var isStored = true
  }

  func lower(chain: Ref) -> Value {
    let parts = program.children(chain)
    let sign = program.prefixOperator(of: chain)
    guard !parts.isEmpty else { return emit(.opaque, chain) }
    let value = throughOptionals(chain) { (failed: inout Int32?) in
      self.lower(parts, chain, &failed).value
    }
    guard let sign, sign != "&" else { return value }
    return emit(.prefix, chain, [value], name: Name(sign))
  }

  /// Lowers what may stop at a `?`: the value is then `nil`.
  private func throughOptionals(_ chain: Ref, _ part: (inout Int32?) -> Value) -> Value {
    var failed: Int32?
    let value = part(&failed)
    guard let failed else { return value }
    let result = temporary()
    let after = newJoin()
    store(value, in: result, chain)
    end(.jump(after), goingOnWith: failed)
    store(emit(.none, chain), in: result, chain)
    jump(to: after)
    return load(result, chain)
  }

  /// Lowers the parts of a chain; a `?` among them goes to `failed` where there is nothing.
  private func lower(_ parts: [Ref], _ chain: Ref, _ failed: inout Int32?) -> Place {
    var place = Place(value: -1)
    var index = 0
    while index < parts.count {
      let part = parts[index]
      let isCalled = isCall(behind: index, in: parts)
      if index == 0 {
        place = lower(primary: part, isCalled: isCalled, chain)
      } else {
        lower(suffix: part, isCalled: isCalled, parts, index, &place, &failed)
      }
      index += 1
    }
    return place
  }

  /// Whether the next suffix that isn't `?` or `!` calls what the parts before it name.
  private func isCall(behind index: Int, in parts: [Ref]) -> Bool {
    var next = index + 1
    while next < parts.count, [.optionalChain, .force].contains(program.kind(parts[next])) {
      next += 1
    }
    guard next < parts.count, program.kind(parts[next]) == .call else { return false }
    // `a?(…)` calls a value, but `a.b?(…)` may be a method that not every class has.
    return next == index + 1 || program.kind(parts[index]) == .member
  }

  // MARK: Primaries

  private func lower(primary: Ref, isCalled: Bool, _ chain: Ref) -> Place {
    switch program.kind(primary) {
    case .name:
      let declared = program.declared(primary)
      if case .functions(let functions)? = declared { captureLocals(of: functions) }
      if isCalled, !declared.isValue(at: primary, program) {
        return Place(value: -1, isStored: false)
      }
      var place = Place(value: -1)
      if case .local(let declaration)? = declared { place.declaration = declaration }
      if case .closureArgument(_, let index)? = declared { place.argument = index }
      place.value = value(of: declared, at: primary)
      if case .property? = declared, let receiver = body.steps.last.flatMap(body.operandsOf)?.first
      {
        place.path = [(primary, receiver, [])]
        mayThrow(reading: primary)
      }
      return place
    case .literal:
      if program.isNil(primary) { return Place(value: emit(.none, primary), isStored: false) }
      return Place(
        value: emit(.literal, primary, name: Name(program.text(primary))), isStored: false)
    case .string:
      let parts = program.children(primary).map { lower($0) }
      return Place(
        value: parts.isEmpty
          ? emit(.literal, primary, name: Name(program.text(primary)))
          : emit(.string, primary, parts), isStored: false)
    case .tuple: return lower(tuple: primary)
    case .array:
      let elements = program.children(primary, .argument).map { lower($0) }
      return Place(value: emit(.array, primary, elements), isStored: false)
    case .dictionary:
      let elements = program.children(primary, .argument).map { lower($0) }
      return Place(value: emit(.dictionary, primary, elements), isStored: false)
    case .implicitMember:
      if isCalled { return Place(value: -1, isStored: false) }
      return Place(
        value: emit(.implicitMember, primary, name: program.name(primary)), isStored: false)
    case .keyPath: return Place(value: emit(.keyPath, primary), isStored: false)
    case .macro: return Place(value: emit(.opaque, primary), isStored: false)
    default: return Place(value: lower(primary), isStored: false)
    }
  }

  private func lower(tuple: Ref) -> Place {
    let parts = program.children(tuple, .argument)
    if parts.count == 1, program.label(parts[0]) == .none {
      return Place(value: lower(parts[0]), isStored: false)
    }
    return Place(value: emit(.tuple, tuple, parts.map { lower($0) }), isStored: false)
  }

  // MARK: Suffixes

  private func lower(
    suffix: Ref, isCalled: Bool, _ parts: [Ref], _ index: Int, _ place: inout Place,
    _ failed: inout Int32?
  ) {
    switch program.kind(suffix) {
    case .member:
      if isCalled { return }
      let receiver = place.value
      let value = emit(.get, suffix, [receiver], name: program.name(suffix))
      place.path.append((suffix, receiver, []))
      place.value = value
      mayThrow(reading: suffix)
      // What a call returns may be an instance of a class, whose members are stored.
      place.isStored = true
    case .call:
      place = Place(value: lower(call: suffix, parts, index, place), isStored: false)
    case .subscriptSuffix:
      let receiver = place.value
      let indices = program.arguments(suffix).map { lower($0) }
      place.value = emit(.getElement, suffix, [receiver] + indices)
      place.path.append((suffix, receiver, indices))
    case .optionalChain:
      // In `a.b?(…)` what is asked for nil is the method.
      if isMethodAsked(parts, index) { return }
      let target = failed ?? newBlock()
      failed = target
      let next = newBlock()
      end(.branch(emit(.isNil, suffix, [place.value]), target, next), goingOnWith: next)
      place.value = emit(.unwrap, suffix, [place.value])
    case .force:
      if isMethodAsked(parts, index) { return }
      place.value = emit(.unwrap, suffix, [place.value])
    case .ifConfig:
      for child in table.clause(of: suffix).map({ program.children($0) }) ?? [] {
        lower(suffix: child, isCalled: false, parts, index, &place, &failed)
      }
    default: break
    }
  }

  /// Ends the block behind a read that may throw: of a task's value, or by a getter that throws.
  private func mayThrow(reading node: Ref) {
    guard catcher != nil else { return }
    if isAwaiting, program.name(node) == "value" { return mayThrow(node) }
    guard let id = program.property(usedBy: node), let all = program.properties[id].accessors
    else { return }
    let accessors = Ref(file: Int(program.properties[id].ref.file), node: all)
    let isThrowing = program.descendants(accessors, .accessor).contains {
      program.node($0).flags.contains(.isThrowing)
    }
    if isThrowing { mayThrow(node) }
  }

  private func isMethodAsked(_ parts: [Ref], _ index: Int) -> Bool {
    index > 0 && index + 1 < parts.count && program.kind(parts[index + 1]) == .call
      && program.kind(parts[index - 1]) == .member
  }

  // MARK: Calls

  private func lower(call: Ref, _ parts: [Ref], _ index: Int, _ place: Place) -> Value {
    let outer = catcher
    let called = parts[..<index].last {
      ![.optionalChain, .force].contains(program.kind($0))
    }
    // `[Trip]()` is an empty list.
    if let called, program.arguments(call).isEmpty {
      switch program.kind(called) {
      case .array: return emit(.array, called)
      case .dictionary: return emit(.dictionary, called)
      default: break
      }
    }
    // A selector is the method that it names.
    if let called, program.kind(called) == .macro, program.name(called) == "selector",
      let method = program.arguments(call).first
    {
      return lower(selector: method)
    }
    let isNamed =
      called.map { named in
        switch program.kind(named) {
        case .member, .implicitMember: true
        case .name: place.value < 0
        default: false
        }
      } ?? false
    let name = isNamed ? called.map { program.name($0) } ?? .none : .none
    let arguments = lower(argumentsOf: call)
    catcher = outer
    var receiver = place.value
    if receiver < 0, let called, program.kind(called) == .name, program.isMember(called) {
      receiver = emit(.selfValue, called)
    }
    let site = CallSite(
      node: call.node, name: name, receiver: receiver, callsValue: !isNamed, arguments: arguments,
      isTried: catcher != nil, isAwaited: isAwaiting)
    let number = Int32(truncatingIfNeeded: body.calls.count)
    body.calls.append(site)
    var inputs = arguments.map(\.value)
    if receiver >= 0 { inputs.insert(receiver, at: 0) }
    let result = emit(.call, call, inputs, name: name, index: number)
    mayThrow(call)
    if table.endsProcess(name) {
      end(.end)
      return result
    }
    writeBack(site, result, call, place)
    return result
  }

  private func lower(argumentsOf call: Ref) -> [CallSite.Argument] {
    let outer = selectorOwner
    selectorOwner = nil
    defer { selectorOwner = outer }
    let given = program.arguments(call)
    return given.map { argument in
      let lowered = lower(argument: argument)
      // What is told of an event has the method of the selector behind it.
      if Frameworks.targetLabels.contains(program.label(argument))
        || argument == given.first && Frameworks.targetTakers.contains(program.calledName(call))
      {
        selectorOwner = lowered.value
      }
      return lowered
    }
  }

  /// The method that a selector names, of what is told of an event.
  private func lower(selector method: Ref) -> Value {
    guard let owner = selectorOwner,
      let chain = program.child(method, .expression).flatMap({ program.child($0, .chain) }),
      let name = program.child(chain, .name), program.children(chain).count == 1,
      case .functions? = program.declared(name)
    else { return lower(method) }
    return emit(.function, name, [owner], name: program.name(name))
  }

  private func lower(argument: Ref) -> CallSite.Argument {
    let isTrailing = program.kind(argument) == .closure
    let value = lower(argument)
    return CallSite.Argument(
      label: isTrailing ? .none : program.label(argument), value: value, isTrailing: isTrailing,
      isInout: program.inoutChain(of: argument) != nil)
  }

  /// Writes back what a call has changed: its receiver, and what stands behind `&`.
  private func writeBack(_ site: CallSite, _ result: Value, _ call: Ref, _ place: Place) {
    if place.isStored, place.value >= 0, !site.callsValue, table.mayMutate(site.name) {
      write(emit(.receiverAfter, call, [result]), to: place)
    }
    for (index, argument) in program.arguments(call).enumerated() {
      guard let chain = program.inoutChain(of: argument) else { continue }
      let value = emit(
        .argumentAfter, argument, [result], index: Int32(truncatingIfNeeded: index))
      assign(chain: chain, value)
    }
  }

  // MARK: Writing

  /// Assigns to what a chain names: a variable, a member, an element, the parts of a tuple.
  func assign(chain: Ref, _ value: Value) {
    var parts = program.children(chain)
    while let last = parts.last, [.force, .optionalChain].contains(program.kind(last)) {
      parts.removeLast()
    }
    guard let last = parts.last else { return }
    if parts.count == 1 { return assign(primary: last, value) }
    _ = throughOptionals(chain) { (failed: inout Int32?) in
      let place = self.lower(Array(parts.dropLast()), chain, &failed)
      switch self.program.kind(last) {
      case .member:
        let whole = self.emit(.set, last, [place.value, value], name: self.program.name(last))
        self.write(whole, to: place)
      case .subscriptSuffix:
        let indices = self.program.arguments(last).map { self.lower($0) }
        self.write(self.emit(.setElement, last, [place.value, value] + indices), to: place)
      default: break
      }
      return value
    }
  }

  private func assign(primary: Ref, _ value: Value) {
    switch program.kind(primary) {
    case .tuple: assign(tuple: primary, value)
    case .boundName: bind(primary, to: value)
    case .name:
      switch program.declared(primary) {
      case .local(let declaration): assign(declaredAt: declaration, value, primary)
      case .closureArgument(_, let index): assign(argument: index, value, primary)
      case .property(let id):
        let property = program.properties[id]
        let index = Int32(truncatingIfNeeded: id)
        let receiver: [Value] =
          property.owner == nil
          ? [] : [emit(property.isStatic ? .type : .selfValue, primary)]
        emit(.set, primary, receiver + [value], name: property.name, index: index)
      case nil where !program.isWildcard(primary):
        emit(
          .set, primary, [emit(.selfValue, primary), value], name: program.name(primary))
      default: break
      }
    default: break
    }
  }

  private func assign(argument index: Int, _ value: Value, _ node: Ref) {
    body.parameterCount = max(body.parameterCount, index + 1)
    emit(.storeArgument, node, [value], index: Int32(truncatingIfNeeded: index))
  }

  /// Puts a changed value back into the variable that it came from; an instance of a class is the
  /// same afterwards, which whoever runs the step knows.
  private func write(_ value: Value, to place: Place) {
    guard place.isStored else { return }
    var value = value
    for (suffix, receiver, indices) in place.path.reversed() {
      switch program.kind(suffix) {
      case .subscriptSuffix:
        value = emit(.setElement, suffix, [receiver, value] + indices, isWriteBack: true)
      default:
        value = emit(
          .set, suffix, [receiver, value], name: program.name(suffix), isWriteBack: true)
      }
    }
    // What a constant holds stays the same; what changes is the instance of a class in it.
    if let declaration = place.declaration,
      program.kind(declaration) != .boundName || program.isVariable(declaration)
    {
      assign(declaredAt: declaration, value, declaration)
    } else if let index = place.argument, let (suffix, _, _) = place.path.first {
      assign(argument: index, value, suffix)
    }
  }
}

extension Body {
  fileprivate func operandsOf(_ step: Instruction) -> ArraySlice<Value> { operands(of: step) }
}

extension Declared? {
  /// Whether what a called name stands for is a value that holds a function.
  fileprivate func isValue(at node: Ref, _ program: Program) -> Bool {
    switch self {
    case .local, .closureArgument, .property, .selfValue: true
    case nil: ["super", "self"].contains(program.nameText(node))
    case .functions, .type: false
    }
  }
}
