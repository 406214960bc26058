import PersistSchema

/// A version with one entity, `Trip`.
func trip(_ properties: Property..., unique: [[String]] = [], index: [[String]] = []) -> SchemaShape
{
  SchemaShape(entities: [
    Entity(name: "Trip", properties: properties, uniqueness: unique, indexes: index)
  ])
}

func attribute(
  _ name: String, _ type: StoredType = .string, optional: Bool = false, default text: String? = nil,
  original: String? = nil, modifier: String? = nil, coding: Attribute.Coding = .plain,
  external: Bool = false, preserved: Bool = false, spotlight: Bool = false, encrypted: Bool = false
) -> Property {
  Property(
    name: name, isOptional: optional, hashModifier: modifier, originalName: original,
    kind: .attribute(
      Attribute(
        type: type, defaultText: text, coding: coding, isExternal: external,
        isPreservedOnDeletion: preserved, isSpotlightIndexed: spotlight, isEncrypted: encrypted)))
}

func toOne(
  _ name: String, _ destination: String, optional: Bool = true,
  inverse: Relationship.Inverse = .none, delete rule: String = "nullify",
  original: String? = nil
) -> Property {
  Property(
    name: name, isOptional: optional, originalName: original,
    kind: .relationship(
      Relationship(destination: destination, inverse: inverse, deleteRule: rule)))
}

func toMany(
  _ name: String, _ destination: String, optional: Bool = false, ordered: Bool = false,
  minimum: Int = 0, maximum: Int = 0, inverse: Relationship.Inverse = .none
) -> Property {
  Property(
    name: name, isOptional: optional,
    kind: .relationship(
      Relationship(
        destination: destination, isToMany: true, isOrdered: ordered, minimum: minimum,
        maximum: maximum, inverse: inverse)))
}

func structure(_ members: Member...) -> StoredType { .composite(members) }

func version(_ entities: Entity...) -> SchemaShape { SchemaShape(entities: entities) }
