import PersistIndex
import PersistSchema
import PersistVersions

/// Two versions with no stage between them, or a stage that leads nowhere.
struct MigrationStageMissing: Rule {
  static let id: RuleID = "migration-stage-missing"

  func check(_ program: Program, into findings: inout Findings) {
    findings.report { sight in
      sight.schema.chains.flatMap { chain -> [SchemaFinding] in
        guard let stages = chain.plan.stages, chain.plan.schemas != nil else { return [] }
        let unlisted = chain.plan.unlistedStages.filter { !program.listsElsewhere($0) }
        return unlisted.map { SchemaFinding(message: .notListed($0), place: $0.place) }
          + (stages.isEmpty ? unstaged(chain) : mistakes(in: stages, of: chain))
      }
    }
  }

  private func unstaged(_ chain: SchemaProgram.Chain) -> [SchemaFinding] {
    let migrations = chain.pairs.map { Migration(from: $0.old.shape, to: $0.new.shape) }
    guard chain.plan.unlistedStages.isEmpty, !migrations.isEmpty,
      let place = chain.plan.stagesPlace,
      migrations.allSatisfy({ migration in
        migration.verdict.map { $0 <= .lightweight || $0 == .losesData } ?? false
          && migration.judgements.allSatisfy { ($0.verdict ?? .cantOpen) != .needsCustomStage }
      })
    else { return [] }
    return [.init(message: .inferredOnly(chain.plan.name), place: place, severity: .note)]
  }

  private func mistakes(
    in stages: [MigrationStage], of chain: SchemaProgram.Chain
  ) -> [SchemaFinding] {
    guard stages.allSatisfy({ $0.from != nil && $0.to != nil }) else { return [] }
    let order = Dictionary(
      chain.versions.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [SchemaFinding] = []
    var seen: [[Int]: MigrationStage] = [:]
    for stage in stages {
      guard let from = stage.from, let to = stage.to else { continue }
      if let first = seen.updateValue(stage, forKey: [from, to]) {
        found.append(
          .init(
            message: .twice(stage), place: stage.place,
            related: [.init(first.place, "the first one")]))
      } else if let start = order[from], let end = order[to],
        let message = mistake(in: stage, from: start, to: end, of: chain)
      {
        found.append(.init(message: message, place: stage.place))
      }
    }
    return found + missing(between: stages, order, in: chain, staged: Set(seen.keys))
  }

  /// What is wrong with a stage from one place in the chain to another.
  private func mistake(
    in stage: MigrationStage, from start: Int, to end: Int, of chain: SchemaProgram.Chain
  ) -> Finding.Message? {
    if start == end { return .leadsNowhere(stage) }
    if end < start { return .leadsBack(stage) }
    guard end > start + 1 else { return nil }
    return .skips(stage, chain.versions[(start + 1)..<end].map(\.name))
  }

  private func missing(
    between stages: [MigrationStage], _ order: [Int: Int], in chain: SchemaProgram.Chain,
    staged: Set<[Int]>
  ) -> [SchemaFinding] {
    chain.pairs.compactMap { old, new in
      guard !staged.contains([old.id, new.id]) else { return nil }
      let isSkipped = stages.contains { stage in
        guard let from = stage.from.flatMap({ order[$0] }),
          let to = stage.to.flatMap({ order[$0] }),
          let start = order[old.id], let end = order[new.id]
        else { return false }
        return from <= start && to >= end
      }
      let isUnlisted = chain.plan.unlistedStages.contains { $0.from == old.id && $0.to == new.id }
      guard !isSkipped, !isUnlisted else { return nil }
      return .init(
        message: .missing(old.name, new.name), place: chain.plan.stagesPlace ?? chain.plan.place,
        related: [.init(new.place, "no stage leads to `\(new.name)`")])
    }
  }
}

extension Program {
  /// Whether the list of stages of some platform has a stage.
  fileprivate func listsElsewhere(_ stage: MigrationStage) -> Bool {
    (clauseSchemas + platformSchemas).contains { sight in
      sight.schema.plans.contains { plan in
        plan.stages?.contains { $0.place == stage.place } ?? false
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func missing(_ old: String, _ new: String) -> Self {
    """
    users who update from `\(old)` can't open their data, because no stage leads to `\(new)`; add \
    `.lightweight(fromVersion: \(old).self, toVersion: \(new).self)` or a custom stage
    """
  }

  fileprivate static func notListed(_ stage: MigrationStage) -> Self {
    """
    users who update from `\(stage.fromText)` can't open their data, because this stage never \
    runs; list `\(stage.name)` in `stages`
    """
  }

  fileprivate static func twice(_ stage: MigrationStage) -> Self {
    """
    one of two stages from `\(stage.fromText)` to `\(stage.toText)` never runs; remove one of them
    """
  }

  fileprivate static func leadsNowhere(_ stage: MigrationStage) -> Self {
    """
    the app crashes at launch, because this stage leads from `\(stage.fromText)` to itself; name \
    the version that comes next
    """
  }

  fileprivate static func leadsBack(_ stage: MigrationStage) -> Self {
    """
    this stage never runs, because it leads back from `\(stage.fromText)` to `\(stage.toText)`; \
    swap the two versions
    """
  }

  fileprivate static func skips(_ stage: MigrationStage, _ between: [String]) -> Self {
    """
    users who have \(between.listed()) can't open their data, because this stage skips \
    \(between.count == 1 ? "that version" : "those versions"); let each stage lead to the next \
    version
    """
  }

  fileprivate static func inferredOnly(_ plan: String) -> Self {
    """
    `\(plan)` has no stages, so its versions are not checked yet; with the first stage, every \
    store whose version was edited in place fails with 134504
    """
  }
}
