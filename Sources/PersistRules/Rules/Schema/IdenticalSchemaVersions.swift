import PersistIndex
import PersistSchema
import PersistVersions

/// Two versions of a plan with the same checksum: the app crashes at launch, and nothing catches
/// it.
struct IdenticalSchemaVersions: Rule {
  static let id: RuleID = "identical-schema-versions"

  func check(_ program: Program, into findings: inout Findings) {
    let sights = program.platformSchemas
    var twins: [Twins] = []
    for sight in sights {
      for chain in sight.schema.chains where program.mayPass(chain.plan, on: sight) {
        for run in runs(in: chain.versions) {
          guard let newest = run.last, run.count > 1 else { continue }
          let found = Twins(newest: newest, others: Array(run.dropLast()), severity: chain.severity)
          if let known = twins.firstIndex(where: { $0.isSame(as: found) }) {
            twins[known].platforms.append(sight.platform)
          } else {
            twins.append(found)
            twins[twins.count - 1].platforms = [sight.platform]
          }
        }
      }
    }
    for found in twins {
      let isEverywhere = found.platforms.count == sights.count
      findings.report(
        .crashes(
          found.newest.name, twins: found.others.map(\.name), isLive: found.isLive,
          platforms: isEverywhere ? [] : found.platforms, isStaged: found.severity == .error),
        at: found.newest.place, severity: found.severity,
        related: found.others.map { .init($0.place, "`\($0.name)` stores the same") })
    }
  }

  /// Versions of one shape, and the platforms on which they are so.
  private struct Twins {
    let newest: SchemaVersion
    let others: [SchemaVersion]
    let severity: Severity
    var platforms: [String] = []

    /// Whether all of them name the same classes.
    var isLive: Bool {
      newest.uses.contains { use in
        !use.isNested && others.allSatisfy { $0.uses.contains { $0.model.id == use.model.id } }
      }
    }

    func isSame(as other: Twins) -> Bool {
      newest.place == other.newest.place && others.map(\.place) == other.others.map(\.place)
    }
  }

  /// The versions grouped by equal shapes, each group in the order of the chain.
  private func runs(in versions: [SchemaVersion]) -> [[SchemaVersion]] {
    var runs: [[SchemaVersion]] = []
    var runsByNames: [[String: Set<String>]?: [Int]] = [:]
    for version in versions {
      let names = version.shape.names
      // Only versions with one set of names can be twins.
      let candidates =
        names.map { (runsByNames[$0] ?? []) + (runsByNames[nil] ?? []) } ?? Array(runs.indices)
      let twin = candidates.sorted().first { runs[$0][0].shape.isTwin(of: version.shape) }
      if let twin {
        runs[twin].append(version)
      } else {
        runsByNames[names, default: []].append(runs.count)
        runs.append([version])
      }
    }
    return runs
  }
}

extension Finding.Message {
  fileprivate static func crashes(
    _ name: String, twins: [String], isLive: Bool, platforms: [String], isStaged: Bool
  ) -> Self {
    let equal =
      "`\(name)` stores exactly what \(twins.listed()) \(twins.count == 1 ? "does" : "do")"
    let cause =
      isLive
      ? "; \(twins.count == 1 ? "both" : "all") name the same classes: give each version its own nested copies"
      : "; a version needs a stored change: remove it from the plan"
    let moment = isStaged ? "" : " once the plan has a stage"
    let place = platforms.isEmpty ? "" : "on \(platforms.joined(separator: " and ")) "
    return """
      \(place)the app crashes at launch\(moment) (Duplicate version checksums detected), because \
      \(equal)\(cause)
      """
  }
}
