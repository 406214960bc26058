import PersistSyntax

/// An assignment, taken apart: `trip.name = text`.
package struct Assignment: Sendable {
  /// What is set: a chain, a tuple, or `_`.
  package let target: Ref
  /// The operands, operators and marks behind the sign.
  package let right: [Ref]

  /// The value where it is one operand and nothing more.
  package var value: Ref? { right.count == 1 ? right[0] : nil }
}

extension Program {
  /// The assignment with `=` that an expression is; nil for anything else, `+=` and its like too.
  package func assignment(_ expression: Ref) -> Assignment? {
    let view = view(expression)
    guard view[node: Int(expression.node)].kind == .expression else { return nil }
    let end = view.end(ofSubtree: Int(expression.node))
    let target = Int(expression.node) + 1
    guard target < end else { return nil }
    let sign = view.end(ofSubtree: target)
    guard sign < end, isAssignmentSign(Ref(file: Int(expression.file), node: sign)) else {
      return nil
    }
    let right = Array(children(expression).dropFirst(2))
    return right.isEmpty
      ? nil : Assignment(target: Ref(file: Int(expression.file), node: target), right: right)
  }

  /// The assignment that sets what a whole chain names.
  package func assignment(toChain chain: Ref) -> Assignment? {
    guard let expression = parent(chain), let made = assignment(expression), made.target == chain
    else { return nil }
    return made
  }

  /// The assignment that sets what a chain names which ends with a node: `text` of `trip.text = ""`.
  package func assignment(toWhatEndsWith node: Ref) -> Assignment? {
    guard let chain = parent(node), kind(chain) == .chain, let made = assignment(toChain: chain),
      children(chain).last == node
    else { return nil }
    return made
  }

  /// The assignment of which an operand is the whole value.
  package func assignment(of operand: Ref) -> Assignment? {
    guard let expression = parent(operand), let made = assignment(expression),
      made.value == operand
    else { return nil }
    return made
  }

  /// Whether a node is the sign `=`.
  package func isAssignmentSign(_ node: Ref) -> Bool {
    kind(node) == .binaryOperator && name(node) == "="
  }

  /// Whether a node is an operator that sets its left side: `=`, `+=` and its like.
  package func isAssigningOperator(_ node: Ref) -> Bool {
    guard kind(node) == .binaryOperator else { return false }
    let sign = nameText(node)
    return sign.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(sign)
  }

  /// The last part of what an assignment sets: the property of `trip.name = text`.
  package func lastPart(ofTarget assignment: Assignment) -> Ref? {
    kind(assignment.target) == .chain ? children(assignment.target).last : nil
  }
}
