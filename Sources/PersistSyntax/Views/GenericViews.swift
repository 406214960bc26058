/// A parameter in the angle brackets of a declaration.
package struct GenericParameterView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .genericParameter else { return nil }
    self.node = node
  }

  /// The name; nil in broken code.
  package var name: TokenText? { node.name }
  /// The attributes.
  package var attributes: [AttributeView] { node.children(AttributeView.self) }
  /// Whether the parameter stands for several types, as in `each T`.
  package var isPack: Bool { word == .each }
  /// Whether the parameter is a value, as in `let count: Int`.
  package var isValue: Bool { word == .let }
  /// What the parameter conforms to, or the type of a value.
  package var constraint: TypeView? {
    guard let name, node.outline[token: name.index + 1].kind == .colon else { return nil }
    return node.child(TypeView.self)
  }

  /// The word right before the name.
  private var word: Keyword? {
    guard let name, name.index > node.tokens.lowerBound else { return nil }
    return node.outline[token: name.index - 1].keyword
  }
}

/// A requirement of a `where` clause: `T: P` or `T.Element == U`.
package struct RequirementView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .conformanceRequirement || node.kind == .sameTypeRequirement else {
      return nil
    }
    self.node = node
  }

  /// Whether both sides are one type.
  package var isSameType: Bool { node.kind == .sameTypeRequirement }
  /// What something is required of.
  package var subject: TypeView? { node.child(TypeView.self) }
  /// What the subject conforms to, inherits from, or is; nil in broken code.
  package var requirement: TypeView? {
    let types = node.children(TypeView.self)
    return types.count > 1 ? types[1] : nil
  }
}

/// A key path such as `\Trip.stops[0]?.name`.
package struct KeyPathView: SyntaxView {
  package let node: NodeView

  package init?(_ node: NodeView) {
    guard node.kind == .keyPath else { return nil }
    self.node = node
  }

  /// One part of a key path behind its root.
  package enum Component: Sendable {
    /// A property or a method; also a type in the one before, which looks the same.
    case member(TokenText)
    /// Arguments in brackets or parentheses.
    case arguments
    /// `?` or `!`.
    case unwrapping
  }

  /// The type before the members; of `\A.B.c` it is `A`.
  package var root: TypeView? { node.child(.type).flatMap { TypeView($0) } }

  /// The parts behind the root.
  package var components: [Component] {
    node.children.compactMap { part in
      switch part.kind {
      case .keyPathMember: part.name.map { .member($0) }
      case .keyPathArguments: .arguments
      case .keyPathUnwrapping: .unwrapping
      default: nil
      }
    }
  }

  /// The names behind the root, without what unwraps and indexes.
  package var members: [TokenText] { node.children(.keyPathMember).compactMap(\.name) }

  /// The names of the root and the members; nil where the key path unwraps, indexes, or has generic
  /// arguments.
  package var names: [TokenText]? {
    let isPlain = node.children.allSatisfy {
      $0.kind == .type || $0.kind == .keyPathMember && $0.firstChild == nil
    }
    guard isPlain else { return nil }
    guard let root else { return members }
    guard root.kind == .namedType, root.genericArguments.isEmpty, let name = root.name else {
      return nil
    }
    return [name] + members
  }
}

extension NodeView {
  /// The generic parameters of a declaration.
  package var genericParameters: [GenericParameterView] {
    child(.genericParameters)?.children(GenericParameterView.self) ?? []
  }

  /// The requirements of a declaration's `where` clauses, the one in angle brackets included.
  package var requirements: [RequirementView] {
    let inner = child(.genericParameters)?.children(.whereClause) ?? []
    return (inner + children(.whereClause)).flatMap { $0.children(RequirementView.self) }
  }
}
