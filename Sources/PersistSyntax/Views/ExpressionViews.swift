/// An operand: prefix operators, a primary, and the suffixes behind it.
package struct ChainView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .chain else { return nil }
    self.node = node
  }

  /// The first part: a name, a literal, a closure, parentheses.
  package var primary: NodeView? { node.firstChild }
  /// The primary and the suffixes behind it.
  package var parts: NodeView.Children { node.children }

  /// The operators before the primary, as one text: `-`, `!`, `&`; empty for none.
  package var prefix: String {
    let end = primary.map { Int($0.node.first) } ?? node.tokens.upperBound
    return node.tokens.lowerBound < end
      ? (node.tokens.lowerBound..<end).map { TokenText(outline: node.outline, index: $0).text }
        .joined() : ""
  }
}

/// A call: arguments in parentheses, and closures behind them.
package struct CallView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .call else { return nil }
    self.node = node
  }

  /// The part of the chain right before the call: the name or member that is called, or the value.
  package var callee: NodeView? { node.previousSibling }

  /// What the called member is a member of: the part before it.
  package var receiver: NodeView? {
    guard let callee, callee.kind == .member else { return nil }
    return callee.previousSibling
  }

  /// All arguments in their order, closures behind the parentheses included.
  package var arguments: [ArgumentView] { node.children(ArgumentView.self) }

  /// The closures behind the parentheses.
  package var trailingClosures: [ArgumentView] { arguments.filter(\.isTrailing) }

  /// The first argument with a label.
  package func argument(_ label: String) -> ArgumentView? {
    arguments.first { $0.label?.text == label }
  }
}

/// What stands between the brackets behind a value.
package struct SubscriptView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .subscriptSuffix else { return nil }
    self.node = node
  }

  /// The arguments, closures behind the brackets included.
  package var arguments: [ArgumentView] { node.children(ArgumentView.self) }
}

/// An argument of a call, subscript, attribute or macro, or an element of a tuple or array.
package struct ArgumentView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .argument || node.kind == .closure else { return nil }
    self.node = node
  }

  /// The label.
  package var label: TokenText? { node.kind == .argument ? node.label : nil }
  /// The expression, or the closure behind the parentheses; nil when it is missing.
  package var value: NodeView? { node.kind == .closure ? node : node.firstChild }
  /// Whether the argument is a closure behind the parentheses.
  package var isTrailing: Bool { value?.kind == .closure }
}

/// A closure.
package struct ClosureView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .closure else { return nil }
    self.node = node
  }

  /// The attributes before the captures.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// The captures.
  package var captures: [CaptureView] {
    node.child(.captures)?.children(CaptureView.self) ?? []
  }
  /// The parameters that have names.
  package var parameters: [ParameterView] {
    signatureChild(.parameters)?.children(ParameterView.self) ?? []
  }
  /// The type behind the arrow.
  package var result: TypeView? { signatureChild(.type).flatMap { TypeView($0) } }
  /// The statements.
  package var statements: [NodeView] { node.children.filter { !Self.isSignature($0.kind) } }
  /// Whether the signature says `async`.
  package var isAsync: Bool { node.flags.contains(.isAsync) }
  /// Whether the signature says `throws`.
  package var isThrowing: Bool { node.flags.contains(.isThrowing) }

  private func signatureChild(_ kind: Node.Kind) -> NodeView? { node.child(kind) }

  private static func isSignature(_ kind: Node.Kind) -> Bool {
    switch kind {
    case .attribute, .captures, .parameters, .type: true
    default: false
    }
  }
}

/// One capture of a closure.
package struct CaptureView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .capture else { return nil }
    self.node = node
  }

  /// `weak` or `unowned`, or nil.
  package var modifier: Keyword? { node.child(.modifier)?.firstToken.keyword }
  /// The captured value.
  package var value: NodeView? { node.child(.expression) }
}

/// An array or dictionary in brackets.
package struct CollectionView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .array || node.kind == .dictionary else { return nil }
    self.node = node
  }

  /// The elements of an array.
  package var elements: [NodeView] {
    node.kind == .array ? node.children(.argument).compactMap(\.firstChild) : []
  }

  /// The keys and values of a dictionary.
  package var pairs: [(key: NodeView, value: NodeView)] {
    guard node.kind == .dictionary else { return [] }
    let all = node.children(.argument).compactMap(\.firstChild)
    return stride(from: 0, to: all.count - 1, by: 2).map { (all[$0], all[$0 + 1]) }
  }
}

/// `as`, `as?`, `as!` or `is` with a type.
package struct CastView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .cast else { return nil }
    self.node = node
  }

  /// The type.
  package var type: TypeView? { node.child(TypeView.self) }
  /// Whether the cast is `is`.
  package var isTest: Bool { node.flags.contains(.isTest) }
  /// Whether the cast is `as?`.
  package var isOptional: Bool { node.flags.contains(.isOptional) }
  /// Whether the cast is `as!`.
  package var isForced: Bool { node.flags.contains(.isForced) }
}
