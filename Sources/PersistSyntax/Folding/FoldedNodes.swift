/// The expressions of one file with their operators folded by precedence, and its patterns: nodes that
/// stand behind those of the outline, and have the same accessors.
package final class FoldedNodes: Sendable {
  /// All folded nodes, each before what it holds; the index of the first is the outline's count.
  let nodes: NodeList
  private let expressions: Roots
  private let patterns: Roots

  /// Folds all expressions of a file, and makes nodes of its patterns.
  ///
  /// `try` and `await` cover what stands to their right as the compiler has it: `try a + b` and
  /// `x = try a + b` cover both, `a + try b + c` covers `b` alone.
  package init(_ outline: Outline, by operators: OperatorTable) {
    var folder = Folder(outline, operators)
    var (expressions, patterns) = (Roots(), Roots())
    var binders: [Int] = []
    for index in 0..<outline.nodes.count {
      switch outline.nodes[index].kind {
      case .expression where outline.onlyOperand(of: index) == nil:
        expressions.add(index, root: folder.fold(index))
      case .binding, .optionalBinding, .caseCondition, .caseItem, .forStatement:
        binders.append(index)
      default: break
      }
    }
    var patternFolder = PatternFolder(outline, behind: folder.nodes)
    let view = OutlineView(outline)
    for index in binders {
      guard let pattern = NodeView(view, index).pattern?.index else { continue }
      patterns.add(index, root: patternFolder.fold(pattern))
    }
    (self.expressions, self.patterns) = (expressions, patterns)
    nodes = NodeList(patternFolder.nodes)
  }

  /// The node that an expression is when its operators are folded: the operand that stands alone, or
  /// the folded node around all of them; any other node is one operand.
  package func root(of expression: Int) -> Int { expressions[expression] ?? expression + 1 }

  /// The pattern of a binding, condition, loop or case, as a node of its own kind; nil where it is missing.
  package func pattern(of binder: Int) -> Int? { patterns[binder] }

  /// Nodes of the outline, in source order, each with the folded node that is the whole of it.
  private struct Roots: Sendable {
    private var sources: [UInt32] = []
    private var roots: [UInt32] = []

    mutating func add(_ source: Int, root: Int) {
      sources.append(UInt32(truncatingIfNeeded: source))
      roots.append(UInt32(truncatingIfNeeded: root))
    }

    subscript(source: Int) -> Int? {
      var low = 0
      var high = sources.count
      while low < high {
        let middle = (low + high) / 2
        if sources[middle] < source { low = middle + 1 } else { high = middle }
      }
      return low < sources.count && sources[low] == source ? Int(roots[low]) : nil
    }
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
