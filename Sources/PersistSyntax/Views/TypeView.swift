/// A type as it is written: a `type` node or a part of a type.
package struct TypeView: SyntaxView {
  /// The part that says what the type is; the `type` node itself where broken code has no part.
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .type || node.kind.isType else { return nil }
    self.node = node.kind == .type ? node.firstChild ?? node : node
  }

  /// What the type is, `namedType` for example; `type` when it is missing.
  package var kind: Node.Kind { node.kind }
  /// The last name of a named type, a member type or a metatype.
  package var name: TokenText? { node.name }
  /// What `A?`, `A!`, `A...`, `A.B`, `A.Type`, `[A]`, `some A`, `any A`, `each A`, `repeat A`,
  /// `~A`, `[n of A]` and `@B A` are made from.
  package var base: TypeView? {
    switch kind {
    case .memberType: node.firstChild.flatMap { TypeView($0) }
    case .inlineArrayType, .attributedType: node.lastChild.flatMap { TypeView($0) }
    case .optionalType, .unwrappedType, .variadicType, .metatype, .suppressedType, .arrayType,
      .someType, .anyType, .packExpansionType, .packElementType:
      node.firstChild.flatMap { TypeView($0) }
    default: nil
    }
  }

  /// The generic arguments of a named type or member type.
  package var genericArguments: [TypeView] {
    switch kind {
    case .namedType: node.children(TypeView.self)
    case .memberType: Array(node.children(TypeView.self).dropFirst())
    default: []
    }
  }

  /// The types that a composition joins.
  package var members: [TypeView] {
    kind == .compositionType ? node.children(TypeView.self) : []
  }

  /// The key and the value of a dictionary.
  package var keyAndValue: (key: TypeView, value: TypeView)? {
    guard kind == .dictionaryType else { return nil }
    let types = node.children(TypeView.self)
    return types.count == 2 ? (types[0], types[1]) : nil
  }

  /// The elements of a tuple; parentheses around one type are a tuple of one.
  package var elements: [TypeElementView] {
    kind == .tupleType ? node.children(TypeElementView.self) : []
  }

  /// The type as a function type, attributes and parentheses around it left out.
  package var function: FunctionTypeView? { FunctionTypeView(plain.node) }

  // MARK: Without what stands around

  /// The attributes before the type, and those of a type in parentheses in it.
  package var attributes: [TokenText] {
    var names: [TokenText] = []
    var type = self
    while true {
      if type.kind == .attributedType {
        names += type.node.children(.typeAttribute).compactMap(\.name)
      }
      guard let inner = type.withoutOneLayer else { return names }
      type = inner
    }
  }

  /// The words before the type such as `inout` and `sending`.
  package var specifiers: [Keyword] {
    guard kind == .attributedType else { return [] }
    return node.children(.typeSpecifier).map(\.firstToken.keyword)
  }

  /// The type without attributes, specifiers and parentheses around it.
  package var plain: TypeView {
    var type = self
    while let inner = type.withoutOneLayer { type = inner }
    return type
  }

  private var withoutOneLayer: TypeView? {
    if kind == .attributedType { return base }
    guard kind == .tupleType else { return nil }
    let elements = elements
    return elements.count == 1 && elements[0].label == nil ? elements[0].type : nil
  }

  /// Whether a value may be `nil`: `A?`, `A!`, or `Optional<A>`.
  package var isOptional: Bool { wrapped != nil }

  /// What an optional type wraps once; nil for other types.
  package var wrapped: TypeView? {
    let type = plain
    switch type.kind {
    case .someType, .anyType: return type.base?.wrapped
    case .optionalType, .unwrappedType: return type.base
    case .namedType, .memberType:
      let arguments = type.genericArguments
      return type.name?.text == "Optional" && arguments.count == 1 ? arguments[0] : nil
    default: return nil
    }
  }

  /// The type without parentheses, attributes and marks of optionals.
  package var unwrapped: TypeView {
    var type = plain
    while let wrapped = type.wrapped { type = wrapped.plain }
    return type
  }

  /// The type without marks of optionals, `some`, `any`, and what else stands around its names.
  package var bare: TypeView {
    var type = unwrapped
    while [.someType, .anyType, .variadicType].contains(type.kind), let base = type.base {
      type = base.unwrapped
    }
    return type
  }

  /// Whether the type joins protocols with `&`.
  package var isComposition: Bool { bare.kind == .compositionType }

  /// The last name outside of generic arguments: `Error` of `(any Swift.Error)?`; nil for a
  /// collection, a tuple or a function.
  package var lastName: TokenText? {
    let type = bare
    if type.kind == .compositionType { return type.members.last?.lastName }
    return type.name
  }

  /// The types that a composition joins, or the type alone; without what stands around them.
  package var joined: [TypeView] {
    let type = bare
    return type.kind == .compositionType ? type.members.flatMap(\.joined) : [type]
  }

  /// The names of `A.B.C`, from the first on; empty for a type that is no name.
  package var path: [TokenText] {
    var names: [TokenText] = []
    var type: TypeView? = self
    while let next = type {
      guard next.kind == .namedType || next.kind == .memberType, let name = next.name else {
        return []
      }
      names.append(name)
      type = next.base
    }
    return names.reversed()
  }
}

/// One element of a tuple type, or one parameter of a function type.
package struct TypeElementView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .typeElement else { return nil }
    self.node = node
  }

  /// The label, the first of two.
  package var label: TokenText? { node.label }
  /// The type.
  package var type: TypeView? { node.child(TypeView.self) }
}

/// A function type.
package struct FunctionTypeView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .functionType else { return nil }
    self.node = node
  }

  /// The parameters.
  package var parameters: [TypeElementView] { node.children(TypeElementView.self) }
  /// What the function results in.
  package var result: TypeView? { node.children(TypeView.self).last }
  /// The error of `throws(E)`.
  package var thrownError: TypeView? {
    let types = node.children(TypeView.self)
    return types.count > 1 ? types[0] : nil
  }
  /// Whether the function suspends.
  package var isAsync: Bool { node.flags.contains(.isAsync) }
  /// Whether the function throws, also as its argument does.
  package var isThrowing: Bool { node.flags.contains(.isThrowing) }
}

extension Node.Kind {
  /// Whether a node of the kind ends with a type.
  var endsAsType: Bool {
    switch self {
    case .type, .genericParameter, .conformanceRequirement, .sameTypeRequirement: true
    default: isType
    }
  }

  /// Whether the kind is that of a part of a type which is a type itself.
  package var isType: Bool {
    switch self {
    case .namedType, .memberType, .optionalType, .unwrappedType, .variadicType, .metatype,
      .suppressedType, .arrayType, .dictionaryType, .inlineArrayType, .tupleType, .functionType,
      .compositionType, .someType, .anyType, .packExpansionType, .packElementType,
      .attributedType, .typeValue:
      true
    default: false
    }
  }
}
