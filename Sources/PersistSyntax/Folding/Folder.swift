/// Folds the flat parts of one expression; operators that wait for their right operand stand on a
/// stack, so that no input leads to recursion.
struct Folder {
  private typealias Part = FoldedExpression.Part

  /// A folded operand and the marks before it, which move up over the operators behind it.
  private struct Operand {
    var part: Int
    /// The nodes of `try` and `await`, as a range of `marks`.
    var marks: Range<Int>
  }

  /// An operator without its right operand.
  private struct Pending {
    var kind: FoldedExpression.Kind
    var node: Int
    var left: Operand
    /// What stands between `?` and `:`; -1 until the `:` is reached.
    var middle = -1
    var precedence: Precedence

    /// Whether the next `:` belongs to this `?`.
    var isOpen: Bool { kind == .ternary && middle < 0 }
  }

  private let outline: Outline
  private let operators: OperatorTable
  private var parts: [Part] = []
  private var marks: [Int] = []
  private var pending: [Pending] = []
  /// The first mark that belongs to no operand yet.
  private var firstMark = 0
  private var operand: Operand?
  /// The node that an operand has to follow.
  private var place: Int

  init(_ outline: Outline, _ operators: OperatorTable) {
    self.outline = outline
    self.operators = operators
    place = 0
  }

  mutating func fold(_ expression: Int) -> FoldedExpression {
    place = expression
    for child in outline.children(of: expression) {
      switch outline.nodes[child].kind {
      case .tryMark, .awaitMark: marks.append(child)
      case .binaryOperator: addOperator(child)
      case .cast: addCast(child)
      default: addOperand(child)
      }
    }
    var result = takeOperand()
    while let last = pending.popLast() { result = join(last, result) }
    let root = covered(result)
    return FoldedExpression(parts: parts, root: root)
  }

  // MARK: Reading

  private mutating func addOperand(_ node: Int) {
    guard operand == nil else { return }
    operand = Operand(part: add(.operand, node), marks: firstMark..<marks.count)
    firstMark = marks.count
  }

  /// The operand before an operator or the end, or a missing one.
  private mutating func takeOperand() -> Operand {
    if let found = operand {
      operand = nil
      return found
    }
    let part = add(.missing, place)
    let last = firstMark < marks.count ? marks[marks.count - 1] : place
    let node = outline.nodes[last]
    parts[part].first = node.kind == .expression ? node.first : node.end
    parts[part].end = parts[part].first
    defer { firstMark = marks.count }
    return Operand(part: part, marks: firstMark..<marks.count)
  }

  private mutating func addOperator(_ node: Int) {
    let left = takeOperand()
    place = node
    let token = outline.tokens[Int(outline.nodes[node].first)]
    switch token.kind {
    case .equal: push(.assignment, node, left, operators.assignment)
    case .infixQuestion: push(.ternary, node, left, operators.ternary)
    case .arrow: push(.binary, node, left, operators.arrow)
    case .colon: closeTernary(node, left)
    default:
      let name = outline.text[Int(token.offset)..<token.end]
      let precedence = operators.precedence(of: name)
      push(precedence.isAssignment ? .assignment : .binary, node, left, precedence)
    }
  }

  private mutating func push(
    _ kind: FoldedExpression.Kind, _ node: Int, _ left: Operand, _ precedence: Precedence
  ) {
    let left = reduce(left, before: precedence)
    pending.append(Pending(kind: kind, node: node, left: left, precedence: precedence))
  }

  /// Ends what stands between `?` and the `:` at a node.
  private mutating func closeTernary(_ node: Int, _ last: Operand) {
    var last = last
    while let top = pending.last, !top.isOpen {
      pending.removeLast()
      last = join(top, last)
    }
    if pending.isEmpty {
      pending.append(
        Pending(kind: .binary, node: node, left: last, precedence: operators.ternary))
    } else {
      pending[pending.count - 1].middle = covered(last)
    }
  }

  private mutating func addCast(_ node: Int) {
    let left = reduce(takeOperand(), before: operators.cast)
    let part = add(.cast, node)
    parts[part].left = left.part
    parts[part].first = parts[left.part].first
    operand = Operand(part: part, marks: left.marks)
    place = node
  }

  // MARK: Joining

  /// Joins an operand with the operators before it that bind it more tightly than the next.
  private mutating func reduce(_ operand: Operand, before next: Precedence) -> Operand {
    var operand = operand
    while let top = pending.last, !top.isOpen {
      let precedence = top.precedence
      let bindsFirst =
        precedence.group == next.group
        ? precedence.associativity != .right : precedence.level >= next.level
      guard bindsFirst else { break }
      pending.removeLast()
      operand = join(top, operand)
    }
    return operand
  }

  /// The marks of the left operand cover the whole; those of the others stay where they are.
  private mutating func join(_ operation: Pending, _ last: Operand) -> Operand {
    let left = operation.left
    var middle = operation.middle
    var right = covered(last)
    if operation.isOpen {
      // No `:` follows the `?`.
      middle = right
      right = add(.missing, operation.node)
      parts[right].first = parts[middle].end
      parts[right].end = parts[middle].end
    }
    let part = add(operation.kind, operation.node)
    parts[part].left = left.part
    parts[part].middle = middle
    parts[part].right = right
    parts[part].first = parts[left.part].first
    parts[part].end = parts[right].end
    return Operand(part: part, marks: left.marks)
  }

  /// The part of an operand with its marks around it.
  private mutating func covered(_ operand: Operand) -> Int {
    var result = operand.part
    for mark in marks[operand.marks].reversed() {
      let kind: FoldedExpression.Kind =
        outline.nodes[mark].kind == .tryMark ? .trying : .awaiting
      let part = add(kind, mark)
      parts[part].left = result
      parts[part].end = parts[result].end
      result = part
    }
    return result
  }

  private mutating func add(_ kind: FoldedExpression.Kind, _ node: Int) -> Int {
    parts.append(
      Part(
        kind: kind, node: node, left: -1, middle: -1, right: -1, first: outline.nodes[node].first,
        end: outline.nodes[node].end))
    return parts.count - 1
  }
}
