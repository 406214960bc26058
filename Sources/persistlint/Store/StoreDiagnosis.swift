import PersistIndex
import PersistReport
import PersistRules
import PersistSchema
import PersistVersions

/// What the sources say of a store.
protocol StoreVerdict {
  /// For people.
  var text: String { get }
  /// For other programs.
  var json: JSON { get }
}

/// Which version of the sources wrote a store, and what becomes of the store in today's app.
struct StoreDiagnosis: StoreVerdict {
  /// One step of a store's way to the newest version.
  struct Step {
    let from: String
    let to: String
    /// The kind of stage; nil where inference alone migrates.
    let stage: String?
    let migration: Migration
  }

  /// What the app of today does with the store.
  enum Outcome {
    /// It is of the newest version.
    case current
    /// It opens, by these steps.
    case opens([Step])
    /// It does not open; the Cocoa error code, where one is known, and why.
    case fails(code: Int?, reason: String, steps: [Step])
    /// The sources don't tell enough.
    case unknown(String)
  }

  /// The versions, the nearest one first.
  let comparisons: [StoreComparison]
  let outcome: Outcome

  /// The versions that wrote the store, as far as the sources tell.
  var exact: [StoreComparison] { comparisons.filter(\.isExact) }

  init(_ store: SchemaShape, identifiers: [String], in program: SchemaProgram) {
    var shapes = program.frozenShapes(includingNewest: true)
    if let shape = shapes.removeValue(forKey: SchemaProgram.unversioned) {
      shapes[StoreComparison.unversioned] = shape
    }
    let named = Set(identifiers)
    comparisons =
      shapes.map { StoreComparison(name: $0.key, store: store, version: $0.value) }
      .map { comparison in
        let text = program.versions.first { $0.key == comparison.name }?.identifier.map {
          $0.map(String.init).joined(separator: ".")
        }
        return (comparison, text.map(named.contains) ?? false)
      }
      .sorted {
        ($0.0.distance, $0.1 ? 0 : 1, $0.0.name) < ($1.0.distance, $1.1 ? 0 : 1, $1.0.name)
      }.map { $0.0 }
    outcome = Self.outcome(comparisons, store, program)
  }

  private static func outcome(
    _ comparisons: [StoreComparison], _ store: SchemaShape, _ program: SchemaProgram
  ) -> Outcome {
    let exact = comparisons.filter(\.isExact).map(\.name)
    guard let nearest = comparisons.first else {
      return .unknown("the sources declare no schema version")
    }
    for plan in program.plans where !plan.isTest && !plan.chain.isEmpty {
      let chain = plan.chain.map { program.versions[$0] }
      guard chain.contains(where: { $0.key == nearest.name }) || exact.isEmpty else { continue }
      return outcome(of: store, nearest: nearest, exact, plan: plan, chain)
    }
    return withoutPlan(nearest, exact, store, program)
  }

  private static func outcome(
    of store: SchemaShape, nearest: StoreComparison, _ exact: [String], plan: MigrationPlan,
    _ chain: [SchemaVersion]
  ) -> Outcome {
    guard let newest = chain.last else { return .unknown("\(plan.name) lists no version") }
    if plan.isStaged != true {
      let comparison = StoreComparison(name: newest.key, store: store, version: newest.shape)
      return inferred(comparison, reason: "\(plan.name) has no stages")
    }
    guard let start = chain.firstIndex(where: { exact.contains($0.key) }) else {
      if let other = exact.first {
        return .fails(
          code: StoreError.unknownModelVersion, reason: "\(other) isn't in \(plan.name)", steps: [])
      }
      return .fails(
        code: StoreError.unknownModelVersion,
        reason: "no version matches because \(nearest.reason)", steps: [])
    }
    if start == chain.count - 1 { return .current }
    var steps: [Step] = []
    for (old, new) in zip(chain[start...], chain[(start + 1)...]) {
      let stage = plan.stages?.first { $0.from == old.id && $0.to == new.id }
      let migration = Migration(from: old.shape, to: new.shape)
      steps.append(
        Step(from: old.key, to: new.key, stage: stage?.kind.rawValue, migration: migration))
      guard let stage else {
        return .fails(
          code: StoreError.unknownModelVersion,
          reason: "no stage leads from \(old.key) to \(new.key)",
          steps: steps)
      }
      let worst = migration.judgements.first { $0.verdict == .cantOpen }
      if stage.kind == .lightweight,
        let bad = worst ?? migration.judgements.first(where: { $0.verdict == .needsCustomStage })
      {
        return .fails(
          code: bad.code, reason: "\(bad.change.subject.name): \(bad.reason)", steps: steps)
      }
    }
    return .opens(steps)
  }

  private static func withoutPlan(
    _ nearest: StoreComparison, _ exact: [String], _ store: SchemaShape, _ program: SchemaProgram
  ) -> Outcome {
    if let model = program.dataModels.first(where: { model in
      model.versions.contains { SchemaProgram.key(of: $0, in: model) == nearest.name }
    }), let current = model.current {
      let key = SchemaProgram.key(of: current, in: model)
      if exact.contains(key) { return .current }
      if exact.isEmpty {
        return .fails(
          code: StoreError.missingSourceModel,
          reason: "no version of \(model.name) matches because \(nearest.reason)", steps: [])
      }
      let comparison = StoreComparison(name: key, store: store, version: current.shape)
      return inferred(comparison, reason: "inferred migration to \(key)")
    }
    if exact.contains(nearest.name) { return .current }
    return inferred(nearest, reason: "no plan leads from an older version")
  }

  /// The way by inference alone, from what the store holds to one version.
  private static func inferred(_ comparison: StoreComparison, reason: String) -> Outcome {
    if comparison.isExact { return .current }
    let migration = Migration(
      from: comparison.store, to: comparison.version, needsDistinctVersions: false)
    let step = Step(from: "the store", to: comparison.name, stage: nil, migration: migration)
    if let bad = migration.judgements.first(where: {
      $0.verdict == .cantOpen || $0.verdict == .needsCustomStage
    }) {
      return .fails(
        code: bad.code, reason: "\(bad.change.subject.name): \(bad.reason) (\(reason))",
        steps: [step])
    }
    return .opens([step])
  }
}

extension StoreComparison {
  /// What the models without versions are called for people.
  fileprivate static let unversioned = "the models without versions"

  /// The version's name in the lock and in commands.
  var key: String { name == Self.unversioned ? SchemaProgram.unversioned : name }

  /// The first differences in words, from the store's side.
  var reason: String {
    let words = differences.prefix(3).map { change -> String in
      let subject = "`\(change.subject.name)`"
      switch change.aspect {
      case .entity, .attribute, .relationship:
        if change.before == nil { return "\(subject) is in \(name) but not in the store" }
        if change.after == nil { return "\(subject) is in the store but not in \(name)" }
        return
          "\(subject) is \(change.before ?? "") in the store and \(change.after ?? "") in \(name)"
      case .optional:
        return change.before == nil
          ? "\(subject) is optional in \(name) and not in the store"
          : "\(subject) is optional in the store and not in \(name)"
      default: return "\(subject) differs in \(change.aspect.rawValue) from \(name)"
      }
    }
    let more = differences.count - words.count
    return words.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }
}
