import PersistFlow
import PersistIndex

/// A position in a relationship of SwiftData says nothing: another object is there at each launch.
struct UnorderedRelationshipReadByPosition: Rule {
  static let id: RuleID = "unordered-relationship-read-by-position"
  static let analysis = Analysis.lists

  func check(_ program: Program, into findings: inout Findings) {
    // One list that a file reads at several places is one cause.
    let causes = Dictionary(grouping: program.unorderedReads) {
      Cause(file: $0.place.file, property: $0.property, deletes: $0.deletion != nil)
    }
    for (cause, found) in causes.sorted(by: { $0.value[0].place < $1.value[0].place }) {
      // What something runs says how grave it is.
      let isDead = Dictionary(grouping: found) { program.isUnused($0.place) }
      let reads = (isDead[false] ?? []) + (isDead[true] ?? [])
      let property = program.properties[cause.property]
      let owner = property.owner.map { "\(program.nameText(program.types[$0].ref))." } ?? ""
      let name = owner + program.nameText(property.ref)
      var related: [Findings.Related] = []
      if let deletion = reads[0].deletion {
        related.append(.init(program.calledNode(deletion) ?? deletion, "deleted here"))
      }
      related += reads.dropFirst().map { .init($0.place, "another place") }
      related.append(.init(property.ref, "the relationship"))
      findings.report(
        cause.deletes ? .deletesAny(name) : .takesAny(name), at: reads[0].place,
        severity: cause.deletes ? .error : .warning, related: related,
        cause: CommonCause(
          program.causeID(of: property.ref) + (cause.deletes ? " deleted" : ""), least: 2))
    }
  }

  private struct Cause: Hashable {
    let file: Int32
    let property: PropertyID
    let deletes: Bool
  }
}

extension Finding.Message {
  fileprivate static func takesAny(_ relationship: String) -> Self {
    "users can get another object here at each launch, because SwiftData keeps no order in `\(relationship)`; sort by a property of its objects first"
  }

  fileprivate static func deletesAny(_ relationship: String) -> Self {
    "the app can delete another object than the one that is meant, because SwiftData keeps no order in `\(relationship)`; sort by a property of its objects first"
  }
}
