import PersistIndex
import PersistSyntax

/// What a value surely is, where the code that makes it says so.
package indirect enum Known: Hashable {
  /// A variable before its first value.
  case unset
  /// `nil`.
  case none
  /// Anything.
  case other
  case text(String)
  /// Text with holes.
  case pieces([TextPiece])
  /// One of several.
  case either([Known])
  /// A number or flag, as it is written.
  case literal(String)
  case list([Known])
  case tuple([Known], labels: [Name])
  /// What an initializer of the sources makes, with what it is given for the properties.
  case instance(TypeID, [PropertyID: Known])
  /// A case of an enum, with its payload.
  case element(Ref, [Known])
  case type(TypeID)
  /// A type that the sources don't declare, by the names that spell it.
  case foreignType([String])
  /// A closure by its node, with the values that it has captured.
  case closure(Ref, own: Known, captures: [Known])
  case function(FunctionID, own: Known)
  /// A migrator of GRDB, by the node that makes, keeps or takes it.
  case migrator(Ref)
  /// What an initializer of a framework makes, by its call, with what that is given.
  case made(Ref, [Known])

  /// The text of a string.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The elements of a list.
  package var elements: [Known]? { if case .list(let elements) = self { elements } else { nil } }

  /// Whether it is a migrator.
  var isMigrator: Bool { if case .migrator = self { true } else { false } }

  /// Whether it holds, where it is a flag.
  var flag: Bool? {
    switch self {
    case .literal("true"): true
    case .literal("false"): false
    default: nil
    }
  }

  /// Whether all of it is known.
  package var isWhole: Bool {
    switch self {
    case .unset, .other, .pieces, .either: false
    case .list(let parts), .tuple(let parts, _), .made(_, let parts), .element(_, let parts):
      parts.allSatisfy(\.isWhole)
    case .instance(_, let fields): fields.values.allSatisfy(\.isWhole)
    default: true
    }
  }

  /// Whether it is something of which there may be others, where it is what code belongs to.
  var isInstance: Bool {
    switch self {
    case .other, .type: false
    default: true
    }
  }

  /// Whether its equality with others follows from what is known of it.
  var isScalar: Bool {
    switch self {
    case .text, .literal, .none, .element(_, []), .type: true
    default: false
    }
  }

  /// Takes the parts of a value, itself among them, off what may be left.
  fileprivate func take(from left: inout Int) {
    left -= 1
    guard left > 0 else { return }
    switch self {
    case .either(let parts), .list(let parts), .tuple(let parts, _), .made(_, let parts),
      .element(_, let parts):
      for part in parts { part.take(from: &left) }
    case .instance(_, let fields): for part in fields.values { part.take(from: &left) }
    case .closure(_, let own, let captures):
      own.take(from: &left)
      for part in captures { part.take(from: &left) }
    case .function(_, let own): own.take(from: &left)
    default: break
    }
  }

  init(flag: Bool) { self = .literal(flag ? "true" : "false") }
}

/// A migration that a migrator is given, as it is where that runs.
package struct Registration {
  /// The call `registerMigration`.
  package let call: Ref
  package let migrator: Known
  package let id: Known
  /// The ids that it takes the place of.
  package let merged: Known
  package let body: Known
  /// The calls from the beginning of the code to the registration.
  package let path: [Ref]
  /// Whether it stands in a loop over a list that isn't known.
  package let isRepeated: Bool
}

extension KnownValues {
  /// A value that has no more parts than may be followed; nothing else.
  func bounded(_ value: Known) -> Known {
    guard followsTexts else { return value }
    var left = Limit.valueParts.count
    value.take(from: &left)
    return program.isWithin(Limit.valueParts.count - left, .valueParts) ? value : .other
  }
}
