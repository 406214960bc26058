/// One thing that a store depends on, as one line of the lock file says it.
package struct Fact: Hashable, Sendable {
  /// Whether a fact is part of the version hash.
  package enum Weight: String, Sendable {
    case hard = "="
    case soft = "~"
    /// Not resolved from the sources, so never judged.
    case open = "?"
  }

  package var subject: Subject
  package var aspect: Aspect
  package var value: String
  package var weight: Weight

  package init(_ subject: Subject, _ aspect: Aspect, _ value: String = "", _ weight: Weight) {
    self.subject = subject
    self.aspect = aspect
    self.value = value
    self.weight = weight
  }
}

/// What a fact is about: an entity, one of its properties, or a member of a stored structure.
package struct Subject: Hashable, Sendable {
  /// The entity's key.
  package var entity: String
  /// The property's name; "" for the entity itself.
  package var property: String
  /// The names from the stored structure inwards; empty for the property itself.
  package var members: [String]

  package init(_ entity: String, _ property: String = "", members: [String] = []) {
    self.entity = entity
    self.property = property
    self.members = members
  }

  /// The subject as a person writes it, such as `Trip.place.latitude`.
  package var name: String {
    ([entity] + (property.isEmpty ? [] : [property]) + members).joined(separator: ".")
  }
}

/// The kinds of facts; the raw value is the word of the lock file.
package enum Aspect: String, Sendable, CaseIterable {
  case entity, abstract
  case superentity = "super"
  case modifier, unique, index, original
  case attribute, relationship, member
  case optional, external, preserved, codable, transformer
  case ordered, minimum, maximum, inverse, many
  case `default`, delete, spotlight, encrypted, cases, element
  case unresolved
  /// Not a fact of one version: a property that has another name in the other version.
  case renamed
}

extension SchemaShape {
  /// Every fact of the version, entity by entity.
  package var facts: [Fact] {
    entities.flatMap { entity in
      entity.ownFacts + entity.properties.flatMap { $0.facts(of: entity.key) }
    } + gaps.map { Fact(Subject($0.entity, $0.property), .unresolved, $0.reason, .open) }
  }

  /// A fingerprint of what is in the version hash.
  package var hardFingerprint: Fingerprint { fingerprint(of: .hard) }

  /// A fingerprint of what is not in the version hash but still matters.
  package var softFingerprint: Fingerprint { fingerprint(of: .soft) }

  private func fingerprint(of weight: Fact.Weight) -> Fingerprint {
    var fingerprint = Fingerprint()
    for fact in facts where fact.weight == weight {
      fingerprint.combine(fact.subject.name)
      fingerprint.combine(fact.aspect.rawValue)
      fingerprint.combine(fact.value)
    }
    return fingerprint
  }
}
