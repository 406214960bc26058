import PersistSyntax

/// The type of a value, as far as the sources tell it.
package indirect enum SwiftType: Hashable, Sendable {
  case unknown
  /// A type of the sources.
  case declared(TypeID)
  /// A type from elsewhere by its simple name, with its generic arguments.
  case external(Name, [SwiftType])
  case optional(SwiftType)
  case array(SwiftType)
  case set(SwiftType)
  case dictionary(SwiftType, SwiftType)
  /// The parts, and their labels where they have some; `.none` for a part without.
  case tuple([SwiftType], [Name] = [])
  case function(SwiftType)
  case metatype(SwiftType)

  /// Whether it tells anything of the values.
  var isKnown: Bool {
    switch self {
    case .unknown: false
    case .optional(let inner), .array(let inner), .set(let inner): inner.isKnown
    default: true
    }
  }

  /// The type without its optionals.
  package var unwrapped: SwiftType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
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
    switch self {
    case .unknown, .declared: break
    case .external(_, let parts), .tuple(let parts, _):
      for part in parts { part.takeParts(from: &room) }
    case .optional(let part), .array(let part), .set(let part), .function(let part),
      .metatype(let part):
      part.takeParts(from: &room)
    case .dictionary(let key, let value):
      key.takeParts(from: &room)
      value.takeParts(from: &room)
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
