import PersistSyntax

/// A comparison of something with nil.
package struct NilComparison: Sendable {
  /// What is compared.
  package let subject: Ref
  /// Whether it is `==`, not `!=`.
  package let isEqual: Bool
}

extension Program {
  /// The comparisons with nil in the code of a node, in source order.
  package func nilComparisons(in ref: Ref) -> [NilComparison] {
    descendants(ref, .binaryOperator).compactMap { nilComparison(by: $0) }
  }

  /// The comparison with nil that an operand of an expression stands in.
  package func nilComparison(of operand: Ref) -> NilComparison? {
    guard let expression = parent(operand), kind(expression) == .expression else { return nil }
    let next = Ref(
      file: Int(operand.file), node: view(operand).end(ofSubtree: Int(operand.node)))
    let signs = [next.node < subtree(expression).upperBound ? next : nil, sibling(before: operand)]
    return signs.lazy.compactMap { $0 }.compactMap { self.nilComparison(by: $0) }
      .first { $0.subject == operand }
  }

  /// The comparison with nil that an operator makes; nil where neither side is.
  package func nilComparison(by sign: Ref) -> NilComparison? {
    guard kind(sign) == .binaryOperator else { return nil }
    let isEqual = name(sign) == "=="
    guard isEqual || name(sign) == "!=", let left = sibling(before: sign), let parent = parent(sign)
    else { return nil }
    let next = view(sign).end(ofSubtree: Int(sign.node))
    guard next < view(sign).end(ofSubtree: Int(parent.node)) else { return nil }
    let right = Ref(file: Int(sign.file), node: next)
    if isNil(right) { return NilComparison(subject: left, isEqual: isEqual) }
    return isNil(left) ? NilComparison(subject: right, isEqual: isEqual) : nil
  }
}
