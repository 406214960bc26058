import PersistSyntax

// MARK: - Types of folded expressions

extension Program {
  /// The type of an expression whose operators are folded.
  func inferExpression(_ ref: Ref) -> SwiftType {
    let type = type(ofFolded: folded(ref))
    return type == .optional(.unknown) ? .unknown : type
  }

  /// The type of a folded node or of an operand; `nil` is an optional of nobody knows what.
  func type(ofFolded ref: Ref) -> SwiftType {
    // An expression is as deep on the left as it is long.
    var operations: [Ref] = []
    var first = ref
    while kind(first) == .operation, Self.typedByOperands.contains(name(first)) {
      operations.append(first)
      first = operands(first)[0]
    }
    return operations.reversed().reduce(typeWithoutOperation(first)) { left, operation in
      type(ofOperation: name(operation), left) { self.type(ofFolded: self.operands(operation)[1]) }
    }
  }

  private func typeWithoutOperation(_ ref: Ref) -> SwiftType {
    let operands = operands(ref)
    switch kind(ref) {
    case .awaiting: return type(ofFolded: operands[0])
    case .trying:
      let type = type(ofFolded: operands[0])
      guard node(ref).flags.contains(.isOptional), type != .unknown else { return type }
      if case .optional = type { return type }
      return .optional(type)
    case .operation: return type(ofInfix: name(ref))
    case .assignment: return .void
    case .ternary: return joined([type(ofFolded: operands[1]), type(ofFolded: operands[2])])
    case .conversion: return castType(source(ref), of: .unknown)
    case .missing: return .unknown
    default: return isNilLiteral(ref) ? .optional(.unknown) : type(of: ref)
    }
  }

  /// Operators whose operands say the type of the outcome.
  private static let typedByOperands: Set<Name> = ["??", "+", "-", "*", "/", "%"]

  private func type(
    ofOperation infix: Name, _ left: SwiftType, _ right: () -> SwiftType
  ) -> SwiftType {
    switch infix {
    case "??":
      let right = right()
      guard case .optional(let wrapped) = left else { return left == .unknown ? right : left }
      if right == .unknown { return wrapped }
      // Of two optionals the outcome is one; what is left of `nil` is nothing.
      return wrapped == .unknown ? right : joined([wrapped.unwrapped, right])
    case "+": return left == .unknown ? right() : left
    default:
      let types = [left, right()]
      return types.allSatisfy { $0.isNumber } ? joined(types) : .unknown
    }
  }

  /// The type of the outcome of an operator whose operands say nothing of it.
  private func type(ofInfix infix: Name) -> SwiftType {
    switch infix {
    case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "~=":
      return .external("Bool", [])
    default:
      let results = Set(functions(named: infix).map { resultType($0) })
      return results.count == 1 ? results.first ?? .unknown : .unknown
    }
  }

  /// The type that a cast gives.
  func castType(_ ref: Ref, of type: SwiftType) -> SwiftType {
    guard !node(ref).flags.contains(.isTest), let target = child(ref, .type) else {
      return .external("Bool", [])
    }
    let cast = self.type(ofTypeNode: target)
    return node(ref).flags.contains(.isOptional) ? .optional(cast) : cast
  }

  /// Whether an operand is the literal `nil`.
  func isNilLiteral(_ operand: Ref) -> Bool {
    guard kind(operand) == .chain, let literal = firstChild(operand), isOnlyChild(literal) else {
      return false
    }
    return kind(literal) == .literal && keyword(literal) == .nil
  }

  /// The keyword that a node begins with.
  private func keyword(_ ref: Ref) -> Keyword { view(ref)[token: Int(node(ref).first)].keyword }

  /// The type that a literal has where nothing asks for another one.
  func typeOfLiteral(_ ref: Ref) -> SwiftType {
    switch view(ref)[token: Int(node(ref).first)].kind {
    case .integer: .external("Int", [])
    case .float: .external("Double", [])
    case .keyword where keyword(ref) == .true || keyword(ref) == .false: .external("Bool", [])
    default: .unknown
    }
  }

  // MARK: Statements that are values

  /// The type of an `if` or `switch` that is a value.
  func typeOfBranches(_ ref: Ref) -> SwiftType {
    joined(values(ofBranches: ref).map { typeOfBranch($0) })
  }

  /// The type of one of several values that have one type together; `nil` is an optional.
  func typeOfBranch(_ value: Ref) -> SwiftType {
    guard kind(value) == .expression else { return type(of: value) }
    return type(ofFolded: folded(value))
  }

  /// The values of the branches of an `if` or `switch`; of a branch that goes elsewhere none.
  func values(ofBranches ref: Ref) -> [Ref] {
    children(ref).flatMap { branch -> [Ref] in
      switch kind(branch) {
      case .block: return onlyValue(of: children(branch)).map { [$0] } ?? []
      case .switchCase:
        return onlyValue(of: children(branch).filter { kind($0) != .caseItem }).map { [$0] } ?? []
      case .ifStatement: return values(ofBranches: branch)
      default: return []
      }
    }
  }

  /// The value of statements where they are one expression.
  private func onlyValue(of statements: [Ref]) -> Ref? {
    guard statements.count == 1, let only = statements.first else { return nil }
    switch kind(only) {
    case .expression, .ifStatement, .switchStatement: return only
    case .returnStatement: return child(only, .expression)
    default: return nil
    }
  }

  // MARK: Results of code

  /// The type of what the code of a closure, function or accessor results in; nothing where it
  /// returns no value.
  func typeOfResult(_ body: Ref) -> SwiftType { answer(ResultOfBody(body: body)) }

  fileprivate func findResult(of body: Ref) -> SwiftType {
    let statements = statements(ofBody: body)
    if let only = onlyValue(of: statements) {
      let type: SwiftType
      switch kind(only) {
      case .expression: type = typeOfBranch(only)
      default: type = isComplete(only) ? typeOfBranches(only) : .unknown
      }
      if type != .unknown || kind(only) == .expression {
        return type == .optional(.unknown) ? .unknown : type
      }
    }
    let values = returnedValues(in: body)
    guard !values.isEmpty else { return .void }
    let type = joined(values.map { typeOfBranch($0) })
    return type == .optional(.unknown) ? .unknown : type
  }

  /// Whether an `if` has an `else`, so that it may be a value.
  private func isComplete(_ statement: Ref) -> Bool {
    kind(statement) == .switchStatement || children(statement, .block).count > 1
      || child(statement, .ifStatement).map { isComplete($0) } ?? false
  }

  /// The statements of a closure, function or accessor.
  func statements(ofBody body: Ref) -> [Ref] {
    guard kind(body) == .closure else { return child(body, .block).map { children($0) } ?? [] }
    return children(body).filter {
      ![.attribute, .captures, .parameters, .type].contains(kind($0))
    }
  }

  /// What the `return` statements of a body return, those of closures in it left out.
  func returnedValues(in body: Ref) -> [Ref] {
    let view = view(body)
    var values: [Ref] = []
    var index = Int(body.node) + 1
    let end = view.end(ofSubtree: Int(body.node))
    while index < end {
      let ref = Ref(file: Int(body.file), node: index)
      switch view[node: index].kind {
      case .closure, .functionDecl, .classDecl, .structDecl, .enumDecl, .actorDecl, .accessors:
        index = view.end(ofSubtree: index)
        // A property's getter stands in accessors.
        continue
      case .returnStatement:
        if let value = child(ref, .expression) { values.append(value) }
      default: break
      }
      index += 1
    }
    return values
  }
}

extension SwiftType {
  /// Whether values of the type are numbers, which arithmetic leaves what they are.
  fileprivate var isNumber: Bool {
    guard case .external(let name, _) = self else { return false }
    return Words.numbers.contains(name)
  }
}

/// The type of what the code of a closure, function or accessor results in.
private struct ResultOfBody: Query {
  let body: Ref

  static var provisional: SwiftType { .unknown }
  static var isEmptyInCycles: Bool { true }
  func answer(in program: Program) -> SwiftType { program.findResult(of: body) }
}
