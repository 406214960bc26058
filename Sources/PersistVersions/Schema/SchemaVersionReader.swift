import PersistFlow
import PersistIndex
import PersistSchema
import PersistSyntax

/// Reads a `VersionedSchema` and everything it reaches.
struct SchemaVersionReader {
  let types: SchemaTypes
  let models: SchemaModelReader

  func version(_ type: Int, index: Int) -> SchemaVersion {
    let declaration = types.declaration(type)
    let list = types.known("models", of: type)
    var gaps: [Gap] = []
    let listed = list.flatMap { listedModels($0.value, gaps: &gaps) }
    if listed == nil {
      let name = types.qualifiedName(type)
      gaps.append(
        Gap(reason: list == nil ? "\(name) has no `models`" : "`models` of \(name) is not a list"))
    }
    let reached = RelationshipClosure(
      types: types, models: models, version: type, listed: listed ?? [])
    let identifier = types.known("versionIdentifier", of: type)
    let name = types.qualifiedName(type)
    return SchemaVersion(
      id: index, name: name, key: name, place: types.namePlace(declaration),
      modelsPlace: list.map { types.namePlace($0.place) },
      identifier: identifier.flatMap { numbers(of: $0.value) },
      identifierPlace: identifier.map { types.namePlace($0.place) }, uses: reached.uses,
      shape: reached.shape(gaps: gaps), sharedValues: sharedValues(of: type, reached.uses),
      isTest: types.isTest(declaration.ref))
  }

  /// The Codable types from outside of all versions that the version's own models store.
  private func sharedValues(of version: Int, _ uses: [ModelUse]) -> [SharedValue] {
    var seen: Set<Int> = []
    var shared: [SharedValue] = []
    for use in uses where use.isNested {
      for stored in use.model.properties {
        guard let type = stored.valueType, !types.isInsideVersion(type),
          let kind = stored.property.attribute?.type
        else { continue }
        let isDirect: Bool
        switch kind {
        case .composite, .payloadEnum: isDirect = true
        case .collection(_, let members) where !members.isEmpty: isDirect = false
        default: continue
        }
        guard seen.insert(type).inserted else { continue }
        shared.append(
          SharedValue(
            name: types.qualifiedName(type), place: stored.place,
            declaration: types.namePlace(types.declaration(type)), isDirect: isDirect))
      }
    }
    return shared
  }

  /// The shape of these models and what they reach, without a version.
  func shape(of listed: [Int]) -> SchemaShape {
    RelationshipClosure(types: types, models: models, version: -1, listed: listed).shape(gaps: [])
  }

  /// The classes that `models` lists; nil when the list can't be told.
  private func listedModels(_ list: Known, gaps: inout [Gap]) -> [Int]? {
    guard let elements = list.elements else { return nil }
    var result: [Int] = []
    for element in elements {
      guard let name = types.name(of: element) else { return nil }
      guard case .type(let type) = element, models.isModel(type) else {
        gaps.append(
          Gap(reason: "`\(name).self` in `models` is no model that the sources declare"))
        continue
      }
      if !result.contains(type) { result.append(type) }
    }
    return result
  }

  /// The numbers of a `Schema.Version(1, 0, 0)`.
  private func numbers(of version: Known) -> [Int]? {
    guard case .made(_, let parts) = version else { return nil }
    let numbers = parts.map { part -> Int? in
      guard case .literal(let text) = part else { return nil }
      return Int(text.filter { $0 != "_" })
    }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
  }
}

/// The models that a version holds: those it lists and those it reaches from them.
private struct RelationshipClosure {
  var uses: [ModelUse] = []
  private var keys: [Int: String] = [:]
  private let types: SchemaTypes

  init(types: SchemaTypes, models: SchemaModelReader, version: Int, listed: [Int]) {
    self.types = types
    var queue: [(id: Int, route: String?)] = listed.map { ($0, nil) }
    var taken: Set<String> = []
    var at = 0
    var seen = Set(listed)
    while at < queue.count {
      let (id, route) = queue[at]
      at += 1
      guard let model = models.model(id) else { continue }
      let isFirst = taken.insert(model.name).inserted
      let key = isFirst ? model.name : "\(model.name)@\(model.qualifiedName)"
      keys[id] = key
      uses.append(
        ModelUse(
          key: key, model: model, isListed: route == nil,
          isNested: types.isInside(id, version), route: route))
      if let superclass = model.superclass, seen.insert(superclass).inserted {
        queue.append((superclass, "the superclass of \(model.name)"))
      }
      for stored in model.properties {
        guard let other = stored.model, seen.insert(other).inserted else { continue }
        queue.append((other, "\(model.name).\(stored.property.name)"))
      }
    }
  }

  /// The shape of all models with their inverses.
  func shape(gaps: [Gap]) -> SchemaShape {
    var gaps = gaps
    let entities = uses.map { use in
      let model = use.model
      gaps += model.gaps.map { Gap(entity: use.key, property: $0.property, reason: $0.reason) }
      let parts = use.key.split(separator: "@", maxSplits: 1)
      return Entity(
        name: model.name, twin: parts.count > 1 ? String(parts[1]) : "",
        superentity: model.superclass.map { types.name($0) },
        properties: model.properties.map(property), uniqueness: model.uniqueness,
        indexes: model.indexes)
    }
    return SchemaShape(entities: entities, gaps: gaps).inferringInverses()
  }

  private func property(_ stored: ModelDeclaration.StoredProperty) -> Property {
    guard let model = stored.model, let key = keys[model],
      var relationship = stored.property.relationship
    else { return stored.property }
    var property = stored.property
    relationship.destination = key
    property.kind = .relationship(relationship)
    return property
  }
}
