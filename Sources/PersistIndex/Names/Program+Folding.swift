import PersistSyntax

// MARK: - Folded expressions

// A folded node is a node of its file like any other: it has a kind, children, a range and a name. It
// stands behind the nodes of the outline, which know nothing of it; the way from an operand of the
// outline to what is around it is `operation(around:)`.
extension Program {
  /// The node that an expression is when its operators are folded by precedence: the operand that
  /// stands alone, or the folded node around all of them; any other node is itself.
  package func folded(_ expression: Ref) -> Ref {
    guard kind(expression) == .expression else { return expression }
    let file = Int(expression.file)
    let nodes = views.folded(file, declarations)
    return Ref(file: file, node: nodes.root(of: Int(expression.node)))
  }

  /// What stands in the outline for a folded node: an operand, an operator, a mark or a cast; any other
  /// node is itself.
  package func source(_ ref: Ref) -> Ref {
    let node = node(ref)
    return node.kind.isFolded ? Ref(file: Int(ref.file), node: Int(node.label)) : ref
  }

  /// What a folded node is about, in source order: two operands, three of a ternary, one of a mark or
  /// cast. Those without operators are nodes of the outline.
  package func operands(_ ref: Ref) -> [Ref] {
    guard kind(ref).isFolded else { return [] }
    return children(ref).map { kind($0) == .operand ? source($0) : $0 }
  }

  /// The expression of the outline that a folded node belongs to; any other node is itself.
  package func expression(ofFolded ref: Ref) -> Ref {
    var current = ref
    while kind(current).isFolded, let parent = parent(current) { current = parent }
    return current
  }

  /// The folded node that is an operand of an expression; nil where the operand stands alone, or is a
  /// mark, an operator or a cast.
  package func foldedOperand(_ operand: Ref) -> Ref? {
    guard let expression = parent(operand), kind(expression) == .expression else { return nil }
    let root = folded(expression)
    guard kind(root).isFolded else { return nil }
    return folded(in: root, for: operand) { $0 == .operand }
  }

  /// Whether an operand of an expression counts only where what stands before a `??` is nil.
  package func isBehindNilCoalescing(_ operand: Ref) -> Bool {
    guard var below = foldedOperand(operand) else { return false }
    while let operation = parent(below), kind(operation).isFolded {
      if name(operation) == "??", firstChild(operation) != below { return true }
      below = operation
    }
    return false
  }
}
