/// The expressions of one file with their operators folded by precedence: nodes that stand behind those
/// of the outline, and have the same accessors.
package final class FoldedNodes: Sendable {
  /// All folded nodes, each before what it holds; the index of the first is the outline's count.
  let nodes: NodeList
  /// The expressions that are folded, in source order.
  private let expressions: [UInt32]
  /// The index of the folded node that is the whole of each expression.
  private let roots: [UInt32]

  /// Folds all expressions of a file.
  ///
  /// `try` and `await` cover what stands to their right as the compiler has it: `try a + b` and
  /// `x = try a + b` cover both, `a + try b + c` covers `b` alone.
  package init(_ outline: Outline, by operators: OperatorTable) {
    var folder = Folder(outline, operators)
    var (expressions, roots) = ([UInt32](), [UInt32]())
    for index in 0..<outline.nodes.count
    where outline.nodes[index].kind == .expression && outline.onlyOperand(of: index) == nil {
      expressions.append(UInt32(truncatingIfNeeded: index))
      roots.append(UInt32(truncatingIfNeeded: folder.fold(index)))
    }
    (self.expressions, self.roots) = (expressions, roots)
    nodes = NodeList(folder.nodes)
  }

  /// The node that an expression is when its operators are folded: the operand that stands alone, or
  /// the folded node around all of them; any other node is one operand.
  package func root(of expression: Int, in outline: Outline) -> Int {
    guard outline.nodes[expression].kind == .expression else { return expression }
    var low = 0
    var high = expressions.count
    while low < high {
      let middle = (low + high) / 2
      if expressions[middle] < expression { low = middle + 1 } else { high = middle }
    }
    guard low < expressions.count, expressions[low] == expression else { return expression + 1 }
    return Int(roots[low])
  }
}

extension Outline {
  /// The operand that an expression consists of; nil where there are several, a mark, or none.
  fileprivate func onlyOperand(of expression: Int) -> Int? {
    let first = expression + 1
    guard first < Int(nodes[expression].subtreeEnd),
      nodes[first].subtreeEnd == nodes[expression].subtreeEnd
    else { return nil }
    switch nodes[first].kind {
    case .tryMark, .awaitMark, .binaryOperator, .cast: return nil
    default: return first
    }
  }
}
