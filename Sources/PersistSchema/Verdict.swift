/// What a change does to the stores on the devices; ordered from the mildest.
package enum Verdict: Int, Comparable, Sendable, CaseIterable {
  case harmless, lightweight, needsCustomStage, losesData, cantOpen

  package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }

  /// The verdict in words.
  package var words: String {
    switch self {
    case .harmless: "harmless"
    case .lightweight: "lightweight"
    case .needsCustomStage: "needs a custom stage"
    case .losesData: "loses data"
    case .cantOpen: "can't open"
    }
  }
}

/// How well a verdict is founded; what is `low` may warn but never err.
package enum Sureness: Sendable { case high, medium, low }

/// A change with what it does when a store goes from the older shape to the newer one.
package struct MigrationJudgement: Hashable, Sendable {
  package var change: Change
  /// Nil where the sources don't tell enough to judge.
  package var verdict: Verdict?
  /// The Cocoa error code that a device shows; nil where none is known.
  package var code: Int?
  /// What happens, in a few words.
  package var reason: String
  package var sureness: Sureness

  package init(
    _ change: Change, _ verdict: Verdict?, code: Int? = nil, _ reason: String,
    _ sureness: Sureness = .high
  ) {
    self.change = change
    self.verdict = verdict
    self.code = code
    self.reason = reason
    self.sureness = sureness
  }
}

/// The Cocoa error codes that a failed opening shows.
package enum StoreError {
  /// The store's model matches no version, or the container's version is not in the plan.
  package static let unknownModelVersion = 134504
  /// Values are missing for a mandatory destination attribute.
  package static let migrationFailed = 134110
  /// No mapping can be inferred between the two models.
  package static let inferenceFailed = 134190
  /// Core Data finds no model that the store was written with.
  package static let missingSourceModel = 134130
}

/// The way from one version to the next, change by change.
package struct Migration: Sendable {
  package let old: SchemaShape
  package let new: SchemaShape
  package let judgements: [MigrationJudgement]
  /// Whether versions are told apart by their checksums, as SwiftData's plans do.
  package let needsDistinctVersions: Bool

  package init(
    from old: SchemaShape, to new: SchemaShape, needsDistinctVersions: Bool = true
  ) {
    self.old = old
    self.new = new
    self.needsDistinctVersions = needsDistinctVersions
    let judge = MigrationJudge(old: old, new: new)
    judgements = old.changes(to: new).map(judge.judge)
  }

  /// The worst verdict; nil when something is unresolved and nothing worse is certain.
  package var verdict: Verdict? {
    if isTwin && needsDistinctVersions { return .cantOpen }
    let worst = judgements.compactMap(\.verdict).max() ?? .harmless
    if worst >= .needsCustomStage { return worst }
    let isOpen = judgements.contains { $0.verdict == nil }
    return isOpen || !old.listIsComplete || !new.listIsComplete ? nil : worst
  }

  /// Whether both versions have one checksum, at which an app with a plan crashes at launch.
  package var isTwin: Bool {
    old.canBeTwin(of: new) && !judgements.contains { $0.change.weight != .soft }
  }

  /// Whether a property is new and unique, so that two old rows are enough for the store not to open.
  package func failsOnUnique(_ subject: Subject) -> Bool {
    judgements.contains { judgement in
      judgement.verdict == .cantOpen && judgement.change.aspect == .unique
        && judgement.change.subject.entity == subject.entity
        && (judgement.change.after ?? "").split(separator: ",").contains { $0 == subject.property }
    }
  }
}
