import PersistIndex
import PersistSchema
import PersistVersions

/// A default that is meant to differ from object to object is one and the same for all old rows.
struct DefaultSharedByOldRows: Rule {
  static let id: RuleID = "default-shared-by-old-rows"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    var all = program.findings(
      inSteps: { step, _ -> [Shared] in
        shared(in: step.migration, at: { step.place(of: $0) }, program).filter {
          !step.isReadAfter($0.subject, in: program) && !step.empties($0.subject.entity)
        }
      }, at: { shared, _ in shared.place }
    ).map { ($0.item, "`\($0.step.old.name)`", $0.platforms) }
    if let migration = schema.unversionedMigration {
      all += shared(in: migration, at: { schema.unversionedPlace(of: $0) }, program).map {
        ($0, "the version that shipped", "")
      }
    }
    for (shared, version, platforms) in all {
      let place = shared.comparison.map { SchemaPlace(node: $0, in: program) }
      findings.report(
        .isShared(shared, version, platforms), at: shared.place,
        severity: shared.isIdentity ? .error : .warning,
        related: place.map { [.init($0, "compared here")] } ?? [])
    }
  }

  /// New properties with a default that is made anew, and that nobody sets later.
  private func shared(
    in migration: Migration, at place: (Subject) -> SchemaPlace?, _ program: Program
  ) -> [Shared] {
    let renamed = migration.likelyRenames.subjects
    return migration.judgements.compactMap { judgement in
      let subject = judgement.change.subject
      guard judgement.change.before == nil, judgement.change.aspect == .attribute,
        judgement.verdict == .lightweight, subject.members.isEmpty, !renamed.contains(subject),
        !migration.failsOnUnique(subject),
        let property = migration.new.entity(subject.entity)?.property(subject.property),
        !property.isOptional, let place = place(subject), let value = place.ref,
        program.isDefaultMadeAnew(value)
      else { return nil }
      let purpose = program.purpose(of: subject)
      let isName = subject.property == "id"
      let isDate = property.attribute?.type == .date
      guard !purpose.isSet, isName || purpose.comparison != nil || purpose.isRead && !isDate else {
        return nil
      }
      return Shared(
        subject: subject, value: property.attribute?.defaultText ?? "", place: place,
        isIdentity: !isDate && (isName || purpose.comparison != nil),
        comparison: purpose.comparison)
    }
  }
}

/// A property whose default all old rows share.
private struct Shared {
  let subject: Subject
  let value: String
  let place: SchemaPlace
  /// Whether objects are told apart by it.
  let isIdentity: Bool
  let comparison: Ref?
}

extension Finding.Message {
  fileprivate static func isShared(_ shared: Shared, _ version: String, _ platforms: String) -> Self
  {
    let harm =
      shared.isIdentity
      ? "the app takes all objects from before the update for one"
      : "all objects from before the update look the same"
    return """
      \(platforms)\(harm), because `\(shared.value)` is evaluated once for all rows of \
      \(version); set `\(shared.subject.property)` for each of them in the `didMigrate` of a \
      custom stage
      """
  }
}
