import PersistSyntax

/// What the parameters of a signature stand for at one use of it.
typealias Bindings = [TypeParameter: SwiftType]

// MARK: - What generic parameters stand for

extension Program {
  /// A type of a signature with what its parameters stand for in their place.
  func substitute(_ type: SwiftType, _ bindings: Bindings) -> SwiftType {
    guard type.isOpen, !bindings.isEmpty else { return type }
    switch type {
    case .parameter(let parameter): return bindings[parameter] ?? type
    case .associated(let base, let name):
      let base = substitute(base, bindings)
      return base.isOpen ? .associated(base, name) : associatedType(name, of: base)
    default: return type.map { substitute($0, bindings) }
    }
  }

  /// A type of a signature with what its parameters conform to in their place.
  func erased(_ type: SwiftType) -> SwiftType {
    guard type.isOpen else { return type }
    switch type {
    case .parameter(let parameter): return constraint(of: parameter)
    case .associated(let base, let name): return associatedType(name, of: erased(base))
    default: return type.map { erased($0) }
    }
  }

  private func constraint(of parameter: TypeParameter) -> SwiftType {
    guard let owner = parameter.owner else { return .unknown }
    guard let type = type(declaredAt: owner) else {
      return constraint(of: parameter.name, at: owner)
    }
    if parameter.name == "Self" { return selfType(type) }
    switch types[type].kind {
    case .extensionDecl, .protocolDecl: return .external(parameter.name, [])
    default: return constraint(of: parameter.name, at: owner)
    }
  }

  /// What the parameters of a type stand for by its generic arguments.
  func bindings(of type: TypeID, to arguments: [SwiftType]) -> Bindings {
    let owner = types[type].ref
    var found: Bindings = [:]
    for (name, argument) in zip(names(ofParametersOf: owner), arguments) where argument != .unknown
    {
      found[TypeParameter(owner: owner, name: name)] = argument
    }
    return found
  }

  /// What the parameters of a type, or of one that it inherits from, stand for in a value.
  func bindings(of value: SwiftType, in owner: TypeID) -> Bindings {
    let place = types[owner].ref
    var found: Bindings = [:]
    if types[owner].kind == .extensionDecl {
      for (name, argument) in Signatures.standard.arguments(of: value) {
        found[TypeParameter(owner: place, name: name)] = argument
      }
    } else if case .declared(let type, let arguments) = value {
      var seen: Set<TypeID> = []
      found = bindings(of: type, arguments, in: owner, &seen) ?? [:]
      for protocolType in isProtocol(owner) ? lineage(of: owner) : [] {
        for name in associatedTypes(of: protocolType) {
          let parameter = TypeParameter(owner: types[protocolType].ref, name: name)
          let brought = associatedType(name, of: value)
          if brought != .unknown { found[parameter] = found[parameter] ?? brought }
        }
      }
    }
    found[TypeParameter(owner: place, name: "Self")] = value
    return found
  }

  private func bindings(
    of type: TypeID, _ arguments: [SwiftType], in owner: TypeID, _ seen: inout Set<TypeID>
  ) -> Bindings? {
    guard seen.insert(type).inserted else { return nil }
    let own = bindings(of: type, to: arguments)
    if type == owner { return own }
    for parent in inheritanceNodes(of: type) {
      guard
        case .declared(let next, let given) = substitute(signatureType(ofTypeNode: parent), own),
        let found = bindings(of: resolveAlias(next), given, in: owner, &seen)
      else { continue }
      return found
    }
    return nil
  }

  /// Notes what parameters in a type of a signature stand for where a value of another type is given.
  func bind(_ pattern: SwiftType, to given: SwiftType, _ found: inout Bindings) {
    guard pattern.isOpen, given != .unknown else { return }
    switch (pattern, given) {
    case (.parameter(let parameter), _):
      found[parameter] = found[parameter].map { joined([$0, given]) } ?? given
    case (.optional(let wanted), .optional(let given)): bind(wanted, to: given, &found)
    case (.optional(let wanted), _): bind(wanted, to: given, &found)
    case (.array(let wanted), _): bind(wanted, to: given.element, &found)
    case (.set(let wanted), .set(let given)): bind(wanted, to: given, &found)
    case (.metatype(let wanted), .metatype(let given)): bind(wanted, to: given, &found)
    case (.dictionary(let key, let value), .dictionary(let givenKey, let givenValue)):
      bind(key, to: givenKey, &found)
      bind(value, to: givenValue, &found)
    case (.tuple(let wanted, _), .tuple(let given, _)) where wanted.count == given.count:
      for (wanted, given) in zip(wanted, given) { bind(wanted, to: given, &found) }
    case (.function(let parameters, let result), .function(let given, let givenResult)):
      for (wanted, given) in zip(parameters, given) { bind(wanted, to: given, &found) }
      bind(result, to: givenResult, &found)
    case (.function(let parameters, let result), .external("KeyPath", let parts))
    where parts.count == 2 && parameters.count == 1:
      bind(parameters[0], to: parts[0], &found)
      bind(result, to: parts[1], &found)
    case (.external(let wanted, let parts), .external(let name, let given))
    where wanted == name && parts.count == given.count:
      for (wanted, given) in zip(parts, given) { bind(wanted, to: given, &found) }
    case (.declared(let wanted, let parts), .declared):
      let seen = bindings(of: given, in: wanted)
      for (name, part) in zip(names(ofParametersOf: types[wanted].ref), parts) {
        let parameter = TypeParameter(owner: types[wanted].ref, name: name)
        if let argument = seen[parameter] { bind(part, to: argument, &found) }
      }
    default: break
    }
  }

  /// The one type that values of several types have together; `.unknown` where there is none.
  func joined(_ types: [SwiftType]) -> SwiftType {
    var found: SwiftType?
    for type in types where type != .unknown {
      guard let known = found else {
        found = type
        continue
      }
      guard let next = joined(known, type) else { return .unknown }
      found = next
    }
    return found ?? .unknown
  }

  private func joined(_ left: SwiftType, _ right: SwiftType) -> SwiftType? {
    if left == right { return left }
    switch (left, right) {
    case (.unknown, _): return right
    case (_, .unknown): return left
    case (.optional(let left), .optional(let right)):
      return joined(left, right).map { .optional($0) }
    case (.optional(let left), _): return joined(left, right).map { .optional($0) }
    case (_, .optional(let right)): return joined(left, right).map { .optional($0) }
    case (.array(let left), .array(let right)): return joined(left, right).map { .array($0) }
    case (.set(let left), .set(let right)): return joined(left, right).map { .set($0) }
    case (.metatype(let left), .metatype(let right)):
      return joined(left, right).map { .metatype($0) }
    case (.dictionary(let key, let left), .dictionary(let other, let right)):
      guard let key = joined(key, other), let value = joined(left, right) else { return nil }
      return .dictionary(key, value)
    case (.function(let left, let result), .function(let right, let other))
    where left.count == right.count:
      guard let result = joined(result, other) else { return nil }
      return .function(zip(left, right).map { joined($0, $1) ?? .unknown }, result)
    case (.tuple(let left, let labels), .tuple(let right, _)) where left.count == right.count:
      let parts = zip(left, right).map { joined($0, $1) }
      return parts.contains(nil) ? nil : .tuple(parts.compactMap { $0 }, labels)
    case (.external("Int", _), .external("Double", _)),
      (.external("Double", _), .external("Int", _)):
      return .external("Double", [])
    case (.external(let left, let parts), .external(let right, let others))
    where left == right && (parts.isEmpty || others.isEmpty):
      return parts.isEmpty ? .external(left, others) : .external(left, parts)
    case (.external(let left, _), .external(let right, _)):
      if Words.supertypes(of: left).contains(right) { return .external(right, []) }
      return Words.supertypes(of: right).contains(left) ? .external(left, []) : nil
    case (.declared(let left, _), .declared(let right, _)):
      let others = lineage(of: right)
      return lineage(of: left).first { others.contains($0) && types[$0].kind == .classDecl }
        .map { .declared($0) }
    default: return nil
    }
  }
}
