import SwiftSyntax

extension Item {
  /// The parts of all patterns.
  static func ownPatterns(_ context: OutlineContext) -> [Item] {
    let (outline, view) = (context.outline, context.view)
    return outline.nodes.indices.flatMap { index -> [Item] in
      guard let pattern = context.pattern(of: index) else { return [] }
      return (pattern..<view.end(ofSubtree: pattern)).compactMap { part in
        let node = view[node: part]
        guard let kind = name(of: node.kind), node.first < node.end else { return nil }
        let name = CasePatternView(NodeView(view, part))?.name
        return Item(
          kind: kind, start: Int(outline.tokens[Int(node.first)].offset),
          end: outline.tokens[Int(node.end) - 1].end,
          name: name.map { Int($0.token.offset) } ?? -1)
      }
    }
  }

  private static func name(of kind: Node.Kind) -> String? {
    switch kind {
    case .wildcardPattern: "pattern wildcard"
    case .namePattern: "pattern name"
    case .bindingPattern: "pattern binding"
    case .tuplePattern: "pattern tuple"
    case .casePattern: "pattern case"
    case .optionalPattern: "pattern optional"
    case .testPattern: "pattern test"
    case .castPattern: "pattern cast"
    case .expressionPattern: "pattern expression"
    default: nil
    }
  }
}

/// Collects the patterns of a SwiftSyntax tree.
final class ReferencePatterns: SyntaxVisitor {
  private(set) var items: [Item] = []

  override func visitPost(_ node: SwitchCaseItemSyntax) { add(node.pattern) }
  override func visitPost(_ node: CatchItemSyntax) { node.pattern.map { add($0) } }
  override func visitPost(_ node: MatchingPatternConditionSyntax) { add(node.pattern) }
  override func visitPost(_ node: OptionalBindingConditionSyntax) { add(node.pattern) }
  override func visitPost(_ node: PatternBindingSyntax) { add(node.pattern) }
  override func visitPost(_ node: ForStmtSyntax) { add(node.pattern) }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  private func append(_ kind: String, _ node: some SyntaxProtocol, name: TokenSyntax? = nil) {
    items.append(
      Item(
        kind: kind, start: node.positionAfterSkippingLeadingTrivia.utf8Offset,
        end: node.endPositionBeforeTrailingTrivia.utf8Offset,
        name: name?.positionAfterSkippingLeadingTrivia.utf8Offset ?? -1))
  }

  private func add(_ pattern: PatternSyntax) {
    if pattern.is(IdentifierPatternSyntax.self) {
      append("pattern name", pattern)
    } else if pattern.is(WildcardPatternSyntax.self) {
      append("pattern wildcard", pattern)
    } else if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      append("pattern binding", pattern)
      add(binding.pattern)
    } else if let tuple = pattern.as(TuplePatternSyntax.self) {
      if tuple.elements.count != 1 || tuple.elements.first?.label != nil {
        append("pattern tuple", pattern)
      }
      for element in tuple.elements { add(element.pattern) }
    } else if pattern.is(IsTypePatternSyntax.self) {
      append("pattern test", pattern)
    } else if let expression = pattern.as(ExpressionPatternSyntax.self) {
      add(expression.expression)
    }
  }

  private func add(_ node: ExprSyntax) {
    if let pattern = node.as(PatternExprSyntax.self) {
      add(pattern.pattern)
    } else if node.is(DiscardAssignmentExprSyntax.self) {
      append("pattern wildcard", node)
    } else if let tuple = node.as(TupleExprSyntax.self) {
      if tuple.elements.count != 1 || tuple.elements.first?.label != nil {
        append("pattern tuple", node)
      }
      for element in tuple.elements { add(element.expression) }
    } else if let optional = node.as(OptionalChainingExprSyntax.self) {
      append("pattern optional", node)
      add(optional.expression)
    } else if let sequence = node.as(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      if elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) {
        append("pattern cast", node)
        add(elements[0])
      } else {
        append("pattern expression", node)
      }
    } else if let name = caseName(node) {
      append("pattern case", node, name: name)
    } else if let call = node.as(FunctionCallExprSyntax.self), call.leftParen != nil,
      call.trailingClosure == nil, let name = caseName(call.calledExpression)
    {
      append("pattern case", node, name: name)
      for argument in call.arguments { add(argument.expression) }
    } else {
      append("pattern expression", node)
    }
  }

  /// The name of `.name` and `Type.name`.
  private func caseName(_ node: ExprSyntax) -> TokenSyntax? {
    guard let member = node.as(MemberAccessExprSyntax.self) else { return nil }
    var base = member.base
    while let inner = base {
      if let member = inner.as(MemberAccessExprSyntax.self) {
        base = member.base
      } else if let generic = inner.as(GenericSpecializationExprSyntax.self) {
        base = generic.expression
      } else {
        return inner.is(DeclReferenceExprSyntax.self) ? member.declName.baseName : nil
      }
    }
    return member.declName.baseName
  }
}
