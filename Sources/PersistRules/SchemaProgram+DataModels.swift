import PersistIndex
import PersistSchema

/// The way from the version before to the current one of a Core Data model.
struct DataModelStep {
  let old: DataModel.Version
  let new: DataModel.Version
  let migration: Migration

  /// Where a change is to be seen: the property, else the entity, else the newer version.
  func place(of subject: Subject) -> SchemaPlace {
    new.place(of: subject) ?? new.place(of: Subject(subject.entity))
      ?? SchemaPlace(path: new.path, range: 0..<0)
  }

  /// What a change was before, for a related location.
  func related(_ subject: Subject) -> [Findings.SchemaRelated] {
    old.place(of: subject).map { [.init($0, "as it is in `\(old.name)`")] } ?? []
  }
}

extension Program {
  /// The newest step of each Core Data model that is migrated by inference alone.
  ///
  /// Nothing where a mapping model, a migration policy or a staged migration may do the work, or
  /// where the names don't tell which version came before.
  var dataModelSteps: [DataModelStep] {
    guard schema.dataModels.contains(where: { $0.versions.count > 1 }),
      !schemaInput.hasMappingModels, !mapsDataModelsByHand
    else { return [] }
    return schema.dataModels.compactMap { model in
      guard let new = model.current, let old = model.predecessor, model.problems.isEmpty else {
        return nil
      }
      return DataModelStep(
        old: old, new: new,
        migration: Migration(from: old.shape, to: new.shape, needsDistinctVersions: false))
    }
  }
}

extension DataModel {
  /// The version before the current one, when both are numbered alike.
  fileprivate var predecessor: Version? {
    guard let current, let last = current.number else { return nil }
    let before = versions.dropLast().compactMap { version -> (number: Int, version: Version)? in
      guard version.stem == current.stem, let number = version.number, number < last else {
        return nil
      }
      return (number, version)
    }
    return before.max { $0.number < $1.number }?.version
  }
}

extension DataModel.Version {
  /// The name without its number at the end.
  fileprivate var stem: String {
    var name = self.name
    while name.last?.isWholeNumber ?? false { name.removeLast() }
    while name.last == " " { name.removeLast() }
    return name
  }

  /// The number at the end of the name; 1 for none.
  fileprivate var number: Int? {
    let digits = String(name.reversed().prefix { $0.isWholeNumber }.reversed())
    return digits.isEmpty ? 1 : Int(digits)
  }
}
