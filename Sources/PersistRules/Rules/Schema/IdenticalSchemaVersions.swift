import PersistIndex
import PersistSchema

/// Two versions of a plan with one checksum: the app crashes at launch, and no `catch` catches it.
struct IdenticalSchemaVersions: Rule {
  static let id: RuleID = "identical-schema-versions"

  func check(_ program: Program, into findings: inout Findings) {
    for chain in program.platformSchemas.flatMap(\.chains) {
      for run in runs(in: chain.versions) {
        guard let newest = run.last, run.count > 1 else { continue }
        let others = run.dropLast()
        let isLive = newest.uses.contains { use in
          !use.isNested && others.allSatisfy { $0.uses.contains { $0.model.id == use.model.id } }
        }
        findings.report(
          .crashes(newest.name, twins: others.map(\.name), isLive: isLive), at: newest.place,
          severity: chain.severity,
          related: others.map { .init($0.place, "`\($0.name)` stores the same") })
      }
    }
  }

  /// The versions grouped by equal shapes, each group in the order of the chain.
  private func runs(in versions: [SchemaVersion]) -> [[SchemaVersion]] {
    var runs: [[SchemaVersion]] = []
    for version in versions {
      if let index = runs.firstIndex(where: { $0[0].shape.isTwin(of: version.shape) }) {
        runs[index].append(version)
      } else {
        runs.append([version])
      }
    }
    return runs
  }
}

extension Finding.Message {
  fileprivate static func crashes(_ name: String, twins: [String], isLive: Bool) -> Self {
    let equal =
      "`\(name)` stores exactly what \(twins.listed()) \(twins.count == 1 ? "does" : "do")"
    let cause =
      isLive
      ? "; they name the same classes: give each version its own nested copy of them"
      : "; a version needs a stored change of its own: take it out of the plan"
    return "the app crashes at launch (Duplicate version checksums detected), for \(equal)\(cause)"
  }
}
