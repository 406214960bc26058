import PersistProject
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
  /// The versions whose shape a store told, and not the sources.
  package var readFromStores: Set<String> = []
  /// The configurations of realms.
  package var realms: [FrozenRealm] = []
  /// Newest versions of the base: they are frozen as soon as another one is the newest.
  package var newest: [String: SchemaShape]
  /// The versions that a plan of the base lists with which a container is opened; nil when that is
  /// not known.
  package var planned: Set<String>?
  /// The names of the current versions of the base's Core Data models, by the models' paths.
  package var currentModels: [String: String] = [:]
  /// Whether the sources hold all that the base may speak of, and not just some files.
  package var isWhole = true
  /// Where the base declares a version, an entity or a property.
  package var places: [String: [Subject: SchemaPlace]]
  /// The registered migrations of GRDB's migrators.
  package var migrators: [FrozenMigrator] = []
  /// Where the base registers a migration, by the name of its migrator and its id.
  package var migrationPlaces: [String: [String: SchemaPlace]] = [:]
  /// What the calls of a migration do, by the name of its migrator and its id, where other sources
  /// tell it.
  package var migrationWork: [String: [String: Set<String>]] = [:]

  package init(
    origin: Origin, versions: [String: SchemaShape], plans: [String: Bool] = [:],
    newest: [String: SchemaShape] = [:], places: [String: [Subject: SchemaPlace]] = [:]
  ) {
    self.origin = origin
    self.versions = versions
    self.plans = plans
    self.newest = newest
    self.places = places
  }

  /// The base with configurations of realms.
  package func holding(_ realms: [FrozenRealm]) -> SchemaBase {
    var base = self
    base.realms = realms
    return base
  }

  /// The base that a lock file makes; its places are the lines of the file.
  package init(_ lock: LockFile, path: String) {
    self.init(origin: .lock(path), versions: lock.versions, plans: lock.plans)
    realms = lock.realms
    readFromStores = Set(lock.sections[.stores]?.lines.compactMap(\.first) ?? [])
    migrators = lock.migrators
    var offset = 0
    for (index, line) in lock.numberedLines.enumerated() {
      let range = offset..<offset + line.text.utf8.count
      offset = range.upperBound + 1
      if let section = line.section, section.kind == .migrations, section.words.count > 2 {
        migrationPlaces[section.words[0], default: [:]][section.words[1]] = SchemaPlace(
          path: path, range: range, line: index + 1)
      }
      guard let version = line.version, let subject = line.subject,
        places[version]?[subject] == nil
      else { continue }
      places[version, default: [:]][subject] = SchemaPlace(
        path: path, range: range, line: index + 1)
    }
  }

  /// The base that other sources make: all their versions but each plan's newest are frozen.
  package init(
    _ program: SchemaProgram, files: [SourceFile], reference: String, freezesNewest: Bool
  ) {
    let all = program.frozenShapes(includingNewest: true)
    let older = program.frozenShapes(includingNewest: false)
    self.init(
      origin: .reference(reference), versions: freezesNewest ? all : older,
      plans: program.planStates,
      newest: freezesNewest ? [:] : all.filter { older[$0.key] == nil },
      places: Self.places(in: program, files: files))
    for model in program.dataModels where model.choice != nil {
      currentModels[model.path] = model.current?.name
    }
    planned = program.plannedKeys
  }

  private static func places(
    in program: SchemaProgram, files: [SourceFile]
  ) -> [String: [Subject: SchemaPlace]] {
    var places: [String: [Subject: SchemaPlace]] = [:]
    func foreign(_ place: SchemaPlace) -> SchemaPlace {
      guard let ref = place.ref else { return place }
      let (line, column) = files[Int(ref.file)].lineAndColumn(of: place.range.lowerBound)
      return SchemaPlace(path: place.path, range: place.range, line: line, column: column)
    }
    for version in program.versions where !version.isTest {
      var known = [Subject(""): foreign(version.place)]
      for use in version.uses {
        known[Subject(use.key)] = foreign(use.model.place)
        for stored in use.model.properties {
          known[Subject(use.key, stored.property.name)] = foreign(stored.place)
        }
      }
      places[version.key] = known
    }
    return places
  }
}

/// What a program is told about its schemas besides its Swift files.
package struct SchemaInput: Sendable {
  package var dataModels: [DataModel]
  /// Whether there are mapping models, so that Core Data infers nothing.
  package var hasMappingModels: Bool
  package var base: SchemaBase?
  /// The files that stand beside the sources and say something of the project.
  package var projectFiles: [ProjectFile]
  /// What the configuration says.
  package var project: ProjectFacts

  package init(
    dataModels: [DataModel] = [], hasMappingModels: Bool = false, base: SchemaBase? = nil,
    projectFiles: [ProjectFile] = [], project: ProjectFacts = ProjectFacts()
  ) {
    self.projectFiles = projectFiles
    self.project = project
    self.dataModels = dataModels
    self.hasMappingModels = hasMappingModels
    self.base = base
  }
}

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
