import PersistIndex
import PersistSchema

extension SchemaProgram {
  /// The keys of the versions of plans with which stores may be opened; nil when the sources don't
  /// tell what the plans list.
  package var plannedKeys: Set<String>? {
    let shipped = plans.indices.filter { !plans[$0].isTest }
    guard shipped.allSatisfy({ plans[$0].schemas != nil }) else { return nil }
    return Set(shipped.filter(mayOpen).flatMap { plans[$0].chain }.map { versions[$0].key })
  }

  /// Whether a container may be opened with a plan.
  private func mayOpen(withPlan index: Int) -> Bool {
    containers.isEmpty
      || containers.contains { $0.plan == .plan(index) || $0.plan == .unknown }
  }

  /// Whether containers are opened, and none of them with a plan.
  package var opensWithoutPlans: Bool {
    let shipped = plans.contains { !$0.isTest }
    return !containers.isEmpty
      && containers.allSatisfy { container in
        container.plan == .none || container.plan == .unknown && !shipped
      }
  }

  /// How many versions there are, those of Core Data models with them and those of tests without.
  package var versionCount: Int {
    versions.count { !$0.isTest } + dataModels.reduce(0) { $0 + $1.versions.count }
  }

  /// The name under which models without versions are frozen.
  package static let unversioned = "unversioned"

  /// The shapes to freeze by their keys.
  package func frozenShapes(includingNewest: Bool) -> [String: SchemaShape] {
    var shapes: [String: SchemaShape] = [:]
    for version in versions where !version.isTest {
      guard includingNewest || !isNewest(version) else { continue }
      if self.version(keyed: version.key)?.id == version.id { shapes[version.key] = version.shape }
    }
    for model in dataModels {
      for version in model.versions {
        if includingNewest || version.name != model.current?.name {
          shapes[Self.key(of: version, in: model)] = version.shape
        }
      }
    }
    if includingNewest, let unversioned = unversionedShape {
      shapes[Self.unversioned] = unversioned
    }
    return shapes
  }

  /// The version of this key; of two that have one, that which a plan lists.
  package func version(keyed key: String) -> SchemaVersion? {
    order.byKey[key].map { versions[$0] }
  }

  /// The key of a version of a Core Data model.
  package static func key(of version: DataModel.Version, in model: DataModel) -> String {
    "\(model.path)/\(version.name)"
  }

  /// Whether each plan has stages, where that can be told.
  package var planStates: [String: Bool] {
    Dictionary(
      plans.filter { !$0.isTest }.compactMap { plan in plan.isStaged.map { (plan.name, $0) } },
      uniquingKeysWith: { $0 || $1 })
  }

  /// Whether a version is the newest of a plan, or the last of those in no plan.
  package func isNewest(_ version: SchemaVersion) -> Bool { order.newest.contains(version.id) }
}

extension ProjectFacts {
  /// Whether a version has shipped; nil where nothing says which have.
  package func hasReleased(_ version: String) -> Bool? {
    released.map { $0.contains(version) || $0.contains(SchemaProgram.lastPart(of: version)) }
  }
}
