import PersistIndex
import PersistSchema
import PersistSyntax

/// A store of the sources that syncs with CloudKit.
package struct CloudSync: Sendable {
  /// What says so; nil where the configuration alone does.
  package let place: Ref?
  /// The models in the store, relationships not followed; nil for all that there are.
  package let models: Set<TypeID>?
  /// The versions that the store is made with, by their ids.
  package let versions: Set<Int>
  /// Whether a constant or a caller chooses it, and not something that the sources don't tell.
  package var isCertain = true
}

/// A Core Data model of which a store syncs with CloudKit.
package struct DataModelSync: Sendable {
  /// The call that makes the container.
  package let place: Ref
  /// The current version of the model.
  package let version: DataModel.Version
  /// The names of the entities that sync.
  package let entities: Set<String>
}

// MARK: - Stores that sync

extension Program {
  /// The SwiftData configurations that surely sync with CloudKit.
  package var cloudSyncs: [CloudSync] {
    let told = toldSyncs
    guard project.syncs == true, told.isEmpty,
      calls(named: "ModelConfiguration").allSatisfy({ argument($0, "cloudKitDatabase") == nil })
    else { return told }
    return [CloudSync(place: nil, models: nil, versions: [])]
  }

  private var toldSyncs: [CloudSync] {
    let configurations = calls(named: "ModelConfiguration").filter { call in
      guard case .externalInitializer = callTarget(call), !isExempt(call) else { return false }
      return argument(call, "isStoredInMemoryOnly").map { truth(of: $0) } != .isTrue
    }
    let syncing = configurations.compactMap { call -> (call: Ref, choice: Ref, truth: Truth)? in
      guard let choice = argument(call, "cloudKitDatabase") else {
        return project.syncs == true ? (call, call, .isTrue) : nil
      }
      let chosen = syncs(choice)
      guard !chosen.isEmpty else { return nil }
      let truth = chosen.and(truth(ofReaching: call))
      return truth.isDisjoint(with: [.isTrue, .isOpen]) ? nil : (call, choice, truth)
    }
    let isOnly = syncing.count == 1 && configurations.count == 1
    return syncing.compactMap { call, choice, truth in
      guard let held = held(by: call) ?? heldBeside(choice) ?? (isOnly ? (nil, []) : nil) else {
        return nil
      }
      return CloudSync(
        place: choice, models: held.models, versions: held.versions,
        isCertain: truth.contains(.isTrue))
    }
  }

  /// The opening of a SwiftData store that syncs when the app is allowed to, for nothing in the
  /// sources says whether it does.
  package var undecidedSync: Ref? {
    guard project.syncs == nil,
      calls(named: "ModelConfiguration").allSatisfy({ argument($0, "cloudKitDatabase") == nil })
    else { return nil }
    let inMemory = calls(named: "ModelConfiguration").contains { call in
      !isExempt(call)
        && argument(call, "isStoredInMemoryOnly").map { booleanLiteral($0) != false } ?? false
    }
    guard !inMemory else { return nil }
    return calls(named: "ModelContainer").first { call in
      guard case .externalInitializer = callTarget(call) else { return false }
      return !isExempt(call) && mayBeEntitledToSync(files[Int(call.file)].path)
    }
  }

  /// Whether a file may be of an app with an entitlement to sync.
  package func mayBeEntitledToSync(_ path: String) -> Bool { projects.mayLetSync(path) }

  /// Whether the entitlements are known and let the app around a place sync nothing.
  private func lacksEntitlement(_ place: Ref) -> Bool {
    schemaInput.projectFiles.contains { $0.kind == .entitlements }
      && !mayBeEntitledToSync(files[Int(place.file)].path)
  }

  /// Whether a choice of a database is one that syncs.
  private func syncs(_ choice: Ref) -> Truth {
    possibleValues(of: choice).reduce(Truth()) { found, value in
      let words = descendants(value.place, .implicitMember) + descendants(value.place, .member)
      if words.contains(where: { name($0) == "private" }) { return found.union(value.when) }
      if words.contains(where: { name($0) == "automatic" }) {
        return lacksEntitlement(value.place) ? found : found.union(value.when)
      }
      return words.contains { name($0) == "none" } ? found : found.union(.isOpen)
    }
  }

  /// The models and versions of the schema that a configuration is given, or of the only container
  /// that is made beside it.
  private func held(by call: Ref) -> (models: Set<TypeID>?, versions: Set<Int>)? {
    switch schema.configurations[call] {
    case .version(let version)?: return ([], [version])
    case .models(let models)?:
      let types = schema.models.filter { models.contains($0.id) }.compactMap { model in
        model.place.ref.flatMap { type(declaredAt: $0) }
      }
      return (Set(types), [])
    case .unknown?, nil: return nil
    }
  }

  /// The models and versions that are named in the function or property around a configuration.
  private func heldBeside(_ place: Ref) -> (models: Set<TypeID>?, versions: Set<Int>)? {
    guard
      let scope = ancestors(place).first(where: {
        function(declaredAt: $0) != nil || property(declaredAt: $0) != nil
      })
    else { return nil }
    var models: Set<TypeID> = []
    var versions: Set<Int> = []
    for member in descendants(scope, .member) where name(member) == "self" {
      guard let chain = parent(member),
        case .metatype(.declared(let type, _)) = self.type(of: chain)
      else { continue }
      if isModel(type) {
        models.insert(resolveAlias(type))
      } else if inherits(type, from: "VersionedSchema") {
        let version = schema.versions.first { version in
          version.place.ref.flatMap { self.type(declaredAt: $0) } == resolveAlias(type)
        }
        guard let version else { return nil }
        versions.insert(version.id)
      }
    }
    return models.isEmpty && versions.isEmpty ? nil : (models, versions)
  }
}

// MARK: - Core Data models that sync

extension Program {
  /// The Core Data models that an `NSPersistentCloudKitContainer` surely syncs.
  package var syncingDataModels: [DataModelSync] {
    cloudKitContainers.compactMap { call in
      guard let argument = argument(call, "name"), let version = dataModel(text(argument)) else {
        return nil
      }
      let configured = version.cloudConfigurations.values.reduce(Set<String>()) { $0.union($1) }
      if !configured.isEmpty {
        return DataModelSync(place: call, version: version, entities: configured)
      }
      guard !dividesModel(call) else { return nil }
      return DataModelSync(
        place: call, version: version, entities: Set(version.shape.entities.map(\.name)))
    }
  }

  /// The calls that make an `NSPersistentCloudKitContainer` whose app may sync.
  package var syncingContainers: [Ref] {
    cloudKitContainers.filter { call in
      project.syncs
        ?? (!projects.knowsEntitlements || projects.mayLetSync(files[Int(call.file)].path))
    }
  }

  private var cloudKitContainers: [Ref] {
    guard !turnsSyncOff else { return [] }
    return calls(named: "NSPersistentCloudKitContainer").filter { call in
      guard case .externalInitializer = callTarget(call) else { return false }
      return !isExempt(call) && !isLocal(containerMadeBy: call)
    }
  }

  /// The current version of the only model whose name a string literal spells.
  private func dataModel(_ literal: String) -> DataModel.Version? {
    let named = schemaInput.dataModels.filter { "\"\($0.name)\"" == literal }
    return named.count == 1 && named[0].problems.isEmpty ? named[0].current : nil
  }

  /// Whether the sources set the options for CloudKit, and only to nil.
  private var turnsSyncOff: Bool {
    let settings = assignments(to: "cloudKitContainerOptions")
    return !settings.isEmpty && settings.allSatisfy { isNil($0) }
  }

  /// Whether a store in the file of a container may hold a part of the model.
  private func dividesModel(_ container: Ref) -> Bool {
    assignments(to: "configuration").contains { $0.file == container.file }
  }

  /// The values that are assigned to members of a name.
  private func assignments(to name: Name) -> [Ref] {
    uses(of: [name]).compactMap { member in
      kind(member) == .member ? assignment(toWhatEndsWith: member)?.value : nil
    }
  }
}
