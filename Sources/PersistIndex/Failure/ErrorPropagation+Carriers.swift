import PersistSyntax

/// The cases of enums by which a pattern tells a failure from what isn't one.
struct FailureCases {
  let failing: Name
  /// The case of success; nil where every other case is one.
  let other: Name?
}

extension FailureForm {
  /// The cases to look for in a pattern, where a failure shows as a case.
  var cases: FailureCases? {
    switch self {
    case .result: FailureCases(failing: "failure", other: "success")
    case .enumCase(let name): FailureCases(failing: name, other: nil)
    default: nil
    }
  }
}

// MARK: - Values that carry a failure

extension ErrorPropagation {
  /// The forms in which a value shows the failure whose path it stands on.
  func forms(of value: Ref) -> [FailureForm] {
    if program.isNil(value) { return [.missing] }
    if program.isFailure(value) { return [.result] }
    if let flag = program.booleanLiteral(value) { return [.flag(flag)] }
    if let name = form(ofCase: value) { return [.enumCase(name)] }
    if let tuple = program.tuple(in: value) {
      return program.children(tuple).enumerated().flatMap { index, element in
        guard let part = program.children(element).first else { return [FailureForm]() }
        return forms(of: part).map { .element(index, $0) }
      }
    }
    return isCaughtError(value) ? [.error] : []
  }

  /// The case of an enum of the sources that a value is, where nothing else makes that case but a
  /// failure: it carries the error, or is named for one.
  func form(ofCase value: Ref) -> Name? {
    guard let chain = program.kind(value) == .chain ? value : program.child(value, .chain),
      program.isOnlyPart(chain, of: value)
    else { return nil }
    let parts = program.children(chain)
    guard let last = parts.last(where: { program.kind($0) != .call }),
      [.implicitMember, .member].contains(program.kind(last)),
      parts.last == last || parts.dropLast().last == last
    else { return nil }
    if program.kind(last) == .member {
      guard case .metatype(.declared(let type, _)) = program.type(ofChain: chain, upTo: last),
        program.enumElements(type).contains(where: { program.name($0) == program.name(last) })
      else { return nil }
    }
    let saysFailure = program.nameText(last).camelWords.contains {
      Words.failureWords.contains($0)
    }
    return saysFailure || parts.last != last && program.namesError(in: chain)
      ? program.name(last) : nil
  }

  /// Whether a value is the error that was caught, or made of it.
  private func isCaughtError(_ value: Ref) -> Bool {
    endsWithError([value]) && !program.isFailure(value)
  }

  /// Hands on what a value carries into the properties of a type that it makes:
  /// `Outcome(opened: nil, failure: error)`.
  mutating func handOverParts(of value: Ref) {
    guard let chain = program.kind(value) == .chain ? value : program.child(value, .chain),
      program.isOnlyPart(chain, of: value), let call = program.children(chain).last,
      program.kind(call) == .call
    else { return }
    for argument in program.arguments(call) {
      guard let part = program.children(argument).first else { continue }
      for form in forms(of: part) {
        if case .flag = form { continue }
        for property in program.properties(setBy: argument, of: call) {
          leave(by: .kept(property, form))
        }
      }
    }
  }

  /// Hands an argument that shows the failure to the function that takes it, or to the property
  /// that an initializer sets from it.
  mutating func handOver(_ argument: Ref, to call: Ref, _ form: FailureForm) {
    for property in program.properties(setBy: argument, of: call) {
      leave(by: .kept(property, form))
    }
    let called = program.functions(calledBy: call)
    guard called.count == 1, program.functions[called[0]].kind == .functionDecl,
      let parameter = program.parameter(of: called[0], takenBy: argument, of: call)
    else { return }
    leave(by: .parameter(called[0], parameter, form))
  }

  /// Leaves by the property that an assignment sets to a failure.
  mutating func leave(intoPropertyOf target: Ref, _ form: FailureForm) -> Bool {
    if let property = program.propertySetOnce(target) {
      leave(by: .property(property, form))
      return true
    }
    guard let property = program.keptProperty(target) else { return false }
    if case .flag = form { return false }
    if form == .missing, !program.mayHoldStore(.property(property, form)) { return false }
    leave(by: .kept(property, form))
    return true
  }

  /// Leaves by the properties that the rest of a `do` would have set to the opened store.
  mutating func leaveUnset(in block: Ref) {
    guard let failing, program.contains(block, failing) else { return }
    let body = program.enclosingBody(block)
    for expression in program.descendants(block, .expression) where expression >= failing {
      guard let assignment = program.assignment(expression),
        program.enclosingBody(expression) == body,
        let property = program.keptProperty(assignment.target),
        case .optional = program.type(ofProperty: property),
        program.mayHoldStore(.property(property, .missing))
      else { continue }
      _ = leave(intoPropertyOf: assignment.target, .missing)
    }
  }

  // MARK: Tuples

  /// Goes out of a tuple: what throws throws, else one element shows the failure.
  func stepInTuple(_ child: Ref, _ tuple: Ref, _ form: FailureForm) -> Next {
    let elements = program.children(tuple)
    guard form != .thrown, elements.count > 1 else { return .go(form) }
    guard let index = elements.firstIndex(of: child) else { return .stop }
    return .go(.element(index, form))
  }

  /// Whether a member of a chain is an element of the tuple before it, by number or label.
  func isElement(_ member: Ref, _ index: Int, of chain: Ref) -> Bool {
    let name = program.nameText(member)
    if name == "\(index)" { return true }
    guard case .tuple(_, let labels) = program.type(ofChain: chain, upTo: member).unwrapped else {
      return false
    }
    return index < labels.count && labels[index] == program.name(member)
  }

  // MARK: Looks

  /// Takes `state == .broken` and a flag as the whole condition of a statement, `!` before it
  /// included; true when the operation is one.
  mutating func takeTest(
    _ operation: Ref, _ operand: Ref, _ expression: Ref, _ form: FailureForm
  ) -> Bool {
    guard case .enumCase(let name) = form else { return false }
    let sign = program.name(operation)
    guard sign == "==" || sign == "!=" else { return false }
    let other = program.children(expression).filter {
      $0 != operand && $0 != program.source(operation)
    }
    guard let statement = program.parent(expression) else { return true }
    let isSame = other.contains { program.firstCase(of: [name], in: $0) != nil }
    takeCondition(statement, expression, failsWhenTrue: isSame == (sign == "=="))
    return true
  }

  /// Takes a flag that is the whole condition of a statement.
  mutating func takeFlag(_ chain: Ref, _ expression: Ref, _ value: Bool) -> Bool {
    guard
      program.children(expression).allSatisfy({ part in
        part == chain || [.tryMark, .awaitMark].contains(program.kind(part))
      }), let statement = program.parent(expression),
      [.ifStatement, .guardStatement].contains(program.kind(statement))
    else { return false }
    let outline = program.outline(expression)
    let isNegated = outline.text(ofToken: Int(program.node(chain).first)) == "!"
    takeCondition(statement, expression, failsWhenTrue: value != isNegated)
    return true
  }

  /// Whether a forced name is the first use of its value, so that nothing has looked at it before.
  func isFirstUse(_ name: Ref) -> Bool {
    let uses: [Ref]
    switch program.declared(name) {
    case .local(let local):
      // A use before a later assignment of nil has nothing to do with the failure.
      guard program.shorthandBindings(ofLocal: local).isEmpty,
        program.assignments(toLocal: local).isEmpty
      else { return false }
      uses = program.uses(ofLocal: local)
    default:
      // What other code holds it may have looked at before.
      guard let property = program.property(usedBy: name), isHeldHere(name) else { return false }
      let body = program.enclosingBody(name)
      uses = program.uses(ofProperty: property).filter { program.enclosingBody($0) == body }
    }
    return uses.min() == name
  }

  /// Whether a chain begins with a local that its own body binds to an object.
  private func isHeldHere(_ name: Ref) -> Bool {
    guard let first = program.parent(name).flatMap({ program.firstChild($0) }), first != name,
      case .local(let local)? = program.declared(first)
    else { return false }
    return program.kind(local) == .boundName
      && program.enclosingBody(local) == program.enclosingBody(name)
  }
}

// MARK: - Where values go

extension Program {
  /// Whether a pattern matches a failure; nil where it says nothing of one.
  func fails(_ pattern: Ref, _ cases: FailureCases) -> Bool? {
    guard let other = cases.other else {
      if firstCase(of: [cases.failing], in: pattern) != nil { return true }
      return descendants(pattern, .casePattern).isEmpty && kind(pattern) != .casePattern
        ? nil : false
    }
    return firstCase(of: [cases.failing, other], in: pattern).map { $0 == cases.failing }
  }

  /// The stored property that an assignment sets.
  func keptProperty(_ target: Ref) -> PropertyID? {
    guard kind(target) == .chain, let last = children(target).last,
      let id = property(usedBy: last), !properties[id].isComputed
    else { return nil }
    return id
  }

  /// The local that a pattern of a tuple binds to an element.
  func element(_ index: Int, boundBy binding: Ref) -> Ref? {
    guard let pattern = pattern(of: binding) else { return nil }
    let tuple = kind(pattern) == .bindingPattern ? firstChild(pattern) ?? pattern : pattern
    guard kind(tuple) == .tuplePattern, index < children(tuple).count else { return nil }
    return firstChild(children(tuple)[index]).map(source).flatMap {
      kind($0) == .boundName ? $0 : child($0, .boundName)
    }
  }

  /// The tuple of several elements that a value is.
  func tuple(in value: Ref) -> Ref? {
    guard let chain = kind(value) == .chain ? value : child(value, .chain),
      isOnlyPart(chain, of: value), children(chain).count == 1,
      let tuple = child(chain, .tuple), children(tuple).count > 1
    else { return nil }
    return tuple
  }

  /// Whether a chain is all of a value.
  func isOnlyPart(_ chain: Ref, of value: Ref) -> Bool {
    chain == value
      || children(value).allSatisfy { $0 == chain || [.tryMark, .awaitMark].contains(kind($0)) }
  }

  /// The properties that an initializer of the sources sets from an argument.
  func properties(setBy argument: Ref, of call: Ref) -> [PropertyID] {
    guard case .initializer(let type, let candidates) = callTarget(call) else { return [] }
    guard !candidates.isEmpty else {
      let name = label(argument)
      return types[type].properties.filter {
        properties[$0].name == name && !properties[$0].isComputed && !properties[$0].isStatic
      }
    }
    return candidates.count == 1
      ? parameter(of: candidates[0], takenBy: argument, of: call).map { properties(keeping: $0) }
        ?? [] : []
  }

  /// The parameter of a function that takes an argument of a call, as a node.
  func parameter(of id: FunctionID, takenBy argument: Ref, of call: Ref) -> Ref? {
    let function = functions[id]
    return function.parameters.indices.first {
      self.argument(of: call, for: $0, of: function) == argument
    }.map { Ref(file: Int(function.ref.file), node: function.parameters[$0].node) }
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
}
