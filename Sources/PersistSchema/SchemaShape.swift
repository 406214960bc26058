/// What a store that was written by one schema version depends on.
package struct SchemaShape: Hashable, Sendable {
  /// Sorted by key.
  package var entities: [Entity]
  /// What the sources don't tell; sorted.
  package var gaps: [Gap]

  package init(entities: [Entity] = [], gaps: [Gap] = []) {
    self.entities = entities.sorted { $0.key < $1.key }
    self.gaps = gaps.sorted()
  }

  /// The entity with this key, if the version has it.
  package func entity(_ key: String) -> Entity? {
    var low = 0
    var high = entities.count
    while low < high {
      let middle = (low + high) / 2
      if entities[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < entities.count && entities[low].key == key ? entities[low] : nil
  }

  /// Whether all entities of the version are known; only then can one be said to be gone or new.
  package var listIsComplete: Bool { !gaps.contains { $0.entity.isEmpty } }

  /// Whether all properties of the entity are known.
  package func isComplete(_ entity: String) -> Bool {
    !gaps.contains { $0.entity == entity && $0.property.isEmpty }
  }
}

/// A part of a version that could not be resolved, and why; the reason names the class, so that
/// two gaps are equal only when they are one gap of one class.
package struct Gap: Hashable, Sendable, Comparable {
  /// The entity's key; "" when the list of entities itself is not known.
  package var entity: String
  /// The property's name; "" when the entity as a whole is not known.
  package var property: String
  package var reason: String

  package init(entity: String = "", property: String = "", reason: String) {
    self.entity = entity
    self.property = property
    self.reason = reason
  }

  package static func < (left: Gap, right: Gap) -> Bool {
    (left.entity, left.property, left.reason) < (right.entity, right.property, right.reason)
  }
}

/// One entity: a model class, or an entity of a Core Data model.
package struct Entity: Hashable, Sendable {
  package var name: String
  /// The class, when the version reaches a second class of this name; "" for the first.
  package var twin: String
  package var isAbstract: Bool
  package var superentity: String?
  package var hashModifier: String?
  /// Core Data's renaming identifier: the name in an older version.
  package var originalName: String?
  /// Stored properties, sorted by name.
  package var properties: [Property]
  /// Uniqueness constraints, each a sorted list of key paths; sorted.
  package var uniqueness: [[String]]
  /// Indexes, each a list of key paths; sorted.
  package var indexes: [[String]]

  package init(
    name: String, twin: String = "", isAbstract: Bool = false, superentity: String? = nil,
    hashModifier: String? = nil, originalName: String? = nil, properties: [Property] = [],
    uniqueness: [[String]] = [], indexes: [[String]] = []
  ) {
    self.name = name
    self.twin = twin
    self.isAbstract = isAbstract
    self.superentity = superentity
    self.hashModifier = hashModifier
    self.originalName = originalName
    self.properties = properties.sorted { $0.name < $1.name }
    self.uniqueness = Set(uniqueness.map { $0.sorted() }).sorted {
      $0.lexicographicallyPrecedes($1)
    }
    self.indexes = Set(indexes).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The name, and the class behind `@` when another class of this name came first.
  package var key: String { twin.isEmpty ? name : "\(name)@\(twin)" }

  /// The stored property of this name, if there is one.
  package func property(_ name: String) -> Property? { properties.first { $0.name == name } }
}

/// A stored property: what attributes and relationships have in common, and which it is.
package struct Property: Hashable, Sendable {
  /// An attribute or a relationship with what only it has.
  package enum Kind: Hashable, Sendable {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  package var name: String
  package var isOptional: Bool
  package var hashModifier: String?
  package var originalName: String?
  package var kind: Kind

  package init(
    name: String, isOptional: Bool = false, hashModifier: String? = nil,
    originalName: String? = nil, kind: Kind
  ) {
    self.name = name
    self.isOptional = isOptional
    self.hashModifier = hashModifier
    self.originalName = originalName
    self.kind = kind
  }

  /// What an attribute has; nil for a relationship.
  package var attribute: Attribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  /// What a relationship has; nil for an attribute.
  package var relationship: Relationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }

  /// What a row that was written before the property existed gets: nil when there is nothing.
  package var valueForOldRows: String? {
    if isOptional { return "nil" }
    switch kind {
    case .attribute(let attribute): return attribute.defaultText
    case .relationship(let relationship): return relationship.isToMany ? "[]" : nil
    }
  }
}

/// What an attribute has besides its name and optionality.
package struct Attribute: Hashable, Sendable {
  /// How a value that is no plain Core Data value is stored.
  package enum Coding: Hashable, Sendable {
    case plain
    case codable
    case transformer(String)
  }

  package var type: StoredType
  /// The text of the default on the declaration; nil for none.
  package var defaultText: String?
  package var coding: Coding
  package var isExternal: Bool
  package var isPreservedOnDeletion: Bool
  package var isSpotlightIndexed: Bool
  package var isEncrypted: Bool

  package init(
    type: StoredType, defaultText: String? = nil, coding: Coding = .plain,
    isExternal: Bool = false, isPreservedOnDeletion: Bool = false,
    isSpotlightIndexed: Bool = false, isEncrypted: Bool = false
  ) {
    self.type = type
    self.defaultText = defaultText
    self.coding = coding
    self.isExternal = isExternal
    self.isPreservedOnDeletion = isPreservedOnDeletion
    self.isSpotlightIndexed = isSpotlightIndexed
    self.isEncrypted = isEncrypted
  }

  /// Whether all old rows get the same value because the default is an expression run once.
  package var defaultIsCall: Bool {
    guard let text = defaultText else { return false }
    if text.hasPrefix("\"") { return false }
    return text.hasSuffix(".now") || text == ".init()" || text.hasSuffix("UUID()")
      || text.hasSuffix("Date()") || text.hasSuffix("uuidString")
  }
}

/// What a relationship has besides its name and optionality.
package struct Relationship: Hashable, Sendable {
  /// The other end: written out, inferred from the only pair, none, or one of several.
  package enum Inverse: Hashable, Sendable {
    case given(String)
    case inferred(String)
    case none
    case ambiguous

    /// The name of the property at the other end.
    package var name: String? {
      switch self {
      case .given(let name), .inferred(let name): name
      case .none, .ambiguous: nil
      }
    }
  }

  /// The key of the destination's entity.
  package var destination: String
  package var isToMany: Bool
  package var isOrdered: Bool
  package var minimum: Int
  /// 0 for no limit.
  package var maximum: Int
  package var inverse: Inverse
  /// `nullify`, `cascade`, `deny` or `noAction`.
  package var deleteRule: String

  package init(
    destination: String, isToMany: Bool = false, isOrdered: Bool = false, minimum: Int = 0,
    maximum: Int = 0, inverse: Inverse = .none, deleteRule: String = "nullify"
  ) {
    self.destination = destination
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.minimum = minimum
    self.maximum = maximum
    self.inverse = inverse
    self.deleteRule = deleteRule
  }

  /// The name of the destination's entity, which is what the version hash holds.
  package var destinationName: String { String(destination.prefix { $0 != "@" }) }
}
