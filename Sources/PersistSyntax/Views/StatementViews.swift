/// Statements between braces.
package struct BlockView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .block else { return nil }
    self.node = node
  }

  /// The statements and declarations.
  package var statements: NodeView.Children { node.children }
}

/// One condition of `if`, `guard` or `while`.
package enum ConditionView: Sendable {
  /// An expression that must be true.
  case expression(NodeView)
  /// `let name = value`.
  case binding(BindingView)
  /// `case pattern = value`.
  case pattern(CaseConditionView)
  /// `#available(…)` or `#unavailable(…)`.
  case availability(NodeView)

  fileprivate init?(_ node: NodeView) {
    switch node.kind {
    case .expression: self = .expression(node)
    case .availability: self = .availability(node)
    case .optionalBinding:
      guard let binding = BindingView(node) else { return nil }
      self = .binding(binding)
    case .caseCondition:
      guard let condition = CaseConditionView(node) else { return nil }
      self = .pattern(condition)
    default: return nil
    }
  }

  /// The conditions before the body of a statement.
  fileprivate static func all(of node: NodeView) -> [ConditionView] {
    node.children.prefix { $0.kind != .block }.compactMap { ConditionView($0) }
  }
}

/// `case pattern = value` as a condition.
package struct CaseConditionView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .caseCondition else { return nil }
    self.node = node
  }

  /// The pattern as it is parsed.
  package var pattern: NodeView? { node.firstChild.flatMap { $0.kind == .type ? nil : $0 } }
  /// The type behind the pattern.
  package var type: TypeView? { node.child(TypeView.self) }
  /// What is matched.
  package var value: NodeView? {
    let expressions = node.children(.expression)
    return expressions.count > 1 ? expressions[1] : nil
  }
}

/// An `if`, as a statement or an expression.
package struct IfView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .ifStatement else { return nil }
    self.node = node
  }

  /// The conditions, all of which must hold.
  package var conditions: [ConditionView] { ConditionView.all(of: node) }
  /// What runs when they hold.
  package var body: BlockView? { node.child(BlockView.self) }
  /// What runs otherwise: a block, or another `if`.
  package var otherwise: NodeView? { body?.node.nextSibling }
}

/// A `guard`.
package struct GuardView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .guardStatement else { return nil }
    self.node = node
  }

  /// The conditions, all of which must hold.
  package var conditions: [ConditionView] { ConditionView.all(of: node) }
  /// What runs when one does not hold.
  package var body: BlockView? { node.child(BlockView.self) }
}

/// A `while`.
package struct WhileView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .whileStatement else { return nil }
    self.node = node
  }

  /// The conditions, all of which must hold.
  package var conditions: [ConditionView] { ConditionView.all(of: node) }
  /// What is repeated.
  package var body: BlockView? { node.child(BlockView.self) }
}

/// A `repeat … while`.
package struct RepeatView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .repeatStatement else { return nil }
    self.node = node
  }

  /// What is repeated.
  package var body: BlockView? { node.child(BlockView.self) }
  /// The condition.
  package var condition: NodeView? { node.child(.expression) }
}

/// A `for … in`.
package struct ForView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .forStatement else { return nil }
    self.node = node
  }

  /// The `try` before the pattern.
  package var tryMark: NodeView? { node.child(.tryMark) }
  /// The `await` before the pattern.
  package var awaitMark: NodeView? { node.child(.awaitMark) }
  /// The pattern as it is parsed.
  package var pattern: NodeView? {
    node.children.first { $0.kind == .boundName || $0.kind == .expression }
  }
  /// The type behind the pattern.
  package var type: TypeView? { node.child(TypeView.self) }
  /// What is walked through.
  package var sequence: NodeView? { values.first }
  /// The condition behind `where`.
  package var filter: NodeView? { values.dropFirst().first }
  /// What is repeated.
  package var body: BlockView? { node.child(BlockView.self) }

  private var values: [NodeView] {
    let pattern = pattern
    return node.children(.expression).filter { $0 != pattern }
  }
}

/// A `switch`, as a statement or an expression.
package struct SwitchView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .switchStatement else { return nil }
    self.node = node
  }

  /// What is matched.
  package var subject: NodeView? { node.firstChild }
  /// The cases, and the `#if` around some of them.
  package var cases: [NodeView] { Array(node.children.dropFirst()) }
}

/// One case of a switch, with all its patterns.
package struct SwitchCaseView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .switchCase else { return nil }
    self.node = node
  }

  /// The patterns, any of which may match.
  package var items: [CaseItemView] { node.children(CaseItemView.self) }
  /// Whether the case is `default`.
  package var isDefault: Bool { node.flags.contains(.isDefault) }
  /// The statements.
  package var statements: [NodeView] {
    node.children.filter { $0.kind != .caseItem && $0.kind != .attribute }
  }
}

/// One pattern of a case or catch with its condition.
package struct CaseItemView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .caseItem else { return nil }
    self.node = node
  }

  /// The pattern as it is parsed.
  package var pattern: NodeView? { node.firstChild }
  /// The condition behind `where`.
  package var condition: NodeView? { node.firstChild?.nextSibling }
}

/// A `do` with its catches.
package struct DoView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .doStatement else { return nil }
    self.node = node
  }

  /// What runs.
  package var body: BlockView? { node.child(BlockView.self) }
  /// The catches.
  package var catches: [CatchView] { node.children(CatchView.self) }
}

/// One `catch`.
package struct CatchView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .catchClause else { return nil }
    self.node = node
  }

  /// The patterns, any of which may match; none for all errors.
  package var items: [CaseItemView] { node.children(CaseItemView.self) }
  /// What runs.
  package var body: BlockView? { node.child(BlockView.self) }
}

/// `return`, `throw` or `yield`.
package struct JumpView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    switch node.kind {
    case .returnStatement, .throwStatement, .yieldStatement: self.node = node
    default: return nil
    }
  }

  /// The value that is returned or thrown.
  package var value: NodeView? { node.child(.expression) }
}
