import PersistSyntax

/// The operands that the sources assign to a property.
private struct ValuesAssigned: Query {
  let property: PropertyID

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findValues(assignedTo: property) }
}

// MARK: - Executors of what declarations hold

extension Program {
  func findExecutors(ofLocal local: Ref) -> ContextExecutors {
    if nameText(local) == "self" {
      let type = enclosingType(local)
      return type.map { belongsToContext($0) } ?? false ? ContextExecutors(.receiver) : .unknown
    }
    switch kind(local) {
    case .parameter:
      guard let list = parent(local), let holder = parent(list) else { return .unknown }
      if kind(holder) == .closure {
        return children(list, .parameter).firstIndex(of: local)
          .map { executors(ofArgument: $0, of: holder) } ?? .unknown
      }
      return ContextExecutors(.parameter(local))
    case .capture:
      if let value = child(local, .expression) { return contextExecutors(of: value) }
      guard let closure = ancestors(local).first(where: { kind($0) == .closure }) else {
        return .unknown
      }
      return executors(ofOuter: name(local), from: closure, at: local)
    case .boundName: return executors(ofBoundName: local)
    default: return .unknown
    }
  }

  /// The executors of what a name outside of a closure or condition stands for.
  private func executors(ofOuter name: Name, from place: Ref, at node: Ref) -> ContextExecutors {
    switch lookUp(name, from: place) {
    case .local(let outer) where outer != node: return answer(ExecutorsOfLocal(local: outer))
    case .property(let id):
      if let owner = properties[id].owner, !properties[id].isStatic, isModel(owner) {
        return ContextExecutors(.receiver)
      }
      return answer(ExecutorsOfProperty(property: id))
    default: return .unknown
    }
  }

  private func executors(ofBoundName local: Ref) -> ContextExecutors {
    guard let binder = parent(local) else { return .unknown }
    var found = ContextExecutors.none
    switch kind(binder) {
    case .forStatement:
      return children(binder, .expression).first.map { contextExecutors(of: $0) } ?? .unknown
    case .optionalBinding:
      guard let value = child(binder, .expression) else {
        return executors(ofOuter: name(local), from: binder, at: local)
      }
      found = contextExecutors(of: value)
    case .binding:
      if let value = child(binder, .expression) { found = contextExecutors(of: value) }
      if !node(binder).flags.contains(.isLet) || found == .none {
        for use in uses(ofLocal: local) { found.formUnion(executors(assignedBy: use)) }
      }
    default: return executors(ofPatternName: local)
    }
    return found == .none ? .unknown : found
  }

  /// The executors of what is assigned or appended to what a `name` or `member` node names; none
  /// where the node is no such target.
  private func executors(assignedBy target: Ref) -> ContextExecutors {
    guard let chain = parent(target), kind(chain) == .chain else { return .none }
    let parts = children(chain)
    if let value = valueAssigned(to: target) {
      return value.reduce(.none) { $0.union(contextExecutors(of: $1)) }
    }
    guard let own = parts.firstIndex(of: target) else { return .none }
    let rest = parts[(own + 1)...].drop {
      [.subscriptSuffix, .optionalChain, .force].contains(kind($0))
    }
    if rest.isEmpty, let last = parts.last, last != target, let value = valueAssigned(to: last) {
      return value.reduce(.none) { $0.union(contextExecutors(of: $1)) }
    }
    guard let method = rest.first, kind(method) == .member,
      ["append", "insert"].contains(name(method)), let call = rest.dropFirst().first,
      kind(call) == .call, let argument = children(call, .argument).first
    else { return .none }
    return contextExecutors(of: argument)
  }

  /// The operands on the right of `target = …`, where a chain ends in the target.
  package func valueAssigned(to target: Ref) -> [Ref]? {
    guard let chain = parent(target), kind(chain) == .chain, children(chain).last == target,
      let expression = parent(chain), kind(expression) == .expression
    else { return nil }
    let parts = children(expression)
    guard parts.first == chain, parts.count > 2, kind(parts[1]) == .binaryOperator,
      isAssignmentSign(parts[1]) || name(parts[1]) == "+="
    else { return nil }
    var operands: [Ref] = []
    for part in parts[2...] {
      switch kind(part) {
      case .tryMark, .awaitMark, .cast: continue
      case .binaryOperator: if nameText(part) == "?" { operands = [] }
      default: operands.append(part)
      }
    }
    return operands
  }

  // MARK: Properties

  func findExecutors(ofProperty id: PropertyID) -> ContextExecutors {
    let property = properties[id]
    let file = Int(property.ref.file)
    if property.attributes.contains(where: { Words.fetchWrappers.contains($0) }) {
      return ContextExecutors(.main)
    }
    let type = type(ofProperty: id)
    if property.attributes.contains("Environment") {
      return isContext(type) ? ContextExecutors(.main) : .unknown
    }
    if property.owner.map({ types[$0].kind == .protocolDecl }) ?? false, !hasGetter(id) {
      return executors(ofRequirement: id)
    }
    if property.isComputed { return executors(ofGetter: id) }
    var found = ContextExecutors.none
    if let initializer = property.initializer {
      found = contextExecutors(of: Ref(file: file, node: initializer))
    }
    if found.isOpen { return .unknown }
    for value in answer(ValuesAssigned(property: id)) {
      found.formUnion(fromCallers(contextExecutors(of: value)))
      if found.isOpen { return .unknown }
    }
    found.formUnion(executors(ofMemberwise: id))
    if found == .none || found.isOpen { return .unknown }
    guard model(in: type) == nil else { return found }
    return keeping(found, id)
  }

  /// The executors of a context that a property keeps: the property itself, unless another one that
  /// it names anew.
  private func keeping(_ executors: ContextExecutors, _ id: PropertyID) -> ContextExecutors {
    guard executors.arePrivate else { return executors }
    if case .kept? = executors.only { return executors }
    return ContextExecutors(.kept(properties[id].ref))
  }

  private func executors(ofGetter id: PropertyID) -> ContextExecutors {
    guard let node = properties[id].accessors else { return .unknown }
    let accessors = children(Ref(file: Int(properties[id].ref.file), node: node), .accessor)
    guard let getter = accessors.first(where: { ["", "get"].contains(nameText($0)) }) else {
      return .unknown
    }
    return answer(ExecutorsOfResult(body: getter))
  }

  /// What the initializer that the compiler makes of a struct's properties gets.
  private func executors(ofMemberwise id: PropertyID) -> ContextExecutors {
    guard let owner = properties[id].owner, types[owner].kind == .structDecl,
      !properties[id].isStatic,
      !(properties[id].isLet && properties[id].initializer != nil),
      !types[owner].functions.contains(where: { functions[$0].kind == .initDecl })
    else { return .none }
    let type = type(ofProperty: id)
    let mayLack =
      properties[id].initializer != nil || !properties[id].isLet && type != type.unwrapped
    return calls(named: types[owner].name).reduce(.none) { found, call in
      guard !isExempt(call), case .initializer(owner, _) = callTarget(call) else { return found }
      let given = argument(call, properties[id].name)
      return found.union(
        given.map { fromCallers(contextExecutors(of: $0)) } ?? (mayLack ? .none : .unknown))
    }
  }

  /// The contexts that were made for what a property keeps.
  func makers(of property: Ref) -> ContextExecutors {
    guard let id = self.property(declaredAt: property) else { return .unknown }
    var found = ContextExecutors.none
    if let initializer = properties[id].initializer {
      found = contextExecutors(of: Ref(file: Int(property.file), node: initializer))
    }
    for value in answer(ValuesAssigned(property: id)) {
      found.formUnion(fromCallers(contextExecutors(of: value)))
    }
    found.formUnion(executors(ofMemberwise: id))
    return found == .none ? .unknown : found
  }

  private func hasGetter(_ id: PropertyID) -> Bool {
    guard let node = properties[id].accessors else { return false }
    let accessors = children(Ref(file: Int(properties[id].ref.file), node: node), .accessor)
    return accessors.contains { child($0, .block) != nil }
  }

  /// The executors of a protocol's property: those of all properties that meet it.
  private func executors(ofRequirement id: PropertyID) -> ContextExecutors {
    guard let owner = properties[id].owner else { return .unknown }
    let name = properties[id].name
    let meeting = types(inheritingFrom: [types[owner].name]).filter { holder in
      types[holder].kind != .typealiasDecl && types[holder].kind != .protocolDecl
        && lineage(of: holder).contains(owner)
    }.flatMap { ownMembers($0, name)?.properties ?? [] }.filter { !isExempt(properties[$0].ref) }
    let found = meeting.reduce(ContextExecutors.none) {
      $0.union(answer(ExecutorsOfProperty(property: $1)))
    }
    return found == .none ? .unknown : found
  }

  /// The operands that the sources assign to a property or add to what it holds.
  func values(assignedTo id: PropertyID) -> [Ref] { answer(ValuesAssigned(property: id)) }

  fileprivate func findValues(assignedTo id: PropertyID) -> [Ref] {
    let isCollection = type(ofProperty: id).unwrapped.isCollection
    return uses(of: [properties[id].name]).flatMap { use -> [Ref] in
      let isTarget = isAssignmentTarget(use)
      let added = isTarget || !isCollection ? nil : valueAdded(to: use)
      guard isTarget || added != nil, property(usedBy: use) == id, !isExempt(use) else {
        return []
      }
      return added.map { [$0] } ?? valueAssigned(to: use) ?? []
    }
  }

  /// What `append` or `insert` adds to the collection that a name or member stands for.
  private func valueAdded(to target: Ref) -> Ref? {
    guard let chain = parent(target), kind(chain) == .chain else { return nil }
    let rest = children(chain).drop { $0 <= target }.filter {
      kind($0) != .optionalChain && kind($0) != .force
    }
    guard rest.count == 2, kind(rest[0]) == .member,
      Words.insertingMethods.contains(name(rest[0])), kind(rest[1]) == .call
    else { return nil }
    return children(rest[1], .argument).first
  }

  // MARK: Parameters

  /// Executors with what callers give in place of parameters.
  package func fromCallers(_ executors: ContextExecutors) -> ContextExecutors {
    executors.flatMap { executor in
      switch executor {
      case .parameter(let parameter): answer(ExecutorsOfParameter(parameter: parameter))
      case .receiver, .returned: .unknown
      default: ContextExecutors(executor)
      }
    }
  }

  func findExecutors(ofParameter parameter: Ref) -> ContextExecutors {
    guard let list = parent(parameter), let declaration = parent(list),
      let id = function(declaredAt: declaration),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return .unknown }
    let calls = callers(of: id).filter { !isExempt($0) }
    let usual = child(parameter, .expression).map { fromCallers(contextExecutors(of: $0)) }
    guard !calls.isEmpty else { return usual ?? .unknown }
    return calls.reduce(.none) { found, call in
      if let given = argument(of: call, for: index, of: functions[id]) {
        return found.union(fromCallers(contextExecutors(of: given)))
      }
      return found.union(usual ?? .unknown)
    }
  }

  // MARK: Results

  func findExecutors(returnedBy body: Ref) -> ContextExecutors {
    var values = descendants(body, .returnStatement).filter { enclosingBody($0) == body }
      .compactMap { child($0, .expression) }
    if values.isEmpty {
      let list = kind(body) == .closure ? body : child(body, .block)
      guard let list else { return .unknown }
      let statements = statements(in: list)
      guard statements.count == 1,
        [.expression, .ifStatement, .switchStatement].contains(kind(statements[0]))
      else { return .unknown }
      values = statements
    }
    let live = values.filter { !isForPreviews($0) }
    let found = (live.isEmpty ? values : live).reduce(ContextExecutors.none) {
      $0.union(contextExecutors(of: $1))
    }.cached
    return found == .none ? .unknown : found
  }

  /// Whether a value is there for previews, tests or debugging alone.
  private func isForPreviews(_ value: Ref) -> Bool {
    if isExempt(value) { return true }
    return ancestors(value).contains { scope in
      guard kind(scope) == .ifStatement, let block = child(scope, .block), contains(block, value)
      else { return false }
      return children(scope).prefix { $0 < block }.contains { condition in
        descendants(condition, .string).contains { stringText($0) == "XCODE_RUNNING_FOR_PREVIEWS" }
          || descendants(condition, .name).contains { Self.saysSample(nameText($0)) }
          || descendants(condition, .member).contains { Self.saysSample(nameText($0)) }
      }
    }
  }

  // MARK: Arguments of closures

  /// The executors of what a closure is called with.
  func executors(ofArgument index: Int, of closure: Ref) -> ContextExecutors {
    guard let (call, _) = callTaking(closure) else { return .unknown }
    return executors(ofArgument: index, of: closure, takenBy: call)
  }

  private func executors(ofArgument index: Int, of argument: Ref, takenBy call: Ref)
    -> ContextExecutors
  {
    let method = calledName(call)
    if case .functions = callTarget(call) {
      var found = ContextExecutors.none
      for id in functions(calledBy: call) where functions[id].body != nil {
        guard let parameter = parameter(of: functions[id], taking: argument, in: call) else {
          return .unknown
        }
        let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
        let given = answer(ExecutorsGiven(parameter: place, index: index, function: id))
        found.formUnion(asSeen(given, at: call, of: id))
      }
      return found == .none ? .unknown : found
    }
    if method == "performBackgroundTask" {
      return index == 0 ? ContextExecutors(.made(call)) : .unknown
    }
    if method == "sink" || method == "handleEvents" {
      return executors(publishedTo: call, part: index, of: argument)
    }
    if Words.listViews.contains(method), index == 0 {
      return children(call, .argument).first.map { contextExecutors(of: $0) } ?? .unknown
    }
    let isElement =
      Words.elementMethods.contains(method) && index == 0 || Words.pairMethods.contains(method)
      || method == "reduce" && index == 1
    guard isElement, let node = calledNode(call), kind(node) == .member else { return .unknown }
    return executors(ofReceiver: call)
  }

  func findExecutors(givenTo parameter: Ref, at index: Int, by id: FunctionID) -> ContextExecutors {
    guard let body = body(of: id) else { return .unknown }
    var found = ContextExecutors.none
    for use in descendants(body, .name) where name(use) == name(parameter) {
      guard declared(use) == .local(parameter), let chain = parent(use) else { continue }
      let parts = children(chain).filter { kind($0) != .optionalChain }
      if parts.count > 1, parts[0] == use, kind(parts[1]) == .call {
        let arguments = arguments(parts[1])
        found.formUnion(index < arguments.count ? contextExecutors(of: arguments[index]) : .unknown)
      } else if let (call, argument) = callTaking(name: use) {
        found.formUnion(executors(ofArgument: index, of: argument, takenBy: call))
      } else {
        return .unknown
      }
    }
    return found == .none ? .unknown : found
  }

  /// The call of which a name is an argument, and the argument.
  func callTaking(name: Ref) -> (call: Ref, argument: Ref)? {
    guard let chain = parent(name), children(chain) == [name], let expression = parent(chain),
      children(expression) == [chain], let argument = parent(expression),
      kind(argument) == .argument, let call = parent(argument), kind(call) == .call
    else { return nil }
    return (call, argument)
  }
}
