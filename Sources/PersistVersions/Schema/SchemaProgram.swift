import PersistIndex
import PersistSchema
import PersistSyntax

/// All schemas of the sources: versions, plans and models.
package struct SchemaProgram: Sendable {
  /// Sorted by path and place.
  package internal(set) var versions: [SchemaVersion]
  /// Sorted by path and place.
  package let plans: [MigrationPlan]
  /// Every model class, sorted by path and place.
  package let models: [ModelDeclaration]
  /// Core Data models, sorted by path.
  package let dataModels: [DataModel]
  /// The places that make containers, tests left out.
  package let containers: [ContainerUse]
  /// What the calls of `ModelConfiguration` are given to store.
  let configurations: [Ref: ContainerUse.Schema]
  private(set) var order = VersionOrder()
  /// What cut the reading short.
  let limitsHit: Set<Limit>
  /// What has shipped, when a lock file or another state of the sources tells.
  package let base: SchemaBase?
  /// The shape of all models outside of versions; nil when there are none.
  package let unversionedShape: SchemaShape?
  /// The shape of the models that containers open beside versions which don't have them.
  let openedShape: SchemaShape?

  /// Resolves the schemas of all files as they are compiled for one platform.
  package init(
    _ files: [SourceFile], input: SchemaInput = SchemaInput(),
    platform: String = Program.usualPlatform
  ) {
    self.init(Program(SourceIndex(files, input: input), platform: platform))
  }

  /// Resolves the schemas of a program that nothing else asks, because what is found outlives it.
  init(_ program: Program) {
    let resolver = SchemaResolver(program)
    versions = resolver.versions
    plans = resolver.plans
    models = resolver.models
    unversionedShape = resolver.unversionedShape
    openedShape = resolver.openedShape
    containers = resolver.containers
    configurations = resolver.configurations
    dataModels = program.schemaInput.dataModels
    base = program.schemaInput.base
    limitsHit = Set(program.limitHits.keys)
    nameVersions()
    order = VersionOrder(versions, plans)
  }

  /// Gives each version a key of its own: versions of one name get their target before it.
  private mutating func nameVersions() {
    let groups = Dictionary(grouping: versions.indices.filter { !versions[$0].isTest }) {
      versions[$0].name
    }
    for indices in groups.values where indices.count > 1 {
      for index in indices {
        let place = versions[index].place.path
        versions[index].key = "\(Self.target(of: place))/\(versions[index].name)"
      }
    }
  }

  /// The name of a version without its target or model.
  package static func lastPart(of key: String) -> String {
    key.split(separator: "/").last.map(String.init) ?? key
  }

  /// The folder of the target that a file belongs to.
  package static func target(of path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    if let index = parts.lastIndex(of: "Sources"), index + 2 < parts.count {
      return parts[index + 1]
    }
    return parts.count > 1 ? parts[0] : ""
  }
}

/// Finds versions, plans and models.
private struct SchemaResolver {
  private let types: SchemaTypes
  private(set) var models: [ModelDeclaration] = []
  private(set) var versions: [SchemaVersion] = []
  private(set) var plans: [MigrationPlan] = []
  private(set) var unversionedShape: SchemaShape?
  private(set) var openedShape: SchemaShape?
  private(set) var containers: [ContainerUse] = []
  private(set) var configurations: [Ref: ContainerUse.Schema] = [:]

  init(_ program: Program) {
    types = SchemaTypes(program)
    // Where SwiftData is imported nowhere, `@Model` and `VersionedSchema` are no words of SwiftData.
    guard program.files.contains(where: { $0.imports("SwiftData") }) else { return }
    let modelReader = SchemaModelReader(types)
    models = types.modelClasses().compactMap { modelReader.model($0) }
    var versionOf: [TypeID: Int] = [:]
    let versionReader = SchemaVersionReader(types: types, models: modelReader)
    for type in types.types(conformingTo: "VersionedSchema") {
      versionOf[type] = versions.count
      versions.append(versionReader.version(type, index: versions.count))
    }
    let planReader = SchemaPlanReader(
      types: types, versionOf: versionOf,
      uses: SchemaStageUseReader(types: types, models: modelReader))
    var planOf: [TypeID: Int] = [:]
    for type in types.types(conformingTo: "SchemaMigrationPlan") {
      planOf[type] = plans.count
      plans.append(planReader.plan(type))
    }
    let containerReader = SchemaContainerReader(
      types: types, models: modelReader, versionOf: versionOf, planOf: planOf)
    for file in types.filesWithContainers() {
      let calls = file.descendants(.call)
      let made = containerReader.containers(calls)
      containers += made
      configurations.merge(containerReader.configurations(calls, made)) { first, _ in first }
    }
    let held = Set(versions.flatMap { $0.uses.map(\.model.id) })
    let roots = models.filter { model in
      !model.isTest && !held.contains(model.id)
        && !versionOf.keys.contains { types.isInside(model.id, $0) }
    }
    if versions.isEmpty, !roots.isEmpty {
      unversionedShape = versionReader.shape(of: roots.map(\.id))
    } else {
      let opened = opened(among: roots.map(\.id))
      if !opened.isEmpty { openedShape = versionReader.shape(of: opened) }
    }
  }
  /// Those of some models that containers without a plan list.
  private func opened(among models: [Int]) -> [Int] {
    let listed = containers.flatMap { container -> [Int] in
      guard !container.isInMemory, container.plan == .none,
        case .models(let ids) = container.schema
      else { return [] }
      return ids
    }
    return models.filter(Set(listed).contains)
  }
}
