import PersistIndex
import PersistSyntax

/// The values of frameworks whose fates are known.
package enum FollowedValue {
  /// GRDB's cursors over rows, and the one row that each of them fills again and again.
  case cursorRows
  /// The databases that GRDB lends for one access.
  case lentDatabases
  /// The containers of SwiftData that code makes, and their main contexts.
  case ownContainers
  /// The descriptions of stores that are made without a file.
  case plainDescriptions
  /// The batch requests of Core Data.
  case batchRequests
  /// The versions that a realm's file has, which its migration is given.
  case oldVersions
  /// The configurations of realms that code makes.
  case realmConfigurations
}

extension Fate {
  package static let row: Name = "row"
  package static let cursor: Name = "cursor"
  package static let container: Name = "container"
  package static let context: Name = "context"
  fileprivate static let request: Name = "request"
  fileprivate static let configuration: Name = "configuration"
  fileprivate static let database: Name = "database"
  fileprivate static let description: Name = "description"
}

extension Program {
  /// What code does with values of a framework, whatever carries them, in source order.
  package func fates(of value: FollowedValue) -> [Fate] {
    let trail = trail(of: value)
    guard !files(usingAny: trail.words).isEmpty else { return [] }
    return ValueFates(self, trail).all
  }

  private func trail(of value: FollowedValue) -> Trail {
    switch value {
    case .cursorRows:
      Trail(
        words: ["fetchCursor"], types: ["RowCursor"],
        makes: { self.isFetch($0, of: "Row") ? Fate.cursor : nil },
        handsOut: [Fate.cursor: ["next": Fate.row]])
    case .lentDatabases:
      Trail(
        words: Words.databaseTakers,
        lends: { closure in
          let call = self.callTaking(closure)?.call
          return call.map { Words.databaseTakers.contains(self.calledName($0)) } ?? false
            ? [Fate.database] : []
        })
    case .ownContainers:
      Trail(
        words: ["ModelContainer"], types: ["ModelContainer", "ModelContext"],
        makes: { call in
          self.makes("ModelContainer", call) && !self.opensInMemory(call) ? Fate.container : nil
        },
        handsOut: [
          Fate.container: ["mainContext": Fate.context],
          Fate.context: ["container": Fate.container],
        ])
    case .plainDescriptions:
      Trail(
        words: ["NSPersistentStoreDescription"], types: ["NSPersistentStoreDescription"],
        makes: { call in
          self.makes("NSPersistentStoreDescription", call) && self.arguments(call).isEmpty
            ? Fate.description : nil
        })
    case .batchRequests:
      Trail(
        words: Frameworks.batchRequests, types: Frameworks.batchRequests,
        makes: { Frameworks.batchRequests.contains(self.calledName($0)) ? Fate.request : nil })
    case .oldVersions:
      Trail(words: ["Configuration", "migrationBlock"], lends: migrationLends())
    case .realmConfigurations:
      Trail(
        words: ["Configuration"], types: ["Configuration"],
        makes: { self.isRealmConfiguration($0) ? Fate.configuration : nil })
    }
  }

  /// Whether a call is a fetch that is asked of a type by its name.
  private func isFetch(_ call: Ref, of type: Name) -> Bool {
    let parts = callee(call)
    return calledName(call) == "fetchCursor" && parts.count == 2 && name(parts[0]) == type
      && declared(parts[0]) == nil
  }

  private func makes(_ type: Name, _ call: Ref) -> Bool {
    guard calledName(call) == type, case .externalInitializer = callTarget(call) else {
      return false
    }
    return true
  }

  /// What the migrations of realms are given.
  private func migrationLends() -> (Ref) -> [Name] {
    let blocks = realmConfigurations.compactMap(\.migration)
    return { closure in
      let isMigration = blocks.contains { self.contains($0, closure) }
      return isMigration && self.runsForMigration(closure) ? ["migration", "version"] : []
    }
  }

  /// Whether a closure takes a migration and the version of the file.
  private func runsForMigration(_ closure: Ref) -> Bool {
    child(closure, .parameters).map { children($0, .parameter).count == 2 } ?? false
  }
}
