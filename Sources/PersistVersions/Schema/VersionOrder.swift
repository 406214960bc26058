import PersistIndex

/// Which versions are the newest ones, and which one a key means.
struct VersionOrder: Sendable {
  /// The newest versions of the plans, and the last ones of those in no plan.
  private(set) var newest: Set<Int> = []
  /// The versions by their keys; of two that have one, that which a plan lists.
  private(set) var byKey: [String: Int] = [:]

  init() {}

  init(_ versions: [SchemaVersion], _ plans: [MigrationPlan]) {
    let shipped = plans.filter { !$0.isTest }
    let chained = Set(shipped.flatMap(\.chain))
    for version in versions where !version.isTest {
      guard let known = byKey[version.key] else {
        byKey[version.key] = version.id
        continue
      }
      if !chained.contains(known), chained.contains(version.id) { byKey[version.key] = version.id }
    }
    newest = Set(shipped.compactMap(\.chain.last))
    if shipped.contains(where: { $0.schemas == nil }) {
      newest.formUnion(versions.map(\.id).filter { !chained.contains($0) })
    } else {
      newest.formUnion(Self.newestInNoPlan(versions, planned: Set(plans.flatMap(\.chain))))
    }
  }

  /// The version with the highest number in each target, unless a plan lists a newer one of the same
  /// models.
  private static func newestInNoPlan(_ versions: [SchemaVersion], planned: Set<Int>) -> [Int] {
    var highest: [String: [Int]] = [:]
    for version in versions where !version.isTest && planned.contains(version.id) {
      guard let number = version.identifier else { continue }
      for use in version.uses {
        let known = highest[use.model.name]
        if known.map({ $0.lexicographicallyPrecedes(number) }) ?? true {
          highest[use.model.name] = number
        }
      }
    }
    let loose = versions.filter { !$0.isTest && !planned.contains($0.id) }
    let targets = Dictionary(grouping: loose) { SchemaProgram.target(of: $0.place.path) }
    return targets.values.compactMap { group in
      group.max { left, right in
        (left.identifier ?? []).lexicographicallyPrecedes(right.identifier ?? [])
      }
    }.filter { version in
      guard let number = version.identifier else { return true }
      return !version.uses.contains { use in
        highest[use.model.name].map { number.lexicographicallyPrecedes($0) } ?? false
      }
    }.map(\.id)
  }
}
