import PersistIndex
import PersistSchema

/// A `@Model` class as it is declared, before a version decides which classes it reaches.
package struct ModelDeclaration: Sendable {
  /// A stored property with its place.
  struct StoredProperty {
    var property: Property
    var model: Int?
    var place: SchemaPlace
    /// The declared struct or enum that it stores, also in a collection.
    var valueType: Int?
  }

  /// Its index among the types; equal for one class only.
  package let id: Int
  /// The name of the class, which is the name of the entity.
  package let name: String
  /// With the names of the types around it.
  package let qualifiedName: String
  package let place: SchemaPlace
  /// The class it inherits from, when that is a model.
  let superclass: Int?
  let properties: [StoredProperty]
  /// The names of the stored properties, those of a superclass left out.
  package var propertyNames: [String] { properties.map(\.property.name) }
  /// Whether the class inherits from another model.
  package var hasSuperclass: Bool { superclass != nil }
  /// Properties with `@Transient`, or of the `ephemeral` kind.
  package let transients: [String]
  let uniqueness: [[String]]
  let indexes: [[String]]
  let gaps: [Gap]
  /// Whether the declaration is test code.
  package let isTest: Bool

  /// The place of a stored property's name.
  package func place(of property: String) -> SchemaPlace? {
    properties.first { $0.property.name == property }?.place
  }
}
