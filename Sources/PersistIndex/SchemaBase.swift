import PersistSchema

/// What has shipped: the frozen versions that the sources are compared with.
package struct SchemaBase: Sendable {
  /// Where the frozen versions come from.
  package enum Origin: Hashable, Sendable {
    /// The lock file at this path.
    case lock(String)
    /// A commit, branch, tag or folder.
    case reference(String)

    /// As a message names it.
    package var text: String {
      switch self {
      case .lock(let path): "`\(path)`"
      case .reference(let name): "`\(name)`"
      }
    }
  }

  package var origin: Origin
  /// The shapes of the frozen versions by their keys.
  package var versions: [String: SchemaShape]
  /// Whether each plan had stages.
  package var plans: [String: Bool]
  /// All versions that the base holds, also those that are not frozen.
  package var allVersions: [String: SchemaShape]

  package init(
    origin: Origin, versions: [String: SchemaShape], plans: [String: Bool] = [:],
    allVersions: [String: SchemaShape]? = nil
  ) {
    self.origin = origin
    self.versions = versions
    self.plans = plans
    self.allVersions = allVersions ?? versions
  }

  /// The base that a lock file makes.
  package init(_ lock: LockFile, path: String) {
    self.init(origin: .lock(path), versions: lock.versions, plans: lock.plans)
  }

  /// The base that other sources make: all their versions but each plan's newest are frozen.
  package init(_ program: SchemaProgram, reference: String, freezesNewest: Bool) {
    let all = program.frozenShapes(includingNewest: true)
    self.init(
      origin: .reference(reference),
      versions: freezesNewest ? all : program.frozenShapes(includingNewest: false),
      plans: program.planStates, allVersions: all)
  }
}

/// What a program is told about its schemas besides its Swift files.
package struct SchemaInput: Sendable {
  package var dataModels: [DataModel]
  package var base: SchemaBase?

  package init(dataModels: [DataModel] = [], base: SchemaBase? = nil) {
    self.dataModels = dataModels
    self.base = base
  }
}

extension SchemaProgram {
  /// The name under which models without versions are frozen.
  package static let unversioned = "unversioned"

  /// The shapes to freeze by their keys.
  package func frozenShapes(includingNewest: Bool) -> [String: SchemaShape] {
    var shapes: [String: SchemaShape] = [:]
    for version in versions where !version.isTest {
      if includingNewest || !isNewest(version) { shapes[version.key] = version.shape }
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
  package func isNewest(_ version: SchemaVersion) -> Bool {
    let chains = plans.filter { !$0.isTest }.map(\.chain).filter { $0.contains(version.id) }
    if !chains.isEmpty { return chains.contains { $0.last == version.id } }
    if plans.contains(where: { $0.schemas == nil && !$0.isTest }) { return true }
    let planned = Set(plans.flatMap(\.chain))
    let target = SchemaProgram.target(of: version.place.path)
    let loose = versions.filter {
      !$0.isTest && !planned.contains($0.id) && SchemaProgram.target(of: $0.place.path) == target
    }
    let newest = loose.max { left, right in
      (left.identifier ?? []).lexicographicallyPrecedes(right.identifier ?? [])
    }
    return newest?.id == version.id
  }
}
