import PersistSyntax

/// The type of a value, as far as the sources tell it.
package indirect enum SwiftType: Hashable, Sendable {
  case unknown
  /// A type of the sources, with its generic arguments where they are known.
  case declared(TypeID, [SwiftType] = [])
  /// A type from elsewhere by its simple name, with its generic arguments.
  case external(Name, [SwiftType])
  case optional(SwiftType)
  case array(SwiftType)
  case set(SwiftType)
  case dictionary(SwiftType, SwiftType)
  /// The parts, and their labels where they have some; `.none` for a part without.
  case tuple([SwiftType], [Name] = [])
  /// The parameters and the result.
  case function([SwiftType], SwiftType)
  case metatype(SwiftType)
  /// A generic parameter or an associated type, in a signature whose use says what it stands for.
  case parameter(TypeParameter)
  /// A type that another one brings along, such as `Provider.Entry` in a signature.
  case associated(SwiftType, Name)

  /// The result of what returns nothing.
  static let void = SwiftType.tuple([], [])

  /// Whether it tells anything of the values.
  package var isKnown: Bool {
    switch self {
    case .unknown, .parameter, .associated: false
    case .optional(let inner), .array(let inner), .set(let inner): inner.isKnown
    default: true
    }
  }

  /// The type without its optionals.
  package var unwrapped: SwiftType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
  }

  /// Whether it is a type of the sources, or made from one.
  var namesDeclared: Bool {
    if case .declared = self { true } else { parts.contains(where: \.namesDeclared) }
  }

  /// The type, or `.unknown` where it has more parts than anybody asks for.
  func bounded(in program: Program) -> SwiftType {
    var room = Limit.typeParts.count
    takeParts(from: &room)
    return program.isWithin(Limit.typeParts.count - room, .typeParts) ? self : .unknown
  }

  private func takeParts(from room: inout Int) {
    guard room > 0 else { return }
    room -= 1
    for part in parts { part.takeParts(from: &room) }
  }

  /// The types that this one is made from.
  private var parts: [SwiftType] {
    switch self {
    case .unknown, .parameter: []
    case .declared(_, let parts), .external(_, let parts), .tuple(let parts, _): parts
    case .optional(let part), .array(let part), .set(let part), .metatype(let part),
      .associated(let part, _):
      [part]
    case .dictionary(let key, let value): [key, value]
    case .function(let parameters, let result): parameters + [result]
    }
  }

  /// The same type made from other parts; `change` gets each part.
  func map(_ change: (SwiftType) -> SwiftType) -> SwiftType {
    switch self {
    case .unknown, .parameter: self
    case .declared(let id, let parts): parts.isEmpty ? self : .declared(id, parts.map(change))
    case .external(let name, let parts): parts.isEmpty ? self : .external(name, parts.map(change))
    case .optional(let part): .optional(change(part))
    case .array(let part): .array(change(part))
    case .set(let part): .set(change(part))
    case .dictionary(let key, let value): .dictionary(change(key), change(value))
    case .tuple(let parts, let labels): .tuple(parts.map(change), labels)
    case .function(let parameters, let result):
      .function(parameters.map(change), change(result))
    case .metatype(let part): .metatype(change(part))
    case .associated(let part, let name): .associated(change(part), name)
    }
  }

  /// Whether a part of the type waits for what a use says of it.
  var isOpen: Bool {
    switch self {
    case .parameter, .associated: true
    case .unknown: false
    case .declared(_, let parts), .external(_, let parts), .tuple(let parts, _):
      parts.contains(where: \.isOpen)
    case .optional(let part), .array(let part), .set(let part), .metatype(let part): part.isOpen
    case .dictionary(let key, let value): key.isOpen || value.isOpen
    case .function(let parameters, let result):
      result.isOpen || parameters.contains(where: \.isOpen)
    }
  }

  /// The element of a collection; `.unknown` for anything else.
  package var element: SwiftType {
    switch unwrapped {
    case .array(let element), .set(let element): element
    case .dictionary(let key, let value): .tuple([key, value], ["key", "value"])
    default: .unknown
    }
  }

  /// Whether this is the type from elsewhere of that name, optionals left out.
  package func isExternal(_ name: Name) -> Bool {
    if case .external(name, _) = unwrapped { return true }
    return false
  }
}

/// A generic parameter, an associated type of a protocol, or `Self`.
package struct TypeParameter: Hashable, Sendable {
  /// The declaration that it belongs to; nil for one of a signature from elsewhere.
  let owner: Ref?
  package let name: Name
}
