/// A property that went and one that came in its entity, and that look like one renamed property.
package struct LikelyRename: Hashable, Sendable {
  /// The entity's key in the newer shape.
  package var entity: String
  package var gone: Property
  package var come: Property

  /// Whether the two names share a word, or begin or end alike.
  package var namesAreAlike: Bool { areRelated(gone.name, come.name) }
}

extension Migration {
  /// Pairs of properties that were probably renamed without saying so, in the order of the names.
  package var likelyRenames: [LikelyRename] {
    new.entities.flatMap { entity in
      guard let before = old.entity(entity.key), old.isComplete(entity.key),
        new.isComplete(entity.key)
      else { return [LikelyRename]() }
      return likelyRenames(from: before, to: entity)
    }
  }

  private func likelyRenames(from before: Entity, to after: Entity) -> [LikelyRename] {
    let claimed = Set(after.properties.compactMap(\.originalName))
    let gone = before.properties.filter {
      after.property($0.name) == nil && !claimed.contains($0.name)
        && !($0.originalName.map(claimed.contains) ?? false)
    }
    let come = after.properties.filter {
      before.property($0.name) == nil && $0.originalName == nil
    }
    var renames: [LikelyRename] = []
    for old in gone {
      let partners = come.filter { $0.stores(likeA: old) }
      let rivals = gone.filter { $0.stores(likeA: old) }
      guard let new = partners.first, partners.count == 1, rivals.count == 1 else {
        let close = partners.filter { areRelated(old.name, $0.name) }
        guard let new = close.first, close.count == 1,
          rivals.filter({ areRelated($0.name, new.name) }).count == 1
        else { continue }
        renames.append(LikelyRename(entity: after.key, gone: old, come: new))
        continue
      }
      let sharing = before.properties.filter { $0.stores(likeA: old) }.count
      guard areRelated(old.name, new.name) || sharing < 3 else { continue }
      renames.append(LikelyRename(entity: after.key, gone: old, come: new))
    }
    return renames
  }
}

extension Property {
  /// Whether the two are of one type, optional or not.
  fileprivate func stores(likeA other: Property) -> Bool {
    switch (kind, other.kind) {
    case (.attribute(let left), .attribute(let right)):
      left.type.isKnown && left.type.spelling == right.type.spelling
    case (.relationship(let left), .relationship(let right)):
      left.destinationName == right.destinationName && left.isToMany == right.isToMany
    default: false
    }
  }
}

/// Whether two names share a word or begin or end alike.
private func areRelated(_ left: String, _ right: String) -> Bool {
  let bare = { (name: String) in name.lowercased().filter { $0 != "_" } }
  let (first, second) = (bare(left), bare(right))
  if first.hasPrefix(second) || second.hasPrefix(first) { return true }
  if first.hasSuffix(second) || second.hasSuffix(first) { return true }
  return !words(in: left).isDisjoint(with: words(in: right))
}

/// The words of a name in camel case that are long enough to mean something.
private func words(in name: String) -> Set<String> {
  var words: Set<String> = []
  var word = ""
  for character in name {
    if character.isUppercase || character == "_" {
      words.insert(word.lowercased())
      word = ""
    }
    if character != "_" { word.append(character) }
  }
  words.insert(word.lowercased())
  return words.filter { $0.count > 2 && !["the", "has", "was", "and", "for"].contains($0) }
}
