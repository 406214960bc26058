import PersistSyntax

// MARK: - All that a value can be

extension Program {
  /// The expressions that make a value, followed through locals, properties, parameters and the
  /// results of functions; nil where one of them isn't known.
  ///
  /// What comes back are chains that nothing of the sources explains: a call of a framework's
  /// function, a member of a framework's type, a literal.
  package func origins(of value: Ref) -> [Ref]? {
    var trace = OriginTrace(program: self)
    return trace.origins(of: value).map { Array(Set($0)).sorted() }
  }

  /// The expressions that make what the functions of the sources that a call runs give.
  func origins(ofResultOf call: Ref) -> [Ref]? {
    var trace = OriginTrace(program: self)
    return trace.origins(ofCall: call, parent(call) ?? call).map { Array(Set($0)).sorted() }
  }

  /// The expressions that make what a property or local holds; nil where one of them isn't known.
  func origins(ofDeclaration source: Ref) -> [Ref]? {
    var trace = OriginTrace(program: self)
    let found =
      if let id = property(declaredAt: source) {
        trace.origins(ofProperty: id)
      } else {
        trace.origins(ofLocal: source)
      }
    return found.map { Array(Set($0)).sorted() }
  }
}

/// Follows one value back to where it is made.
private struct OriginTrace {
  let program: Program
  /// What is being followed; what leads back to itself adds nothing.
  private var open: Set<Ref> = []
  private var steps = 0

  init(program: Program) { self.program = program }

  private mutating func enters(_ ref: Ref) -> Bool { open.insert(ref).inserted }

  /// The origins of several values together.
  private mutating func joined(_ values: [Ref]) -> [Ref]? {
    var found: [Ref] = []
    for value in values {
      guard let next = origins(of: value) else { return nil }
      found += next
    }
    return found
  }

  mutating func origins(of value: Ref) -> [Ref]? {
    steps += 1
    guard program.isWithin(steps, .origins) else { return nil }
    switch program.kind(value) {
    case .expression: return origins(ofExpression: value)
    case .chain: return origins(ofChain: value)
    case .argument: return program.children(value).last.flatMap { origins(of: $0) }
    case .ifStatement, .switchStatement: return origins(ofBranches: value)
    default: return nil
    }
  }

  private mutating func origins(ofExpression value: Ref) -> [Ref]? {
    var parts = program.children(value).filter {
      ![.tryMark, .awaitMark, .cast].contains(program.kind($0))
    }[...]
    if parts.count > 2, isOperator(parts[1], "=") { parts = parts.dropFirst(2) }
    if parts.count == 1, let only = parts.first { return origins(of: only) }
    if let question = parts.firstIndex(where: { isOperator($0, "?") }),
      let colon = parts.firstIndex(where: { isOperator($0, ":") }), colon == question + 2,
      parts.endIndex == colon + 2
    {
      return joined([parts[question + 1], parts[colon + 1]])
    }
    let operators = parts.filter { program.kind($0) == .binaryOperator }
    guard !operators.isEmpty, operators.allSatisfy({ isOperator($0, "??") }) else { return nil }
    return joined(parts.filter { program.kind($0) != .binaryOperator })
  }

  private func isOperator(_ part: Ref, _ text: Name) -> Bool {
    program.kind(part) == .binaryOperator && program.name(part) == text
  }

  /// What the branches of an `if` or `switch` that is a value come to.
  private mutating func origins(ofBranches value: Ref) -> [Ref]? {
    let branches = program.children(value).filter {
      [.block, .switchCase, .ifStatement].contains(program.kind($0))
    }
    guard branches.count > 1 else { return nil }
    let values = branches.map { branch -> Ref? in
      program.kind(branch) == .ifStatement
        ? branch : program.children(branch).last { program.kind($0) == .expression }
    }
    let known = values.compactMap { $0 }
    return known.count == values.count ? joined(known) : nil
  }

  private mutating func origins(ofChain chain: Ref) -> [Ref]? {
    let parts = program.children(chain).filter {
      ![.optionalChain, .force].contains(program.kind($0))
    }
    guard let first = parts.first, let last = parts.last else { return nil }
    if parts.count == 1 {
      switch program.kind(first) {
      case .name: return origins(ofName: first, chain)
      case .tuple:
        let inner = program.children(first, .argument)
        return inner.count == 1 ? origins(of: inner[0]) : nil
      case .implicitMember, .string, .literal, .array, .dictionary: return [chain]
      default: return nil
      }
    }
    switch program.kind(last) {
    case .call:
      if parts.count == 2, program.kind(first) == .closure {
        return joined(results(of: first))
      }
      return origins(ofCall: last, chain)
    case .member:
      if let id = program.property(usedBy: last) { return origins(ofProperty: id) }
      return [chain]
    default: return nil
    }
  }

  private mutating func origins(ofName name: Ref, _ chain: Ref) -> [Ref]? {
    switch program.declared(name) {
    case .local(let local): return origins(ofLocal: local)
    case .property(let id): return origins(ofProperty: id)
    case nil: return [chain]
    default: return nil
    }
  }

  /// What a function of the sources returns; the chain itself where the call leaves them.
  mutating func origins(ofCall call: Ref, _ chain: Ref) -> [Ref]? {
    switch program.callTarget(call) {
    case .functions(let named):
      var values: [Ref] = []
      for id in named.flatMap({ program.bodies(of: $0) }) {
        guard let body = program.body(of: id) else { return nil }
        guard enters(body) else { continue }
        let results = results(of: body)
        guard !results.isEmpty else { return nil }
        values += results
      }
      return joined(values)
    case .initializer, .externalInitializer, .externalFunction, .externalMethod: return [chain]
    case .unknownMethod, .closure, .unknown: return nil
    }
  }

  /// The expressions that a body gives back.
  private func results(of body: Ref) -> [Ref] {
    let statements = program.statements(in: body)
    if statements.count == 1, program.kind(statements[0]) == .expression { return statements }
    let holder = program.kind(body) == .closure ? body : program.parent(body) ?? body
    return program.descendants(body, .returnStatement)
      .filter { program.enclosingBody($0) == holder }
      .compactMap { program.child($0, .expression) }
      .filter { !program.isNil($0) }
  }

  /// Whether an expression is `nil`, or sets something to it.
  private func isNil(_ value: Ref) -> Bool {
    program.children(value).last.map { program.isNil($0) } ?? false
  }

  // MARK: Locals

  mutating func origins(ofLocal local: Ref) -> [Ref]? {
    guard enters(local) else { return [] }
    switch program.kind(local) {
    case .capture: return program.child(local, .expression).flatMap { origins(of: $0) }
    case .parameter: return origins(ofParameter: local)
    case .boundName: return origins(ofBoundName: local)
    default: return nil
    }
  }

  private mutating func origins(ofBoundName local: Ref) -> [Ref]? {
    guard let binder = program.parent(local) else { return nil }
    switch program.kind(binder) {
    case .optionalBinding:
      if let value = program.child(binder, .expression) { return origins(of: value) }
      switch program.lookUp(program.name(local), from: binder) {
      case .local(let outer) where outer != local: return origins(ofLocal: outer)
      case .property(let id): return origins(ofProperty: id)
      default: return nil
      }
    case .binding:
      var values =
        program.children(binder, .expression) + program.assignedValues(ofLocal: local)
      values.removeAll { isNil($0) }
      return values.isEmpty ? nil : joined(values)
    default: return nil
    }
  }

  /// What all callers that ship hand in, and the default where one hands in nothing.
  private mutating func origins(ofParameter parameter: Ref) -> [Ref]? {
    guard let list = program.parent(parameter), let declaration = program.parent(list),
      let id = program.function(declaredAt: declaration),
      let index = program.functions[id].parameters.firstIndex(where: {
        $0.node == Int(parameter.node)
      })
    else { return nil }
    let calls = program.callers(of: id).filter { !program.isExempt($0) }
    guard !calls.isEmpty else { return nil }
    var values: [Ref] = []
    for call in calls {
      if let given = program.argument(of: call, for: index, of: program.functions[id]) {
        values.append(given)
      } else if let usual = program.child(parameter, .expression) {
        values.append(usual)
      } else {
        return nil
      }
    }
    return joined(values)
  }

  // MARK: Properties

  mutating func origins(ofProperty id: PropertyID) -> [Ref]? {
    let property = program.properties[id]
    guard enters(property.ref) else { return [] }
    let file = Int(property.ref.file)
    if property.isComputed {
      guard let accessors = property.accessors else { return nil }
      let getter = program.getter(of: Ref(file: file, node: accessors))
      return getter.flatMap { body in
        let values = results(of: body)
        return values.isEmpty ? nil : joined(values)
      }
    }
    var values = property.initializer.map { [Ref(file: file, node: $0)] } ?? []
    values += program.assignedValues(ofProperty: id)
    if values.isEmpty { values = program.memberwiseArguments(for: id) }
    values.removeAll { isNil($0) }
    return values.isEmpty ? nil : joined(values)
  }
}

// MARK: - Assignments

extension Program {
  /// The right sides of the assignments to a local, in source order.
  func assignedValues(ofLocal local: Ref) -> [Ref] {
    uses(ofLocal: local).compactMap { assignedValue(to: $0) }
  }

  /// The right sides of the assignments to a property that ship, in source order.
  func assignedValues(ofProperty id: PropertyID) -> [Ref] {
    uses(of: [properties[id].name]).compactMap { use in
      guard isAssignmentTarget(use), property(usedBy: use) == id, !isExempt(use) else { return nil }
      return assignedValue(to: use)
    }
  }

  /// The expression that assigns to what a node names.
  private func assignedValue(to use: Ref) -> Ref? {
    isAssignmentTarget(use) ? parent(use).flatMap { parent($0) } : nil
  }

  /// What the calls of the initializer that the compiler writes give to a property.
  fileprivate func memberwiseArguments(for id: PropertyID) -> [Ref] {
    guard let owner = properties[id].owner, types[owner].kind == .structDecl,
      !types[owner].functions.contains(where: { functions[$0].kind == .initDecl })
    else { return [] }
    return calls(named: types[owner].name).filter { call in
      if case .initializer(owner, _) = callTarget(call) { return !isExempt(call) }
      return false
    }.compactMap { call in
      children(call, .argument).first { label($0) == properties[id].name }
    }
  }

  /// The block or accessor that computes a property.
  fileprivate func getter(of accessors: Ref) -> Ref? {
    guard
      let accessor = children(accessors, .accessor).first(where: {
        name($0) == .none || name($0) == "get"
      })
    else { return nil }
    return child(accessor, .block) ?? accessor
  }
}
