import PersistIndex
import PersistSchema

/// An older version names classes that are still edited, so that its shipped stores match nothing.
struct SchemaVersionUsesLiveModel: Rule {
  static let id: RuleID = "schema-version-uses-live-model"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Int> = []
    for chain in program.schema.chains {
      guard let newest = chain.versions.last else { continue }
      for version in chain.older where judged.insert(version.id).inserted {
        let live = version.uses.filter { use in
          !use.isNested && isLive(use, in: version, newest: newest, program.schema)
        }
        guard !live.isEmpty else { continue }
        findings.report(
          .changesWith(live.map(\.model.qualifiedName), version.name), at: version.place,
          severity: chain.severity,
          related: live.prefix(5).map { use in
            let route = use.route.map { "reached by `\($0)`" } ?? "listed in `models`"
            return .init(use.model.place, "\(route) of `\(version.name)`")
          })
      }
    }
  }

  /// Whether a class from outside of a version changes, or has changed, under it.
  private func isLive(
    _ use: ModelUse, in version: SchemaVersion, newest: SchemaVersion, _ schema: SchemaProgram
  ) -> Bool {
    let owner = schema.versions.first { other in
      other.uses.contains { $0.model.id == use.model.id && $0.isNested }
    }
    guard let owner, owner.id != newest.id else { return true }
    // Shared with another frozen version on purpose, unless it leads to another class of an
    // entity that this version has already.
    return version.leadsToTwin(from: use)
  }
}

extension SchemaVersion {
  /// Whether the class, or one that it reaches, is a second class of an entity of this version.
  fileprivate func leadsToTwin(from use: ModelUse) -> Bool {
    let twins = Set(
      Dictionary(grouping: uses, by: \.model.name).filter { $0.value.count > 1 }.keys)
    if twins.isEmpty { return false }
    var seen: Set<String> = [use.key]
    var queue = [use.key]
    while let key = queue.popLast() {
      if let name = self.use(key)?.model.name, twins.contains(name) { return true }
      for property in shape.entity(key)?.properties ?? [] {
        guard let destination = property.relationship?.destination,
          seen.insert(destination).inserted
        else { continue }
        queue.append(destination)
      }
    }
    return false
  }
}

extension Finding.Message {
  fileprivate static func changesWith(_ models: [String], _ version: String) -> Self {
    """
    stores of `\(version)` can't be opened any more (134504) once \(models.listed()) \
    \(models.count == 1 ? "changes" : "change"), for the version means the class of today; declare \
    a copy of what shipped inside `\(version)`
    """
  }
}
