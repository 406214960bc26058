import PersistSyntax

// MARK: - Failures that come out of closures

extension ErrorPropagation {
  /// What becomes of a failure that comes out of a closure's body.
  mutating func leaveClosure(
    _ closure: Ref, from child: Ref, _ form: FailureForm, isReturned: Bool
  ) -> Next {
    if form != .thrown, !isReturned {
      let statements = program.children(closure).filter {
        ![.attribute, .captures, .parameters, .type].contains(program.kind($0))
      }
      guard statements.count == 1, program.kind(child) == .expression else { return .stop }
    }
    if program.isCalledAtOnce(closure) { return .jump(closure, form) }
    if let (call, _) = program.callTaking(closure) {
      if form == .thrown {
        if program.calledName(call) == "Result" { return .jump(call, .result) }
        if program.isTried(call) { return .jump(call, form) }
        if ["Task", "detached"].contains(program.calledName(call)) { return .jump(call, .result) }
        leave(into: call, closure, form)
        return .stop
      }
      if program.givesValue(ofClosureIn: call) { return .jump(call, form) }
      leave(into: call, closure, form)
      return .stop
    }
    if let property = program.propertySet(to: closure) {
      leave(by: .closure(.property(property), form))
    }
    if let binding = program.bindingOfClosure(closure) {
      if let property = program.property(declaredAt: binding) {
        leave(by: .closure(.property(property), form))
      } else if let local = program.child(binding, .boundName) {
        leave(by: .closure(.local(local), form))
      }
    }
    return .stop
  }

  /// Notes the property whose getter the failure comes out of.
  mutating func leaveAccessor(_ accessor: Ref, _ form: FailureForm, isReturned: Bool) -> Next {
    let name = program.name(accessor)
    guard form == .thrown || isReturned, name == .none || name == "get",
      let binding = program.ancestors(accessor).first(where: { program.kind($0) == .binding }),
      let property = program.property(declaredAt: binding)
    else { return .stop }
    leave(by: .property(property, form))
    return .stop
  }

  /// Follows a closure into the function that takes it: to where that calls it, or to the property
  /// that keeps it.
  private mutating func leave(into call: Ref, _ closure: Ref, _ form: FailureForm) {
    for parameter in program.parameters(taking: closure, in: call) {
      leave(by: .closure(.local(parameter), form))
      for property in program.properties(keeping: parameter) {
        leave(by: .closure(.property(property), form))
      }
    }
    if case .initializer(let type, let candidates) = program.callTarget(call), candidates.isEmpty,
      let property = program.property(of: type, keeping: closure, in: call)
    {
      leave(by: .closure(.property(property), form))
    }
  }
}

// MARK: - Closures that are kept

extension Program {
  /// The parameters of functions of the sources that a closure is handed to, as nodes.
  fileprivate func parameters(taking closure: Ref, in call: Ref) -> [Ref] {
    functions(calledBy: call).compactMap { id in
      parameter(of: functions[id], taking: closure, in: call).map {
        Ref(file: Int(functions[id].ref.file), node: $0.node)
      }
    }
  }

  /// The properties that an initializer gives a parameter of its own to.
  func properties(keeping parameter: Ref) -> [PropertyID] {
    guard let list = parent(parameter), let owner = parent(list), kind(owner) == .initDecl else {
      return []
    }
    return uses(ofLocal: parameter).compactMap { propertySet(to: $0) }
  }

  /// The property that the memberwise initializer gives a closure to.
  func property(of type: TypeID, keeping closure: Ref, in call: Ref) -> PropertyID? {
    let label = callTaking(closure)?.label ?? .none
    let held = types[type].properties.filter {
      !properties[$0].isComputed && !properties[$0].isStatic
    }
    if label != .none { return held.first { properties[$0].name == label } }
    let closures = held.filter {
      if case .function = self.type(ofProperty: $0).unwrapped { return true }
      return false
    }
    return closures.count == 1 ? closures[0] : nil
  }

  /// The property that a closure, or a name that stands for one, is assigned to.
  func propertySet(to value: Ref) -> PropertyID? {
    guard let chain = parent(value), kind(chain) == .chain, children(chain).count == 1,
      let assignment = assignment(of: chain), let target = children(assignment.target).last
    else { return nil }
    return property(usedBy: target)
  }

  /// The property that an assignment in an initializer sets, when nothing else sets it.
  func propertySetOnce(_ target: Ref) -> PropertyID? {
    guard kind(target) == .chain, let last = children(target).last,
      let function = enclosingFunction(target), functions[function].kind == .initDecl,
      let id = property(usedBy: last), properties[id].owner == functions[function].owner
    else { return nil }
    let isKept = uses(of: [properties[id].name]).allSatisfy { use in
      guard property(usedBy: use) == id, isAssignmentTarget(use) else { return true }
      return enclosingFunction(use).map { functions[$0].kind == .initDecl } ?? false
    }
    return isKept ? id : nil
  }

  /// Whether nothing is done with what a call gives.
  private func isStatement(_ call: Ref) -> Bool {
    guard let chain = parent(call), let expression = parent(chain), kind(expression) == .expression,
      let holder = parent(expression)
    else { return false }
    let names = children(expression).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
    guard names == [chain] else { return false }
    return [.block, .closure, .switchCase].contains(kind(holder))
      && !isValue(expression, of: holder)
  }

  /// Whether an expression is the value that the function, getter or closure around it gives.
  func isValue(_ expression: Ref, of holder: Ref) -> Bool {
    if kind(holder) == .closure {
      guard onlyValue(of: holder) == expression else { return false }
      if isCalledAtOnce(holder) || bindingOfClosure(holder) != nil { return true }
      guard let call = callTaking(holder)?.call, givesValue(ofClosureIn: call) else { return false }
      return !isStatement(call)
    }
    guard isOnlyChild(expression), let owner = parent(holder) else { return false }
    switch kind(owner) {
    case .accessor: return name(owner) == .none || name(owner) == "get"
    case .functionDecl:
      guard let id = function(declaredAt: owner), let result = functions[id].result else {
        return false
      }
      return !isVoid(Ref(file: Int(owner.file), node: result))
    default: return false
    }
  }

  /// `{ … }()`.
  package func isCalledAtOnce(_ closure: Ref) -> Bool {
    guard let chain = parent(closure), kind(chain) == .chain else { return false }
    let parts = children(chain)
    return parts.first == closure && parts.count > 1 && kind(parts[1]) == .call
  }

  /// Whether a call gives what its closure gives, as `withLock { … }` does.
  func givesValue(ofClosureIn call: Ref) -> Bool {
    if ["run", "sync", "performAndWait", "perform", "autoreleasepool", "assumeIsolated"].contains(
      calledName(call))
    {
      return true
    }
    let words = calledText(call).camelWords
    return words.count > 1 && words[0] == "with"
  }

  /// Whether a `try` without `?` or `!` covers a call in its body, or one with them.
  func isTried(_ call: Ref) -> Bool {
    var inner = call
    while let outer = parent(inner) {
      switch kind(outer) {
      case .expression:
        if children(outer, .tryMark).contains(where: { $0 < inner }) { return true }
      case .closure, .block, .members, .accessors: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  /// The binding whose whole value is a closure.
  func bindingOfClosure(_ closure: Ref) -> Ref? {
    guard let chain = parent(closure), kind(chain) == .chain, children(chain).count == 1,
      let expression = parent(chain), let binding = parent(expression), kind(binding) == .binding
    else { return nil }
    return binding
  }
}
