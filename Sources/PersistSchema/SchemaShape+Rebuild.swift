extension SchemaShape {
  /// The shape that has these facts, in any order; facts about nothing that exists are dropped.
  package init(facts: [Fact]) {
    var entities: [String: [Fact]] = [:]
    var gaps: [Gap] = []
    for fact in facts {
      if fact.aspect == .unresolved {
        gaps.append(
          Gap(
            entity: fact.subject.entity, property: fact.subject.property, reason: fact.value))
      } else {
        entities[fact.subject.entity, default: []].append(fact)
      }
    }
    self.init(
      entities: entities.compactMap { key, facts in Entity(key: key, facts: facts) }, gaps: gaps)
  }
}

extension Entity {
  fileprivate init?(key: String, facts: [Fact]) {
    let own = facts.filter { $0.subject.property.isEmpty }
    guard own.contains(where: { $0.aspect == .entity }) else { return nil }
    let parts = key.split(separator: "@", maxSplits: 1).map(String.init)
    let properties = Dictionary(grouping: facts.filter { !$0.subject.property.isEmpty }) {
      $0.subject.property
    }
    func keyPaths(_ aspect: Aspect) -> [[String]] {
      own.filter { $0.aspect == aspect }
        .map { $0.value.split(separator: ",").map(String.init) }
    }
    self.init(
      name: parts.first ?? key, twin: parts.count > 1 ? parts[1] : "",
      isAbstract: own.has(.abstract), superentity: own.value(.superentity),
      hashModifier: own.value(.modifier), originalName: own.value(.original),
      properties: properties.compactMap { name, facts in Property(name: name, facts: facts) },
      uniqueness: keyPaths(.unique), indexes: keyPaths(.index))
  }
}

extension Property {
  fileprivate init?(name: String, facts: [Fact]) {
    let own = facts.filter { $0.subject.members.isEmpty }
    let kind: Kind
    if let type = own.value(.attribute) {
      kind = .attribute(Attribute(type: type, own: own, inner: facts))
    } else if let destination = own.value(.relationship) {
      kind = .relationship(Relationship(destination: destination, facts: own))
    } else {
      return nil
    }
    self.init(
      name: name, isOptional: own.has(.optional), hashModifier: own.value(.modifier),
      originalName: own.value(.original), kind: kind)
  }
}

extension Attribute {
  fileprivate init(type: String, own: [Fact], inner: [Fact]) {
    let coding: Coding =
      if let name = own.value(.transformer) { .transformer(name) } else if own.has(.codable) {
        .codable
      } else { .plain }
    self.init(
      type: StoredType(spelling: type).filled(own: own, inner: inner, depth: 0),
      defaultText: own.value(.default), coding: coding, isExternal: own.has(.external),
      isPreservedOnDeletion: own.has(.preserved), isSpotlightIndexed: own.has(.spotlight),
      isEncrypted: own.has(.encrypted))
  }
}

extension StoredType {
  /// The type with the members, cases and element that the facts of one property tell.
  fileprivate func filled(own: [Fact], inner: [Fact], depth: Int) -> StoredType {
    var members: [Member] {
      Dictionary(grouping: inner.filter { $0.subject.members.count > depth }) {
        $0.subject.members[depth]
      }
      .compactMap { name, facts in
        let own = facts.filter { $0.subject.members.count == depth + 1 }
        guard let type = own.value(.member) else { return nil }
        return Member(
          name: name,
          type: StoredType(spelling: type).filled(own: own, inner: facts, depth: depth + 1),
          isOptional: own.has(.optional), defaultText: own.value(.default))
      }
      .sorted { $0.name < $1.name }
    }
    switch self {
    case .composite: return .composite(members)
    case .payloadEnum: return .payloadEnum(members)
    case .collection: return .collection(element: own.value(.element) ?? "", members: members)
    case .rawEnum(let raw, _):
      let cases = own.value(.cases) ?? ""
      return .rawEnum(raw: raw, cases: cases.split(separator: ",").map(String.init))
    default: return self
    }
  }
}

extension Relationship {
  fileprivate init(destination: String, facts: [Fact]) {
    let inverse: Inverse =
      switch facts.value(.inverse) {
      case nil: .none
      case "?": .ambiguous
      case .some(let name): .given(name)
      }
    self.init(
      destination: destination, isToMany: facts.has(.many), isOrdered: facts.has(.ordered),
      minimum: facts.value(.minimum).flatMap { Int($0) } ?? 0,
      maximum: facts.value(.maximum).flatMap { Int($0) } ?? 0,
      inverse: inverse, deleteRule: facts.value(.delete) ?? "nullify")
  }
}

extension [Fact] {
  fileprivate func has(_ aspect: Aspect) -> Bool { contains { $0.aspect == aspect } }
  fileprivate func value(_ aspect: Aspect) -> String? { first { $0.aspect == aspect }?.value }
}
