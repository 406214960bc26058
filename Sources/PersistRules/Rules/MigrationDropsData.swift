import PersistIndex
import PersistSchema

/// An entity or a property goes between two versions, and its data with it.
struct MigrationDropsData: Rule {
  static let id: RuleID = "migration-drops-data"

  func check(_ program: Program, into findings: inout Findings) {
    for step in program.dataModelSteps {
      let lost = lost(in: step.migration)
      for (place, names) in grouped(lost, by: step.place) {
        findings.report(
          .deletes(names, in: step.new.name, byHand: "a mapping model"), at: place,
          related: lost.filter { step.place(of: $0) == place }.prefix(3)
            .flatMap { step.related($0) })
      }
    }
    for step in program.schema.steps {
      let lost = lost(in: step.migration).filter { subject in
        let name = subject.property.isEmpty ? subject.entity : subject.property
        return !(step.stage?.mayRead(name, in: program) ?? false)
      }
      let place = { (subject: Subject) in
        step.new.place(of: Subject(subject.entity)) ?? step.new.place
      }
      for (entity, heir) in heirs(of: lost, in: step.migration) {
        findings.report(
          .renames(entity, to: heir, in: step.new.name), at: place(Subject(heir)),
          related: step.related(Subject(entity)))
      }
      let rest = lost.filter { heir(of: $0, in: step.migration) == nil }
      for (place, names) in grouped(rest, by: place) {
        findings.report(
          .deletes(names, in: step.new.name, byHand: "a custom stage"), at: place,
          related: rest.filter { names.contains($0.name) }.prefix(3).flatMap { step.related($0) })
      }
    }
  }

  /// Entities and properties that go, those that look renamed left out.
  private func lost(in migration: Migration) -> [Subject] {
    let renamed = migration.likelyRenames.subjects
    return migration.judgements.filter { judgement in
      let change = judgement.change
      return judgement.verdict == .losesData && change.after == nil && change.weight == .hard
        && change.subject.members.isEmpty && !change.subject.entity.contains("@")
        && [.entity, .attribute, .relationship].contains(change.aspect)
        && !renamed.contains(change.subject)
    }
    .map(\.change.subject)
  }

  /// The names of what goes, by the place where it is to be seen, in the order of the names.
  private func grouped(
    _ subjects: [Subject], by place: (Subject) -> SchemaPlace
  ) -> [(place: SchemaPlace, names: [String])] {
    var names: [SchemaPlace: [String]] = [:]
    var order: [SchemaPlace] = []
    for subject in subjects {
      let place = place(subject.property.isEmpty ? subject : Subject(subject.entity))
      if names[place] == nil { order.append(place) }
      names[place, default: []].append(subject.name)
    }
    return order.map { (place: $0, names: names[$0] ?? []) }
  }

  private func heirs(
    of subjects: [Subject], in migration: Migration
  ) -> [(entity: String, heir: String)] {
    subjects.compactMap { subject in
      heir(of: subject, in: migration).map { (entity: subject.entity, heir: $0) }
    }
  }

  /// The new entity that has most of the properties of one that went.
  private func heir(of subject: Subject, in migration: Migration) -> String? {
    guard subject.property.isEmpty, let gone = migration.old.entity(subject.entity) else {
      return nil
    }
    let names = Set(gone.properties.map(\.name))
    return migration.new.entities.first { candidate in
      guard migration.old.entity(candidate.key) == nil else { return false }
      return candidate.properties.count { names.contains($0.name) } * 2 > names.count
    }?.key
  }
}

extension Finding.Message {
  fileprivate static func renames(
    _ entity: String, to heir: String, in version: String
  ) -> Self {
    """
    the migration to `\(version)` deletes all data of `\(entity)`, for a renamed class is a new \
    entity; copy the rows to `\(heir)` in a custom stage, or keep the old name
    """
  }

  fileprivate static func deletes(
    _ names: [String], in version: String, byHand: String
  ) -> Self {
    """
    the migration to `\(version)` deletes all data of \(names.listed()); copy it in \(byHand) while \
    both are there, or suppress this finding with the reason
    """
  }
}
