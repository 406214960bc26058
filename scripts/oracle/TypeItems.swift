import SwiftSyntax

extension Item {
  /// The parts of all types that the outline parses.
  static func ownTypes(_ outline: Outline) -> [Item] {
    outline.nodes.indices.compactMap { index in
      let node = outline.nodes[index]
      guard let kind = typeNames[node.kind] else { return nil }
      let range = outline.byteRange(of: index)
      let isNamed = node.kind == .namedType || node.kind == .memberType || node.kind == .metatype
      return Item(
        kind: kind, start: range.lowerBound, end: range.upperBound,
        name: isNamed && node.name != Node.noToken
          ? Int(outline.tokens[Int(node.name)].offset) : -1)
    }
  }

  private static let typeNames: [Node.Kind: String] = [
    .namedType: "type name", .memberType: "type member", .optionalType: "type optional",
    .unwrappedType: "type unwrapped", .variadicType: "type variadic", .metatype: "metatype",
    .suppressedType: "type suppressed", .arrayType: "type array",
    .dictionaryType: "type dictionary", .inlineArrayType: "type inline array",
    .tupleType: "type tuple", .functionType: "type function", .typeElement: "type element",
    .compositionType: "type composition", .someType: "type some", .anyType: "type any",
    .packExpansionType: "type repeat", .packElementType: "type each",
    .attributedType: "type attributed", .typeAttribute: "type attribute",
    .typeSpecifier: "type specifier", .typeValue: "type value",
  ]
}

/// Collects the parts of types at the places where the outline parses types.
final class ReferenceTypes: SyntaxVisitor {
  private(set) var items: [Item] = []

  override func visitPost(_ node: TypeAnnotationSyntax) { add(node.type) }
  override func visitPost(_ node: InheritedTypeSyntax) { add(node.type) }
  override func visitPost(_ node: ExtensionDeclSyntax) { add(node.extendedType) }
  override func visitPost(_ node: TypeInitializerClauseSyntax) { add(node.value) }
  override func visitPost(_ node: GenericParameterSyntax) { node.inheritedType.map { add($0) } }
  override func visitPost(_ node: ConformanceRequirementSyntax) {
    add(node.leftType)
    add(node.rightType)
  }
  override func visitPost(_ node: SameTypeRequirementSyntax) {
    for side in [Syntax(node.leftType), Syntax(node.rightType)] { TypeWalk(self).walk(side) }
  }
  override func visitPost(_ node: IsTypePatternSyntax) { add(node.type) }
  override func visitPost(_ node: EnumCaseParameterSyntax) { add(node.type) }
  override func visitPost(_ node: FunctionParameterSyntax) {
    addVariadic(node.type, node.ellipsis)
    add(node.type)
  }
  override func visitPost(_ node: ClosureParameterSyntax) {
    guard let type = node.type else { return }
    addVariadic(type, node.ellipsis)
    add(type)
  }
  override func visitPost(_ node: ReturnClauseSyntax) {
    if node.parent?.is(FunctionTypeSyntax.self) != true { add(node.type) }
  }
  override func visitPost(_ node: SequenceExprSyntax) {
    var isCast = false
    for element in node.elements {
      if isCast, let type = element.as(TypeExprSyntax.self) { add(type.type) }
      isCast = element.is(UnresolvedAsExprSyntax.self) || element.is(UnresolvedIsExprSyntax.self)
    }
  }
  /// Of `any A<B>` as an expression the outline knows the arguments as types.
  override func visitPost(_ node: TypeExprSyntax) {
    guard let type = node.type.as(SomeOrAnyTypeSyntax.self),
      node.parent?.is(ExprListSyntax.self) != true
    else { return }
    add(type.constraint.as(IdentifierTypeSyntax.self)?.genericArgumentClause)
  }
  override func visitPost(_ node: GenericSpecializationExprSyntax) {
    add(node.genericArgumentClause)
  }
  override func visitPost(_ node: MacroExpansionExprSyntax) { add(node.genericArgumentClause) }
  override func visitPost(_ node: MacroExpansionDeclSyntax) { add(node.genericArgumentClause) }
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }
  // What stands in the brackets of a key path are tokens in the outline.
  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
    if let root = node.root { add(root) }
    for component in node.components {
      if case .property(let property) = component.component {
        add(property.genericArgumentClause)
      }
    }
    return .skipChildren
  }

  private func add(_ type: TypeSyntax) { TypeWalk(self).walk(type) }

  private func add(_ arguments: GenericArgumentClauseSyntax?) {
    if let arguments { TypeWalk(self).walk(arguments) }
  }

  fileprivate func addVariadic(_ type: TypeSyntax, _ ellipsis: TokenSyntax?) {
    guard let ellipsis else { return }
    append("type variadic", Syntax(type), end: Syntax(ellipsis))
  }

  fileprivate func append(
    _ kind: String, _ node: Syntax, end: Syntax? = nil, name: TokenSyntax? = nil
  ) {
    items.append(
      Item(
        kind: kind, start: node.positionAfterSkippingLeadingTrivia.utf8Offset,
        end: (end ?? node).endPositionBeforeTrailingTrivia.utf8Offset,
        name: name?.positionAfterSkippingLeadingTrivia.utf8Offset ?? -1))
  }
}

/// Walks through one type.
private final class TypeWalk: SyntaxAnyVisitor {
  private let types: ReferenceTypes

  init(_ types: ReferenceTypes) {
    self.types = types
    super.init(viewMode: .sourceAccurate)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let node = node.as(AttributeSyntax.self) {
      types.append("type attribute", Syntax(node))
      return .skipChildren
    }
    if node.is(SimpleTypeSpecifierSyntax.self) || node.is(NonisolatedTypeSpecifierSyntax.self) {
      types.append("type specifier", node)
    } else if let element = node.as(TupleTypeElementSyntax.self) {
      types.addVariadic(element.type, element.ellipsis)
      let last = element.trailingComma?.previousToken(viewMode: .sourceAccurate)
      types.append("type element", node, end: last.map { Syntax($0) })
    } else if let name = Self.name(of: node) {
      types.append(name, node, name: Self.nameToken(of: node))
    } else if node.is(ExprSyntax.self) {
      types.append("type value", node)
      return .skipChildren
    }
    return .visitChildren
  }

  private static func nameToken(of node: Syntax) -> TokenSyntax? {
    node.as(IdentifierTypeSyntax.self)?.name ?? node.as(MemberTypeSyntax.self)?.name
      ?? node.as(MetatypeTypeSyntax.self)?.metatypeSpecifier
      ?? node.as(ClassRestrictionTypeSyntax.self)?.classKeyword
  }

  private static func name(of node: Syntax) -> String? {
    switch node.kind {
    case .identifierType, .classRestrictionType: "type name"
    case .memberType: "type member"
    case .optionalType: "type optional"
    case .implicitlyUnwrappedOptionalType: "type unwrapped"
    case .metatypeType: "metatype"
    case .suppressedType: "type suppressed"
    case .arrayType: "type array"
    case .dictionaryType: "type dictionary"
    case .inlineArrayType: "type inline array"
    case .tupleType: "type tuple"
    case .functionType: "type function"
    case .compositionType: "type composition"
    case .someOrAnyType:
      node.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier.text == "some"
        ? "type some" : "type any"
    case .packExpansionType: "type repeat"
    case .packElementType: "type each"
    case .attributedType: "type attributed"
    default: nil
    }
  }
}
