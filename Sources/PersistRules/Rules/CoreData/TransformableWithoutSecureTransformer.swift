import PersistFlow
import PersistIndex
import PersistSchema
import PersistVersions

/// A transformable attribute that is read with the insecure default: reading an old value fails.
struct TransformableWithoutSecureTransformer: Rule {
  static let id: RuleID = "transformable-without-secure-transformer"

  func check(_ program: Program, into findings: inout Findings) {
    // Nobody manipulates what no file holds.
    guard !program.keepsCoreDataInMemory else { return }
    for model in program.builtDataModels {
      guard let version = model.current else { continue }
      let loose = version.shape.entities.flatMap { entity in
        entity.properties.filter(\.isInsecure).compactMap { property in
          version.place(of: Subject(entity.key, property.name)).map {
            (name: "\(entity.name).\(property.name)", place: $0)
          }
        }
      }
      guard let first = loose.first else { continue }
      findings.report(
        .insecure(first.name, more: loose.count - 1), at: first.place,
        related: loose.dropFirst().map { .init($0.place, "and `\($0.name)`") })
    }
  }
}

extension Property {
  /// Whether a transformable attribute has no transformer, or the one without secure coding.
  fileprivate var isInsecure: Bool {
    guard let attribute, attribute.type == .transformable,
      case .transformer(let name) = attribute.coding
    else { return false }
    return [
      "", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData",
      "NSKeyedUnarchiveFromDataTransformerName",
    ]
    .contains(name)
  }
}

extension Finding.Message {
  fileprivate static func insecure(_ attribute: String, more: Int) -> Self {
    "a manipulated file can make the app create objects of any class through `\(attribute)`\(more > 0 ? " (and \(more) more)" : ""), because the transformer doesn't use secure coding; set `NSSecureUnarchiveFromData`, or a subclass of `NSSecureUnarchiveFromDataTransformer` that lists the classes"
  }
}
