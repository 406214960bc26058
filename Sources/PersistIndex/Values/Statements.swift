import PersistSyntax

// MARK: - Statements and their values

extension Program {
  /// The bytes from a node's first token to its last.
  package func byteRange(_ ref: Ref) -> Range<Int> { view(ref).byteRange(of: Int(ref.node)) }

  /// Where the token before a node ends; 0 at the beginning of the file.
  package func endOfToken(before ref: Ref) -> Int {
    let first = Int(node(ref).first)
    return first == 0 ? 0 : outline(ref).tokens[first - 1].end
  }

  /// Where the token behind a node begins.
  package func startOfToken(behind ref: Ref) -> Int {
    Int(outline(ref).tokens[Int(node(ref).end)].offset)
  }

  /// The statements of a block, a closure or another list of statements.
  package func statements(in list: Ref) -> [Ref] {
    children(list).filter { isStatement($0) }
  }

  /// Whether a part of a list of statements is one.
  private func isStatement(_ part: Ref) -> Bool {
    ![.attribute, .captures, .parameters, .type, .caseItem].contains(kind(part))
      && node(part).end > node(part).first
  }

  /// Whether a statement is the only one of its list.
  private func isAlone(_ statement: Ref, in list: Ref) -> Bool {
    var before = sibling(before: statement)
    while let part = before {
      if isStatement(part) { return false }
      before = sibling(before: part)
    }
    let view = view(list)
    let end = view.end(ofSubtree: Int(list.node))
    var after = view.end(ofSubtree: Int(statement.node))
    while after < end {
      if isStatement(Ref(file: Int(list.file), node: after)) { return false }
      after = view.end(ofSubtree: after)
    }
    return isStatement(statement)
  }

  /// The statement that a node belongs to, in the nearest list of statements around it.
  package func statement(around ref: Ref) -> Ref? {
    var current = ref
    while let parent = parent(current) {
      switch kind(parent) {
      case .block, .switchCase, .ifConfigClause, .file:
        return kind(current) == .caseItem ? nil : current
      case .closure: return isStatement(current) ? current : nil
      case .members: return nil
      default: current = parent
      }
    }
    return nil
  }

  /// Whether a body gives back the value of its only statement, as far as can be seen, so that
  /// another statement beside it would change what the body gives.
  package func mayGiveValue(_ statement: Ref) -> Bool {
    guard kind(statement) == .expression, let list = parent(statement),
      isAlone(statement, in: list)
    else { return false }
    switch kind(list) {
    case .closure: return mayGiveValue(closure: list)
    case .block:
      guard let owner = parent(list) else { return false }
      switch kind(owner) {
      case .functionDecl:
        return function(declaredAt: owner).map { functions[$0].result != nil } ?? true
      case .accessor: return nameText(owner).isEmpty || nameText(owner) == "get"
      case .initDecl, .deinitDecl, .deferStatement, .doStatement, .catchClause: return false
      case .ifStatement, .switchStatement: return parent(owner).map { !isList($0) } ?? false
      default: return false
      }
    case .switchCase: return parent(list).flatMap { parent($0) }.map { !isList($0) } ?? false
    default: return false
    }
  }

  private func isList(_ ref: Ref) -> Bool {
    [.block, .closure, .switchCase, .ifConfigClause, .file].contains(kind(ref))
  }

  private func mayGiveValue(closure: Ref) -> Bool {
    guard let (call, _) = callTaking(closure), let statement = self.statement(around: call) else {
      return true
    }
    if Words.elementMethods.contains(calledName(call)) && calledName(call) != "forEach" {
      return true
    }
    return kind(statement) != .expression
      || !children(statement, .binaryOperator).isEmpty
  }

  /// Whether a name stands for something in a node, a member of a value left out.
  package func uses(_ name: Name, in scope: Ref) -> Bool {
    answer(NamesInScope(scope: scope)).contains(name)
  }

  fileprivate func findNames(in scope: Ref) -> Set<Name> {
    let nodes = outline(scope).nodes
    var names: Set<Name> = []
    for index in subtree(scope)
    where ![.member, .implicitMember].contains(nodes[Int(index)].kind) {
      names.insert(self.name(Ref(file: Int(scope.file), node: Int(index))))
    }
    return names
  }

  /// The declaration in whose code a node stands: a function, an initializer, a property, or the
  /// file.
  package func enclosingDeclaration(_ ref: Ref) -> Ref {
    var current = ref
    while let parent = parent(current) {
      if kind(parent) == .members || kind(parent) == .file { return current }
      current = parent
    }
    return current
  }
}

/// The names that a scope declares or uses, those of members left out.
private struct NamesInScope: Query {
  let scope: Ref

  static var provisional: Set<Name> { [] }
  func answer(in program: Program) -> Set<Name> { program.findNames(in: scope) }
}
