import PersistFlow
import PersistIndex

/// A store that is also opened with fewer models: the migration drops the other tables.
struct StoreOpenedWithFewerModels: Rule {
  static let id: RuleID = "store-opened-with-fewer-models"

  func check(_ program: Program, into findings: inout Findings) {
    for opening in program.partialRealms {
      findings.report(
        .leavesBehind(opening.missing), at: opening.places[0],
        related: opening.places.dropFirst().prefix(12).map { .init($0, Finding.alsoHere) }
          + [.init(opening.whole, "the same file is opened with all classes here")])
    }
    let containers = program.openedContainers.compactMap { $0 }
    guard containers.count > 1 else { return }
    for smaller in containers where !smaller.listed.isEmpty && !smaller.use.isPassing {
      guard let store = onlyStore(of: smaller), let place = smaller.use.schemaPlace else {
        continue
      }
      let larger = containers.filter { other in
        guard let otherStore = onlyStore(of: other), isFirst(other, smaller) else {
          return false
        }
        return !smaller.models.isDisjoint(with: other.models) && store == otherStore
          && mayMeet(smaller, other, store, program)
      }
      guard let other = larger.max(by: { isFirst($1, $0) }) else { continue }
      let missing = other.models.subtracting(smaller.models).sorted()
      let isWhole = smaller.models.isSubset(of: other.models)
      findings.report(
        isWhole ? .dropsTables(missing) : .dropsEachOther(missing),
        at: program.firstListed(place) ?? place,
        related: [
          .init(
            other.use.place,
            "the same store is opened with \(isWhole ? "all" : "other") models here")
        ])
    }
  }

  /// Whether one of two openings lists more models, or as many and more than the other one in the
  /// order of their names.
  private func isFirst(_ one: OpenedContainer, _ other: OpenedContainer) -> Bool {
    if one.models.count != other.models.count { return one.models.count > other.models.count }
    return one.models.sorted().lexicographicallyPrecedes(other.models.sorted())
  }

  private func onlyStore(of container: OpenedContainer) -> KnownText? {
    container.stores.flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// Whether two openings of SwiftData's own file can mean one: in a target, or with an app group.
  private func mayMeet(
    _ one: OpenedContainer, _ other: OpenedContainer, _ store: KnownText, _ program: Program
  ) -> Bool {
    guard store.isInOwnFolder else { return true }
    if program.projects.namesAppGroup { return true }
    return program.files[Int(one.use.call.file)].module
      == program.files[Int(other.use.call.file)].module
  }
}

extension Finding.Message {
  fileprivate static func leavesBehind(_ missing: [String]) -> Self {
    let names = missing.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    return """
      after an update that changes \(names)\(missing.count > 3 ? " or others" : ""), the app can't \
      open its realm if this runs first, because this raises the file's schema version without \
      migrating those classes; open the file with all its classes here too
      """
  }

  fileprivate static func dropsTables(_ missing: [String]) -> Self {
    let names = missing.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    return """
      everything in \(names)\(missing.count > 3 ? " and others" : "") can be lost, because this \
      opens the same store with fewer models and the migration then drops the other tables or \
      fails; list the same models wherever the store is opened
      """
  }

  fileprivate static func dropsEachOther(_ missing: [String]) -> Self {
    let names = missing.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    return """
      everything in \(names)\(missing.count > 3 ? " and others" : "") can be lost, because this \
      opens the same store with other models and each migration then drops the other's tables or \
      fails; list the same models wherever the store is opened
      """
  }
}
