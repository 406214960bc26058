/// One difference between two shapes.
package struct Change: Hashable, Sendable {
  /// What changed, by its newer name; by its older one when it is gone.
  package var subject: Subject
  package var aspect: Aspect
  /// What was; nil when there was nothing.
  package var before: String?
  /// What is; nil when there is nothing any more.
  package var after: String?
  /// Hard when it moves the version hash, open when the sources don't tell whether it does.
  package var weight: Fact.Weight

  package init(
    _ subject: Subject, _ aspect: Aspect, before: String?, after: String?, _ weight: Fact.Weight
  ) {
    self.subject = subject
    self.aspect = aspect
    self.before = before
    self.after = after
    self.weight = weight
  }
}

extension SchemaShape {
  /// What differs in `other`, entity by entity, in the order of the names.
  package func changes(to other: SchemaShape) -> [Change] {
    Difference(old: self, new: other).changes
  }

  /// Whether both have one version hash: nothing that moves it differs, and what is unresolved in
  /// one is the same thing of the same class in the other.
  package func isTwin(of other: SchemaShape) -> Bool {
    // With another number of entities one of them is gone or new.
    canBeTwin(of: other) && entities.count == other.entities.count && hasSameNames(as: other)
      && !changes(to: other).contains { $0.weight != .soft }
  }

  /// The entities with their properties by their names, which twins have in common; nil where entities
  /// share a key, so that only the whole comparison tells which belong together.
  package var names: [String: Set<String>]? {
    let names = Dictionary(
      entities.map { ($0.key, Set($0.properties.map(\.name))) },
      uniquingKeysWith: { first, _ in first })
    return names.count == entities.count ? names : nil
  }

  /// Whether both have the same entities with the same properties by their names. What one of them
  /// lacks is gone, new or renamed, and never a soft change.
  private func hasSameNames(as other: SchemaShape) -> Bool {
    let theirs = Dictionary(
      other.entities.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    // Of entities that share a key, only the whole comparison tells which belong together.
    guard theirs.count == entities.count else { return true }
    return entities.allSatisfy { entity in
      guard let twin = theirs[entity.key] else { return false }
      return entity.properties.lazy.map(\.name).elementsEqual(twin.properties.lazy.map(\.name))
        || Set(entity.properties.map(\.name)) == Set(twin.properties.map(\.name))
    }
  }

  func canBeTwin(of other: SchemaShape) -> Bool {
    listIsComplete && other.listIsComplete && gaps == other.gaps
  }
}

/// The pairing of two shapes and what differs between the pairs.
struct Difference {
  let old: SchemaShape
  let new: SchemaShape

  var changes: [Change] {
    var changes: [Change] = []
    let pairs = entityPairs
    for (before, after) in pairs {
      switch (before, after) {
      case (let before?, let after?):
        if before != after { compare(before, after, into: &changes) }
      case (let before?, nil):
        let weight: Fact.Weight = new.listIsComplete ? .hard : .open
        changes.append(Change(Subject(before.key), .entity, before: "", after: nil, weight))
      case (nil, let after?):
        let weight: Fact.Weight = old.listIsComplete ? .hard : .open
        changes.append(Change(Subject(after.key), .entity, before: nil, after: "", weight))
      case (nil, nil): break
      }
    }
    return changes
  }

  /// Old and new entities that are the same one; an entity without a partner stands alone.
  var entityPairs: [(Entity?, Entity?)] {
    pair(old.entities, new.entities, name: \.key, original: \.originalName)
  }

  /// Pairs by the original names that name something gone, then by equal names; the result follows
  /// the order of the names.
  func pair<Item>(
    _ old: [Item], _ new: [Item], name: KeyPath<Item, String>, original: KeyPath<Item, String?>
  ) -> [(Item?, Item?)] {
    let oldNames = Set(old.map { $0[keyPath: name] })
    let newNames = Set(new.map { $0[keyPath: name] })
    var lost: [String: Item] = [:]
    var oldByName: [String: Item] = [:]
    for item in old {
      oldByName[item[keyPath: name]] = item
      guard !newNames.contains(item[keyPath: name]) else { continue }
      lost[item[keyPath: name]] = item
    }
    let lostByOriginal = Dictionary(
      lost.values.compactMap { item in item[keyPath: original].map { ($0, item) } },
      uniquingKeysWith: { first, _ in first })
    var pairs: [(Item?, Item?)] = []
    var moved: Set<String> = []
    var foundOne = true
    while foundOne {
      foundOne = false
      for item in new where oldNames.contains(item[keyPath: name]) {
        guard let wanted = item[keyPath: original], lost[wanted] != nil,
          moved.insert(item[keyPath: name]).inserted
        else { continue }
        // It takes another one's data, so its namesake is gone.
        lost[item[keyPath: name]] = oldByName[item[keyPath: name]]
        foundOne = true
      }
    }
    for item in new {
      let itemName = item[keyPath: name]
      if oldNames.contains(itemName), !moved.contains(itemName) {
        pairs.append((oldByName[itemName], item))
      } else if let wanted = item[keyPath: original],
        let partner = lost[wanted] ?? lostByOriginal[wanted],
        lost[partner[keyPath: name]] != nil
      {
        lost[partner[keyPath: name]] = nil
        pairs.append((partner, item))
      } else {
        pairs.append((nil, item))
      }
    }
    pairs += lost.values.map { ($0, nil) }
    func label(_ pair: (Item?, Item?)) -> String {
      (pair.1 ?? pair.0)?[keyPath: name] ?? ""
    }
    return pairs.sorted { label($0) < label($1) }
  }

  private func compare(_ before: Entity, _ after: Entity, into changes: inout [Change]) {
    if before.key != after.key {
      changes.append(
        Change(Subject(after.key), .renamed, before: before.key, after: after.key, .hard))
    }
    let open = !old.isComplete(before.key) || !new.isComplete(after.key)
    compareFacts(
      before.ownFacts, after.ownFacts, subject: Subject(after.key), open: open, into: &changes)
    let pairs = pair(before.properties, after.properties, name: \.name, original: \.originalName)
    for (oldProperty, newProperty) in pairs {
      switch (oldProperty, newProperty) {
      case (let oldProperty?, let newProperty?):
        if oldProperty != newProperty {
          compare(oldProperty, newProperty, of: before.key, in: after.key, into: &changes)
        }
      case (let gone?, nil):
        let weight: Fact.Weight =
          new.isComplete(after.key) && new.isJudged(after.key, gone.name) ? .hard : .open
        changes.append(
          Change(
            Subject(after.key, gone.name), gone.existence, before: gone.typeText, after: nil,
            weight))
      case (nil, let come?):
        let weight: Fact.Weight =
          old.isComplete(before.key) && old.isJudged(before.key, come.name) ? .hard : .open
        changes.append(
          Change(
            Subject(after.key, come.name), come.existence, before: nil, after: come.typeText,
            weight))
      case (nil, nil): break
      }
    }
  }

  private func compare(
    _ before: Property, _ after: Property, of oldKey: String, in key: String,
    into changes: inout [Change]
  ) {
    let subject = Subject(key, after.name)
    let open = !old.isJudged(oldKey, before.name) || !new.isJudged(key, after.name)
    if before.name != after.name {
      changes.append(Change(subject, .renamed, before: before.name, after: after.name, .hard))
    }
    switch (before.kind, after.kind) {
    case (.attribute(let old), .attribute(let new)):
      let typeIsOpen = open || !old.type.isComparable(to: new.type)
      compareFacts(
        before.facts(of: key), after.facts(of: key), subject: subject, open: typeIsOpen,
        into: &changes)
    case (.relationship, .relationship):
      compareFacts(
        before.facts(of: key), after.facts(of: key), subject: subject, open: open, into: &changes)
    default:
      let known = (before.attribute ?? after.attribute)?.type.isKnown ?? true
      changes.append(
        Change(
          subject, after.existence, before: before.typeText, after: after.typeText,
          known && !open ? .hard : .open))
    }
  }

  /// Compares facts of one pair; a member that is new or gone is one change, not one a fact.
  private func compareFacts(
    _ before: [Fact], _ after: [Fact], subject: Subject, open: Bool, into changes: inout [Change]
  ) {
    if before == after { return }
    let oldFacts = Dictionary(grouping: before, by: FactKey.init)
    let newFacts = Dictionary(grouping: after, by: FactKey.init)
    var keys = before.map(FactKey.init)
    keys += after.map(FactKey.init).filter { oldFacts[$0] == nil }
    var seen: Set<FactKey> = []
    let retyped = keys.filter { key in
      guard key.aspect == .attribute || key.aspect == .member, let old = oldFacts[key]?.first,
        let new = newFacts[key]?.first
      else { return oldFacts[key] == nil || newFacts[key] == nil }
      return old.value != new.value
    }
    .filter { $0.aspect == .attribute || $0.aspect == .member }
    for key in keys where seen.insert(key).inserted {
      if key.isInside(retyped) { continue }
      let gone = (oldFacts[key] ?? []).filter { !(newFacts[key] ?? []).containsValue(of: $0) }
      let come = (newFacts[key] ?? []).filter { !(oldFacts[key] ?? []).containsValue(of: $0) }
      if gone.isEmpty && come.isEmpty { continue }
      let place = Subject(subject.entity, subject.property, members: key.members)
      if key.aspect == .unique || key.aspect == .index {
        changes += gone.map { Change(place, key.aspect, before: $0.value, after: nil, $0.weight) }
        changes += come.map { Change(place, key.aspect, before: nil, after: $0.value, $0.weight) }
      } else {
        changes.append(
          Change(
            place, key.aspect, before: gone.first?.value, after: come.first?.value,
            weight(key, gone.first, come.first)))
      }
    }
    if open { openLast(of: &changes, subject: subject) }
  }

  private func weight(_ key: FactKey, _ gone: Fact?, _ come: Fact?) -> Fact.Weight {
    if gone?.weight == .open || come?.weight == .open { return .open }
    return gone?.weight ?? come?.weight ?? .soft
  }

  /// Marks what was just found for `subject` as not judged where it would move the hash.
  private func openLast(of changes: inout [Change], subject: Subject) {
    for index in changes.indices.reversed() {
      let place = changes[index].subject
      guard place.entity == subject.entity, place.property == subject.property else { return }
      let isType: Bool =
        switch changes[index].aspect {
        case .attribute, .optional, .member, .codable, .superentity, .unique, .abstract: true
        default: subject.property.isEmpty
        }
      if isType, changes[index].weight == .hard { changes[index].weight = .open }
    }
  }
}

/// What makes two facts of one property facts about the same thing.
private struct FactKey: Hashable {
  var members: [String]
  var aspect: Aspect

  init(_ fact: Fact) {
    members = fact.subject.members
    aspect = fact.aspect
  }

  /// Whether the fact is about the inside of a type that is new, gone or another one.
  func isInside(_ retyped: [FactKey]) -> Bool {
    retyped.contains { owner in
      guard members.starts(with: owner.members) else { return false }
      if members.count > owner.members.count { return true }
      let isPartOfType = aspect == .cases || aspect == .element
      return isPartOfType || (owner.aspect == .member && aspect != .member)
    }
  }
}

extension [Fact] {
  fileprivate func containsValue(of fact: Fact) -> Bool {
    contains { $0.value == fact.value && $0.weight == fact.weight }
  }
}

extension Property {
  /// The aspect that says that the property is there.
  var existence: Aspect { attribute == nil ? .relationship : .attribute }

  /// The type as a person reads it: `String?`, `[Stop]`.
  package var typeText: String {
    let mark = isOptional ? "?" : ""
    switch kind {
    case .attribute(let attribute): return attribute.type.reading + mark
    case .relationship(let relationship):
      let name = relationship.destinationName
      return (relationship.isToMany ? "[\(name)]" : name) + mark
    }
  }
}

extension StoredType {
  /// The type in words for messages.
  package var reading: String {
    switch self {
    case .collection(let element, _): "[\(element)]"
    case .unknown(let text): text.isEmpty ? "a type that is not resolved" : text
    default: spelling
    }
  }

  /// Whether a difference between the two is certain to be a difference in the store.
  func isComparable(to other: StoredType) -> Bool {
    switch (self, other) {
    case (.unknown(let left), .unknown(let right)): left == right
    case (.unknown, _), (_, .unknown): false
    case (.rawEnum(let left, _), .rawEnum(let right, _)):
      left == right || (left != "?" && right != "?")
    case (.rawEnum(let raw, _), let plain), (let plain, .rawEnum(let raw, _)):
      raw != "?" && StoredType(spelling: raw).family != plain.family
    case (.collection, .transformable), (.transformable, .collection): false
    default: true
    }
  }
}

extension SchemaShape {
  /// Whether nothing about the property is unresolved.
  fileprivate func isJudged(_ entity: String, _ property: String) -> Bool {
    !gaps.contains { $0.entity == entity && $0.property == property }
  }
}
