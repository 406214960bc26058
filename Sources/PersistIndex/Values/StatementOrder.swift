import PersistSyntax

// MARK: - Order of statements

extension Program {
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

  /// Whether the error of each call that fails on a store is of the type of a cast or test.
  package func takesErrorsOfStores(_ cast: Ref) -> Bool {
    child(cast, .type).map { Words.errorsOfStores.contains(writtenName($0)) } ?? false
  }

  /// Whether a node runs whenever a body around it does, unless something before it ends the body.
  package func runsWhenever(_ node: Ref, in body: Ref) -> Bool {
    for scope in ancestors(node) {
      if scope == body { return true }
      switch kind(scope) {
      case .closure, .ifStatement, .switchCase, .guardStatement, .forStatement, .whileStatement,
        .catchClause, .functionDecl, .ifConfigClause:
        return false
      default: break
      }
    }
    return false
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
  package func runsNow(_ closure: Ref) -> Bool {
    if isCalledAtOnce(closure) { return true }
    guard let (call, _) = callTaking(closure) else { return false }
    return runs(closure, handedTo: call)
  }

  /// `{ … }()`.
  package func isCalledAtOnce(_ closure: Ref) -> Bool {
    guard let chain = parent(closure), kind(chain) == .chain else { return false }
    let parts = children(chain)
    return parts.first == closure && parts.count > 1 && kind(parts[1]) == .call
  }

  /// Whether a call gives what its closure gives, as `withLock { … }` does.
  package func givesValue(ofClosureIn call: Ref) -> Bool {
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
}
