import PersistIndex
import PersistSchema

/// A class becomes embedded and objects may have no parent or two: the migration fails.
struct RealmEmbeddedWithoutMigration: Rule {
  static let id: RuleID = "realm-embedded-without-migration"
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<String> = []
    for step in program.realmSteps {
      for stored in step.now.classes where stored.isEmbedded {
        guard step.shipped.storedClass(stored.name)?.isEmbedded == false,
          !(step.now.migration.map { program.migrates(stored.name, in: $0) } ?? false),
          seen.insert(stored.name).inserted
        else { continue }
        findings.report(
          .fails(stored.name), at: SchemaPlace(nameOf: stored.place, in: program),
          related: [.init(SchemaPlace(node: step.now.call, in: program), "the realm that migrates")]
        )
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func fails(_ name: String) -> Self {
    """
    users who have \(name.withArticle) without a parent, or with two, can't open their data after \
    the update, because the class is embedded now; delete or copy such objects in the migration \
    block with `enumerateObjects(ofType: "\(name)")`
    """
  }
}
