import PersistSyntax

// MARK: - What readers of schemas ask of a node

extension NodeView {
  /// The last name of an attribute, `Model` of `@SwiftData.Model`.
  package var attributeName: String? { AttributeView(self)?.name?.text }

  /// The arguments in brackets, and the closures behind them that have a label.
  package var arguments: [ArgumentView] { children(.argument).compactMap { ArgumentView($0) } }

  /// The parameters of a function or closure.
  package var parameters: [ParameterView] { child(.parameters)?.children(ParameterView.self) ?? [] }

  /// The getters, also one that is not spelled out.
  package var getters: [NodeView] {
    child(.accessors)?.children(.accessor).filter { $0.name.map { $0.text == "get" } ?? true } ?? []
  }

  /// The single chain that an expression consists of, casts not counted; nil for anything more.
  package var onlyChain: NodeView? {
    if kind == .chain { return self }
    guard kind == .expression else { return nil }
    let parts = children.filter { $0.kind != .cast && $0.kind != .tryMark }
    return parts.count == 1 && parts[0].kind == .chain ? parts[0] : nil
  }

  /// The primary and the suffixes of the single chain that an expression consists of.
  package var steps: [NodeView]? { onlyChain.map { Array($0.children) } }

  /// The literal text of a string without interpolation.
  package var stringValue: String? {
    guard let steps, steps.count == 1, steps[0].kind == .string, steps[0].firstChild == nil else {
      return nil
    }
    let text = steps[0].text
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// The names of `a.b.c`, when the chain is nothing else.
  package var dottedNames: [String]? {
    guard let steps, steps.first?.kind == .name else { return nil }
    return Self.names(of: steps[...])
  }

  /// The names of the type in `A.B.self`.
  package var metatypeNames: [String]? {
    guard let names = dottedNames, names.count > 1, names.last == "self" else { return nil }
    return Array(names.dropLast())
  }

  /// The names of `a.b.c`; nil where a part of a chain is anything else.
  package static func names(of steps: ArraySlice<NodeView>) -> [String]? {
    var names: [String] = []
    for step in steps {
      guard step.kind == .name || step.kind == .member, let name = step.name else { return nil }
      names.append(name.text)
    }
    return names
  }

  /// The name that a call calls.
  package var calledName: String? {
    guard parent?.kind == .chain else { return nil }
    return previousSibling?.name?.text
  }

  /// Calls `body` for each child, also those in active clauses of `#if`.
  package func forEachActive(
    _ conditions: SchemaConditions, isConditional: Bool = false,
    _ body: (NodeView, _ isConditional: Bool) -> Void
  ) {
    for child in children {
      guard child.kind == .ifConfig else {
        body(child, isConditional)
        continue
      }
      for clause in conditions.activeClauses(of: child) {
        clause.node.forEachActive(
          conditions, isConditional: isConditional || !clause.isCertain, body)
      }
    }
  }

  // MARK: Values

  /// What a constant holds, or what a computed property or a function without parameters gives.
  package var onlyValue: NodeView? {
    if kind == .binding, let value = child(.expression) {
      guard let steps = value.steps, steps.count == 2, steps[0].kind == .closure,
        steps[1].kind == .call
      else { return value }
      return steps[0].onlyResult
    }
    return (child(.block) ?? getters.first?.child(.block))?.onlyResult
  }

  /// What a block gives that ends with its only `return`, or is one expression.
  private var onlyResult: NodeView? {
    let statements = children.filter { $0.kind == .expression || $0.kind == .returnStatement }
    guard let last = statements.last, last == lastChild else { return nil }
    if last.kind == .returnStatement { return last.child(.expression) }
    return statements.count == 1 ? last : nil
  }

  // MARK: Names around a place

  /// Whether a parameter, or another name that a statement binds, has this name around a place.
  package func isHidden(_ name: String) -> Bool {
    ancestors.contains { scope in
      switch scope.kind {
      case .functionDecl, .initDecl, .closure: scope.hasParameter(name)
      case .block, .ifStatement: scope.unwraps(name)
      default: false
      }
    }
  }

  /// The nearest variable of this name around a place; nil also when a parameter hides it.
  package func binding(named name: String) -> NodeView? {
    for scope in ancestors {
      switch scope.kind {
      case .functionDecl, .initDecl, .closure:
        if scope.hasParameter(name) { return nil }
        if scope.kind == .closure { fallthrough }
      case .block, .members, .file, .ifConfigClause:
        if scope.unwraps(name) { return nil }
        for variable in scope.children(.variableDecl) {
          let bindings = variable.children(.binding)
          if let binding = bindings.first(where: { $0.name?.text == name }) { return binding }
        }
      case .ifStatement:
        if scope.unwraps(name) { return nil }
      default: continue
      }
    }
    return nil
  }

  /// Whether a function or closure has a parameter of this name.
  package func hasParameter(_ name: String) -> Bool {
    parameters.contains { $0.name?.text == name }
  }

  /// Whether an `if let`, or a `guard let` of a block, binds a name.
  private func unwraps(_ name: String) -> Bool {
    let statements = kind == .ifStatement ? [self] : children(.guardStatement)
    return statements.contains { statement in
      statement.children(.optionalBinding).contains { $0.child(.boundName)?.name?.text == name }
    }
  }
}
