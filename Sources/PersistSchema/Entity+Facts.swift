extension Entity {
  /// The facts of the entity itself, without those of its properties.
  package var ownFacts: [Fact] {
    let subject = Subject(key)
    var facts = [Fact(subject, .entity, "", .hard)]
    if isAbstract { facts.append(Fact(subject, .abstract, "", .hard)) }
    if let superentity { facts.append(Fact(subject, .superentity, superentity, .hard)) }
    if let hashModifier { facts.append(Fact(subject, .modifier, hashModifier, .hard)) }
    for keys in uniqueness {
      facts.append(Fact(subject, .unique, keys.joined(separator: ","), .hard))
    }
    for keys in indexes {
      facts.append(Fact(subject, .index, keys.joined(separator: ","), .soft))
    }
    if let originalName { facts.append(Fact(subject, .original, originalName, .soft)) }
    return facts
  }
}

extension Property {
  /// The facts of the property in the entity with this key, the property's kind first.
  package func facts(of entity: String) -> [Fact] {
    let subject = Subject(entity, name)
    var facts: [Fact]
    switch kind {
    case .attribute(let attribute): facts = attribute.facts(of: subject)
    case .relationship(let relationship): facts = relationship.facts(of: subject)
    }
    if isOptional { facts.append(Fact(subject, .optional, "", .hard)) }
    if let hashModifier { facts.append(Fact(subject, .modifier, hashModifier, .hard)) }
    if let originalName { facts.append(Fact(subject, .original, originalName, .soft)) }
    return facts
  }
}

extension Attribute {
  fileprivate func facts(of subject: Subject) -> [Fact] {
    var facts = [Fact(subject, .attribute, type.spelling, .hard)]
    switch coding {
    case .plain: break
    case .codable: facts.append(Fact(subject, .codable, "", .hard))
    case .transformer(let name): facts.append(Fact(subject, .transformer, name, .soft))
    }
    if isExternal { facts.append(Fact(subject, .external, "", .hard)) }
    if isPreservedOnDeletion { facts.append(Fact(subject, .preserved, "", .hard)) }
    if let defaultText { facts.append(Fact(subject, .default, defaultText, .soft)) }
    if isSpotlightIndexed { facts.append(Fact(subject, .spotlight, "", .soft)) }
    if isEncrypted { facts.append(Fact(subject, .encrypted, "", .soft)) }
    return facts + type.innerFacts(of: subject, weight: .hard)
  }
}

extension StoredType {
  /// The facts of what the type holds: members, cases, the element of a collection.
  fileprivate func innerFacts(of subject: Subject, weight: Fact.Weight) -> [Fact] {
    switch self {
    case .composite(let members), .payloadEnum(let members):
      return members.sorted { $0.name < $1.name }
        .flatMap { $0.facts(in: subject, weight: weight) }
    case .collection(let element, let members):
      return [Fact(subject, .element, element, .soft)]
        + members.sorted { $0.name < $1.name }
        .flatMap { $0.facts(in: subject, weight: .soft) }
    case .rawEnum(_, let cases):
      return [Fact(subject, .cases, cases.joined(separator: ","), .soft)]
    default:
      return []
    }
  }
}

extension Member {
  fileprivate func facts(in owner: Subject, weight: Fact.Weight) -> [Fact] {
    let subject = Subject(owner.entity, owner.property, members: owner.members + [name])
    var facts = [Fact(subject, .member, type.spelling, weight)]
    if isOptional { facts.append(Fact(subject, .optional, "", weight)) }
    if let defaultText { facts.append(Fact(subject, .default, defaultText, .soft)) }
    return facts + type.innerFacts(of: subject, weight: weight)
  }
}

extension Relationship {
  fileprivate func facts(of subject: Subject) -> [Fact] {
    var facts = [Fact(subject, .relationship, destinationName, .hard)]
    if isToMany { facts.append(Fact(subject, .many, "", .hard)) }
    if isOrdered { facts.append(Fact(subject, .ordered, "", .hard)) }
    if minimum > 0 { facts.append(Fact(subject, .minimum, String(minimum), .hard)) }
    if maximum > 0 { facts.append(Fact(subject, .maximum, String(maximum), .hard)) }
    if let name = inverse.name { facts.append(Fact(subject, .inverse, name, .hard)) }
    if inverse == .ambiguous { facts.append(Fact(subject, .inverse, "?", .open)) }
    facts.append(Fact(subject, .delete, deleteRule, .soft))
    return facts
  }
}
