import SwiftSyntax

/// A node of the outline as both sides see it.
struct Item: Hashable {
  let kind: String
  let start: Int
  let end: Int
  /// The offset of the name's token; -1 for what has none.
  let name: Int
}

extension Item {
  /// The nodes of our outline that the reference has too.
  static func own(_ outline: Outline) -> [Item] {
    var items: [Item] = []
    for (index, node) in outline.nodes.enumerated() {
      guard let kind = name(of: node.kind) else { continue }
      var range = outline.byteRange(of: index)
      if node.kind == .call || node.kind == .subscriptSuffix {
        guard let base = base(of: index, in: outline) else { continue }
        range = base..<range.upperBound
      }
      if node.kind == .keyPathUnwrapping, range.count > 1 {
        range = range.lowerBound + 1..<range.lowerBound + 2
      }
      if node.kind == .string, !outline.tokens[Int(node.first)].kind.isStringPiece { continue }
      let hasName = namedKinds.contains(kind) && node.name != Node.noToken
      items.append(
        Item(
          kind: kind, start: range.lowerBound, end: range.upperBound,
          name: hasName ? Int(outline.tokens[Int(node.name)].offset) : -1))
    }
    return items
  }

  /// The offset at which what is called begins: the first part of the chain that a suffix stands
  /// in, or of the `#if` clause in a chain.
  private static func base(of index: Int, in outline: Outline) -> Int? {
    let parent = Int(outline.nodes[index].parent)
    guard [.chain, .ifConfigClause].contains(outline.nodes[parent].kind) else { return nil }
    for child in outline.children(of: parent) { return outline.byteRange(of: child).lowerBound }
    return nil
  }

  static let namedKinds: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "func", "macro", "typealias", "associatedtype",
    "case element", "generic parameter",
  ]

  private static func name(of kind: Node.Kind) -> String? {
    switch kind {
    case .classDecl: "class"
    case .structDecl: "struct"
    case .enumDecl: "enum"
    case .actorDecl: "actor"
    case .protocolDecl: "protocol"
    case .extensionDecl: "extension"
    case .functionDecl: "func"
    case .initDecl: "init"
    case .deinitDecl: "deinit"
    case .subscriptDecl: "subscript declaration"
    case .macroDecl: "macro"
    case .variableDecl: "var"
    case .binding: "binding"
    case .enumCaseDecl: "case"
    case .enumElement: "case element"
    case .typealiasDecl: "typealias"
    case .associatedtypeDecl: "associatedtype"
    case .importDecl: "import"
    case .operatorDecl: "operator"
    case .precedenceGroupDecl: "precedencegroup"
    case .attribute: "attribute"
    case .parameter: "parameter"
    case .accessors: "accessors"
    case .ifStatement: "if"
    case .guardStatement: "guard"
    case .whileStatement: "while"
    case .repeatStatement: "repeat"
    case .forStatement: "for"
    case .switchStatement: "switch"
    case .switchCase: "switch case"
    case .doStatement: "do"
    case .catchClause: "catch"
    case .deferStatement: "defer"
    case .returnStatement: "return"
    case .throwStatement: "throw"
    case .optionalBinding: "optional binding"
    case .caseCondition: "case condition"
    case .string: "string"
    case .array: "array"
    case .dictionary: "dictionary"
    case .closure: "closure"
    case .capture: "capture"
    case .call: "call"
    case .subscriptSuffix: "subscript"
    case .keyPath: "key path"
    case .keyPathMember: "key path member"
    case .keyPathArguments: "key path arguments"
    case .keyPathUnwrapping: "key path unwrapping"
    case .genericParameter: "generic parameter"
    case .whereClause: "where clause"
    case .conformanceRequirement: "conformance requirement"
    case .sameTypeRequirement: "same-type requirement"
    default: nil
    }
  }
}

extension Token.Kind {
  var isStringPiece: Bool { self == .string || self == .stringStart }
}

/// Collects the nodes of a SwiftSyntax tree that the outline has.
final class ReferenceItems: SyntaxAnyVisitor {
  private(set) var items: [Item] = []

  static func items(of tree: SourceFileSyntax) -> [Item] {
    let visitor = ReferenceItems(viewMode: .sourceAccurate)
    visitor.walk(tree)
    return visitor.items
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if node.is(TokenSyntax.self) { return .skipChildren }
    if let clause = node.as(IfConfigClauseSyntax.self) {
      // The condition of `#if` is read by the compiler's driver; it holds no code.
      if let elements = clause.elements { walk(elements) }
      return .skipChildren
    }
    if let kind = Self.name(of: node) {
      let name = Item.namedKinds.contains(kind) ? Self.nameOffset(of: node) : -1
      items.append(
        Item(
          kind: kind, start: Self.start(of: node), end: Self.end(of: node), name: name))
    }
    if let path = node.as(KeyPathExprSyntax.self) { addComponents(of: path) }
    return Self.isOpaque(node) ? .skipChildren : .visitChildren
  }

  private func addComponents(of path: KeyPathExprSyntax) {
    for component in path.components {
      switch component.component {
      case .property(let property): add("key path member", property)
      case .subscript(let arguments): add("key path arguments", arguments)
      case .optional(let optional): add("key path unwrapping", optional)
      default: break
      }
    }
  }

  private func add(_ kind: String, _ node: some SyntaxProtocol) {
    items.append(
      Item(
        kind: kind, start: node.positionAfterSkippingLeadingTrivia.utf8Offset,
        end: node.endPositionBeforeTrailingTrivia.utf8Offset, name: -1))
  }

  /// Whether the outline keeps the tokens of such a node without structure.
  private static func isOpaque(_ node: Syntax) -> Bool {
    switch node.kind {
    case .functionType, .tupleType, .keyPathExpr, .genericArgumentClause, .arrayType,
      .dictionaryType, .inheritanceClause, .typeAnnotation,
      .availabilityCondition, .operatorDecl, .precedenceGroupDecl,
      .throwsClause, .someOrAnyType, .optionalType, .inlineArrayType, .attributedType:
      return true
    default: return false
    }
  }

  private static func start(of node: Syntax) -> Int {
    let first = node.as(MacroExpansionDeclSyntax.self)?.pound
    return (first.map { Syntax($0) } ?? node).positionAfterSkippingLeadingTrivia.utf8Offset
  }

  private static func end(of node: Syntax) -> Int {
    if let parameter = node.as(FunctionParameterSyntax.self), let comma = parameter.trailingComma {
      return end(before: comma)
    }
    if let parameter = node.as(ClosureParameterSyntax.self), let comma = parameter.trailingComma {
      return end(before: comma)
    }
    if let parameter = node.as(EnumCaseParameterSyntax.self), let comma = parameter.trailingComma {
      return end(before: comma)
    }
    if let parameter = node.as(ClosureShorthandParameterSyntax.self),
      let comma = parameter.trailingComma
    {
      return end(before: comma)
    }
    if let binding = node.as(PatternBindingSyntax.self), let comma = binding.trailingComma {
      return end(before: comma)
    }
    if let element = node.as(EnumCaseElementSyntax.self), let comma = element.trailingComma {
      return end(before: comma)
    }
    if let parameter = node.as(PrimaryAssociatedTypeSyntax.self),
      let comma = parameter.trailingComma
    {
      return end(before: comma)
    }
    if let parameter = node.as(GenericParameterSyntax.self), let comma = parameter.trailingComma {
      return end(before: comma)
    }
    if let capture = node.as(ClosureCaptureSyntax.self), let comma = capture.trailingComma {
      return end(before: comma)
    }
    return node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  private static func end(before comma: TokenSyntax) -> Int {
    comma.previousToken(viewMode: .sourceAccurate)?.endPositionBeforeTrailingTrivia.utf8Offset ?? 0
  }

  private static func nameOffset(of node: Syntax) -> Int {
    if let named = node.asProtocol((any NamedDeclSyntax).self) {
      return named.name.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    if let parameter = node.as(PrimaryAssociatedTypeSyntax.self) {
      return parameter.name.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    if let parameter = node.as(GenericParameterSyntax.self) {
      return parameter.name.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    if let element = node.as(EnumCaseElementSyntax.self) {
      return element.name.positionAfterSkippingLeadingTrivia.utf8Offset
    }
    return -1
  }

  private static func name(of node: Syntax) -> String? {
    switch node.kind {
    case .classDecl: return "class"
    case .structDecl: return "struct"
    case .enumDecl: return "enum"
    case .actorDecl: return "actor"
    case .protocolDecl: return "protocol"
    case .extensionDecl: return "extension"
    case .functionDecl: return "func"
    case .initializerDecl: return "init"
    case .deinitializerDecl: return "deinit"
    case .subscriptDecl: return "subscript declaration"
    case .macroDecl: return "macro"
    case .variableDecl: return "var"
    case .patternBinding: return "binding"
    case .enumCaseDecl: return "case"
    case .enumCaseElement: return "case element"
    case .typeAliasDecl: return "typealias"
    case .associatedTypeDecl: return "associatedtype"
    case .importDecl: return "import"
    case .operatorDecl: return "operator"
    case .precedenceGroupDecl: return "precedencegroup"
    case .attribute: return "attribute"
    case .functionParameter, .closureParameter, .closureShorthandParameter, .enumCaseParameter:
      return "parameter"
    case .accessorBlock: return "accessors"
    case .ifExpr: return "if"
    case .guardStmt: return "guard"
    case .whileStmt: return "while"
    case .repeatStmt: return "repeat"
    case .forStmt: return "for"
    case .switchExpr: return "switch"
    case .switchCase: return "switch case"
    case .doStmt: return "do"
    case .catchClause: return "catch"
    case .deferStmt: return "defer"
    case .returnStmt: return "return"
    case .throwStmt: return "throw"
    case .optionalBindingCondition: return "optional binding"
    case .matchingPatternCondition: return "case condition"
    case .stringLiteralExpr, .simpleStringLiteralExpr: return "string"
    case .arrayExpr: return "array"
    case .dictionaryExpr: return "dictionary"
    case .closureExpr: return "closure"
    case .closureCapture: return "capture"
    case .functionCallExpr: return "call"
    case .macroExpansionExpr, .macroExpansionDecl: return isCalled(node) ? "call" : nil
    case .subscriptCallExpr: return "subscript"
    case .keyPathExpr: return "key path"
    case .genericParameter, .primaryAssociatedType: return "generic parameter"
    case .genericWhereClause: return "where clause"
    case .conformanceRequirement: return "conformance requirement"
    case .sameTypeRequirement: return "same-type requirement"
    default: return nil
    }
  }

  /// Whether a macro has arguments or closures.
  private static func isCalled(_ node: Syntax) -> Bool {
    if let macro = node.as(MacroExpansionExprSyntax.self) {
      return macro.leftParen != nil || macro.trailingClosure != nil
    }
    if let macro = node.as(MacroExpansionDeclSyntax.self) {
      return macro.leftParen != nil || macro.trailingClosure != nil
    }
    return false
  }
}

/// Compares the items of one file.
struct ItemComparison {
  private(set) var differences: [Difference] = []
  /// How many items of a kind the reference has, and how many of them we have too.
  private(set) var counts: [String: (all: Int, same: Int)] = [:]

  init(own: [Item], reference: [Item]) {
    var ours = Dictionary(own.map { (Key($0), $0) }, uniquingKeysWith: { first, _ in first })
    var starts: [Key: Item] = [:]
    for item in own { starts[Key(kind: item.kind, start: item.start, end: -1)] = item }
    var missing: [Item] = []
    for item in reference {
      if let match = ours.removeValue(forKey: Key(item)) {
        let isSame = match.name == item.name
        counts[item.kind, default: (0, 0)].all += 1
        if isSame {
          counts[item.kind, default: (0, 0)].same += 1
        } else {
          differences.append(Difference(name: "name of \(item.kind)", offset: item.start))
        }
      } else {
        counts[item.kind, default: (0, 0)].all += 1
        missing.append(item)
      }
    }
    var left = Set(ours.keys)
    for item in missing {
      if let other = starts[Key(kind: item.kind, start: item.start, end: -1)],
        left.remove(Key(other)) != nil
      {
        differences.append(
          Difference(name: "end of \(item.kind)", offset: min(item.end, other.end)))
      } else {
        differences.append(Difference(name: "missing \(item.kind)", offset: item.start))
      }
    }
    for key in left {
      differences.append(Difference(name: "extra \(key.kind)", offset: key.start))
      counts[key.kind, default: (0, 0)].all += 1
    }
  }

  private struct Key: Hashable {
    let kind: String
    let start: Int
    let end: Int

    init(kind: String, start: Int, end: Int) {
      self.kind = kind
      self.start = start
      self.end = end
    }

    init(_ item: Item) {
      self.init(kind: item.kind, start: item.start, end: item.end)
    }
  }
}
