import PersistFlow
import PersistIndex
import PersistSchema

/// Stored classes that changed under the same version, or a version that went back: no file opens.
struct RealmSchemaVersion: Rule {
  static let id: RuleID = "realm-schema-version"
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
    for pair in program.outdatedRealms {
      guard let version = pair.lower.version, let newer = pair.higher.version else { continue }
      findings.report(
        .isBehind(version, newer), at: pair.lower.versionPlace,
        related: [.init(pair.higher.versionPlace, "the same file is opened with version \(newer)")])
    }
    for place in program.underflowsOfOldVersions {
      findings.report(.underflows(program.text(place)), at: place)
    }
    for step in program.realmSteps {
      guard let version = step.now.version else { continue }
      if version < step.shipped.version {
        findings.report(
          .wentBack(step.now.name, from: step.shipped.version, to: version),
          at: step.now.versionPlace,
          related: [.init(step.now.call, "the realm that can't be opened")])
        continue
      }
      let changes = step.changes
      if version == step.shipped.version {
        guard !changes.isEmpty else { continue }
        findings.report(
          .isUnchanged(step.now.name, version, changes.map(\.text)), at: step.now.versionPlace,
          related: changes.prefix(6).map { .init($0.place, $0.text) })
      } else {
        for rename in step.unsaidRenames(in: program) {
          findings.report(
            .drops(rename.owner, rename.old, rename.new.name), at: rename.new.place,
            severity: .warning,
            related: [.init(step.now.versionPlace, "the version in which it is renamed")])
        }
      }
    }
  }
}

extension Program {
  /// The version that a file has, in the migration blocks of realms, where something is subtracted
  /// from it unasked; in source order.
  fileprivate var underflowsOfOldVersions: [Ref] {
    let fates = fates(of: .oldVersions)
    return fates.filter { fate in
      // A question before it may keep what is too small away.
      fate.deed == .computes("-", isFirst: true)
        && !fates.contains {
          $0.origin == fate.origin && $0.isComparison && $0.place < fate.place
        }
    }.map(\.place)
  }
}

extension Fate {
  fileprivate var isComparison: Bool {
    guard case .computes(let sign, _) = deed else { return false }
    return ["<", ">", ">=", "<=", "=="].contains(sign)
  }
}

extension Finding.Message {
  fileprivate static func isBehind(_ version: UInt64, _ newer: UInt64) -> Self {
    """
    the file can't be opened here once other code has opened it with version \(newer), because a \
    realm refuses the older version \(version); keep the version of the file in one constant
    """
  }

  fileprivate static func underflows(_ name: String) -> Self {
    """
    the app crashes here at every launch for users whose file has a lower version than the number \
    that is subtracted, because `\(name)` is unsigned; compare with the full version number \
    instead
    """
  }

  fileprivate static func wentBack(_ name: String, from old: UInt64, to new: UInt64) -> Self {
    """
    users who have version \(old) can't open the realm of `\(name)` after the update, because its \
    schema version went back to \(new); raise the version above \(old)
    """
  }

  fileprivate static func isUnchanged(
    _ name: String, _ version: UInt64, _ changes: [String]
  ) -> Self {
    let shown = changes.prefix(3).joined(separator: ", ")
    let rest = changes.count > 3 ? " and \(changes.count - 3) more changes" : ""
    return """
      no user can open the realm of `\(name)` after the update, because its classes changed but \
      the schema version is still \(version): \(shown)\(rest); raise the version, and give \
      existing objects their new values in the migration block
      """
  }

  fileprivate static func drops(_ owner: String, _ old: String, _ new: String) -> Self {
    """
    all values of `\(owner).\(old)` are deleted when `\(new)` replaces it; call \
    `migration.renameProperty(onType: "\(owner)", from: "\(old)", to: "\(new)")` in the migration \
    block, or read `\(old)` there
    """
  }
}
