import PersistIndex
import PersistSchema

/// The models that an app makes stores with today, and where they are declared.
package struct LiveSchema: Sendable {
  package let shape: SchemaShape
  private let version: SchemaVersion?
  private let models: [String: ModelDeclaration]

  /// The models of one version.
  package init(_ version: SchemaVersion) {
    shape = version.shape
    self.version = version
    models = [:]
  }

  init(_ shape: SchemaShape, models: [ModelDeclaration]) {
    self.shape = shape
    version = nil
    self.models = Dictionary(
      grouping: models.filter { !$0.isTest }, by: \.name
    ).compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// The class of an entity; nil where there are several.
  package func model(_ entity: String) -> ModelDeclaration? {
    version?.use(entity)?.model ?? models[entity]
  }

  /// The keys of the entities in the order in which the version has them.
  package var keys: [String] { version?.uses.map(\.key) ?? shape.entities.map(\.key) }

  /// Where an entity, or a property of it, is declared.
  package func place(of subject: Subject) -> SchemaPlace? {
    if let version { return version.place(of: subject) }
    guard let model = models[subject.entity] else { return nil }
    return model.place(of: subject.property) ?? model.place
  }
}

extension SchemaProgram {
  /// The newest version of each plan; the models themselves where there are no versions, or where
  /// containers open them and no version has them.
  ///
  /// What lies in no plan is left over where there is one, and so is a plan that no container is
  /// opened with where another one is.
  package var live: [LiveSchema] {
    let shipped = plans.indices.filter { !plans[$0].isTest }
    let opened = shipped.filter { index in
      containers.contains { $0.plan == .plan(index) }
    }
    let chains = (opened.isEmpty ? shipped : opened).map { plans[$0].chain }
    let newest = versions.filter { version in
      guard !version.isTest, isNewest(version) else { return false }
      return chains.allSatisfy { $0.isEmpty } || chains.contains { $0.last == version.id }
    }.map { LiveSchema($0) }
    let unversioned = [unversionedShape, openedShape].compactMap { $0 }
    return newest + unversioned.map { LiveSchema($0, models: models) }
  }
}
