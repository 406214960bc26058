import PersistSyntax

// MARK: - Generic parameters and what they conform to

extension Program {
  /// The declaration around a place of which a name is a generic parameter.
  func scope(ofGenericParameter name: Name, at place: Ref) -> Ref? {
    var next: Ref? = place
    while let current = next {
      // Types and functions alone have them; a list of many members isn't looked through for each.
      if kind(current).takesGenericParameters, names(ofParametersOf: current).contains(name) {
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
    return children(list, .genericParameter).map { name($0) }.filter { $0 != .none }
  }

  /// The names of the associated types that a protocol declares.
  func associatedTypes(of type: TypeID) -> [Name] {
    guard isProtocol(type), let members = child(types[type].ref, .members) else { return [] }
    return children(members, .associatedtypeDecl).map { self.name($0) }
  }

  /// The protocol that a generic parameter conforms to, in the angle brackets or behind `where`:
  /// one of the sources, or `PersistentModel` where it stands for models.
  func constraint(of name: Name, at scope: Ref) -> SwiftType {
    let all = constraints(of: name, at: scope)
    for protocolName in all {
      if protocolName == "PersistentModel" { return .external(protocolName, []) }
      guard let type = lookUpType(protocolName, from: scope).only else { continue }
      if inherits(type, from: "PersistentModel") { return .external("PersistentModel", []) }
      if [.protocolDecl, .classDecl].contains(types[type].kind) { return .declared(type) }
    }
    return all.first { Words.objectClasses.contains($0) }.map { .external($0, []) } ?? .unknown
  }

  /// The names behind the colon of a generic parameter of a declaration.
  func constraints(of name: Name, at scope: Ref) -> [Name] {
    let declaration = nodeView(scope)
    var found: [TypeView] = []
    for parameter in declaration.genericParameters where self.name(parameter.name) == name {
      if let type = parameter.constraint { found.append(type) }
    }
    for requirement in declaration.requirements where !requirement.isSameType {
      if let subject = requirement.subject?.path, subject.count == 1,
        self.name(subject[0]) == name, let type = requirement.requirement
      {
        found.append(type)
      }
    }
    return found.flatMap(\.joined).compactMap(\.lastName).map { self.name($0) }
  }

  /// What `A & B` means to whoever asks for a member: the one part that the sources declare, the part
  /// that brings the other one along, or the only type that conforms to both.
  func composition(_ left: SwiftType, _ right: SwiftType) -> SwiftType {
    switch (left, right) {
    case (.declared(let first, _), .declared(let second, _)):
      if lineage(of: first).contains(second) { return left }
      if lineage(of: second).contains(first) { return right }
      let both = Set(conformingTypes(to: first)).intersection(conformingTypes(to: second))
      return both.count == 1 ? both.first.map { selfType($0) } ?? .unknown : .unknown
    case (.declared, _): return left
    case (_, .declared): return right
    default: return .unknown
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
