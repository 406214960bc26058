import PersistSyntax

/// The parts of an expression in source order, and what each of them asks of those before it.
package struct ExpressionParts: Equatable {
  /// All parts: values, operators and marks.
  package fileprivate(set) var all: [Ref] = []
  /// The `try` marks.
  package fileprivate(set) var tryMarks: [Ref] = []
  /// The first `??`.
  package fileprivate(set) var nilCoalescing: Ref?
}

extension Program {
  /// The parts of an expression; those of a long one are looked for once, not once for each part.
  package func parts(ofExpression expression: Ref) -> ExpressionParts {
    subtree(expression).count > Self.longExpression
      ? answer(PartsOfExpression(expression: expression)) : findParts(ofExpression: expression)
  }

  /// From how many nodes on it pays to remember the parts of an expression.
  private static let longExpression = 1_000

  fileprivate func findParts(ofExpression expression: Ref) -> ExpressionParts {
    var parts = ExpressionParts(all: children(expression))
    for part in parts.all {
      switch kind(part) {
      case .tryMark: parts.tryMarks.append(part)
      case .binaryOperator where parts.nilCoalescing == nil && name(part) == "??":
        parts.nilCoalescing = part
      default: break
      }
    }
    return parts
  }
}

/// The parts of a long expression.
private struct PartsOfExpression: Query {
  let expression: Ref

  static var provisional: ExpressionParts { ExpressionParts() }
  func answer(in program: Program) -> ExpressionParts {
    program.findParts(ofExpression: expression)
  }
}
