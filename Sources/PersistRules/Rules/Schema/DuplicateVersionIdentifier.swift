import PersistIndex
import PersistSchema

/// Two versions of a plan with one identifier, or identifiers that don't grow.
struct DuplicateVersionIdentifier: Rule {
  static let id: RuleID = "duplicate-version-identifier"

  func check(_ program: Program, into findings: inout Findings) {
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
            related: [.init(twin.identifierPlace ?? twin.place, "`\(twin.name)` has it too")])
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
  fileprivate static func repeats(_ version: String, _ twin: String, _ identifier: [Int]) -> Self {
    """
    logs and tools can't tell `\(version)` from `\(twin)`, for both are \(identifier.dotted); give \
    each version a number of its own
    """
  }

  fileprivate static func falls(
    _ version: String, _ older: String, _ identifier: [Int], _ before: [Int]
  ) -> Self {
    """
    `\(version)` is \(identifier.dotted) and follows `\(older)`, which is \(before.dotted); let the \
    numbers grow from version to version
    """
  }
}
