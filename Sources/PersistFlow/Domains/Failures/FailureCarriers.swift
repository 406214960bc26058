import PersistIndex
import PersistSyntax

// MARK: - Where values and closures go

extension Program {
  /// What holds a closure that a call is given: a parameter of a function of the sources, or a property.
  func holders(ofClosure closure: Ref, in call: Ref) -> [Declared] {
    var found: [Declared] = []
    for parameter in parameters(taking: closure, in: call) {
      found.append(.local(parameter))
      found += properties(keeping: parameter).map { .property($0) }
    }
    if case .initializer(let type, let candidates) = callTarget(call), candidates.isEmpty,
      let property = property(of: type, keeping: closure, in: call)
    {
      found.append(.property(property))
    }
    return found
  }

  /// What holds a function that is handed over by its name: `Store(open: Store.openOnDisk)`.
  func holders(ofFunction id: FunctionID) -> [Declared] {
    uses(of: [functions[id].name]).flatMap { name -> [Declared] in
      guard let chain = parent(name), kind(chain) == .chain, children(chain).last == name,
        let value = parent(chain), kind(value) == .expression, children(value).count == 1,
        let argument = parent(value), kind(argument) == .argument, let call = parent(argument),
        kind(call) == .call, !isExempt(name), functionNamed(by: name, in: chain) == id
      else { return [] }
      return holders(ofClosure: value, in: call)
    }
  }

  /// The only function that a name at the end of a chain stands for.
  private func functionNamed(by name: Ref, in chain: Ref) -> FunctionID? {
    var found: Declared?
    switch kind(name) {
    case .name: found = declared(name)
    case .member: found = member(self.name(name), of: type(ofChain: chain, upTo: name).unwrapped)
    default: break
    }
    guard case .functions(let ids)? = found, ids.count == 1 else { return nil }
    return ids[0]
  }

  /// The parameters of functions of the sources that a closure is handed to, as nodes.
  private func parameters(taking closure: Ref, in call: Ref) -> [Ref] {
    functions(calledBy: call).compactMap { id in
      parameter(of: functions[id], taking: closure, in: call).map {
        Ref(file: Int(functions[id].ref.file), node: $0.node)
      }
    }
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

  /// Whether nobody looks at the value of an expression with `try?`.
  func isDropped(_ expression: Ref) -> Bool {
    guard let holder = parent(expression) else { return false }
    if let assignment = assignment(expression), !isWildcard(assignment.target) { return false }
    switch kind(holder) {
    case .block, .closure: return !isValue(expression, of: holder)
    case .switchCase, .ifConfigClause, .deferStatement, .accessor: return true
    case .binding:
      return child(holder, .expression).map { $0 == expression } ?? false
        && child(holder, .boundName) == nil
    default: return false
    }
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

  /// Whether nothing is done with what a call gives.
  func isStatement(_ call: Ref) -> Bool {
    guard let chain = parent(call), let expression = parent(chain), kind(expression) == .expression,
      let holder = parent(expression)
    else { return false }
    let names = children(expression).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
    guard names == [chain] else { return false }
    return [.block, .closure, .switchCase].contains(kind(holder))
      && !isValue(expression, of: holder)
  }

  /// Whether a function gives nil for a failure, and all its callers do nothing with what it gives.
  func isThrownAway(_ exit: FailureExit) -> Bool {
    guard case .function(let id, .missing) = exit, functions[id].kind == .functionDecl else {
      return false
    }
    let callers = callers(of: id)
    return !callers.isEmpty && callers.allSatisfy { isStatement($0) }
  }

  /// The function that a `resume(throwing:)` makes throw.
  func continuation(of call: Ref) -> Ref? {
    guard calledName(call) == "resume" else { return nil }
    return ancestors(call).first {
      kind($0) == .call && Words.throwingContinuations.contains(calledName($0))
    }
  }

  /// The closure parameter that a call calls, and its function.
  func parameter(calledBy call: Ref) -> (FunctionID, parameter: Ref)? {
    guard kind(call) == .call, case .closure(.local(let local)) = callTarget(call),
      kind(local) == .parameter, let list = parent(local), let declaration = parent(list),
      let function = function(declaredAt: declaration)
    else { return nil }
    return (function, local)
  }

  /// Whether the last name of a value is that of an error: `error`, `failed(with: loadError)`.
  func endsWithError(_ value: [Ref]) -> Bool {
    let names = value.flatMap { descendants($0, .name) + descendants($0, .member) }
    return names.max().map { nameText($0).camelWords.last == "error" } ?? false
  }

  /// The case of an enum of the sources that a chain is, where nothing else makes that case but a
  /// failure: it carries the error, or is named for one.
  func failureCase(_ chain: Ref) -> Name? {
    let parts = children(chain)
    guard let last = parts.last(where: { kind($0) != .call }),
      [.implicitMember, .member].contains(kind(last)),
      parts.last == last || parts.dropLast().last == last
    else { return nil }
    if kind(last) == .member {
      guard case .metatype(.declared(let type, _)) = type(ofChain: chain, upTo: last),
        enumElements(type).contains(where: { name($0) == name(last) })
      else { return nil }
    }
    let saysFailure = nameText(last).camelWords.contains { Words.failureWords.contains($0) }
    return saysFailure || parts.last != last && namesError(in: chain) ? name(last) : nil
  }

  /// Whether a forced name is the first use of its value, so that nothing has looked at it before.
  func isFirstUse(_ name: Ref) -> Bool {
    let uses: [Ref]
    switch declared(name) {
    case .local(let local):
      // A use before a later assignment of nil has nothing to do with the failure.
      guard shorthandBindings(ofLocal: local).isEmpty, assignments(toLocal: local).isEmpty else {
        return false
      }
      uses = self.uses(ofLocal: local)
    default:
      // What other code holds it may have looked at before.
      guard let property = property(usedBy: name), isHeldHere(name) else { return false }
      let body = enclosingBody(name)
      uses = self.uses(ofProperty: property).filter { enclosingBody($0) == body }
    }
    return uses.min() == name
  }

  /// Whether a chain begins with a local that its own body binds to an object.
  private func isHeldHere(_ name: Ref) -> Bool {
    guard let first = parent(name).flatMap({ firstChild($0) }), first != name,
      case .local(let local)? = declared(first)
    else { return false }
    return kind(local) == .boundName && enclosingBody(local) == enclosingBody(name)
  }

  /// The stored property that an assignment sets.
  func keptProperty(_ target: Ref) -> PropertyID? {
    guard kind(target) == .chain, let last = children(target).last,
      let id = property(usedBy: last), !properties[id].isComputed
    else { return nil }
    return id
  }

  /// Whether what leaves by an exit can be the opened store, or what stands for it; a text, a number
  /// or an object of the store isn't.
  func mayHoldStore(_ exit: FailureExit) -> Bool {
    let type: SwiftType
    switch exit {
    case .function(let id, _): type = resultType(id)
    case .property(let id, _): type = self.type(ofProperty: id)
    default: return true
    }
    switch type.unwrapped {
    case .array, .set, .dictionary: return false
    case .external(let name, _):
      return Words.openingTypes[name] != nil || !Words.sendableValues.contains(name)
    case .declared(let id, _): return !isModel(id) && !isRealmObject(id)
    default: return true
    }
  }

  /// Whether the code that a failure came out of has run before a use in its body.
  func hasRun(_ opening: Ref, before use: Ref) -> Bool {
    let before = runBefore(use, withDoBlocks: true) + [use, parent(use) ?? use]
    if before.contains(where: { contains($0, opening) }) { return true }
    guard let opener = enclosingFunction(opening), let body = self.body(of: opener) else {
      return false
    }
    return before.contains { statement in
      descendants(statement, .call).contains { call in
        functions(calledBy: call).contains { function in
          function == opener
            || self.body(of: function).map { own in reaches(own) { $0 == body } } ?? false
        }
      }
    }
  }

  /// The binding whose whole value is a closure.
  func bindingOfClosure(_ closure: Ref) -> Ref? {
    guard let chain = parent(closure), kind(chain) == .chain, children(chain).count == 1,
      let expression = parent(chain), let binding = parent(expression), kind(binding) == .binding
    else { return nil }
    return binding
  }
}
