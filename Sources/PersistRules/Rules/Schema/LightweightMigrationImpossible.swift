import PersistIndex
import PersistSchema
import PersistVersions

/// A change that can't be inferred and has no custom stage.
struct LightweightMigrationImpossible: Rule {
  static let id: RuleID = "lightweight-migration-impossible"
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    let found = program.findings(
      inSteps: { step, _ -> [MigrationJudgement] in
        if let stage = step.stage, stage.kind == .custom, !stage.runsNothing { return [] }
        return impossible(in: step.migration)
      }, at: { judgement, step in step.place(of: judgement.change.subject) })
    for finding in found {
      let (judgement, step) = (finding.item, finding.step)
      findings.report(
        .cannot(
          judgement, from: step.old.name, hasStage: step.stage != nil, on: finding.platforms),
        at: finding.place, severity: judgement.sureness == .high ? .error : .warning,
        related: step.related(judgement.change.subject))
    }
    for step in program.dataModelSteps {
      for judgement in impossible(in: step.migration) where judgement.change.aspect != .unique {
        let subject = judgement.change.subject
        findings.report(
          .cannotInfer(judgement, from: step.old.name), at: step.place(of: subject),
          severity: judgement.sureness == .high ? .error : .warning,
          related: step.related(subject))
      }
    }
    guard let migration = program.schema.unversionedMigration else { return }
    var known: Fix??
    for judgement in impossible(in: migration) {
      guard let place = program.schema.unversionedPlace(of: judgement.change.subject) else {
        continue
      }
      func fix() -> Fix? {
        if let known { return known }
        let fix = FirstVersions(migration, near: place, in: program)?.fix
        known = .some(fix)
        return fix
      }
      findings.report(
        .cannot(judgement, from: "the version that shipped", hasStage: false), at: place,
        severity: judgement.sureness == .high ? .error : .warning,
        fix: fix())
    }
  }

  private func impossible(in migration: Migration) -> [MigrationJudgement] {
    let renamed = migration.likelyRenames.subjects
    return migration.judgements.filter { judgement in
      let change = judgement.change
      guard !renamed.contains(change.subject), judgement.sureness != .low else { return false }
      switch judgement.verdict {
      case .needsCustomStage: return true
      case .cantOpen: return change.aspect == .unique || !change.subject.members.isEmpty
      default: return false
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func cannotInfer(
    _ judgement: MigrationJudgement, from version: String
  ) -> Self {
    """
    users who update from `\(version)` can't open their \
    data\(judgement.code.map { " (\($0))" } ?? ""): \(judgement.change.sentence), and \
    \(judgement.reason); add a mapping model from `\(version)`
    """
  }

  fileprivate static func cannot(
    _ judgement: MigrationJudgement, from version: String, hasStage: Bool, on platforms: String = ""
  ) -> Self {
    let origin = version.contains(" ") ? version : "`\(version)`"
    let code = judgement.code.map { " (\($0))" } ?? ""
    return """
      \(platforms)users who update from \(origin) can't open their data\(code): \
      \(judgement.change.sentence), and \(judgement.reason); \
      \(steps(judgement, hasStage: hasStage))
      """
  }

  /// What to do, in order.
  private static func steps(_ judgement: MigrationJudgement, hasStage: Bool) -> String {
    let change = judgement.change
    let stage = hasStage ? "make the stage custom" : "add a custom stage"
    switch change.aspect {
    case .unique where judgement.verdict == .cantOpen:
      return "make the property optional and fill it first, then make it unique in the next version"
    case .unique: return stage
    case .optional: return "\(stage), or give the property a default"
    case .superentity: return "let the entities share a parent one version earlier"
    default:
      let name = change.subject.members.last ?? change.subject.property
      return """
        keep `\(name)`, add a new property, \(stage) that fills the new one, and remove `\(name)` \
        in a later version
        """
    }
  }
}
