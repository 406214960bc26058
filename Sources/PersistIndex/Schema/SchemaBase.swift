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
