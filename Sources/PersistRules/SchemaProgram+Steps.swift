import PersistIndex
import PersistSchema
import PersistVersions

extension SchemaProgram {
  /// The way from one version of a plan to the next, with the stage that goes it.
  struct Step {
    let plan: MigrationPlan
    let old: SchemaVersion
    let new: SchemaVersion
    let stage: MigrationStage?
    let migration: Migration
    /// The entities of the older version whose classes are those of today, and may have had other
    /// properties when it shipped.
    let ofToday: Set<String>
    /// Whether no other version of the plan comes after the newer one.
    let isNewest: Bool

    /// What looks renamed, those left out whose values the stage carries over.
    func unsaidRenames(in program: Program) -> [LikelyRename] {
      migration.likelyRenames.filter { rename in
        !isRead(Subject(rename.entity, rename.gone.name), in: program)
      }
    }

    /// Whether the stage's code reads an entity or property of the older version, or may do so.
    func isRead(_ subject: Subject, in program: Program) -> Bool {
      guard let stage else { return false }
      return stage.reads(subject, of: old.models(of: subject.entity), in: program)
    }

    /// Whether the stage's code reads a property that the newer version has, or may do so.
    func isReadAfter(_ subject: Subject, in program: Program) -> Bool {
      guard let stage else { return false }
      let models = old.models(of: subject.entity) + new.models(of: subject.entity)
      return stage.reads(subject, of: models, in: program)
    }

    /// Whether the stage deletes every row of an entity before the migration.
    func empties(_ entity: String) -> Bool {
      guard let model = old.use(entity)?.model.id else { return false }
      return stage?.emptied.contains(model) ?? false
    }

    /// Where a change is to be seen: the property, else the class, else the newer version.
    func place(of subject: Subject) -> SchemaPlace { new.place(of: subject) ?? new.place }

    /// What a change was before, for a related location.
    func related(_ subject: Subject) -> [Findings.SchemaRelated] {
      guard let place = old.place(of: subject), place != self.place(of: subject) else { return [] }
      return [.init(place, "as it is in `\(old.name)`")]
    }
  }

  /// Whether a class from outside of a version changes, or has changed, under it.
  func isLive(_ use: ModelUse, in version: SchemaVersion, newest: SchemaVersion) -> Bool {
    let owner = versions.first { other in
      other.uses.contains { $0.model.id == use.model.id && $0.isNested }
    }
    // A copy that stands beside the versions, in a type that keeps such copies.
    let isKeptApart =
      use.model.qualifiedName != use.model.name
      && !newest.uses.contains { $0.model.id == use.model.id }
    if owner == nil, isKeptApart || use.model.name.endsWithVersion {
      return version.leadsToTwin(from: use)
    }
    guard let owner, owner.id != newest.id else { return true }
    // Shared with another frozen version on purpose, unless it leads to another class of an
    // entity that this version has already.
    return version.leadsToTwin(from: use)
  }

  /// The shape without what an older version only has because it names classes of today.
  private func certainShape(of version: SchemaVersion, newest: SchemaVersion) -> SchemaShape {
    var shape = version.shape
    for use in usesOfToday(in: version, newest: newest) {
      shape.gaps.append(
        Gap(entity: use.key, reason: "\(use.model.qualifiedName) is the class of today"))
    }
    shape.gaps.sort()
    return shape
  }

  /// The classes of an older version that are those of today.
  private func usesOfToday(in version: SchemaVersion, newest: SchemaVersion) -> [ModelUse] {
    guard version.id != newest.id else { return [] }
    return version.uses.filter { !$0.isNested && isLive($0, in: version, newest: newest) }
  }

  /// All steps of all plans that an app ships; the same two versions only once.
  var steps: [Step] {
    var seen: Set<[Int]> = []
    return chains.flatMap { chain in
      var stages: [[Int]: MigrationStage] = [:]
      for stage in chain.plan.stages ?? [] {
        guard let from = stage.from, let to = stage.to, stages[[from, to]] == nil else { continue }
        stages[[from, to]] = stage
      }
      return chain.pairs.compactMap { old, new -> Step? in
        guard let newest = chain.versions.last else { return nil }
        guard seen.insert([old.id, new.id]).inserted else { return nil }
        return Step(
          plan: chain.plan, old: old, new: new, stage: stages[[old.id, new.id]],
          migration: Migration(
            from: certainShape(of: old, newest: newest),
            to: certainShape(of: new, newest: newest)),
          ofToday: Set(usesOfToday(in: old, newest: newest).map(\.key)),
          isNewest: new.id == newest.id)
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

extension SchemaVersion {
  /// The classes that an entity has in this version.
  fileprivate func models(of entity: String) -> [ModelDeclaration] {
    let name = entity.prefix { $0 != "@" }
    return uses.filter { $0.model.name == name }.map(\.model)
  }

  /// Whether the class, or one that it reaches, is a second class of an entity of this version.
  fileprivate func leadsToTwin(from use: ModelUse) -> Bool {
    let twins = Set(
      Dictionary(grouping: uses, by: \.model.name).filter { $0.value.count > 1 }.keys)
    if twins.isEmpty { return false }
    var seen: Set<String> = [use.key]
    var queue = [use.key]
    while let key = queue.popLast() {
      if let name = self.use(key)?.model.name, twins.contains(name) { return true }
      for property in shape.entity(key)?.properties ?? [] {
        guard let destination = property.relationship?.destination,
          seen.insert(destination).inserted
        else { continue }
        queue.append(destination)
      }
    }
    return false
  }
}

extension String {
  /// Whether a name says that it is of one version, as `TripV1` and `Trip_v2` do.
  fileprivate var endsWithVersion: Bool {
    let rest = reversed().drop { $0.isWholeNumber || $0 == "_" || $0 == "p" }
    return rest.count < count && (rest.first == "V" || rest.first == "v")
      && last?.isWholeNumber ?? false
  }
}

extension [LikelyRename] {
  /// The properties that take part.
  var subjects: Set<Subject> {
    Set(
      flatMap { rename in
        [Subject(rename.entity, rename.gone.name), Subject(rename.entity, rename.come.name)]
      })
  }
}
