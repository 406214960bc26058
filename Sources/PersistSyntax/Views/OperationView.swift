/// A folded part of an expression: an operation, a mark, or one of their operands.
package struct OperationView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind.isFolded, !node.kind.isPattern else { return nil }
    self.node = node
  }

  /// What stands for it in the outline: an operand, an operator, a mark or a cast; for a missing operand
  /// the operator that wants it, or the expression.
  package var source: NodeView { NodeView(node.outline, Int(node.node.label)) }

  /// What the operation is about, in source order: two operands, three of a ternary, one of a mark or
  /// cast. Operands without operators are nodes of the outline.
  package var operands: [NodeView] {
    node.children.map { child in
      child.kind == .operand ? NodeView(child.outline, Int(child.node.label)) : child
    }
  }
}
