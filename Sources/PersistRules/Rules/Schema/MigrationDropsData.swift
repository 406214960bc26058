import PersistIndex
import PersistSchema
import PersistVersions

/// A new version removes an entity or a property, and its data with it.
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
    let found = program.findings(
      inSteps: { step, before in drops(in: step, after: before, program) },
      at: { drop, _ in drop.place }, saying: { $0.names.joined(separator: " ") + ($0.heir ?? "") })
    for finding in found {
      let (drop, version) = (finding.item, finding.step.new.name)
      findings.report(
        drop.heir.map { .renames(drop.names.listed(), to: $0, in: version, on: finding.platforms) }
          ?? .deletes(drop.names, in: version, byHand: "a custom stage", on: finding.platforms),
        // What an older step has dropped is gone by now.
        at: drop.place, severity: finding.step.isNewest ? nil : .note,
        related: drop.subjects.flatMap { finding.step.related($0) })
    }
  }

  /// What goes with a step, told at one place.
  private struct Drop {
    let place: SchemaPlace
    let names: [String]
    /// The new entity of one that went under another name.
    let heir: String?
    let subjects: [Subject]
  }

  private func drops(
    in step: SchemaProgram.Step, after before: SchemaProgram.Step?, _ program: Program
  ) -> [Drop] {
    let lost = lost(in: step.migration).filter { subject in
      if step.isRead(subject, in: program) { return false }
      if !subject.property.isEmpty, step.ofToday.contains(subject.entity) { return false }
      return !(before.map { wasCarried(subject, by: $0, in: program) } ?? false)
    }
    let place = { (subject: Subject) in
      step.new.place(of: Subject(subject.entity)) ?? step.new.place
    }
    let heirs = heirs(of: lost, in: step.migration)
    let renamed = heirs.sorted { $0.key < $1.key }.map { entity, heir in
      Drop(place: place(Subject(heir)), names: [entity], heir: heir, subjects: [Subject(entity)])
    }
    let rest = lost.filter { !$0.property.isEmpty || heirs[$0.entity] == nil }
    return renamed
      + grouped(rest, by: place).map { place, names in
        Drop(
          place: place, names: names, heir: nil,
          subjects: Array(rest.filter { names.contains($0.name) }.prefix(3)))
      }
  }

  /// Whether the stage before read a property that it found there, so that its values were carried
  /// over while the old one and the new one were both there.
  private func wasCarried(
    _ subject: Subject, by step: SchemaProgram.Step, in program: Program
  ) -> Bool {
    guard !subject.property.isEmpty,
      step.migration.old.entity(subject.entity)?.property(subject.property) != nil
    else { return false }
    return step.isReadAfter(subject, in: program)
  }

  /// Entities and properties that go, those that look renamed left out.
  private func lost(in migration: Migration) -> [Subject] {
    let renamed = migration.likelyRenames.subjects
    return migration.judgements.filter { judgement in
      let change = judgement.change
      return judgement.verdict == .losesData && change.after == nil && change.weight == .hard
        && change.subject.members.isEmpty && !change.subject.entity.contains("@")
        && [.entity, .attribute, .relationship].contains(change.aspect)
        && !renamed.contains(change.subject) && !goesUp(change.subject, in: migration.new)
    }
    .map(\.change.subject)
  }

  /// Whether an ancestor of the entity has the property now; that the parent is new is told.
  private func goesUp(_ subject: Subject, in shape: SchemaShape) -> Bool {
    guard !subject.property.isEmpty else { return false }
    var seen: Set<String> = []
    var next = shape.entity(subject.entity)?.superentity
    while let name = next, seen.insert(name).inserted, let entity = shape.entity(name) {
      if entity.property(subject.property) != nil { return true }
      next = entity.superentity
    }
    return false
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

  /// The new entity of each one that went under another name: it has most of its properties. Of
  /// several the one with a like name is taken, then the one that has the most.
  private func heirs(of subjects: [Subject], in migration: Migration) -> [String: String] {
    let come = migration.new.entities.filter { migration.old.entity($0.key) == nil }
    var pairs: [(gone: String, heir: String, isAlike: Bool, shared: Int)] = []
    for subject in subjects where subject.property.isEmpty {
      guard let gone = migration.old.entity(subject.entity) else { continue }
      let names = Set(gone.properties.map(\.name))
      for heir in come {
        let shared = heir.properties.count { names.contains($0.name) }
        guard shared * 2 > names.count else { continue }
        let isAlike = heir.name.contains(gone.name) || gone.name.contains(heir.name)
        pairs.append((gone.key, heir.key, isAlike, shared))
      }
    }
    pairs.sort { left, right in
      if left.isAlike != right.isAlike { return left.isAlike }
      if left.shared != right.shared { return left.shared > right.shared }
      return (left.gone, left.heir) < (right.gone, right.heir)
    }
    var heirs: [String: String] = [:]
    for pair in pairs where heirs[pair.gone] == nil && !heirs.values.contains(pair.heir) {
      heirs[pair.gone] = pair.heir
    }
    return heirs
  }
}

extension Finding.Message {
  fileprivate static func renames(
    _ entity: String, to heir: String, in version: String, on platforms: String
  ) -> Self {
    """
    \(platforms)the migration to `\(version)` deletes all data of \(entity), because a renamed class is a new \
    entity; copy the rows to `\(heir)` in a custom stage, or keep the old name
    """
  }

  fileprivate static func deletes(
    _ names: [String], in version: String, byHand: String, on platforms: String = ""
  ) -> Self {
    """
    \(platforms)the migration to `\(version)` deletes all data of \(names.listed()); copy the data \
    in \(byHand), or suppress this finding with a reason
    """
  }
}
