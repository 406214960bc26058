import PersistSyntax

/// The type that a type of the sources brings along for an associated type of its protocols.
private struct AssociatedType: Query {
  let name: Name
  let type: TypeID

  static var provisional: SwiftType { .unknown }
  func answer(in program: Program) -> SwiftType { program.findAssociatedType(name, of: type) }
}

// MARK: - What types bring along for the associated types of protocols

extension Program {
  /// What `Provider.Entry` is for a provider of a type; `.unknown` where the sources don't say.
  func associatedType(_ name: Name, of type: SwiftType) -> SwiftType {
    switch type {
    case .declared(let id, let arguments):
      let found = answer(AssociatedType(name: name, type: id))
      return erased(substitute(found, bindings(of: id, to: arguments)))
    default:
      return Signatures.standard.arguments(of: type).first { $0.0 == name }?.1 ?? .unknown
    }
  }

  /// What a written type such as `T.Model` may be, by the types that conform to what `T` has to.
  package func associatedTypes(writtenAt node: Ref) -> [SwiftType] {
    guard let path = written(node)?.path.map({ name($0) }), path.count == 2,
      let scope = scope(ofGenericParameter: path[0], at: node),
      case .declared(let constraint, _) = self.constraint(of: path[0], at: scope)
    else { return [] }
    return conformingTypes(to: constraint).filter { !isExempt(types[$0].ref) }
      .map { associatedType(path[1], of: .declared($0)) }
  }

  /// What a bare name means in a type which leaves an associated type of a protocol from elsewhere
  /// unsaid.
  func associatedType(_ name: Name, broughtAlongAt place: Ref) -> SwiftType? {
    guard Signatures.standard.associated.contains(name), let type = enclosingType(place),
      types[type].kind.declaresType, !isProtocol(type)
    else { return nil }
    let found = answer(AssociatedType(name: name, type: type))
    return found == .unknown ? nil : found
  }

  fileprivate func findAssociatedType(_ name: Name, of type: TypeID) -> SwiftType {
    let declaration = types[type]
    if case .found(let nested) = nestedType(name, in: type, file: Int(declaration.ref.file)) {
      return types[nested].kind == .typealiasDecl ? aliasTarget(nested) : .declared(nested)
    }
    if names(ofParametersOf: declaration.ref).contains(name) {
      return .parameter(TypeParameter(owner: declaration.ref, name: name))
    }
    guard !isProtocol(type) else { return .unknown }
    for owner in lineage(of: type) {
      if associatedTypes(of: owner).contains(name) {
        let found = witnessed(TypeParameter(owner: types[owner].ref, name: name), owner, by: type)
        if found != .unknown { return found }
      }
      for case .external(let foreign, let given) in inherited(by: owner) {
        let found = witnessed(name, of: foreign, given, by: type)
        if found != .unknown { return found }
      }
    }
    return .unknown
  }

  /// What a parameter of a protocol stands for by the members that a type has for its requirements.
  private func witnessed(_ parameter: TypeParameter, _ owner: TypeID, by type: TypeID) -> SwiftType
  {
    var found: Bindings = [:]
    for id in types[owner].properties where found[parameter] == nil {
      guard let node = properties[id].type,
        let witness = property(properties[id].name, of: type, isStatic: properties[id].isStatic),
        witness != id
      else { continue }
      let wanted = signatureType(ofTypeNode: Ref(file: Int(properties[id].ref.file), node: node))
      if wanted.isOpen { bind(wanted, to: self.type(ofProperty: witness), &found) }
    }
    for id in types[owner].functions where found[parameter] == nil && functions[id].body == nil {
      for witness in methods(functions[id].name, of: type) where witness != id {
        guard functions[witness].body != nil,
          functions[witness].parameters.map(\.label) == functions[id].parameters.map(\.label)
        else { continue }
        for (wanted, given) in zip(parameterTypes(of: id), parameterTypes(of: witness)) {
          bind(wanted, to: given, &found)
        }
        bind(signatureResult(id), to: signatureResult(witness), &found)
      }
    }
    return found[parameter] ?? .unknown
  }

  /// The same for a protocol from elsewhere.
  private func witnessed(
    _ name: Name, of foreign: Name, _ given: [SwiftType], by type: TypeID
  ) -> SwiftType {
    guard let members = Signatures.standard.protocols[foreign], members.parameters.contains(name)
    else { return .unknown }
    let parameter = TypeParameter(owner: nil, name: name)
    var found: Bindings = [:]
    for (name, wanted) in members.properties.sorted(by: { $0.key.hash < $1.key.hash })
    where wanted.isOpen {
      for isStatic in [true, false] {
        guard let witness = property(name, of: type, isStatic: isStatic) else { continue }
        bind(wanted, to: self.type(ofProperty: witness), &found)
      }
    }
    for (name, wanted) in members.functions.sorted(by: { $0.key.hash < $1.key.hash }) {
      for witness in methods(name, of: type) where functions[witness].body != nil {
        for function in wanted
        where function.parameters.map(\.label) == functions[witness].parameters.map(\.label) {
          for (wanted, given) in zip(function.types, parameterTypes(of: witness)) {
            bind(wanted, to: given, &found)
          }
          bind(function.result, to: signatureResult(witness), &found)
        }
      }
    }
    return found[parameter] ?? .unknown
  }
}
