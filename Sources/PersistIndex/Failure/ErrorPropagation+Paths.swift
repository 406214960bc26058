import PersistSyntax

// MARK: - The code that takes a failure

extension ErrorPropagation {
  /// Takes `if let x`, `guard let x`, of an optional value or an optional error.
  mutating func takeBinding(_ binding: Ref, _ form: FailureForm) {
    guard let statement = program.parent(binding) else { return }
    takeCondition(statement, binding, failsWhenTrue: form == .error)
  }

  /// Takes `x == nil` and `x != nil` as the condition of a statement.
  mutating func takeComparison(_ expression: Ref, isEqual: Bool, _ form: FailureForm) {
    guard let statement = program.parent(expression) else { return }
    let failsWhenTrue = (form == .missing) == isEqual
    if program.kind(statement) == .argument, !failsWhenTrue, let call = program.parent(statement),
      program.calledName(call) == "precondition"
    {
      add([call], head: call, .branch)
      return
    }
    takeCondition(statement, expression, failsWhenTrue: failsWhenTrue)
  }

  mutating func takeCondition(_ statement: Ref, _ condition: Ref, failsWhenTrue: Bool) {
    let parts = program.children(statement)
    let blocks = parts.filter { [.block, .ifStatement].contains(program.kind($0)) }
    guard let first = blocks.first, condition < first else { return }
    let isShared = parts.prefix { $0 < first }.count > 1
    switch program.kind(statement) {
    case .guardStatement:
      if failsWhenTrue {
        add(program.rest(after: statement), head: statement, .rest)
      } else {
        add([first], head: statement, .branch, isShared: isShared)
      }
    case .ifStatement:
      if failsWhenTrue {
        add([first], head: statement, .branch)
      } else {
        if blocks.count > 1 {
          add([blocks[1]], head: statement, .branch, isShared: isShared)
        }
        if program.alwaysLeaves(first) {
          add(program.rest(after: statement), head: statement, .rest, isShared: isShared)
        } else if blocks.count == 1 {
          ignore(in: condition)
        }
      }
    default: break
    }
  }

  /// Takes `if case .failure(let error) = result` and `guard case .success(let x) = result`.
  mutating func takePattern(_ condition: Ref, _ names: FailureCases) {
    guard let statement = program.parent(condition), let pattern = program.pattern(of: condition),
      let fails = program.fails(pattern, names)
    else { return }
    takeCondition(statement, condition, failsWhenTrue: fails)
  }

  /// Takes the `.failure` cases of a `switch` over a result, or `default` in their place.
  mutating func takeCases(of statement: Ref, _ names: FailureCases) {
    let cases = program.descendants(statement, .switchCase).filter { clause in
      program.ancestors(clause).first { program.kind($0) == .switchStatement } == statement
    }
    let failing = cases.filter { clause in
      program.children(clause, .caseItem).contains { item in
        program.pattern(of: item).flatMap { program.fails($0, names) } ?? false
      }
    }
    let taken =
      failing.isEmpty ? cases.filter { program.node($0).flags.contains(.isDefault) } : failing
    for clause in taken {
      let statements = program.children(clause).filter { program.kind($0) != .caseItem }
      add(statements, head: clause, .branch)
      if let last = statements.last, !program.leaves(last) {
        let others = cases.filter { !taken.contains($0) }
        if !others.isEmpty,
          others.allSatisfy({ program.children($0).last.map(program.leaves) ?? false })
        {
          add(program.rest(after: statement), head: clause, .rest)
        }
      }
    }
  }

  /// Takes the `catch` clauses of a `do`; true when nothing passes them by.
  mutating func takeInCatches(of statement: Ref) -> Bool {
    guard let block = program.child(statement, .block) else { return false }
    var takesAll = false
    let leaves = program.alwaysLeaves(block)
    for clause in program.children(statement, .catchClause) {
      takesAll = takesAll || program.catchesAll(clause)
      guard let body = program.child(clause, .block) else { continue }
      add([body], head: clause, .catchClause)
      if !program.alwaysLeaves(body) || program.returns(from: body) {
        leaveUnset(in: block)
      }
      if leaves, !program.alwaysLeaves(body) {
        add(program.rest(after: statement), head: clause, .rest)
      }
    }
    return takesAll
  }
}

// MARK: - Order of statements

extension Program {
  /// Whether a `return` leaves a block while its object stays, which `return nil` may not have made.
  fileprivate func returns(from block: Ref) -> Bool {
    descendants(block, .returnStatement).contains { statement in
      enclosingBody(statement) == enclosingBody(block)
        && child(statement, .expression).map { !isNil($0) } ?? true
    }
  }

  /// The statements that run after a statement when it falls through, to the end of the body.
  package func rest(after statement: Ref) -> [Ref] {
    var found: [Ref] = []
    var child = statement
    while let parent = parent(child) {
      switch kind(parent) {
      case .block, .closure, .switchCase, .ifConfigClause:
        let later = children(parent).filter { $0 > child }
        found += later
        if let last = later.last, leaves(last) { return found }
        if kind(parent) == .closure { return found }
      case .ifStatement, .doStatement, .forStatement, .whileStatement, .repeatStatement,
        .switchStatement, .ifConfig, .guardStatement, .catchClause, .deferStatement:
        break
      default: return found
      }
      child = parent
    }
    return found
  }

  /// Whether the end of a block is never reached.
  package func alwaysLeaves(_ block: Ref) -> Bool {
    children(block).contains { leaves($0) }
  }

  /// Whether a statement never goes on to the next one.
  package func leaves(_ statement: Ref) -> Bool {
    switch kind(statement) {
    case .returnStatement, .throwStatement, .breakStatement, .continueStatement: return true
    case .expression: return endsProcess(statement)
    case .block: return alwaysLeaves(statement)
    case .ifStatement:
      let branches = children(statement).filter { [.block, .ifStatement].contains(kind($0)) }
      return branches.count > 1 && branches.allSatisfy { leaves($0) }
    case .doStatement:
      return child(statement, .block).map { alwaysLeaves($0) } ?? false
        && children(statement, .catchClause).allSatisfy {
          child($0, .block).map { alwaysLeaves($0) } ?? false
        }
    case .switchStatement:
      let cases = children(statement, .switchCase)
      return !cases.isEmpty
        && cases.allSatisfy { children($0).last.map { leaves($0) } ?? false }
    case .ifConfig:
      let clauses = children(statement, .ifConfigClause)
      return hasElse(statement) && clauses.allSatisfy { children($0).contains { leaves($0) } }
    default: return false
    }
  }

  /// Whether a `catch` takes every error.
  package func catchesAll(_ clause: Ref) -> Bool {
    let items = children(clause, .caseItem)
    return items.isEmpty
      || items.contains { item in
        children(item).count == 1 && pattern(of: item).map { matchesAnyError($0) } ?? false
      }
  }

  /// Whether a pattern matches every error: a name, `_`, or a test for `Error`.
  private func matchesAnyError(_ pattern: Ref) -> Bool {
    switch kind(pattern) {
    case .namePattern, .wildcardPattern: true
    case .bindingPattern: firstChild(pattern).map { matchesAnyError($0) } ?? false
    case .testPattern: isAnyError(source(pattern))
    case .castPattern:
      isAnyError(source(pattern)) && firstChild(pattern).map { matchesAnyError($0) } ?? false
    default: false
    }
  }

  /// Whether every error is of the type of a cast.
  private func isAnyError(_ cast: Ref) -> Bool {
    child(cast, .type).map { ["NSError", "Error"].contains(writtenName($0)) } ?? false
  }

  /// The nodes of a statement that run when it runs: closures that are only kept are left out, and
  /// what only a debug build has.
  package func nodesRun(in root: Ref) -> [Ref] {
    let outline = outline(root)
    var found: [Ref] = []
    var node = Int(root.node)
    let end = Int(outline.nodes[node].subtreeEnd)
    while node < end {
      let ref = Ref(file: Int(root.file), node: node)
      switch outline.nodes[node].kind {
      case .functionDecl, .classDecl, .structDecl, .enumDecl, .actorDecl:
        node = Int(outline.nodes[node].subtreeEnd)
        continue
      case .closure where !runsNow(ref) && ref != root:
        node = Int(outline.nodes[node].subtreeEnd)
        continue
      case .ifConfigClause where ref != root && isDebug(ref):
        node = Int(outline.nodes[node].subtreeEnd)
        continue
      default: break
      }
      found.append(ref)
      node += 1
    }
    return found
  }

  /// Whether a closure runs, now or soon, when the code around it runs.
  private func runsNow(_ closure: Ref) -> Bool {
    if isCalledAtOnce(closure) { return true }
    guard let (call, _) = callTaking(closure) else { return false }
    let name = calledName(call)
    return name == "Result" || Words.closureExecutors.contains(name)
      || givesValue(ofClosureIn: call)
  }
}
