import PersistSyntax

// MARK: - Generic parameters and what they conform to

extension Program {
  /// The declaration around a place of which a name is a generic parameter.
  func scope(ofGenericParameter name: Name, at place: Ref) -> Ref? {
    var next: Ref? = place
    while let current = next {
      // Types and functions alone have them; a list of many members isn't looked through for each.
      if kind(current).takesGenericParameters, let list = child(current, .genericParameters),
        outline(list).genericParameters(of: Int(list.node)).contains(where: { $0.name == name })
      {
        return current
      }
      next = parent(current)
    }
    return nil
  }

  /// The generic parameter, the associated type of a protocol, or the `Self` that a name means at a
  /// place; in an extension those of the type that is extended too.
  func typeParameter(_ name: Name, at place: Ref) -> TypeParameter? {
    var inner = place
    while let current = parent(inner) {
      let kind = kind(current)
      if kind.takesGenericParameters, names(ofParametersOf: current).contains(name) {
        return TypeParameter(owner: current, name: name)
      }
      if kind == .extensionDecl || kind.declaresType, self.kind(inner) != .inheritance,
        let type = type(declaredAt: current), let found = typeParameter(name, of: type)
      {
        return found
      }
      inner = current
    }
    return nil
  }

  /// The parameter with a name that a type declares, or a protocol that it is or refines.
  private func typeParameter(_ name: Name, of type: TypeID) -> TypeParameter? {
    let declaration = types[type]
    if name == "Self" { return TypeParameter(owner: declaration.ref, name: name) }
    switch declaration.kind {
    case .protocolDecl:
      return lineage(of: type).first { associatedTypes(of: $0).contains(name) }
        .map { TypeParameter(owner: types[$0].ref, name: name) }
    case .extensionDecl:
      return Signatures.standard.parameters(of: declaration.name).contains(name)
        ? TypeParameter(owner: declaration.ref, name: name) : nil
    default:
      return names(ofParametersOf: declaration.ref).contains(name)
        ? TypeParameter(owner: declaration.ref, name: name) : nil
    }
  }

  /// The names of the generic parameters of a declaration, in their order.
  func names(ofParametersOf declaration: Ref) -> [Name] {
    guard let list = child(declaration, .genericParameters) else { return [] }
    return outline(list).genericParameters(of: Int(list.node)).map(\.name)
  }

  /// The names of the associated types that a protocol declares.
  func associatedTypes(of type: TypeID) -> [Name] {
    guard isProtocol(type), let members = child(types[type].ref, .members) else { return [] }
    return children(members, .associatedtypeDecl).map { self.name($0) }
  }

  /// The protocol that a generic parameter conforms to, in the angle brackets or behind `where`:
  /// one of the sources, or `PersistentModel` where it stands for models.
  func constraint(of name: Name, at scope: Ref) -> SwiftType {
    for protocolName in constraints(of: name, at: scope) {
      if protocolName == "PersistentModel" { return .external(protocolName, []) }
      guard let type = lookUpType(protocolName, from: scope).only else { continue }
      if inherits(type, from: "PersistentModel") { return .external("PersistentModel", []) }
      if [.protocolDecl, .classDecl].contains(types[type].kind) { return .declared(type) }
    }
    return .unknown
  }

  /// The names behind the colon of a generic parameter of a declaration.
  private func constraints(of name: Name, at scope: Ref) -> [Name] {
    var found: [Name] = []
    if let list = child(scope, .genericParameters) {
      found +=
        outline(list).genericParameters(of: Int(list.node))
        .first { $0.name == name }?.constraints ?? []
    }
    if let clause = child(scope, .whereClause) {
      found += outline(clause).requirements(of: Int(clause.node))
        .filter { $0.name == name }.flatMap(\.constraints)
    }
    return found
  }

  /// What `A & B` means to whoever asks for a member: the one part that the sources declare.
  func composition(_ left: SwiftType, _ right: SwiftType) -> SwiftType {
    switch (left, right) {
    case (.declared, .declared): .unknown
    case (.declared, _): left
    case (_, .declared): right
    default: .unknown
    }
  }
}

extension Outline {
  /// A generic parameter, or a requirement of a `where` clause, and the names that it conforms to.
  struct Constrained {
    let name: Name
    var constraints: [Name] = []
  }

  /// The parameters of `<T: P & Q, each U>`.
  func genericParameters(of node: Int) -> [Constrained] {
    let first = Int(nodes[node].first)
    // The `<` may end a longer operator, and the `>` begin one.
    return constrained(in: first + 1..<max(first + 1, Int(nodes[node].end)))
  }

  /// The requirements of `where T: P, U: Q`.
  func requirements(of clause: Int) -> [Constrained] {
    let first = Int(nodes[clause].first)
    return constrained(in: first + 1..<max(first + 1, Int(nodes[clause].end)))
  }

  private func constrained(in range: Range<Int>) -> [Constrained] {
    parts(of: range).compactMap { part in
      let colon = part.first { tokens[$0].kind == .colon }
      let names = part.prefix { $0 != colon }.filter { tokens[$0].kind != .keyword }
      guard let last = names.last, tokens[last].kind == .identifier,
        !names.contains(where: { tokens[$0].kind == .period })
      else { return nil }
      let behind = colon.map { colon in part.filter { $0 > colon } } ?? []
      let constraints = behind.filter { token in
        tokens[token].kind == .identifier
          && (token + 1 >= range.upperBound || tokens[token + 1].kind != .period)
      }
      return Constrained(
        name: name(ofToken: last), constraints: constraints.map { name(ofToken: $0) })
    }
  }

  /// The tokens between commas, those in brackets and in inner angle brackets left out.
  private func parts(of range: Range<Int>) -> [[Int]] {
    var parts: [[Int]] = [[]]
    var angles = 0
    var token = range.lowerBound
    while token < range.upperBound {
      let kind = tokens[token].kind
      if kind.isBracket, let partner = tokens[token].partner, partner > token {
        token = partner
      } else if kind == .comma, angles == 0 {
        parts.append([])
      } else if kind == .identifier || kind == .keyword || kind == .colon || kind == .period {
        if angles == 0 { parts[parts.count - 1].append(token) }
      } else {
        angles += angleBalance(of: token)
      }
      token += 1
    }
    return parts
  }

  /// How many angle brackets an operator token opens more than it closes.
  func angleBalance(of token: Int) -> Int {
    let start = Int(tokens[token].offset)
    return (start..<tokens[token].end).reduce(0) { sum, offset in
      switch text.start[offset] {
      case UInt8(ascii: "<"): sum + 1
      case UInt8(ascii: ">"): sum - 1
      default: sum
      }
    }
  }
}

extension Node.Kind {
  /// Whether such a node declares a type with members.
  var declaresType: Bool {
    switch self {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl: true
    default: false
    }
  }

  /// Whether a declaration of this kind may have generic parameters.
  var takesGenericParameters: Bool {
    switch self {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typealiasDecl,
      .functionDecl, .initDecl, .subscriptDecl, .macroDecl:
      true
    default: false
    }
  }
}
