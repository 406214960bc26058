import PersistSyntax

/// Follows the failure of one opening outward through its body, to the code that takes it.
struct ErrorPropagation {
  let program: Program
  let opening: Int
  private(set) var paths: [FailurePath] = []
  private(set) var forced: [ForcedOpening] = []
  private(set) var ignored: [ForcedOpening] = []
  private(set) var exits: [FailureExit: ExitTraits] = [:]
  /// Each `try?` by which the failure became nil; an exit or a path follows for each.
  private(set) var drops: [Ref] = []
  /// Whether the failure was logged, kept or shown on the way that is followed.
  private var isReported = false
  /// Whether other conditions lead to the way that is followed.
  private var isShared = false
  private var visited: Set<Step> = []
  private var seenHeads: Set<Ref> = []
  /// Whether the value is followed through a name, so that a `!` is no longer on the opening.
  private var isFollowing: Bool
  /// The last statement of a block that was climbed out of: what follows it is skipped on failure.
  private(set) var failing: Ref?

  private struct Step: Hashable {
    let node: Ref
    let form: FailureForm
  }

  init(_ program: Program, opening: Int, isNamed: Bool) {
    self.program = program
    isFollowing = isNamed
    self.opening = opening
  }

  /// Whether nothing was found that looks at the failure.
  var isUnheard: Bool { visited.isEmpty && paths.isEmpty && exits.isEmpty && !looksAtFailure }
  /// Whether a name that holds the failure is used in some way.
  private var looksAtFailure = false

  /// What a step outward comes to.
  enum Next {
    case stop
    case go(FailureForm)
    /// The failure goes on from another node, such as the call that takes a closure.
    case jump(Ref, FailureForm)
  }

  /// Climbs from a node that fails in a form.
  mutating func propagate(from node: Ref, _ start: FailureForm) {
    guard visited.insert(Step(node: node, form: start)).inserted,
      program.isWithin(visited.count, .failurePlaces)
    else { return }
    var child = node
    var form = start
    var isReturned = program.kind(node) == .returnStatement
    failing = nil
    while let parent = program.parent(child) {
      switch step(from: child, to: parent, form, &isReturned) {
      case .stop: return
      case .go(let next):
        form = next
        child = parent
      case .jump(let target, let next):
        form = next
        child = target
        isReturned = false
      }
    }
  }

  private mutating func step(
    from child: Ref, to parent: Ref, _ form: FailureForm, _ isReturned: inout Bool
  ) -> Next {
    switch program.kind(parent) {
    case .chain: return stepInChain(child, parent, form)
    case .expression: return stepInExpression(child, parent, form)
    case .argument: return stepInArgument(parent, form)
    case .call: return form == .thrown ? .go(form) : .stop
    case .tuple: return stepInTuple(child, parent, form)
    case .optionalBinding, .caseCondition, .switchStatement, .binding:
      return form == .thrown ? .go(form) : bind(child, parent, form)
    case .returnStatement:
      isReturned = true
      return .go(form)
    case .throwStatement: return form == .error ? .go(.thrown) : .go(form)
    case .doStatement:
      guard form == .thrown, program.kind(child) == .block else { return .go(form) }
      return takeInCatches(of: parent) ? .stop : .go(form)
    case .closure:
      return leaveClosure(parent, from: child, form, isReturned: isReturned)
    case .functionDecl, .initDecl:
      if form == .thrown || isReturned, let id = program.function(declaredAt: parent) {
        leave(by: .function(id, form))
      }
      return .stop
    case .accessor, .accessors:
      return leaveAccessor(parent, form, isReturned: isReturned)
    case .block:
      failing = child
      if form != .thrown, !isReturned { isReturned = isOnlyStatement(child, of: parent) }
      return form == .thrown || isReturned ? .go(form) : .stop
    case .members, .file: return .stop
    default: return form == .thrown || isReturned ? .go(form) : stepOut(parent, form)
    }
  }

  private func stepOut(_ parent: Ref, _ form: FailureForm) -> Next {
    switch program.kind(parent) {
    case .array, .dictionary, .ifStatement, .guardStatement, .whileStatement: .stop
    default: .go(form)
    }
  }

  /// Whether a statement is all that a function, closure or getter does, so that its value is
  /// returned.
  private func isOnlyStatement(_ statement: Ref, of block: Ref) -> Bool {
    guard program.kind(statement) == .expression, program.isOnlyChild(statement),
      let owner = program.parent(block)
    else { return false }
    return [.functionDecl, .accessor].contains(program.kind(owner))
  }

  // MARK: Expressions

  private mutating func stepInChain(_ child: Ref, _ chain: Ref, _ form: FailureForm) -> Next {
    var form = form
    for suffix in program.children(chain) where suffix > child {
      switch program.kind(suffix) {
      case .force where form == .missing:
        guard !isFollowing || isFirstUse(child) else { return .stop }
        forced.append(ForcedOpening(opening: opening, mark: suffix))
        return .stop
      case .member where form == .result && ["get", "value"].contains(program.name(suffix)):
        form = .thrown
      case .member:
        if case .element(let index, let inner) = form {
          guard isElement(suffix, index, of: chain) else { return .stop }
          form = inner
          continue
        }
        if form == .error { return .stop }
        if form == .missing, !isChained(suffix, in: chain) { return .stop }
      default: break
      }
    }
    return .go(form)
  }

  private func isChained(_ suffix: Ref, in chain: Ref) -> Bool {
    program.children(chain).contains { $0 < suffix && program.kind($0) == .optionalChain }
  }

  /// Goes from an operand outward through the operations around it.
  private mutating func stepInExpression(_ child: Ref, _ parent: Ref, _ form: FailureForm) -> Next {
    var form = form
    if case .flag(let value) = form, takeFlag(child, parent, value) { return .stop }
    guard let operand = program.foldedOperand(child) else { return .go(form) }
    var below = operand
    // Whether the operand begins what lies below.
    var begins = true
    while let operation = program.parent(below), program.kind(operation).isFolded {
      switch program.kind(operation) {
      case .trying where form == .thrown:
        guard let next = stepThroughTry(operation, parent) else { return .stop }
        form = next
      case .operation where form != .thrown && form != .result:
        if takeOperation(operation, below == operand ? child : nil, parent, form) { return .stop }
      case .assignment where begins && program.firstChild(operation) != below:
        guard program.isAssignmentSign(program.source(operation)) else { break }
        let target = program.operands(operation)[0]
        guard form != .thrown else { break }
        assign(to: target, form)
        return .stop
      default: break
      }
      begins = begins && program.firstChild(operation) == below
      below = operation
    }
    return .go(form)
  }

  /// What an error is behind a `try` that covers it; nil where it goes no further.
  private mutating func stepThroughTry(_ operation: Ref, _ expression: Ref) -> FailureForm? {
    let flags = program.node(operation).flags
    let failing = ForcedOpening(opening: opening, mark: program.source(operation))
    if flags.contains(.isForced) {
      forced.append(failing)
      return nil
    }
    guard flags.contains(.isOptional) else { return .thrown }
    drops.append(failing.mark)
    guard isDropped(expression) else { return .missing }
    ignored.append(failing)
    return nil
  }

  /// Whether an operation takes a failure: a comparison with nil, or the `??` behind what is missing.
  private mutating func takeOperation(
    _ operation: Ref, _ operand: Ref?, _ expression: Ref, _ form: FailureForm
  ) -> Bool {
    guard let operand else { return false }
    let sign = program.source(operation)
    if takeTest(operation, operand, expression, form) { return true }
    if let comparison = program.nilComparison(by: sign), comparison.subject == operand {
      takeComparison(expression, isEqual: comparison.isEqual, form)
      return true
    }
    guard form == .missing, program.name(operation) == "??", operand < sign else { return false }
    let end = program.node(operation).end
    let rest = program.children(expression).filter {
      $0 > sign && program.node($0).first < end
    }
    let all = program.isWithin(rest.count, .alternatives)
    add(Array(all ? rest[...] : rest.prefix(Limit.alternatives.count)), head: expression, .branch)
    return true
  }

  /// Notes that nothing is done where a `try?` in some code has made the failure nil.
  mutating func ignore(in code: Ref) {
    for mark in drops where program.contains(code, mark) {
      ignored.append(ForcedOpening(opening: opening, mark: mark))
    }
  }

  /// Whether nobody looks at the value of an expression with `try?`.
  private func isDropped(_ expression: Ref) -> Bool {
    guard let holder = program.parent(expression) else { return false }
    if let assignment = program.assignment(expression), !program.isWildcard(assignment.target) {
      return false
    }
    switch program.kind(holder) {
    case .block, .closure: return !program.isValue(expression, of: holder)
    case .switchCase, .ifConfigClause, .deferStatement, .accessor: return true
    case .binding:
      return program.child(holder, .expression).map { $0 == expression } ?? false
        && program.child(holder, .boundName) == nil
    default: return false
    }
  }

  private mutating func stepInArgument(_ argument: Ref, _ form: FailureForm) -> Next {
    if form == .thrown { return .go(form) }
    guard let holder = program.parent(argument) else { return .stop }
    if program.kind(holder) == .tuple { return .go(form) }
    guard program.kind(holder) == .call else { return .stop }
    if form == .error, let taker = continuation(of: holder) { return .jump(taker, .thrown) }
    if form == .error || form == .result { leaveByCompletion(holder) }
    handOver(argument, to: holder, form)
    return .stop
  }

  /// The function that a `resume(throwing:)` makes throw.
  private func continuation(of call: Ref) -> Ref? {
    guard program.calledName(call) == "resume" else { return nil }
    return program.ancestors(call).first {
      program.kind($0) == .call
        && Words.throwingContinuations.contains(program.calledName($0))
    }
  }

  // MARK: Bindings

  private mutating func bind(_ child: Ref, _ parent: Ref, _ form: FailureForm) -> Next {
    switch program.kind(parent) {
    case .optionalBinding:
      takeBinding(parent, form)
    case .caseCondition:
      if let names = form.cases { takePattern(parent, names) }
    case .switchStatement:
      if let names = form.cases { takeCases(of: parent, names) }
    case .binding:
      guard program.value(ofBinding: parent) == child else { return .stop }
      if case .element(let index, let inner) = form,
        let local = program.element(index, boundBy: parent)
      {
        follow(local: local, inner)
      } else if let property = program.property(declaredAt: parent) {
        leave(by: .property(property, form))
      } else if let local = program.child(parent, .boundName) {
        if program.uses(ofLocal: local).isEmpty { ignore(in: child) }
        follow(local: local, form)
      }
    default: break
    }
    return .stop
  }

  mutating func assign(to target: Ref, _ form: FailureForm) {
    guard let name = program.children(target).last, program.kind(target) == .chain else { return }
    if program.kind(name) == .name, case .local(let local)? = program.declared(name) {
      follow(local: local, form)
    } else if leave(intoPropertyOf: target, form) {
      return
    } else if program.name(name) == "persistentStoreCoordinator", form == .missing,
      program.property(usedBy: name) == nil
    {
      leave(by: .coordinator)
    }
  }

  /// Follows a local that holds the failure to its uses.
  mutating func follow(local: Ref, _ form: FailureForm) {
    let wasFollowing = isFollowing
    isFollowing = true
    defer { isFollowing = wasFollowing }
    for use in program.uses(ofLocal: local) { propagate(from: use, form) }
    for binding in program.shorthandBindings(ofLocal: local) {
      looksAtFailure = true
      takeBinding(binding, form)
    }
  }

  /// Follows the argument of a closure that holds the failure to its uses in the closure.
  mutating func follow(argument index: Int, of closure: Ref, _ form: FailureForm) {
    if let list = program.child(closure, .parameters) {
      let parameters = program.children(list, .parameter)
      if index < parameters.count { follow(local: parameters[index], form) }
      return
    }
    let outline = program.outline(closure)
    for node in program.subtree(closure) where outline.nodes[Int(node)].kind == .name {
      let name = Ref(file: Int(closure.file), node: Int(node))
      if program.nameText(name) == "$\(index)",
        case .closureArgument(closure, index)? = program.declared(name)
      {
        propagate(from: name, form)
      }
    }
  }

  // MARK: Paths

  /// Adds a path and follows what leaves it.
  mutating func add(
    _ nodes: [Ref], head: Ref, _ kind: FailurePath.Kind, isShared: Bool = false
  ) {
    guard let first = nodes.first, seenHeads.insert(first).inserted else { return }
    let path = FailurePath(
      opening: opening, nodes: nodes, head: head, kind: kind, isShared: isShared)
    paths.append(path)
    let (wasTold, wasShared) = (isReported, self.isShared)
    defer { (isReported, self.isShared) = (wasTold, wasShared) }
    isReported = isReported || program.reportsFailure(path)
    self.isShared = self.isShared || isShared
    for node in nodes { followExits(of: node) }
  }

  /// Follows what a path throws, returns and hands on.
  private mutating func followExits(of root: Ref) {
    for node in program.nodesRun(in: root) {
      switch program.kind(node) {
      case .throwStatement: propagate(from: node, .thrown)
      case .returnStatement: followReturn(node)
      case .call: followCall(node)
      case .expression: followAssignment(node)
      default: break
      }
    }
  }

  private mutating func followReturn(_ statement: Ref) {
    guard let value = program.child(statement, .expression) else { return }
    for form in forms(of: value) { propagate(from: statement, form) }
    handOverParts(of: value)
  }

  /// `continuation.resume(throwing:)`, and a parameter that is called with the error.
  private mutating func followCall(_ call: Ref) {
    if let taker = continuation(of: call), program.argument(call, "throwing") != nil {
      propagate(from: taker, .thrown)
      return
    }
    guard program.calledNode(call).map({ program.kind($0) }) == .name,
      let (function, parameter) = completion(calledBy: call),
      handsFailure(call, function, parameter)
    else { return }
    leaveByCompletion(call)
  }

  /// Whether the call of a closure parameter hands an error on: where the parameter's type says
  /// that one of its arguments is an error or a result, then by that one.
  private func handsFailure(_ call: Ref, _ function: FunctionID, _ parameter: Ref) -> Bool {
    let declaration = program.functions[function]
    let given = program.arguments(call)
    guard let index = declaration.parameters.firstIndex(where: { $0.node == Int(parameter.node) }),
      let (argument, form) = program.failureArgument(
        ofClosure: declaration.parameters[index], of: declaration), argument < given.count
    else { return given.contains { program.namesError(in: $0) } }
    let value = program.children(given[argument]).first ?? given[argument]
    guard form == .result else { return !program.isNil(value) }
    return switch program.firstCase(of: ["failure", "success"], in: value) {
    case "failure"?: true
    case nil: program.namesError(in: value)
    default: false
    }
  }

  /// Takes a call of a closure parameter for the end of the function around it.
  private mutating func leaveByCompletion(_ call: Ref) {
    guard let (function, parameter) = completion(calledBy: call) else { return }
    leave(by: .completion(function, parameter))
  }

  /// The closure parameter that a call calls with something, and its function.
  private func completion(calledBy call: Ref) -> (FunctionID, parameter: Ref)? {
    guard case .closure(.local(let local)) = program.callTarget(call),
      program.kind(local) == .parameter, !program.arguments(call).isEmpty,
      let list = program.parent(local), let declaration = program.parent(list),
      let function = program.function(declaredAt: declaration)
    else { return nil }
    return (function, local)
  }

  /// `captured = error`, `container = nil`.
  private mutating func followAssignment(_ expression: Ref) {
    guard let assignment = program.assignment(expression) else { return }
    let value = assignment.right[0]
    let forms =
      endsWithError(assignment.right) && form(ofCase: value) == nil && !program.isFailure(value)
      ? [.error] : forms(of: value)
    for form in forms { assign(to: assignment.target, form) }
    handOverParts(of: value)
  }

  /// Whether the last name of a value is that of an error: `error`, `failed(with: loadError)`.
  func endsWithError(_ value: [Ref]) -> Bool {
    let names = value.flatMap { program.descendants($0, .name) + program.descendants($0, .member) }
    return names.max().map { program.nameText($0).camelWords.last == "error" } ?? false
  }
}

extension ErrorPropagation {
  /// Notes a way out of the body.
  mutating func leave(by exit: FailureExit) {
    let known = exits[exit] ?? ExitTraits(isReported: true, isShared: false)
    exits[exit] = ExitTraits(
      isReported: known.isReported && isReported, isShared: known.isShared || isShared)
  }
}
