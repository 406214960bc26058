import PersistIndex
import PersistSchema

/// An older version stores a Codable type of today: editing that type edits the version.
struct SharedCodableInFrozenSchema: Rule {
  static let id: RuleID = "shared-codable-in-frozen-schema"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Int> = []
    for chain in program.schema.chains {
      for version in chain.older where judged.insert(version.id).inserted {
        for shared in version.sharedValues {
          findings.report(
            .changesWith(shared.name, version.name, isDirect: shared.isDirect), at: shared.place,
            severity: shared.isDirect ? .warning : .note,
            related: [.init(shared.declaration, "`\(shared.name)` stands outside of the version")])
        }
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func changesWith(
    _ type: String, _ version: String, isDirect: Bool
  ) -> Self {
    isDirect
      ? """
      stores of `\(version)` can't be opened any more (134504) once a stored member of `\(type)` \
      changes; declare a copy of it inside `\(version)`
      """
      : """
      values that were stored with `\(version)` may not decode once `\(type)` changes; declare a \
      copy of it inside `\(version)`
      """
  }
}
