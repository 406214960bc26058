import PersistSchema

/// The managed object model that a store keeps of itself.
package struct ModelArchive {
  /// The entities without what their superentities have already.
  package let shape: SchemaShape
  let versionIdentifiers: [String]
  /// Whether the model has the configuration that SwiftData makes, named `default`.
  let hasDefaultConfiguration: Bool

  /// Reads the inflated archive; nil when it holds no managed object model.
  package init?(_ bytes: [UInt8]) {
    guard let archive = KeyedArchive(bytes), archive.top.className == "NSManagedObjectModel",
      let entities = archive.top["NSEntities"]
    else { return nil }
    let all = entities.pairs.map { Self.entity($0.value, name: $0.key) }
    shape = SchemaShape(entities: Self.withoutInherited(all))
    versionIdentifiers =
      archive.top["NSVersionIdentifiers"]?.elements.compactMap(\.ownText).sorted() ?? []
    hasDefaultConfiguration =
      archive.top["NSConfigurations"]?.pairs.map(\.key) == ["default"]
  }

  private static func entity(_ item: KeyedArchive.Item, name: String) -> Entity {
    let superentity = item["NSSuperentity"]?.text("NSEntityName")
    let properties = (item["NSProperties"]?.pairs ?? []).compactMap { pair in
      property(pair.value, name: pair.key)
    }
    let uniqueness = (item["NSUniqueTuples"]?.elements ?? []).map { tuple in
      tuple.elements.compactMap { $0.ownText ?? $0.text("NSPropertyName") }
    }
    let indexes = (item["NSFetchIndexDescriptions"]?.elements ?? []).map { index in
      (index["NSIndexElements"]?.elements ?? []).compactMap { $0.text("NSPropertyName") }
    }
    return Entity(
      name: name, isAbstract: item.flag("NSIsAbstract"), superentity: superentity,
      hashModifier: item.text("NSVersionHashModifier"),
      originalName: item.text("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 },
      properties: properties, uniqueness: uniqueness.filter { !$0.isEmpty },
      indexes: indexes.filter { !$0.isEmpty })
  }

  /// Entities without the properties that a superentity has already; the archive repeats them.
  private static func withoutInherited(_ entities: [Entity]) -> [Entity] {
    let names = Dictionary(
      entities.map { ($0.name, ($0.superentity, Set($0.properties.map(\.name)))) },
      uniquingKeysWith: { first, _ in first })
    return entities.map { entity in
      var entity = entity
      var inherited: Set<String> = []
      var seen: Set<String> = [entity.name]
      var next = entity.superentity
      while let parent = next, seen.insert(parent).inserted, let (superentity, own) = names[parent]
      {
        inherited.formUnion(own)
        next = superentity
      }
      entity.properties.removeAll { inherited.contains($0.name) }
      return entity
    }
  }

  private static func property(_ item: KeyedArchive.Item, name: String) -> Property? {
    guard !item.flag("NSIsTransient") else { return nil }
    let kind: Property.Kind
    switch item.className {
    case "NSAttributeDescription", "NSCompositeAttributeDescription",
      "NSDerivedAttributeDescription":
      kind = .attribute(attribute(item))
    case "NSRelationshipDescription": kind = .relationship(relationship(item))
    default: return nil
    }
    return Property(
      name: name, isOptional: item.flag("NSIsOptional"),
      hashModifier: item.text("NSVersionHashModifier"),
      originalName: item.text("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 },
      kind: kind)
  }

  private static func attribute(_ item: KeyedArchive.Item) -> Attribute {
    let number = item.integer("NSAttributeType") ?? 0
    let type = types[number] ?? (number == 2100 ? .composite([]) : .unknown("type \(number)"))
    let transformer = item.text("NSValueTransformerName")
    return Attribute(
      type: type, defaultText: item["NSDefaultValue"].flatMap { $0.scalarText ?? $0.className },
      coding: transformer.map { .transformer($0) } ?? .plain,
      // Checked against the models of 82 stores: 4 is "allows external storage".
      isExternal: (item.integer("NSFlagsKey") ?? 0) & 4 != 0)
  }

  private static func relationship(_ item: KeyedArchive.Item) -> Relationship {
    let maximum = item.integer("NSMaxCount") ?? 0
    let inverse =
      item.text("_NSInverseRelationshipName")
      ?? item["NSInverseRelationship"]?.text("NSPropertyName")
    return Relationship(
      destination: item.text("_NSDestinationEntityName")
        ?? item["NSDestinationEntity"]?.text("NSEntityName") ?? "",
      isToMany: maximum != 1, isOrdered: item.flag("NSIsOrdered"),
      minimum: item.integer("NSMinCount") ?? 0, maximum: maximum == 1 ? 0 : maximum,
      inverse: inverse.map { .given($0) } ?? .none,
      deleteRule: deleteRules[item.integer("NSDeleteRule") ?? 1] ?? "nullify")
  }

  /// `NSAttributeType` as the headers of Core Data number it.
  private static let types: [Int: StoredType] = [
    100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double, 600: .float,
    700: .string, 800: .boolean, 900: .date, 1000: .data, 1100: .uuid, 1200: .url,
    1800: .transformable, 2000: .objectID,
  ]

  /// `NSDeleteRule` as the headers of Core Data number it.
  private static let deleteRules = [0: "noAction", 1: "nullify", 2: "cascade", 3: "deny"]
}
