/// An expression whose operators are folded by precedence: a tree of parts over the flat node.
package struct FoldedExpression: Sendable {
  /// What a part is.
  package enum Kind: UInt8, Sendable {
    /// A chain with its prefix operators, or a closure.
    case operand
    /// A `try` and what it covers: `left`.
    case trying
    /// An `await` and what it covers: `left`.
    case awaiting
    /// An operator between `left` and `right`.
    case binary
    /// `=`, or an operator such as `+=`, between `left` and `right`.
    case assignment
    /// The `?` between the condition `left` and the results `middle` and `right`.
    case ternary
    /// `as`, `as?`, `as!` or `is` behind `left`.
    case cast
    /// An operand that the code lacks.
    case missing
  }

  /// One node of the folded tree.
  package struct Part: Sendable {
    /// What the part is.
    package var kind: Kind
    /// The outline's node: the chain, the mark, the operator or the cast; for a missing operand
    /// the operator that wants it, or the expression.
    package var node: Int
    /// The index of the first operand; -1 for none.
    package var left: Int
    /// The index of what a ternary results in when its condition holds; -1 for none.
    package var middle: Int
    /// The index of the last operand; -1 for none.
    package var right: Int
    /// The index of the first token.
    package var first: UInt32
    /// The index behind the last token.
    package var end: UInt32
  }

  /// The parts, each behind its operands.
  package let parts: [Part]
  /// The index of the part that is the whole expression.
  package let root: Int
}

extension Outline {
  /// Folds the operators of an expression; any other node is one operand.
  ///
  /// `try` and `await` cover what stands to their right as the compiler has it: `try a + b` and
  /// `x = try a + b` cover both, `a + try b + c` covers `b` alone.
  package func folded(_ expression: Int, by operators: OperatorTable) -> FoldedExpression {
    let node = nodes[expression]
    guard node.kind == .expression else { return FoldedExpression(operand: expression, node) }
    let first = expression + 1
    if first < Int(node.subtreeEnd), nodes[first].subtreeEnd == node.subtreeEnd,
      nodes[first].kind == .chain
    {
      return FoldedExpression(operand: first, nodes[first])
    }
    var folder = Folder(self, operators)
    return folder.fold(expression)
  }
}

extension FoldedExpression {
  fileprivate init(operand index: Int, _ node: Node) {
    parts = [
      Part(
        kind: .operand, node: index, left: -1, middle: -1, right: -1, first: node.first,
        end: node.end)
    ]
    root = 0
  }
}
