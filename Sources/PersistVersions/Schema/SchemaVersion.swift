import PersistIndex
import PersistSchema

/// A version of the schema with everything it reaches, as the sources declare it.
package struct SchemaVersion: Sendable {
  /// Its index among the versions.
  package let id: Int
  /// With the names of the types around it.
  package let name: String
  /// The name by which the lock file knows it: `name`, with its target before it if need be.
  package internal(set) var key: String
  /// The name in its declaration.
  package let place: SchemaPlace
  /// The name `models` in its declaration.
  package let modelsPlace: SchemaPlace?
  /// `[1, 0, 0]`; nil when it can't be told.
  package let identifier: [Int]?
  package let identifierPlace: SchemaPlace?
  /// The models it lists and those it reaches, the listed ones first.
  package let uses: [ModelUse]
  package let shape: SchemaShape
  /// Codable types from outside of all versions that its own models store.
  package let sharedValues: [SharedValue]
  /// Whether the declaration is test code.
  package let isTest: Bool

  /// The use of the model that is this entity.
  package func use(_ entity: String) -> ModelUse? { uses.first { $0.key == entity } }

  /// The place where an entity or a property of it is declared.
  package func place(of subject: Subject) -> SchemaPlace? {
    guard let model = use(subject.entity)?.model else { return nil }
    return model.place(of: subject.property) ?? model.place
  }
}

/// A Codable type that a version stores and does not hold.
package struct SharedValue: Sendable {
  package let name: String
  /// The property that stores it.
  package let place: SchemaPlace
  package let declaration: SchemaPlace
  /// Whether its members are columns, and not just encoded in a collection.
  package let isDirect: Bool
}

/// A model in a version.
package struct ModelUse: Sendable {
  /// The key of its entity in the version.
  package let key: String
  package let model: ModelDeclaration
  package let isListed: Bool
  /// Whether the class is declared inside the version, also by an extension of it.
  package let isNested: Bool
  /// The property or class by which it is reached, such as `Trip.stops`; nil when it is listed.
  package let route: String?
}

/// A migration plan.
package struct MigrationPlan: Sendable {
  package let name: String
  package let place: SchemaPlace
  /// The indices of its versions in the order of `schemas`; nil when they can't be told.
  package let schemas: [Int]?
  package let schemasPlace: SchemaPlace?
  /// Types among `schemas` that the sources don't declare as versions.
  package let unknownSchemas: [String]
  /// Nil when they can't be told.
  package let stages: [MigrationStage]?
  package let stagesPlace: SchemaPlace?
  /// Stages that are declared in the plan and that `stages` does not list.
  package let unlistedStages: [MigrationStage]
  package let isTest: Bool

  /// Whether stores are matched by checksum; false when `stages` is empty, nil when unknown.
  package var isStaged: Bool? { stages.map { !$0.isEmpty } }

  /// The versions from the oldest to the newest, as the stages chain them, else as they are listed.
  package let chain: [Int]

  /// The chain of a plan's versions.
  static func chain(of schemas: [Int]?, by stages: [MigrationStage]?) -> [Int] {
    guard let schemas else { return [] }
    var seen: Set<Int> = []
    let unique = schemas.filter { seen.insert($0).inserted }
    guard let stages else { return unique }
    var next: [Int: Int] = [:]
    var targets: Set<Int> = []
    for stage in stages {
      guard let from = stage.from, let to = stage.to, from != to, next[from] == nil else {
        return unique
      }
      next[from] = to
      targets.insert(to)
    }
    let starts = unique.filter { !targets.contains($0) }
    guard starts.count == 1, var at = starts.first else { return unique }
    var chain = [at]
    var chained: Set<Int> = [at]
    while let following = next[at], chained.insert(following).inserted {
      chain.append(following)
      at = following
    }
    return chained == seen ? chain : unique
  }
}

/// A stage of a migration plan.
package struct MigrationStage: Sendable {
  /// What does the migrating: inference alone, or code before and after it.
  package enum Kind: String, Sendable { case lightweight, custom }

  package let kind: Kind
  /// The index of the version; nil when it can't be told.
  package let from: Int?
  package let to: Int?
  package let fromText: String
  package let toText: String
  /// The stage where it is written.
  package let place: SchemaPlace
  /// The name of the member that holds it; "" when it stands in the list itself.
  package let name: String
  /// The closures or functions that it runs; nil where `nil` is written.
  let willMigrate: Ref?
  let didMigrate: Ref?
  /// Their closures or blocks, as far as they are members that the stage names.
  let willBody: Ref?
  let didBody: Ref?
  /// The model classes that the code before the migration uses.
  package let willUses: [StageUse]
  /// The model classes that the code after the migration uses.
  package let didUses: [StageUse]
  /// The properties that the code before the migration names by strings.
  package let willKeys: [StageKey]
  /// The properties that the code after the migration names by strings.
  package let didKeys: [StageKey]
  /// The ids of the model classes whose rows the code before the migration deletes, all of them.
  package let emptied: [Int]

  /// Whether it is custom by name and has no code, so that it does no more than inference does.
  package var runsNothing: Bool { kind == .custom && !hasWill && !hasDid }
}

extension MigrationStage {
  /// Whether the stage has something to do before the store is migrated.
  package var hasWill: Bool { willMigrate != nil }
  /// Whether the stage has something to do after the store is migrated.
  package var hasDid: Bool { didMigrate != nil }
}
