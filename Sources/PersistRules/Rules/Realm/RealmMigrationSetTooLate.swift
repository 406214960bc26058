import PersistFlow
import PersistIndex

/// A realm is opened before the code that says how to migrate it: the app ends at the first launch
/// after an update.
struct RealmMigrationSetTooLate: Rule {
  static let id: RuleID = "realm-migration-set-too-late"

  func check(_ program: Program, into findings: inout Findings) {
    for early in program.earlyRealms {
      let way = early.steps.map { step in
        Findings.Related(program.calledNode(step) ?? step, "leads there")
      }
      findings.report(
        .opensTooEarly, at: program.calledNode(early.opening) ?? early.opening,
        related: [.init(early.setting, "the configuration is set here, later")] + way.reversed())
    }
    for statement in program.lostRealmMigrations {
      findings.report(.mayDoNothing, at: statement)
    }
  }
}

extension Finding.Message {
  fileprivate static var mayDoNothing: Self {
    """
    if `self` is gone when the realm is opened, this block migrates nothing and the file still \
    counts as migrated, so that old values are lost; capture what the migration needs strongly
    """
  }

  fileprivate static var opensTooEarly: Self {
    "users who update can't open their data, because this realm is opened before `Realm.Configuration.defaultConfiguration` gets its schema version and migration; set the configuration before anything opens a realm"
  }
}
