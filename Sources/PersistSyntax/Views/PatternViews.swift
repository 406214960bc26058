/// A pattern of any kind, or an element of one.
package struct PatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind.isPattern else { return nil }
    self.node = node
  }

  /// What stands for it in the outline: a name, a chain with `let`, a tuple, the name of a case, an
  /// argument, a `?`, a cast, or what is compared.
  package var source: NodeView { NodeView(node.outline, Int(node.node.label)) }
}

/// A new name.
package struct NamePatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .namePattern else { return nil }
    self.node = node
  }

  /// The name.
  package var name: TokenText? { node.name }
}

/// `_`.
package struct WildcardPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .wildcardPattern else { return nil }
    self.node = node
  }
}

/// `let` or `var`, and what it covers.
package struct BindingPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .bindingPattern else { return nil }
    self.node = node
  }

  /// Whether the names are constants.
  package var isLet: Bool { node.flags.contains(.isLet) }
  /// What is bound.
  package var pattern: NodeView? { node.firstChild }
}

/// Elements in parentheses; parentheses around one without a label are no pattern of their own.
package struct TuplePatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .tuplePattern else { return nil }
    self.node = node
  }

  /// The elements.
  package var elements: [PatternElementView] { node.children(PatternElementView.self) }
}

/// An element of a tuple, or of what a case carries.
package struct PatternElementView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .patternElement else { return nil }
    self.node = node
  }

  /// The label.
  package var label: TokenText? { PatternView(node)?.source.label }
  /// The pattern.
  package var pattern: NodeView? { node.firstChild }
}

/// A case of an enum: `.name`, `Type.name`, and both with what they carry.
package struct CasePatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .casePattern else { return nil }
    self.node = node
  }

  /// The name of the case.
  package var name: TokenText? { node.name }
  /// The names before it, of the enum and of what that is nested in.
  package var type: [TokenText] {
    var found: [TokenText] = []
    var next = PatternView(node)?.source.previousSibling
    while let current = next {
      current.name.map { found.append($0) }
      next = current.previousSibling
    }
    return found.reversed()
  }
  /// What the case carries.
  package var elements: [PatternElementView] { node.children(PatternElementView.self) }
}

/// `?` behind a pattern.
package struct OptionalPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .optionalPattern else { return nil }
    self.node = node
  }

  /// What a value that is there is matched with.
  package var pattern: NodeView? { node.firstChild }
}

/// `is` and a type.
package struct TestPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .testPattern else { return nil }
    self.node = node
  }

  /// The type.
  package var type: TypeView? { PatternView(node).flatMap { CastView($0.source)?.type } }
}

/// `as` and a type behind a pattern.
package struct CastPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .castPattern else { return nil }
    self.node = node
  }

  /// What a value of the type is matched with.
  package var pattern: NodeView? { node.firstChild }
  /// The type.
  package var type: TypeView? { PatternView(node).flatMap { CastView($0.source)?.type } }
}

/// Anything that is compared with `~=`.
package struct ExpressionPatternView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .expressionPattern else { return nil }
    self.node = node
  }

  /// The expression, a chain, or a chain with a `?` behind it that is a pattern of its own.
  package var expression: NodeView? { PatternView(node)?.source }
}

extension NodeView {
  /// The pattern of a binding, condition, loop or case, as it is parsed.
  package var pattern: NodeView? {
    switch kind {
    case .binding, .optionalBinding: BindingView(self)?.pattern
    case .caseCondition: CaseConditionView(self)?.pattern
    case .caseItem: CaseItemView(self)?.pattern
    case .forStatement: ForView(self)?.pattern
    default: nil
    }
  }
}
