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
  /// What has shipped, when a lock file or another state of the sources tells.
  package let base: SchemaBase?
  /// The shape of all models outside of versions; nil when there are none.
  package let unversionedShape: SchemaShape?

  /// Resolves the schemas of all files as they are compiled for one platform.
  package init(
    _ files: [SourceFile], input: SchemaInput = SchemaInput(), platform: String = "iOS"
  ) {
    self.init(Self.sources(of: files), input: input, platform: platform)
  }

  /// The files in which schemas are looked for, in the order of their paths.
  static func sources(of files: [SourceFile]) -> [SchemaSource] {
    // Where SwiftData is imported nowhere, `@Model` and `VersionedSchema` are no words of SwiftData.
    guard files.contains(where: { $0.imports("SwiftData") }) else { return [] }
    return files.enumerated().map { SchemaSource($1, number: $0) }.sorted { $0.path < $1.path }
  }

  /// Resolves the schemas of files in the order of their paths.
  init(_ sources: [SchemaSource], input: SchemaInput, platform: String) {
    let resolver = SchemaResolver(sources, platform: platform)
    versions = resolver.versions
    plans = resolver.plans
    models = resolver.models
    unversionedShape = resolver.unversionedShape
    containers = resolver.containers
    configurations = resolver.configurations
    dataModels = input.dataModels
    base = input.base
    nameVersions()
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
  let table: SchemaTypeTable
  let models: [ModelDeclaration]
  var versions: [SchemaVersion] = []
  var plans: [MigrationPlan] = []
  var unversionedShape: SchemaShape?
  var containers: [ContainerUse] = []
  var configurations: [Ref: ContainerUse.Schema] = [:]

  init(_ sources: [SchemaSource], platform: String) {
    let exports = sources.contains(where: \.exportsSwiftData)
    // Without SwiftData there is nothing to resolve.
    let isUsed = sources.contains(where: \.importsSwiftData)
    table = SchemaTypeTable(
      isUsed ? sources : [], conditions: SchemaConditions(platform: platform))
    let modelReader = SchemaModelReader(table, projectExportsSwiftData: exports)
    let ids = table.types.indices
    models = ids.compactMap { modelReader.model($0) }
    let lists = ListReader(table: table)
    var versionOf: [Int: Int] = [:]
    let versionReader = SchemaVersionReader(table: table, models: modelReader, lists: lists)
    for id in ids where table.types[id].part.source.mayUse(exports) {
      guard conforms(id, to: "VersionedSchema") else { continue }
      versionOf[id] = versions.count
      versions.append(versionReader.version(id, index: versions.count))
    }
    let planReader = SchemaPlanReader(
      table: table, lists: lists, versionOf: versionOf,
      uses: SchemaStageUseReader(table: table, models: modelReader))
    var planOf: [Int: Int] = [:]
    for id in ids where table.types[id].part.source.mayUse(exports) {
      guard conforms(id, to: "SchemaMigrationPlan") else { continue }
      planOf[id] = plans.count
      plans.append(planReader.plan(id))
    }
    let containerReader = SchemaContainerReader(
      table: table, lists: lists, models: modelReader, versionOf: versionOf, planOf: planOf)
    for source in sources where isUsed && !source.isTest && source.mayUse(exports) {
      let made = containerReader.containers(in: source)
      containers += made
      configurations.merge(containerReader.configurations(in: source, made)) { first, _ in first }
    }
    let held = Set(versions.flatMap { $0.uses.map(\.model.id) })
    let roots = models.filter { model in
      !model.isTest && !held.contains(model.id)
        && !versionOf.keys.contains { table.isInside(model.id, $0) }
    }
    if versions.isEmpty, !roots.isEmpty {
      unversionedShape = versionReader.shape(of: roots.map(\.id))
    }
  }

  /// Whether a type conforms to SwiftData's protocol and not to one of the project's own.
  private func conforms(_ type: Int, to name: String) -> Bool {
    switch table.types[type].part.kind {
    case .typealiasDecl, .protocolDecl: return false
    default:
      guard table.mayInherit(type, from: Name(name)),
        table.lookUp([name], in: table.scope(around: type)) == .absent
      else { return false }
      return table.inheritance(of: type).contains {
        $0.text == name || $0.text == "SwiftData.\(name)"
      }
    }
  }
}

extension SchemaSource {
  fileprivate func mayUse(_ isExported: Bool) -> Bool { importsSwiftData || isExported }
}
