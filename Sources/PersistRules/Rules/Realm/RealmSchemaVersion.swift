import PersistIndex
import PersistSchema

/// Stored classes that changed under the same version, or a version that went back: no file opens.
struct RealmSchemaVersion: Rule {
  static let id: RuleID = "realm-schema-version"
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
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

extension Finding.Message {
  fileprivate static func wentBack(_ name: String, from old: UInt64, to new: UInt64) -> Self {
    """
    users who have version \(old) can't open the realm of `\(name)` after the update, because its \
    schema version went back to \(new); put it above \(old)
    """
  }

  fileprivate static func isUnchanged(
    _ name: String, _ version: UInt64, _ changes: [String]
  ) -> Self {
    let shown = changes.prefix(3).joined(separator: ", ")
    let rest = changes.count > 3 ? " and \(changes.count - 3) more changes" : ""
    return """
      no user can open the realm of `\(name)` after the update, because its classes changed under \
      the schema version \(version): \(shown)\(rest); raise the version, and say in the migration \
      block what objects that are there get
      """
  }

  fileprivate static func drops(_ owner: String, _ old: String, _ new: String) -> Self {
    """
    all values of `\(owner).\(old)` are deleted when `\(new)` takes its place; call \
    `migration.renameProperty(onType: "\(owner)", from: "\(old)", to: "\(new)")` in the migration \
    block, or speak of `\(old)` there
    """
  }
}
