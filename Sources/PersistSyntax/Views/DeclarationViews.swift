/// An attribute such as `@Relationship(inverse: \A.b)`.
package struct AttributeView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .attribute else { return nil }
    self.node = node
  }

  /// The last name of the attribute: `Model` of `@SwiftData.Model`.
  package var name: TokenText? {
    guard var last = node.name else { return nil }
    while node.tokens.contains(last.index + 2),
      [.period, .colonColon].contains(node.outline[token: last.index + 1].kind)
    {
      last = TokenText(outline: node.outline, index: last.index + 2)
    }
    return last
  }

  /// The arguments.
  package var arguments: [ArgumentView] { node.children(ArgumentView.self) }
}

/// A function, initializer, deinitializer, subscript or macro.
package struct FunctionView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    switch node.kind {
    case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl, .macroDecl: self.node = node
    default: return nil
    }
  }

  /// The name, or the keyword of what has none.
  package var name: TokenText? { node.name }
  /// The attributes.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// The modifiers.
  package var modifiers: [Keyword] { node.modifiers }
  /// The parameters.
  package var parameters: [ParameterView] {
    node.child(.parameters)?.children(ParameterView.self) ?? []
  }
  /// The type behind the arrow.
  package var result: TypeView? { node.child(TypeView.self) }
  /// The body of a function.
  package var body: BlockView? { node.child(BlockView.self) }
  /// The accessors of a subscript.
  package var accessors: [AccessorView] { node.accessors }
  /// Whether the function suspends.
  package var isAsync: Bool { node.flags.contains(.isAsync) }
  /// Whether the function throws, also as its argument does.
  package var isThrowing: Bool { node.flags.contains(.isThrowing) }
}

/// One parameter of a function or closure.
package struct ParameterView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .parameter else { return nil }
    self.node = node
  }

  /// The label at the call; `_` for none. Parameters of closures have their name here.
  package var label: TokenText? { node.label ?? node.name }
  /// The name in the body; nil for a type without a name.
  package var name: TokenText? { node.name }
  /// The attributes.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// The type.
  package var type: TypeView? { node.child(TypeView.self) }
  /// The value when no argument is given.
  package var defaultValue: NodeView? { node.child(.expression) }
}

/// `var` or `let` with what is bound.
package struct VariableView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .variableDecl else { return nil }
    self.node = node
  }

  /// The attributes.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// The modifiers.
  package var modifiers: [Keyword] { node.modifiers }
  /// Whether the variables are constants.
  package var isLet: Bool { node.flags.contains(.isLet) }
  /// The bindings.
  package var bindings: [BindingView] { node.children(BindingView.self) }
}

/// A pattern with its type and value: one of a variable, or a condition such as `let a = b`.
package struct BindingView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .binding || node.kind == .optionalBinding else { return nil }
    self.node = node
  }

  /// The pattern as it is parsed, a `boundName` or a tuple's `expression`.
  package var pattern: NodeView? {
    let first = node.tokens.lowerBound + (node.kind == .optionalBinding ? 1 : 0)
    guard let child = node.firstChild, child.tokens.lowerBound == first else { return nil }
    return child.kind == .boundName || child.kind == .expression ? child : nil
  }
  /// The type behind the pattern.
  package var type: TypeView? { node.child(TypeView.self) }
  /// The value behind `=`.
  package var value: NodeView? {
    let pattern = pattern
    return node.children.first { $0.kind == .expression && $0 != pattern }
  }
  /// The accessors.
  package var accessors: [AccessorView] { node.accessors }
}

/// `get`, `set`, `willSet` and the like, or the statements of a property that is only read.
package struct AccessorView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .accessor else { return nil }
    self.node = node
  }

  /// `get`, `set` …; nil for the statements of a property that is only read.
  package var name: TokenText? { node.name }
  /// The name of the new or old value, when one is written.
  package var parameter: TokenText? {
    guard let name, node.outline[token: name.index + 1].kind == .leftParen,
      node.tokens.contains(name.index + 2)
    else { return nil }
    return TokenText(outline: node.outline, index: name.index + 2)
  }
  /// The body; nil in a protocol.
  package var body: BlockView? { node.child(BlockView.self) }
}

/// A class, struct, enum, actor, protocol or extension.
package struct TypeDeclarationView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    switch node.kind {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
      self.node = node
    default: return nil
    }
  }

  /// The name; of an extension the first token of the type.
  package var name: TokenText? { node.name }
  /// The type that an extension extends.
  package var extendedType: TypeView? { node.child(TypeView.self) }
  /// The attributes.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// The modifiers.
  package var modifiers: [Keyword] { node.modifiers }
  /// The types behind the colon.
  package var inheritance: [TypeView] {
    node.child(.inheritance)?.children(TypeView.self) ?? []
  }
  /// The members, and the `#if` around some of them.
  package var members: [NodeView] { node.child(.members).map { Array($0.children) } ?? [] }
}

/// One case of an enum.
package struct EnumElementView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .enumElement else { return nil }
    self.node = node
  }

  /// The name.
  package var name: TokenText? { node.name }
  /// What the case carries.
  package var parameters: [ParameterView] {
    node.child(.parameters)?.children(ParameterView.self) ?? []
  }
  /// The raw value.
  package var value: NodeView? { node.child(.expression) }
}

extension NodeView {
  fileprivate var modifiers: [Keyword] { children(.modifier).map(\.firstToken.keyword) }

  /// The accessors, also those in `#if`.
  fileprivate var accessors: [AccessorView] {
    guard let node = child(.accessors) else { return [] }
    var found: [AccessorView] = []
    for child in node.children {
      if child.kind == .ifConfig {
        for clause in child.children { found += clause.children(AccessorView.self) }
      } else if let accessor = AccessorView(child) {
        found.append(accessor)
      }
    }
    return found
  }
}
