import PersistIndex
import PersistSchema
import PersistVersions

extension SchemaProgram {
  /// What has become of a frozen version.
  enum Standing {
    case version(SchemaVersion)
    case dataModel(DataModel.Version)
    /// Another version has its shape now.
    case moved
    /// It is gone; the place is where it was listed, or where it should be.
    case gone(SchemaPlace)
    /// Nothing in the sources speaks of it.
    case unknown
  }

  /// The frozen versions of a base, with those that are no longer the newest; sorted by key.
  func frozenVersions(
    of base: SchemaBase, _ project: ProjectFacts
  ) -> [(key: String, shape: SchemaShape)] {
    if project.released != nil { return releasedVersions(of: base, project) }
    var frozen = base.versions
    if !versions.contains(where: { !$0.isTest }) {
      frozen.merge(base.newest.filter { $0.key != SchemaProgram.unversioned }) { first, _ in first }
    }
    for (key, shape) in base.newest {
      guard let version = version(keyed: key) else { continue }
      if !isNewest(version) || isFollowed(version, since: base) { frozen[key] = shape }
    }
    if isPlanGivenUp(since: base) { frozen = frozen.filter { !Self.isOfPlans($0.key) } }
    return frozen.sorted { $0.key < $1.key }.map { (key: $0.key, shape: $0.value) }
  }

  /// The newest versions of a base of which nothing says whether they have shipped; sorted by key.
  func undecidedVersions(
    of base: SchemaBase, _ project: ProjectFacts
  ) -> [(key: String, shape: SchemaShape)] {
    guard project.released == nil, case .reference = base.origin else { return [] }
    let frozen = Set(frozenVersions(of: base, project).map(\.key))
    let isGivenUp = isPlanGivenUp(since: base)
    // Models without a version are judged by what becomes of their stores.
    return base.newest.filter { key, _ in
      key != Self.unversioned && !frozen.contains(key) && !(isGivenUp && Self.isOfPlans(key))
    }.sorted { $0.key < $1.key }.map { (key: $0.key, shape: $0.value) }
  }

  /// Whether a key is that of a `VersionedSchema`.
  private static func isOfPlans(_ key: String) -> Bool {
    key != unversioned && !key.contains(".xcdatamodel")
  }

  /// Whether no container has a plan any more, while the models of today still are what the newest
  /// version was, so that the stores open as they are.
  private func isPlanGivenUp(since base: SchemaBase) -> Bool {
    guard opensWithoutPlans else { return false }
    let newest = base.newest.isEmpty ? base.versions : base.newest
    let today =
      [unversionedShape].compactMap { $0 }
      + versions.filter { !$0.isTest && isNewest($0) }.map(\.shape)
    return newest.contains { key, shape in
      Self.isOfPlans(key) && today.contains { $0.isTwin(of: shape) }
    }
  }

  /// Whether stores of a frozen version are migrated by inference alone now, because the sources
  /// declare no plan.
  func isInferred(_ key: String, since base: SchemaBase) -> Bool {
    guard Self.isOfPlans(key), case .reference = base.origin else { return false }
    return !plans.contains { !$0.isTest } && opensWithoutPlans
  }

  /// Whether a plan listed a frozen version with which a container was opened; true where nothing
  /// tells.
  func wasPlanned(_ key: String, in base: SchemaBase) -> Bool {
    !Self.isOfPlans(key) || (base.planned?.contains(key) ?? true)
  }

  /// The versions of a base that the configuration calls released, and all that a lock holds.
  private func releasedVersions(
    of base: SchemaBase, _ project: ProjectFacts
  ) -> [(key: String, shape: SchemaShape)] {
    var frozen = base.versions
    if case .reference = base.origin {
      frozen = frozen.filter { project.hasReleased($0.key) ?? true }
    }
    frozen.merge(base.newest.filter { project.hasReleased($0.key) ?? false }) { first, _ in first }
    return frozen.sorted { $0.key < $1.key }.map { (key: $0.key, shape: $0.value) }
  }

  /// Whether a version that the base does not have comes after this one, though in no plan yet.
  private func isFollowed(_ version: SchemaVersion, since base: SchemaBase) -> Bool {
    let planned = Set(plans.filter { !$0.isTest }.flatMap(\.chain))
    guard planned.contains(version.id), let identifier = version.identifier else { return false }
    let names = Set(version.uses.map(\.model.name))
    return versions.contains { other in
      !other.isTest && !planned.contains(other.id) && base.versions[other.key] == nil
        && base.newest[other.key] == nil
        && identifier.lexicographicallyPrecedes(other.identifier ?? [])
        && other.uses.contains { names.contains($0.model.name) }
    }
  }

  /// The plan that a version of the base has left, though it is still declared.
  private func planLeft(by version: SchemaVersion, _ shape: SchemaShape, base: SchemaBase)
    -> MigrationPlan?
  {
    let plans = plans.filter { !$0.isTest }
    guard base.planned?.contains(version.key) ?? false, let plan = plans.first,
      plans.allSatisfy({ $0.schemas != nil && !$0.chain.contains(version.id) })
    else { return nil }
    let hasTwin = plans.contains { plan in
      plan.chain.contains { versions[$0].shape.isTwin(of: shape) }
    }
    return hasTwin ? nil : plan
  }

  /// Finds a frozen version among those of the sources.
  func standing(of key: String, _ shape: SchemaShape, base: SchemaBase) -> Standing {
    if let version = version(known: key) {
      guard let plan = planLeft(by: version, shape, base: base) else { return .version(version) }
      return .gone(plan.schemasPlace ?? plan.place)
    }
    for model in dataModels {
      for version in model.versions where SchemaProgram.key(of: version, in: model) == key {
        return .dataModel(version)
      }
    }
    if key == SchemaProgram.unversioned { return .unknown }
    if versions.contains(where: { shape.isTwin(of: $0.shape) }) { return .moved }
    if key.contains(".xcdatamodel"),
      dataModels.contains(where: { model in
        model.versions.contains { shape.isTwin(of: $0.shape) }
      })
    {
      return .moved
    }
    if versions.contains(where: { !$0.isTest && $0.name == SchemaProgram.lastPart(of: key) }) {
      return .unknown
    }
    if let model = dataModels.first(where: { key.hasPrefix($0.path + "/") }) {
      return .gone(SchemaPlace(path: model.current?.path ?? model.path, range: 0..<0))
    }
    guard !key.contains(".xcdatamodel") else { return .unknown }
    let names = Set(shape.entities.map(\.name))
    // Seen in part, another plan may have the version.
    let shipped = plans.filter { plan in
      !plan.isTest
        && (base.isWhole || plan.chain.contains { versions[$0].shape.holds(anyOf: names) })
    }
    if let plan = shipped.first {
      return plan.schemas == nil ? .unknown : .gone(plan.schemasPlace ?? plan.place)
    }
    guard base.isWhole else { return .unknown }
    let model = models.first { !$0.isTest && names.contains($0.name) }
    return model.map { .gone($0.place) } ?? .unknown
  }

  /// The version of this key; a key without a target means the only version of that name.
  private func version(known key: String) -> SchemaVersion? {
    if let version = version(keyed: key) { return version }
    let name = SchemaProgram.lastPart(of: key)
    let named = versions.filter { !$0.isTest && $0.name == name }
    return named.count == 1 ? named[0] : nil
  }
}

extension SchemaShape {
  fileprivate func holds(anyOf names: Set<String>) -> Bool {
    entities.contains { names.contains($0.name) }
  }
}

extension DataModel.Version {
  /// The line at which an entity or property is declared.
  func place(of subject: Subject) -> SchemaPlace? {
    guard let line = lines[Subject(subject.entity, subject.property)] else { return nil }
    return SchemaPlace(path: path, range: line.range, line: line.number, column: line.column)
  }
}

extension Change {
  /// Whether a change that does not move the hash still does something in an older version.
  var mattersInOldVersion: Bool {
    guard weight == .soft else { return false }
    switch aspect {
    case .default: return after == nil && subject.members.isEmpty
    case .original, .element, .transformer: return true
    case .member, .optional: return true
    case .cases:
      let now = Set((after ?? "").split(separator: ","))
      return (before ?? "").split(separator: ",").contains { !now.contains($0) }
    default: return false
    }
  }

  /// The change as a part of a sentence: `Trip.note` (`String?`) was removed.
  var sentence: String {
    let parts = subject.entity.split(separator: "@", maxSplits: 1).map(String.init)
    let entity = parts.first ?? subject.entity
    let name =
      "`\(Subject(entity, subject.property, members: subject.members).name)`"
    switch aspect {
    case .entity where parts.count > 1:
      return "\(name) is now listed twice, also as `\(parts[1])`"
    case .entity: return after == nil ? "\(name) was removed" : "\(name) is new"
    case .renamed: return "\(name) was renamed from `\(before ?? "")`"
    case .attribute, .relationship, .member:
      switch (before, after) {
      case (let before?, nil): return "\(name) (`\(before)`) was removed"
      case (nil, let after?): return "\(name) (`\(after)`) is new"
      default: return "\(name) changed from `\(before ?? "")` to `\(after ?? "")`"
      }
    case .optional:
      return after == nil ? "\(name) is no longer optional" : "\(name) became optional"
    case .unique:
      let keys = before ?? after ?? ""
      return after == nil
        ? "\(name) is no longer unique by `\(keys)`" : "\(name) became unique by `\(keys)`"
    case .many: return after == nil ? "\(name) is no longer to-many" : "\(name) became to-many"
    default:
      let word = aspect.words
      switch (before, after) {
      case ("", nil): return "\(name) is no longer \(word)"
      case (nil, ""): return "\(name) became \(word)"
      case (let before?, nil): return "\(name) lost the \(word) `\(before)`"
      case (nil, let after?): return "\(name) got the \(word) `\(after)`"
      default: return "the \(word) of \(name) changed from `\(before ?? "")` to `\(after ?? "")`"
      }
    }
  }
}

extension Aspect {
  /// The aspect in words for messages.
  fileprivate var words: String {
    switch self {
    case .superentity: "superclass"
    case .modifier: "hash modifier"
    case .original: "original name"
    case .external: "stored externally"
    case .preserved: "preserved on deletion"
    case .codable: "stored as `codable`"
    case .minimum: "minimum count"
    case .maximum: "maximum count"
    case .delete: "delete rule"
    case .spotlight: "indexed by Spotlight"
    case .cases: "cases"
    case .element: "element"
    default: rawValue
    }
  }
}
