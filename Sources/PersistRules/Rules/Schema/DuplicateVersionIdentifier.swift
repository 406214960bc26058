import PersistIndex
import PersistSchema
import PersistVersions

/// Two versions of a plan with the same identifier, or identifiers that don't grow.
struct DuplicateVersionIdentifier: Rule {
  static let id: RuleID = "duplicate-version-identifier"

  func check(_ program: Program, into findings: inout Findings) {
    for migrator in program.migrators {
      var first: [String: RegisteredMigration] = [:]
      for migration in migrator.migrations where !migration.isConditional {
        guard let before = first.updateValue(migration, forKey: migration.id) else { continue }
        first[migration.id] = before
        guard let place = program.calledNode(migration.call),
          let other = program.calledNode(before.call)
        else { continue }
        findings.report(
          .registersTwice(migration.id), at: place, severity: .error,
          related: place == other ? [] : [.init(other, "`\(migration.id)` is registered here")],
          // Code that ships registers it, whatever the function is called.
          in: .everywhere)
      }
    }
    var judged: Set<Int> = []
    for chain in program.schema.chains {
      var before: [SchemaVersion] = []
      for version in chain.versions {
        defer { before.append(version) }
        guard let identifier = version.identifier, judged.insert(version.id).inserted else {
          continue
        }
        let place = version.identifierPlace ?? version.place
        if let twin = before.first(where: { $0.identifier == identifier }) {
          findings.report(
            .repeats(version.name, twin.name, identifier), at: place,
            related: [
              .init(twin.identifierPlace ?? twin.place, "`\(twin.name)` has the same number")
            ])
        } else if let last = before.last, let older = last.identifier,
          identifier.lexicographicallyPrecedes(older)
        {
          findings.report(
            .falls(version.name, last.name, identifier, older), at: place,
            related: [.init(last.identifierPlace ?? last.place, "the version before")])
        }
      }
    }
  }
}

extension [Int] {
  fileprivate var dotted: String { map(String.init).joined(separator: ".") }
}

extension Finding.Message {
  fileprivate static func registersTwice(_ id: String) -> Self {
    """
    the app crashes here at every launch, because `\(id)` is already registered and GRDB takes \
    each name only once; give this migration its own name
    """
  }

  fileprivate static func repeats(_ version: String, _ twin: String, _ identifier: [Int]) -> Self {
    """
    logs and tools can't tell `\(version)` from `\(twin)`, because both have the number \
    \(identifier.dotted); give each version its own number
    """
  }

  fileprivate static func falls(
    _ version: String, _ older: String, _ identifier: [Int], _ before: [Int]
  ) -> Self {
    """
    logs and tools take `\(version)` (\(identifier.dotted)) for older than `\(older)` \
    (\(before.dotted)), but the plan lists it later; give each version a higher number than the \
    one before
    """
  }
}
