import PersistIndex
import PersistSchema

/// An entity or a property goes between two versions, and its data with it.
struct MigrationDropsData: Rule {
  static let id: RuleID = "migration-drops-data"

  func check(_ program: Program, into findings: inout Findings) {
    for step in program.dataModelSteps { check(step, into: &findings) }
    for step in program.schema.steps {
      for (entity, lost) in losses(in: step, program) {
        let place = step.new.place(of: Subject(entity)) ?? step.new.place
        findings.report(
          .deletes(lost.names, in: step.new.name, follower: lost.follower), at: place,
          related: lost.subjects.prefix(3).flatMap { step.related($0) })
      }
    }
  }

  /// What the newest step of a Core Data model deletes, entity by entity.
  private func check(_ step: DataModelStep, into findings: inout Findings) {
    let renamed = step.migration.likelyRenames.subjects
    let lost = step.migration.judgements.filter { judgement in
      judgement.verdict == .losesData && judgement.change.after == nil
        && judgement.change.weight == .hard && judgement.change.subject.members.isEmpty
        && [.entity, .attribute, .relationship].contains(judgement.change.aspect)
        && !renamed.contains(judgement.change.subject)
    }
    .map(\.change.subject)
    for (entity, subjects) in Dictionary(grouping: lost, by: \.entity).sorted(by: {
      $0.key < $1.key
    }) {
      findings.report(
        .deletes(subjects.map(\.name), in: step.new.name, follower: nil),
        at: step.place(of: Subject(entity)),
        related: subjects.prefix(3).flatMap { step.related($0) })
    }
  }

  private struct Loss {
    var subjects: [Subject]
    var follower: String?

    var names: [String] { subjects.map { $0.name.withoutTwins } }
  }

  /// What each entity loses and no custom stage reads, sorted by entity.
  private func losses(
    in step: SchemaProgram.Step, _ program: Program
  ) -> [(entity: String, loss: Loss)] {
    let renamed = step.migration.likelyRenames.subjects
    var losses: [String: Loss] = [:]
    for judgement in step.migration.judgements where judgement.verdict == .losesData {
      let change = judgement.change
      guard change.after == nil, change.weight == .hard, change.subject.members.isEmpty,
        [.entity, .attribute, .relationship].contains(change.aspect),
        !renamed.contains(change.subject), !change.subject.entity.contains("@")
      else { continue }
      let name =
        change.subject.property.isEmpty ? change.subject.entity : change.subject.property
      if let stage = step.stage, stage.mayRead(name, in: program) { continue }
      let follower =
        change.aspect == .entity ? follower(of: change.subject.entity, in: step.migration) : nil
      losses[change.subject.entity, default: Loss(subjects: [], follower: follower)]
        .subjects.append(change.subject)
    }
    return losses.sorted { $0.key < $1.key }.map { (entity: $0.key, loss: $0.value) }
  }

  /// The new entity that has most of the properties of one that went.
  private func follower(of entity: String, in migration: Migration) -> String? {
    guard let gone = migration.old.entity(entity) else { return nil }
    let names = Set(gone.properties.map(\.name))
    return migration.new.entities.first { candidate in
      guard migration.old.entity(candidate.key) == nil else { return false }
      let shared = candidate.properties.count { names.contains($0.name) }
      return shared * 2 > names.count
    }?.name
  }
}

extension String {
  fileprivate var withoutTwins: String {
    guard let at = firstIndex(of: "@") else { return self }
    return String(self[..<at])
  }
}

extension Finding.Message {
  fileprivate static func deletes(
    _ names: [String], in version: String, follower: String?
  ) -> Self {
    let what = "the migration to `\(version)` deletes all data of \(names.listed())"
    if let follower {
      return """
        \(what), for a renamed class is a new entity; copy the rows to `\(follower)` in a custom \
        stage, or keep the old name
        """
    }
    return """
      \(what); copy it in a custom stage while both are there, or suppress this finding with the \
      reason
      """
  }
}
