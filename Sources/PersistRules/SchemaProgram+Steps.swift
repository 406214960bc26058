import PersistIndex
import PersistSchema

extension SchemaProgram {
  /// The way from one version of a plan to the next, with the stage that goes it.
  struct Step {
    let plan: MigrationPlan
    let old: SchemaVersion
    let new: SchemaVersion
    let stage: MigrationStage?
    let migration: Migration

    /// Where a change is to be seen: the property, else the class, else the newer version.
    func place(of subject: Subject) -> SchemaPlace { new.place(of: subject) ?? new.place }

    /// What a change was before, for a related location.
    func related(_ subject: Subject) -> [Findings.SchemaRelated] {
      guard let place = old.place(of: subject), place != self.place(of: subject) else { return [] }
      return [.init(place, "as it is in `\(old.name)`")]
    }
  }

  /// All steps of all plans that an app ships; the same two versions only once.
  var steps: [Step] {
    var seen: Set<[Int]> = []
    return chains.flatMap { chain in
      chain.pairs.compactMap { old, new in
        guard seen.insert([old.id, new.id]).inserted else { return nil }
        let stage = chain.plan.stages?.first { $0.from == old.id && $0.to == new.id }
        return Step(
          plan: chain.plan, old: old, new: new, stage: stage,
          migration: Migration(from: old.shape, to: new.shape))
      }
    }
  }

  /// What the models without versions have become since they were frozen.
  var unversionedMigration: Migration? {
    guard let now = unversionedShape,
      let shipped = base?.versions[Self.unversioned] ?? base?.newest[Self.unversioned]
    else {
      return nil
    }
    return Migration(from: shipped, to: now)
  }

  /// The place of a model or property among the models without versions.
  func unversionedPlace(of subject: Subject) -> SchemaPlace? {
    let name = subject.entity.prefix { $0 != "@" }
    guard let model = models.first(where: { !$0.isTest && $0.name == name }) else { return nil }
    return model.place(of: subject.property) ?? model.place
  }
}

extension Migration {
  /// The properties and entities that took part in what looks like a rename.
  var renamed: Set<Subject> {
    Set(
      likelyRenames.flatMap { rename in
        [Subject(rename.entity, rename.gone.name), Subject(rename.entity, rename.come.name)]
      })
  }
}
