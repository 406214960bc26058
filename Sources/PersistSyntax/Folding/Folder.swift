/// Folds the flat parts of expressions; operators that wait for their right operand stand on a stack, so
/// that no input leads to recursion.
struct Folder {
  /// A folded part; each stands behind its operands, which are -1 where there are none.
  private struct Part {
    var kind: Node.Kind
    /// The outline's node: the operand, the mark, the operator or the cast; for a missing operand the
    /// operator that wants it, or the expression.
    var node: Int
    var left = -1
    var middle = -1
    var right = -1
    var first: UInt32
    var end: UInt32
  }

  /// A folded operand and the marks before it, which move up over the operators behind it.
  private struct Operand {
    var part: Int
    /// The nodes of `try` and `await`, as a range of `marks`.
    var marks: Range<Int>
  }

  /// An operator without its right operand.
  private struct Pending {
    var kind: Node.Kind
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
  /// What is folded so far; the indices go on behind those of the outline.
  private(set) var nodes: [Node] = []
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

  /// Folds an expression; returns the index of the node that is the whole of it.
  mutating func fold(_ expression: Int) -> Int {
    place = expression
    parts.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
    firstMark = 0
    operand = nil
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
    return emit(covered(result), in: expression)
  }

  /// Makes nodes of the parts, each before its operands.
  private mutating func emit(_ root: Int, in expression: Int) -> Int {
    let base = outline.nodes.count
    let first = nodes.count
    var open = [(part: root, parent: expression)]
    while let (index, parent) = open.popLast() {
      let part = parts[index]
      let place = base + nodes.count
      nodes.append(
        Node(
          kind: part.kind, flags: outline.nodes[part.node].flags, first: part.first, end: part.end,
          subtreeEnd: UInt32(truncatingIfNeeded: place + 1),
          parent: UInt32(truncatingIfNeeded: parent), name: outline.nodes[part.node].name,
          label: UInt32(truncatingIfNeeded: part.node)))
      for operand in [part.right, part.middle, part.left] where operand >= 0 {
        open.append((operand, place))
      }
    }
    for index in (first + 1..<max(first + 1, nodes.count)).reversed() {
      let parent = Int(nodes[index].parent) - base
      nodes[parent].subtreeEnd = max(nodes[parent].subtreeEnd, nodes[index].subtreeEnd)
    }
    return base + first
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
    case .arrow: push(.operation, node, left, operators.arrow)
    case .colon: closeTernary(node, left)
    default:
      let name = outline.text[Int(token.offset)..<token.end]
      let precedence = operators.precedence(of: name)
      push(precedence.isAssignment ? .assignment : .operation, node, left, precedence)
    }
  }

  private mutating func push(
    _ kind: Node.Kind, _ node: Int, _ left: Operand, _ precedence: Precedence
  ) {
    var left = reduce(left, before: precedence)
    // No expression is nested more deeply than others on the right.
    if pending.count == Parser.maximumDepth { left = join(pending.removeLast(), left) }
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
        Pending(kind: .operation, node: node, left: last, precedence: operators.ternary))
    } else {
      pending[pending.count - 1].middle = covered(last)
    }
  }

  private mutating func addCast(_ node: Int) {
    let left = reduce(takeOperand(), before: operators.cast)
    let part = add(.conversion, node)
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
      let kind: Node.Kind =
        outline.nodes[mark].kind == .tryMark ? .trying : .awaiting
      let part = add(kind, mark)
      parts[part].left = result
      parts[part].end = parts[result].end
      result = part
    }
    return result
  }

  private mutating func add(_ kind: Node.Kind, _ node: Int) -> Int {
    parts.append(
      Part(
        kind: kind, node: node, first: outline.nodes[node].first, end: outline.nodes[node].end))
    return parts.count - 1
  }
}
