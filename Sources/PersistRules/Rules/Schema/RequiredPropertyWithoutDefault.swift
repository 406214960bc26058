import PersistIndex
import PersistSchema
import PersistVersions

/// A new property without a value for existing rows: the store can't be opened.
struct RequiredPropertyWithoutDefault: Rule {
  static let id: RuleID = "required-property-without-default"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    let found = program.findings(
      inSteps: { step, _ -> [Subject] in
        missing(in: step.migration, renames: step.unsaidRenames(in: program)).filter {
          !step.empties($0.entity)
        }
      }, at: { subject, step in step.place(of: subject) })
    for finding in found {
      let (subject, old) = (finding.item, finding.step.old)
      findings.report(
        .hasNoValue(subject.name, since: old.name, on: finding.platforms), at: finding.place,
        related: [.init(old.place, "`\(old.name)` has no `\(subject.name)`")])
    }
    for step in program.dataModelSteps {
      for subject in missing(in: step.migration, renames: step.migration.likelyRenames) {
        findings.report(
          .hasNoValue(subject.name, since: step.old.name), at: step.place(of: subject))
      }
    }
    for column in program.notNullColumns {
      findings.report(
        .isRefused(column.column, of: column.table, in: column.migration.id), at: column.place)
    }
    guard let migration = schema.unversionedMigration else { return }
    for subject in missing(in: migration, renames: migration.likelyRenames) {
      guard let place = schema.unversionedPlace(of: subject) else { continue }
      findings.report(.hasNoValue(subject.name, since: "the version that shipped"), at: place)
    }
  }

  /// New properties whose old rows stay without a value, renamed ones left out.
  private func missing(in migration: Migration, renames: [LikelyRename]) -> [Subject] {
    let renamed = renames.subjects
    return migration.judgements.filter { judgement in
      judgement.verdict == .cantOpen && judgement.code == StoreError.migrationFailed
        && judgement.change.before == nil && judgement.change.subject.members.isEmpty
        && [.attribute, .relationship].contains(judgement.change.aspect)
    }
    .map(\.change.subject).filter { !renamed.contains($0) }
  }
}

extension Finding.Message {
  fileprivate static func isRefused(
    _ column: String, of table: String, in migration: String
  ) -> Self {
    """
    `\(migration)` fails for everyone who has rows in `\(table)`, and their data can't be opened, \
    because SQLite can't add a NOT NULL column without a default; give `\(column)` a default
    """
  }

  fileprivate static func hasNoValue(
    _ property: String, since version: String, on platforms: String = ""
  ) -> Self {
    """
    \(platforms)users who update from \(version.contains(" ") ? version : "`\(version)`") can't \
    open their data (134110, missing attribute values on mandatory destination attribute), because \
    existing rows have no `\(property)`; give the declaration a default value (one in `init` \
    doesn't count), or make the property optional
    """
  }
}
