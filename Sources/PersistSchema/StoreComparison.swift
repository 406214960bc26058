/// A version of the sources seen as a store would keep it, so that the two can be compared.
///
/// A store doesn't keep what only the sources say: which Swift type a structure or enum is, or
/// that an inverse was inferred.
package struct StoreComparison: Sendable {
  package let name: String
  /// What the store was written with; what no version hash holds is taken from the version, because
  /// stores and sources write it in other words.
  package let store: SchemaShape
  /// The version, in the store's words where both may mean the same.
  package let version: SchemaShape
  /// What the version says otherwise than the store, and what would move the version hash.
  package let differences: [Change]

  /// `name` is the version's, for messages.
  package init(name: String, store: SchemaShape, version: SchemaShape) {
    self.name = name
    let version = version.inWords(of: store)
    self.store = store.withSoftFacts(of: version)
    self.version = version
    differences = store.withoutSoftFacts.changes(to: version.withoutSoftFacts)
      .filter { $0.weight == .hard }
  }

  /// Whether the store was written by this version, as far as the sources tell.
  package var isExact: Bool { differences.isEmpty }

  /// How far the version is from the store; an entity counts as all of its properties.
  package var distance: Int {
    differences.reduce(0) { sum, change in
      guard change.aspect == .entity else { return sum + 1 }
      let shape = change.after == nil ? store : version
      return sum + 1 + (shape.entity(change.subject.entity)?.properties.count ?? 0)
    }
  }
}

extension SchemaShape {
  /// Entities by name alone, in the store's words where a type of the sources may be stored so.
  fileprivate func inWords(of store: SchemaShape) -> SchemaShape {
    var shape = self
    shape.entities = entities.map { entity in
      var entity = entity
      let stored = store.entity(entity.name)
      entity.properties = entity.properties.map { property in
        stored?.property(property.name).map(property.inWords) ?? property
      }
      return entity
    }
    return shape
  }

  /// With the defaults, delete rules and indexes of another shape, where both have the property.
  fileprivate func withSoftFacts(of other: SchemaShape) -> SchemaShape {
    var shape = self
    shape.entities = entities.map { entity in
      guard let source = other.entity(entity.name) else { return entity }
      var entity = entity
      entity.indexes = source.indexes
      entity.properties = entity.properties.map { property in
        source.property(property.name).map(property.withSoftFacts) ?? property
      }
      return entity
    }
    return shape
  }

  /// Without defaults, original names and what else no version hash holds.
  fileprivate var withoutSoftFacts: SchemaShape {
    var shape = self
    shape.entities = entities.map { entity in
      var entity = entity
      entity.originalName = nil
      entity.indexes = []
      entity.properties = entity.properties.map { property in
        var property = property
        property.originalName = nil
        switch property.kind {
        case .attribute(let attribute):
          property.kind = .attribute(
            Attribute(
              type: attribute.type, isExternal: attribute.isExternal,
              isPreservedOnDeletion: attribute.isPreservedOnDeletion))
        case .relationship(var relationship):
          relationship.deleteRule = ""
          property.kind = .relationship(relationship)
        }
        return property
      }
      return entity
    }
    return shape
  }
}

extension Property {
  /// The property with what no version hash holds taken from another one.
  fileprivate func withSoftFacts(of other: Property) -> Property {
    var property = self
    property.originalName = other.originalName
    switch (kind, other.kind) {
    case (.attribute(let attribute), .attribute(let source)):
      property.kind = .attribute(
        Attribute(
          type: attribute.type, defaultText: source.defaultText, coding: source.coding,
          isExternal: attribute.isExternal, isPreservedOnDeletion: source.isPreservedOnDeletion,
          isSpotlightIndexed: source.isSpotlightIndexed, isEncrypted: source.isEncrypted))
    case (.relationship(var relationship), .relationship(let source)):
      relationship.deleteRule = source.deleteRule
      property.kind = .relationship(relationship)
    default: break
    }
    return property
  }

  /// The property as a store says it, where both may be the same.
  fileprivate func inWords(of stored: Property) -> Property {
    var property = self
    switch (kind, stored.kind) {
    case (.attribute(var attribute), .attribute(let kept)):
      if attribute.type.mayBeStored(as: kept.type) { attribute.type = kept.type }
      // No store says whether a value is preserved on deletion in a way that is known.
      attribute.isPreservedOnDeletion = kept.isPreservedOnDeletion
      property.kind = .attribute(attribute)
    case (.relationship(var relationship), .relationship(let kept)):
      if relationship.inverse.name == kept.inverse.name || relationship.inverse == .ambiguous {
        relationship.inverse = kept.inverse
      }
      property.kind = .relationship(relationship)
    default: break
    }
    return property
  }
}

extension StoredType {
  /// Whether a value of this type of the sources may be kept as that type of a store.
  fileprivate func mayBeStored(as stored: StoredType) -> Bool {
    switch self {
    case .composite, .payloadEnum, .collection, .unknown, .transformable:
      switch stored {
      case .composite, .transformable, .data, .unknown: return true
      default:
        if case .unknown = self { return true }
        return false
      }
    case .rawEnum(let raw, _):
      return stored == StoredType(spelling: raw) || stored == .transformable
        || stored == .composite([])
    default:
      if case .unknown = stored { return true }
      return self == stored
    }
  }
}
