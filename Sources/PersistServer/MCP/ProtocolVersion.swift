/// A revision of the Model Context Protocol; later ones are greater.
package enum ProtocolVersion: String, CaseIterable, Comparable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  /// Without a handshake: each request says which revision it speaks.
  case july2026 = "2026-07-28"

  /// The newest that a handshake can agree on.
  static let newestWithHandshake = november2025

  /// Whether requests are made without a handshake before.
  var isStateless: Bool { self >= .july2026 }

  /// Whether tools say what they do to the world.
  var hasAnnotations: Bool { self >= .march2025 }

  /// Whether several messages may come as one array.
  var hasBatches: Bool { self == .march2025 }

  /// Whether tools have a title and results a structure.
  var hasStructure: Bool { self >= .june2025 }

  /// Whether wrong arguments are a result, from which a model learns, and no failure of the request.
  var tellsModelsOfWrongArguments: Bool { self >= .november2025 }

  package static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}
