import PersistIndex
import PersistSchema

/// Two versions with no stage between them, or a stage that leads nowhere.
struct MigrationStageMissing: Rule {
  static let id: RuleID = "migration-stage-missing"

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    for chain in schema.chains {
      guard let listed = chain.plan.schemas, let stages = chain.plan.stages else { continue }
      for stage in chain.plan.unlistedStages where !program.listsElsewhere(stage) {
        findings.report(.notListed(stage), at: stage.place)
      }
      if stages.isEmpty {
        if chain.plan.unlistedStages.isEmpty {
          reportUnstaged(chain, in: schema, into: &findings)
        }
      } else {
        reportStages(stages, order: order(of: chain, listed), in: chain, schema, into: &findings)
      }
    }
  }

  /// The place of each version in the chain.
  private func order(of chain: SchemaProgram.Chain, _ listed: [Int]) -> [Int: Int] {
    Dictionary(
      chain.versions.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func reportUnstaged(
    _ chain: SchemaProgram.Chain, in schema: SchemaProgram, into findings: inout Findings
  ) {
    let migrations = chain.pairs.map { Migration(from: $0.old.shape, to: $0.new.shape) }
    guard !migrations.isEmpty, let place = chain.plan.stagesPlace,
      migrations.allSatisfy({ migration in
        migration.verdict.map { $0 <= .lightweight || $0 == .losesData } ?? false
          && migration.judgements.allSatisfy { ($0.verdict ?? .cantOpen) != .needsCustomStage }
      })
    else { return }
    findings.report(.inferredOnly(chain.plan.name), at: place, severity: .note)
  }

  private func reportStages(
    _ stages: [MigrationStage], order: [Int: Int], in chain: SchemaProgram.Chain,
    _ schema: SchemaProgram, into findings: inout Findings
  ) {
    var seen: [[Int]: MigrationStage] = [:]
    guard stages.allSatisfy({ $0.from != nil && $0.to != nil }) else { return }
    for stage in stages {
      guard let from = stage.from, let to = stage.to else { continue }
      if let first = seen.updateValue(stage, forKey: [from, to]) {
        findings.report(
          .twice(stage), at: stage.place, related: [.init(first.place, "the first one")])
        continue
      }
      guard let start = order[from], let end = order[to] else { continue }
      if start == end {
        findings.report(.leadsNowhere(stage), at: stage.place)
      } else if end < start {
        findings.report(.leadsBack(stage), at: stage.place)
      } else if end > start + 1 {
        let between = chain.versions[(start + 1)..<end].map(\.name)
        findings.report(.skips(stage, between), at: stage.place)
      }
    }
    for (old, new) in chain.pairs where seen[[old.id, new.id]] == nil {
      let isSkipped = stages.contains { stage in
        guard let from = stage.from.flatMap({ order[$0] }),
          let to = stage.to.flatMap({ order[$0] }),
          let start = order[old.id], let end = order[new.id]
        else { return false }
        return from <= start && to >= end
      }
      let isUnlisted = chain.plan.unlistedStages.contains { $0.from == old.id && $0.to == new.id }
      if isSkipped || isUnlisted { continue }
      findings.report(
        .missing(old.name, new.name), at: chain.plan.stagesPlace ?? chain.plan.place,
        related: [.init(new.place, "no stage leads to `\(new.name)`")])
    }
  }
}

extension Program {
  /// Whether another platform's list of stages has a stage.
  fileprivate func listsElsewhere(_ stage: MigrationStage) -> Bool {
    clauseSchemas.contains { sight in
      sight.schema.plans.contains { plan in
        plan.stages?.contains { $0.place == stage.place } ?? false
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func missing(_ old: String, _ new: String) -> Self {
    """
    users who come from `\(old)` can't open their data, because no stage leads to `\(new)`; add \
    `.lightweight(fromVersion: \(old).self, toVersion: \(new).self)` or a custom one
    """
  }

  fileprivate static func notListed(_ stage: MigrationStage) -> Self {
    """
    users who come from `\(stage.fromText)` can't open their data, because this stage never runs; list \
    `\(stage.name)` in `stages`
    """
  }

  fileprivate static func twice(_ stage: MigrationStage) -> Self {
    """
    a second stage from `\(stage.fromText)` to `\(stage.toText)`, of which one never runs; keep one
    """
  }

  fileprivate static func leadsNowhere(_ stage: MigrationStage) -> Self {
    """
    the app crashes at launch, because this stage leads from `\(stage.fromText)` to itself; name the \
    version that comes next
    """
  }

  fileprivate static func leadsBack(_ stage: MigrationStage) -> Self {
    """
    this stage leads back from `\(stage.fromText)` to `\(stage.toText)`, and no store goes that \
    way; exchange the two
    """
  }

  fileprivate static func skips(_ stage: MigrationStage, _ between: [String]) -> Self {
    """
    users who have \(between.listed()) can't open their data, because this stage leads past \
    \(between.count == 1 ? "it" : "them"); let each stage lead to the next version
    """
  }

  fileprivate static func inferredOnly(_ plan: String) -> Self {
    """
    `\(plan)` has no stages, so its versions are never told apart; the first stage brings 134504 \
    to every store whose version was edited in place before
    """
  }
}
