import PersistSyntax

/// A store of the sources that syncs with CloudKit.
package struct CloudSync: Sendable {
  /// What says so.
  package let place: Ref
  /// The models in the store, relationships not followed; nil for all that there are.
  package let models: Set<TypeID>?
  /// The versions that the store is made with, by their ids.
  package let versions: Set<Int>
}

// MARK: - Stores that sync

extension Program {
  /// The SwiftData configurations that surely sync with CloudKit.
  package var cloudSyncs: [CloudSync] {
    let configurations = calls(named: "ModelConfiguration").filter { call in
      guard case .externalInitializer = callTarget(call), !isSilent(call) else { return false }
      return argument(call, "isStoredInMemoryOnly").map { text($0) } != "true"
    }
    let choices = configurations.compactMap { argument($0, "cloudKitDatabase") }
    let syncing = choices.filter { syncs($0) }
    let isOnly = syncing.count == 1 && configurations.count == 1
    return syncing.compactMap { choice in
      if let held = heldBeside(choice) {
        return CloudSync(place: choice, models: held.models, versions: held.versions)
      }
      return isOnly ? CloudSync(place: choice, models: nil, versions: []) : nil
    }
  }

  /// The opening of a SwiftData store that syncs when the app is allowed to, for nothing in the
  /// sources says whether it does.
  package var undecidedSync: Ref? {
    guard schemaInput.cloudKitEntitlements != nil,
      calls(named: "ModelConfiguration").allSatisfy({ argument($0, "cloudKitDatabase") == nil })
    else { return nil }
    let inMemory = calls(named: "ModelConfiguration").contains { call in
      !isSilent(call) && argument(call, "isStoredInMemoryOnly").map { text($0) != "false" } ?? false
    }
    guard !inMemory else { return nil }
    return calls(named: "ModelContainer").first { call in
      guard case .externalInitializer = callTarget(call) else { return false }
      return !isSilent(call)
    }
  }

  private func syncs(_ choice: Ref) -> Bool {
    descendants(choice, .implicitMember).contains {
      name($0) == "automatic" || name($0) == "private"
    }
      || descendants(choice, .member).contains {
        name($0) == "automatic" || name($0) == "private"
      }
  }

  /// The models and versions that are named in the function or property around a configuration.
  private func heldBeside(_ place: Ref) -> (models: Set<TypeID>, versions: Set<Int>)? {
    guard
      let scope = ancestors(place).first(where: {
        function(declaredAt: $0) != nil || property(declaredAt: $0) != nil
      })
    else { return nil }
    var models: Set<TypeID> = []
    var versions: Set<Int> = []
    for member in descendants(scope, .member) where name(member) == "self" {
      guard let chain = parent(member), case .metatype(.declared(let type)) = self.type(of: chain)
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
