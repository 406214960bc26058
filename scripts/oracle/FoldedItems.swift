import SwiftOperators
import SwiftParser
import SwiftSyntax

/// The operators of one project as both sides know them.
struct Operators: Sendable {
  private(set) var own = OperatorTable.standard
  private(set) var reference = SwiftOperators.OperatorTable.standardOperators
  /// The operators that several declarations put into different groups.
  private(set) var conflicts: Set<String> = []

  /// Adds the declarations of a file.
  mutating func add(_ text: SourceText) {
    guard text.contains("infix") || text.contains("precedencegroup") else { return }
    own.add(declarationsOf: Outline(text))
    reference.addSourceFile(SwiftParser.Parser.parse(source: text.bytes)) { error in
      if case .operatorAlreadyExists(let old, let new) = error,
        old.precedenceGroup != new.precedenceGroup
      {
        conflicts.insert(old.name)
      }
    }
  }
}

extension Item {
  /// The folded operators of all expressions; patterns are left out, and their operators and marks
  /// go to `unjudged`.
  static func ownFolds(_ context: OutlineContext, unjudged: inout Set<Int>) -> [Item] {
    let outline = context.outline
    var items: [Item] = []
    let patterns = patternNodes(of: outline)
    for (index, node) in outline.nodes.enumerated() where node.kind == .expression {
      if patterns[index] {
        for child in outline.children(of: index) where outline.nodes[child].kind != .chain {
          unjudged.insert(outline.byteRange(of: child).lowerBound)
        }
        continue
      }
      let root = context.root(of: index)
      guard root >= outline.nodes.count else { continue }
      for part in root..<context.view.end(ofSubtree: root) {
        let part = NodeView(context.view, part)
        guard let operation = OperationView(part), let kind = name(of: part.kind),
          !part.tokens.isEmpty
        else { continue }
        items.append(
          Item(
            kind: kind, start: Int(part.firstToken.offset),
            end: outline.tokens[part.tokens.upperBound - 1].end,
            name: outline.byteRange(of: operation.source.index).lowerBound))
      }
    }
    return items
  }

  private static func name(of kind: Node.Kind) -> String? {
    switch kind {
    case .trying: "folded try"
    case .awaiting: "folded await"
    case .operation: "folded operator"
    case .assignment: "folded assignment"
    case .ternary: "folded ternary"
    case .conversion: "folded cast"
    default: nil
    }
  }

  /// Whether each node is a pattern or part of one, outside of closures.
  private static func patternNodes(of outline: Outline) -> [Bool] {
    var patterns = [Bool](repeating: false, count: outline.nodes.count)
    for (index, node) in outline.nodes.enumerated().dropFirst() {
      let parent = Int(node.parent)
      switch outline.nodes[parent].kind {
      case .caseItem, .caseCondition: patterns[index] = index == parent + 1
      case .closure: patterns[index] = false
      default: patterns[index] = patterns[parent] || outline.isPattern(index)
      }
    }
    return patterns
  }
}

extension Outline {
  /// Whether a node is the pattern of a loop.
  fileprivate func isPattern(_ index: Int) -> Bool {
    let parent = Int(nodes[index].parent)
    guard nodes[parent].kind == .forStatement, nodes[index].kind == .expression else {
      return false
    }
    return children(of: parent).first {
      nodes[$0].kind == .expression || nodes[$0].kind == .boundName
    }
      == index
  }
}

/// Folds the sequences of a SwiftSyntax tree.
final class ReferenceFolds: SyntaxVisitor {
  private let operators: Operators
  private(set) var items: [Item] = []
  /// The places of operators and marks in sequences whose operators are not known.
  private(set) var unjudged: Set<Int> = []

  init(_ operators: Operators) {
    self.operators = operators
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    var isKnown = true
    for element in node.elements {
      if let operation = element.as(BinaryOperatorExprSyntax.self),
        operators.conflicts.contains(operation.operator.text)
      {
        isKnown = false
      }
    }
    let folded = operators.reference.foldSingle(node) { _ in isKnown = false }
    if isKnown {
      add(folded, at: node.position.utf8Offset)
    } else {
      for element in node.elements { addUnjudged(element) }
    }
    return .visitChildren
  }

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    if !isMarked(node) { add(ExprSyntax(node), at: 0) }
    return .visitChildren
  }

  override func visit(_ node: AwaitExprSyntax) -> SyntaxVisitorContinueKind {
    if !isMarked(node) { add(ExprSyntax(node), at: 0) }
    return .visitChildren
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  /// Whether a mark is part of a sequence, or of a mark before it, and is added with that.
  private func isMarked(_ node: some ExprSyntaxProtocol) -> Bool {
    var parent = node.parent
    while let outer = parent, outer.is(UnsafeExprSyntax.self) { parent = outer.parent }
    guard let parent else { return false }
    return parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self)
      || parent.is(ExprListSyntax.self)
  }

  private func append(
    _ kind: String, _ node: some SyntaxProtocol, _ token: TokenSyntax, _ base: Int
  ) {
    items.append(
      Item(
        kind: kind, start: base + start(of: node),
        end: base + node.endPositionBeforeTrailingTrivia.utf8Offset,
        name: base + token.positionAfterSkippingLeadingTrivia.utf8Offset))
  }

  /// Words that stand before an operand are no part of it in our view.
  private func start(of node: some SyntaxProtocol) -> Int {
    var node = Syntax(node)
    while true {
      if let inner = node.as(UnsafeExprSyntax.self)?.expression {
        node = Syntax(inner)
      } else if let inner = node.as(ConsumeExprSyntax.self)?.expression {
        node = Syntax(inner)
      } else if let inner = node.as(CopyExprSyntax.self)?.expression {
        node = Syntax(inner)
      } else if let inner = node.as(InfixOperatorExprSyntax.self)?.leftOperand {
        node = Syntax(inner)
      } else if let inner = node.as(TernaryExprSyntax.self)?.condition {
        node = Syntax(inner)
      } else if let inner = node.as(AsExprSyntax.self)?.expression {
        node = Syntax(inner)
      } else if let inner = node.as(IsExprSyntax.self)?.expression {
        node = Syntax(inner)
      } else {
        return node.positionAfterSkippingLeadingTrivia.utf8Offset
      }
    }
  }

  /// Adds the operations right in a folded tree; what they hold is folded by itself.
  private func add(_ node: ExprSyntax, at base: Int) {
    var nodes = [node]
    while let node = nodes.popLast() {
      if let mark = node.as(TryExprSyntax.self) {
        append("folded try", node, mark.tryKeyword, base)
        nodes.append(mark.expression)
      } else if let mark = node.as(AwaitExprSyntax.self) {
        append("folded await", node, mark.awaitKeyword, base)
        nodes.append(mark.expression)
      } else if let mark = node.as(UnsafeExprSyntax.self) {
        nodes.append(mark.expression)
      } else if let operation = node.as(InfixOperatorExprSyntax.self) {
        let token =
          operation.operator.as(ArrowExprSyntax.self)?.arrow
          ?? operation.operator.firstToken(viewMode: .sourceAccurate)
        let kind = isAssignment(operation.operator) ? "folded assignment" : "folded operator"
        if let token { append(kind, node, token, base) }
        nodes += [operation.leftOperand, operation.rightOperand]
      } else if let ternary = node.as(TernaryExprSyntax.self) {
        append("folded ternary", node, ternary.questionMark, base)
        nodes += [ternary.condition, ternary.elseExpression]
      } else if let cast = node.as(AsExprSyntax.self) {
        append("folded cast", node, cast.asKeyword, base)
        nodes.append(cast.expression)
      } else if let cast = node.as(IsExprSyntax.self) {
        append("folded cast", node, cast.isKeyword, base)
        nodes.append(cast.expression)
      }
    }
  }

  private func isAssignment(_ node: ExprSyntax) -> Bool {
    if node.is(AssignmentExprSyntax.self) { return true }
    guard let name = node.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
    return operators.own.precedence(of: name).isAssignment
  }

  private func addUnjudged(_ node: ExprSyntax) {
    if let mark = node.as(TryExprSyntax.self) {
      unjudged.insert(mark.tryKeyword.positionAfterSkippingLeadingTrivia.utf8Offset)
      addUnjudged(mark.expression)
    } else if let mark = node.as(AwaitExprSyntax.self) {
      unjudged.insert(mark.awaitKeyword.positionAfterSkippingLeadingTrivia.utf8Offset)
      addUnjudged(mark.expression)
    } else if let mark = node.as(UnsafeExprSyntax.self) {
      addUnjudged(mark.expression)
    } else {
      unjudged.insert(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
  }
}
