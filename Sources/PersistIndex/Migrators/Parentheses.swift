import PersistSyntax

// MARK: - Parentheses that change nothing

extension Program {
  /// How strongly operators bind, the strongest last.
  private static let strengths: [[String]] = [
    ["||"], ["&&"], ["==", "!=", "<", ">", "<=", ">=", "===", "!=="], ["??"], ["+", "-"],
    ["*", "/", "%"],
  ]

  /// What stands in parentheses that a part of an expression could do without; else the part.
  func withoutParentheses(_ part: Ref) -> Ref {
    guard kind(part) == .chain, children(part).count == 1, let tuple = child(part, .tuple),
      children(tuple).count == 1, let argument = child(tuple, .argument),
      label(argument) == .none, let inner = child(argument, .expression),
      children(argument).count == 1, let outer = parent(part), kind(outer) == .expression,
      let around = binaryOperators(in: outer), let inside = binaryOperators(in: inner)
    else { return part }
    guard let weakest = inside.min() else {
      return children(inner).count == 1 ? withoutParentheses(inner) : part
    }
    // `a || (b || c)` is `a || b || c`; only the operators next to it matter.
    guard let place = children(outer).firstIndex(of: part) else { return part }
    let at = place / 2
    let near = [at - 1, at].filter(around.indices.contains).map { around[$0] }
    return near.allSatisfy { $0 < weakest || $0 == weakest && weakest < 2 } ? inner : part
  }

  /// The strengths of the operators of an expression; nil where one has none that is known, or
  /// something else than operators stands between the parts.
  private func binaryOperators(in expression: Ref) -> [Int]? {
    var found: [Int] = []
    for (index, part) in children(expression).enumerated() {
      if index % 2 == 0 {
        guard ![.tryMark, .awaitMark, .cast, .binaryOperator].contains(kind(part)) else {
          return nil
        }
        continue
      }
      guard kind(part) == .binaryOperator,
        let strength = Self.strengths.firstIndex(where: { $0.contains(nameText(part)) })
      else { return nil }
      found.append(strength)
    }
    return found
  }
}
