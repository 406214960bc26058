import PersistIndex
import PersistSchema
import PersistVersions

/// An original name that the previous version doesn't have: nothing is carried over.
struct UnknownOriginalName: Rule {
  static let id: RuleID = "unknown-original-name"

  func check(_ program: Program, into findings: inout Findings) {
    for step in program.schema.steps {
      let (old, new) = (step.migration.old, step.migration.new)
      for entity in new.entities {
        guard let before = old.entity(entity.key), old.isComplete(entity.key),
          new.isComplete(entity.key)
        else { continue }
        var claims: [String: String] = [:]
        for property in entity.properties {
          guard let original = property.originalName, before.property(property.name) == nil else {
            continue
          }
          let subject = Subject(entity.key, property.name)
          let isCarried = before.properties.contains { $0.originalName == original }
          if before.property(original) == nil, !isCarried {
            findings.report(
              .unknown(original, of: entity.name, step.old.name), at: step.place(of: subject))
          } else if let other = claims.updateValue(property.name, forKey: original) {
            findings.report(
              .claimedTwice(original, other, property.name), at: step.place(of: subject),
              related: step.new.place(of: Subject(entity.key, other)).map {
                [.init($0, "claims `\(original)` too")]
              } ?? [])
          }
        }
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func unknown(_ name: String, of entity: String, _ version: String) -> Self {
    """
    no value is carried over, because `\(entity)` in `\(version)` has no `\(name)`; use the name \
    from that version
    """
  }

  fileprivate static func claimedTwice(_ name: String, _ first: String, _ second: String) -> Self {
    "only one of `\(first)` and `\(second)` can get the values of `\(name)`; decide which"
  }
}
