import PersistIndex
import PersistSyntax

// MARK: - Statements

extension Lowering {
  func lowerParameters(_ parameters: [Ref]) {
    for (index, parameter) in parameters.enumerated() {
      let number = Int32(truncatingIfNeeded: index)
      bind(parameter, to: emit(.parameter, parameter, index: number))
    }
    body.parameterCount = max(body.parameterCount, parameters.count)
  }

  /// Lowers a whole body: the value of a single expression is what it returns.
  func lowerBody(_ list: Ref) {
    let statements = program.children(list).filter { !$0.isSignature(program) }
    if let only = onlyStatement(of: statements), program.kind(only).isValue {
      begin(only)
      let value = lower(only)
      end(.return(program.assignment(only) == nil ? value : -1))
      return
    }
    scopes.append(Scope())
    for statement in statements { lowerStatement(statement) }
    leaveScopes(downTo: scopes.count - 1)
    scopes.removeLast()
    end(.return(-1))
  }

  /// The statement that is the only one, in the clause of an `#if` that is built too.
  private func onlyStatement(of statements: [Ref]) -> Ref? {
    guard statements.count == 1, program.kind(statements[0]) == .ifConfig else {
      return statements.count == 1 ? statements[0] : nil
    }
    let clauses = table.clauses(of: statements[0])
    return clauses.count == 1 ? onlyStatement(of: program.children(clauses[0])) : nil
  }

  /// Lowers the statements of a block in a scope of their own.
  func lowerBlock(_ list: Ref, _ scope: Scope = Scope()) {
    begin(list)
    scopes.append(scope)
    for statement in program.children(list) where program.kind(statement) != .caseItem {
      lowerStatement(statement)
    }
    leaveScopes(downTo: scopes.count - 1)
    scopes.removeLast()
  }

  func lowerStatement(_ ref: Ref) {
    nested(()) { lowerAnyStatement(ref) }
  }

  private func lowerAnyStatement(_ ref: Ref) {
    begin(ref)
    switch program.kind(ref) {
    case .variableDecl: lowerVariable(ref)
    case .expression: _ = lower(ref)
    case .ifStatement: lowerIf(ref, into: nil)
    case .guardStatement: lowerGuard(ref)
    case .whileStatement: lowerWhile(ref)
    case .repeatStatement: lowerRepeat(ref)
    case .forStatement: lowerFor(ref)
    case .switchStatement: lowerSwitch(ref, into: nil)
    case .doStatement: lowerDo(ref)
    case .deferStatement:
      if let block = program.child(ref, .block), !scopes.isEmpty {
        scopes[scopes.count - 1].deferred.append(block)
      }
    case .returnStatement:
      let value = program.firstChild(ref).map { lower($0) } ?? -1
      leaveScopes(downTo: 0)
      end(.return(value))
    case .throwStatement: lowerThrow(ref)
    case .breakStatement: lowerJump(ref) { $0.breakTarget }
    case .continueStatement: lowerJump(ref) { $0.continueTarget }
    case .yieldStatement: _ = program.firstChild(ref).map { lower($0) }
    case .block: lowerBlock(ref)
    case .ifConfig: lower(clauses: table.clauses(of: ref)[...])
    default: break
    }
  }

  /// The clauses of an `#if` that may be built: one or the other runs.
  private func lower(clauses: ArraySlice<Ref>) {
    guard let clause = clauses.first else { return }
    guard clauses.count > 1 else {
      for child in program.children(clause) { lowerStatement(child) }
      return
    }
    let condition = emit(.opaque, clause)
    let (first, others, next) = (newBlock(), newBlock(), newBlock())
    end(.branch(condition, first, others), goingOnWith: first)
    for child in program.children(clause) { lowerStatement(child) }
    end(.jump(next), goingOnWith: others)
    lower(clauses: clauses.dropFirst())
    end(.jump(next), goingOnWith: next)
  }

  private func lowerVariable(_ ref: Ref) {
    for binding in program.children(ref, .binding) {
      guard let pattern = program.pattern(of: binding) else { continue }
      if let value = program.value(ofBinding: binding) {
        let result = lowerInitialValue(value, of: ref)
        destructure(pattern, result)
      } else if let getter = program.getter(ofBinding: binding) {
        bind(program.source(pattern), to: lower(getter: getter))
      } else if [.namePattern, .wildcardPattern].contains(program.kind(pattern)),
        program.child(binding, .accessors) == nil
      {
        // `var x: T?` begins as nil; any other is set before it is read.
        if program.child(binding, .type).map({ program.isOptional($0) }) ?? false,
          !program.node(binding).flags.contains(.isLet)
        {
          let name = program.source(pattern)
          bind(name, to: emit(.none, name))
        }
      }
    }
  }

  /// `async let` begins its value beside the code around it: as a closure that a task runs.
  private func lowerInitialValue(_ value: Ref, of declaration: Ref) -> Value {
    guard program.hasModifier(declaration, "async") else { return lower(value) }
    let lowering = Lowering(program, table, root: value, kind: .closure)
    lowering.body.owner = body.owner
    lowering.body.isStatic = body.isStatic
    lowering.body.isAsync = true
    lowering.isAwaiting = true
    let number = table.reserve(value, .closure)
    lowering.end(.return(lowering.lower(value)))
    let captured = lowering.body.captures.map { load(declaredAt: $0, value) }
    table.finish(number, lowering.body)
    let code = emit(
      .closure, value, [emit(.selfValue, value)] + captured, index: number)
    return emit(.childTask, value, [code])
  }

  private func lowerThrow(_ ref: Ref) {
    let value = program.firstChild(ref).map { lower($0) } ?? -1
    guard let depth = scopes.lastIndex(where: { $0.handler != nil }),
      let handler = scopes[depth].handler
    else {
      leaveScopes(downTo: 0)
      return end(.throw(value))
    }
    leaveScopes(downTo: depth + 1)
    body.throwing.insert(block)
    end(.jump(handler))
  }

  private func lowerJump(_ ref: Ref, _ target: (Scope) -> Int32?) {
    let label = program.name(ref)
    let found = scopes.lastIndex {
      target($0) != nil && (label == .none || $0.label == label)
    }
    guard let depth = found, let block = target(scopes[depth]) else { return end(.end) }
    leaveScopes(downTo: depth + 1)
    end(.jump(block))
  }

  // MARK: Branches

  /// Lowers `if`; with a local each branch stores its one value there.
  func lowerIf(_ ref: Ref, into result: Int32?) {
    let blocks = program.children(ref, .block)
    let after = newJoin()
    let otherwise = newBlock()
    scopes.append(Scope(label: program.label(ofStatement: ref)))
    lowerConditions(of: ref, otherwise: otherwise)
    if let first = blocks.first { lowerBranch(first, into: result) }
    scopes.removeLast()
    end(.jump(after), goingOnWith: otherwise)
    if let chained = program.children(ref).last, program.kind(chained) == .ifStatement,
      chained != ref
    {
      begin(chained)
      nested(()) { lowerIf(chained, into: result) }
    } else if blocks.count > 1 {
      lowerBranch(blocks[1], into: result)
    }
    jump(to: after)
  }

  /// Lowers a branch whose one expression may be the value of the whole.
  func lowerBranch(_ block: Ref, into result: Int32?) {
    let statements = program.children(block).filter { program.kind($0) != .caseItem }
    if let result, let only = statements.first, statements.count == 1, program.kind(only).isValue,
      program.assignment(only) == nil
    {
      begin(block)
      return store(lower(only), in: result, only)
    }
    lowerBlock(block)
  }

  private func lowerGuard(_ ref: Ref) {
    let otherwise = newBlock()
    lowerConditions(of: ref, otherwise: otherwise)
    let after = block
    block = otherwise
    if let block = program.child(ref, .block) { lowerBlock(block) }
    end(.end)
    block = after
  }

  /// Lowers conditions in a row; the block goes on where all hold.
  private func lowerConditions(of statement: Ref, otherwise: Int32) {
    for condition in program.children(statement) {
      switch program.kind(condition) {
      case .optionalBinding: lowerOptionalBinding(condition, otherwise)
      case .caseCondition:
        let parts = program.children(condition).filter { program.kind($0) != .type }
        guard parts.count > 1, let value = parts.last,
          let pattern = program.pattern(of: condition)
        else { continue }
        match(pattern, lower(value), otherwise)
      case .expression: lowerCondition(condition, otherwise)
      case .availability:
        let next = newBlock()
        end(.branch(emit(.opaque, condition), next, otherwise), goingOnWith: next)
      default: return
      }
    }
  }

  func lowerCondition(_ ref: Ref, _ otherwise: Int32) {
    if program.kind(ref) == .expression {
      return lowerCondition(folded: program.folded(ref), otherwise)
    }
    let next = newBlock()
    let value = lower(ref)
    end(.branch(value, next, otherwise), goingOnWith: next)
  }

  private func lowerOptionalBinding(_ ref: Ref, _ otherwise: Int32) {
    guard let pattern = program.pattern(of: ref) else { return }
    let value =
      program.value(ofBinding: ref).map { lower($0) }
      ?? lowerShorthand(program.source(pattern), of: ref)
    let next = newBlock()
    let isNil = emit(.isNil, ref, [value])
    end(.branch(isNil, otherwise, next), goingOnWith: next)
    destructure(pattern, emit(.unwrap, ref, [value]))
  }

  /// `if let name`: the value of the name outside.
  private func lowerShorthand(_ name: Ref, of condition: Ref) -> Value {
    value(of: program.lookUp(program.name(name), from: condition), at: name)
  }

  // MARK: Loops

  private func lowerWhile(_ ref: Ref) {
    let head = newJoin()
    let after = newJoin()
    jump(to: head)
    lowerConditions(of: ref, otherwise: after)
    if let block = program.child(ref, .block) {
      lowerBlock(block, loop(ref, head, after))
    }
    end(.jump(head), goingOnWith: after)
  }

  private func lowerRepeat(_ ref: Ref) {
    let head = newJoin()
    let test = newJoin()
    let after = newJoin()
    jump(to: head)
    if let block = program.child(ref, .block) { lowerBlock(block, loop(ref, test, after)) }
    jump(to: test)
    if let condition = program.child(ref, .expression) { lowerCondition(condition, after) }
    end(.jump(head), goingOnWith: after)
  }

  private func lowerFor(_ ref: Ref) {
    let parts = program.children(ref).filter {
      [.boundName, .expression].contains(program.kind($0))
    }
    guard parts.count > 1 else { return }
    let collection = lower(parts[1])
    let head = newJoin()
    let inner = newBlock()
    let after = newJoin()
    jump(to: head)
    let element = emit(.next, ref, [collection])
    if program.child(ref, .awaitMark) != nil { emit(.await, ref, [element]) }
    end(.loop(inner, after), goingOnWith: inner)
    if let pattern = program.pattern(of: ref) { match(pattern, element, head) }
    if parts.count > 2 { lowerCondition(parts[2], head) }
    if let block = program.child(ref, .block) { lowerBlock(block, loop(ref, head, after)) }
    end(.jump(head), goingOnWith: after)
  }

  private func loop(_ ref: Ref, _ head: Int32, _ after: Int32) -> Scope {
    Scope(label: program.label(ofStatement: ref), breakTarget: after, continueTarget: head)
  }

  // MARK: Errors

  private func lowerDo(_ ref: Ref) {
    let clauses = program.children(ref, .catchClause)
    let after = newJoin()
    guard let inner = program.child(ref, .block) else { return }
    guard !clauses.isEmpty else {
      lowerBlock(inner, Scope(label: program.label(ofStatement: ref)))
      return jump(to: after)
    }
    let handler = newBlock()
    scopes.append(Scope(label: program.label(ofStatement: ref), handler: handler))
    lowerBlock(inner)
    scopes.removeLast()
    end(.jump(after), goingOnWith: handler)
    let error = emit(.caught, ref)
    for clause in clauses {
      let next = newBlock()
      let body = newBlock()
      let items = program.children(clause, .caseItem)
      if items.isEmpty {
        bind(clause, to: error)
        jump(to: body)
      } else {
        lowerItems(items, error, body: body, next: next)
      }
      block = body
      bind(clause, to: error)
      if let block = program.child(clause, .block) { lowerBlock(block) }
      end(.jump(after), goingOnWith: next)
    }
    // An error that no clause takes goes on.
    end(.jump(handlerBlock(ref)), goingOnWith: after)
  }

  // MARK: Switch

  /// Lowers `switch`; with a local each case stores its one value there.
  func lowerSwitch(_ ref: Ref, into result: Int32?) {
    guard let subject = program.firstChild(ref) else { return }
    let value = lower(subject)
    let after = newJoin()
    let cases = switchCases(of: ref)
    let bodies = cases.map { _ in newBlock() }
    let label = program.label(ofStatement: ref)
    for (index, clause) in cases.enumerated() {
      let next = newBlock()
      let items = program.children(clause, .caseItem)
      if items.isEmpty {
        end(.jump(bodies[index]), goingOnWith: next)
      } else {
        lowerItems(items, value, body: bodies[index], next: next)
      }
      let test = next
      block = bodies[index]
      scopes.append(Scope(label: label, breakTarget: after))
      lowerBranch(clause, into: result)
      let falls = program.children(clause).last.map { program.kind($0) == .fallthroughStatement }
      scopes.removeLast()
      let isFalling = falls ?? false && index + 1 < bodies.count
      end(.jump(isFalling ? bodies[index + 1] : after), goingOnWith: test)
    }
    // One of the cases always matches.
    end(.end, goingOnWith: after)
  }

  /// The cases of a switch, those in the clauses of `#if` that are built among them.
  private func switchCases(of ref: Ref) -> [Ref] {
    var found: [Ref] = []
    for child in program.children(ref) {
      switch program.kind(child) {
      case .switchCase: found.append(child)
      case .ifConfig:
        found += table.clause(of: child).map { program.children($0, .switchCase) } ?? []
      default: break
      }
    }
    return found
  }

  /// Lowers the patterns of one case: the first that matches leads to the body.
  private func lowerItems(_ items: [Ref], _ value: Value, body: Int32, next: Int32) {
    for (index, item) in items.enumerated() {
      let isLast = index + 1 == items.count
      let other = isLast ? next : newBlock()
      let parts = program.children(item)
      if let pattern = program.pattern(of: item) { match(pattern, value, other) }
      if parts.count > 1 { lowerCondition(parts[1], other) }
      end(.jump(body), goingOnWith: other)
    }
  }
}

extension Node.Kind {
  /// Whether such a statement may be the value of a body or branch.
  var isValue: Bool { self == .expression || self == .ifStatement || self == .switchStatement }
}

extension Ref {
  /// Whether a child of a closure belongs to what stands before `in`.
  fileprivate func isSignature(_ program: Program) -> Bool {
    switch program.kind(self) {
    case .attribute, .captures, .parameters, .type, .modifier: true
    default: false
    }
  }
}
