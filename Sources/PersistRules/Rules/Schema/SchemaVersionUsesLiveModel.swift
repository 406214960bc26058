import PersistIndex
import PersistSchema
import PersistVersions

/// An older version that names today's classes: the next edit changes that version too.
struct SchemaVersionUsesLiveModel: Rule {
  static let id: RuleID = "schema-version-uses-live-model"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Int> = []
    for chain in program.schema.chains {
      guard let newest = chain.versions.last else { continue }
      for (rank, version) in chain.older.enumerated()
      where judged.insert(version.id).inserted {
        let live = version.uses.filter { use in
          !use.isNested && program.schema.isLive(use, in: version, newest: newest)
        }
        guard !live.isEmpty else { continue }
        let isTwice = live.allSatisfy { use in
          program.schema.versions.contains { other in
            other.id != newest.id
              && other.uses.contains { $0.model.id == use.model.id && $0.isNested }
          }
        }
        let names = live.map(\.model.qualifiedName)
        findings.report(
          isTwice
            ? .holdsTwice(names, version.name)
            : chain.severity == .error
              ? .changesWith(names, version.name)
              : .changesUnstaged(names, version.name, chain.plan.name),
          at: version.place,
          severity: chain.severity,
          related: live.prefix(5).map { use in
            let route = use.route.map { "reached by `\($0)`" } ?? "listed in `models`"
            return .init(use.model.place, "\(route) of `\(version.name)`")
          }, cause: CommonCause(chain.plan.name, rank: rank, least: 2))
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func holdsTwice(_ models: [String], _ version: String) -> Self {
    """
    stores of `\(version)` may not open (134504), because the version has an entity twice: \
    \(models.listed()) \(models.count == 1 ? "leads" : "lead") to classes of another version; \
    declare \(models.count == 1 ? "it" : "them") inside `\(version)` too
    """
  }

  fileprivate static func changesWith(_ models: [String], _ version: String) -> Self {
    """
    stores of `\(version)` can't be opened any more (134504) once \(models.listed()) \
    \(models.count == 1 ? "changes" : "change"), because the version uses today's \
    \(models.count == 1 ? "class" : "classes"); declare a copy of what shipped inside `\(version)`
    """
  }

  fileprivate static func changesUnstaged(
    _ models: [String], _ version: String, _ plan: String
  ) -> Self {
    """
    once `\(plan)` gets a stage, stores of `\(version)` can't be opened any more (134504) if \
    \(models.listed()) \(models.count == 1 ? "has" : "have") changed, because the version uses \
    today's \(models.count == 1 ? "class" : "classes"); declare a copy of what shipped inside \
    `\(version)`
    """
  }
}
