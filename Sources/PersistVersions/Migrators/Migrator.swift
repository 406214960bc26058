import PersistIndex
import PersistSchema

/// A `DatabaseMigrator` of GRDB with what is registered with it.
package struct Migrator: Hashable, Sendable {
  /// The names of the types, functions and properties around it: `Store.migrator`.
  package internal(set) var name: String
  /// Where it is made: the call `DatabaseMigrator()`, else the variable or parameter.
  package let place: Ref
  /// In the order of registration.
  package internal(set) var migrations: [RegisteredMigration]
  /// Whether all ids and all registrations are known.
  package internal(set) var isComplete: Bool

  /// The ids in the order of registration, each once.
  package var ids: [String] {
    var seen: Set<String> = []
    return migrations.map(\.id).filter { seen.insert($0).inserted }
  }
}

/// A migration that is registered with a migrator.
package struct RegisteredMigration: Hashable, Sendable {
  package let id: String
  /// The call `registerMigration`.
  package let call: Ref
  /// The calls from the migrator's own code to the registration; empty where it stands there.
  package let path: [Ref]
  /// The call that says its id: where a function of the project registers what it is given, that of
  /// the function.
  package let naming: Ref
  /// Whether it hangs on a condition.
  package let isConditional: Bool
  /// What it does, statement by statement: constants resolved, project functions put in, locals
  /// numbered, comments and formatting left out.
  package let statements: [Form]
  /// The calls that it makes, those of the project functions put in with them, in their order.
  package let steps: [MigrationStep]

  /// A sum of what it does, as far as all lock files tell that.
  package let fingerprint: String
  /// A sum of all that it does, where that is more.
  package let fullFingerprint: String?
  /// The ids of the older migrations that it takes the place of.
  package var merged: [String] = []
  /// A sum of the tables, columns and indexes that it makes or changes.
  package internal(set) var definitions = ""
  /// The functions whose code belongs to it by a list of types.
  package internal(set) var functions: [FunctionID] = []
  /// The tables of the record types that it works with and that other code uses too, sorted.
  package internal(set) var liveTables: [String] = []

  /// The names, in lower case, that it speaks of where it does more than make or change tables,
  /// columns and indexes.
  package var namesOfRows: Set<String> {
    statements.reduce(into: []) { names, statement in
      let work = SchemaWork(statement)
      if !work.isDefinition { names.formUnion(work.names) }
    }
  }
}

/// A call in the code of a migration, with its arguments as they are where it runs.
package struct MigrationStep: Hashable, Sendable {
  /// An argument: its label, and what it says.
  package struct Argument: Hashable, Sendable {
    package let label: String
    package let value: Form
    package let place: Ref
  }

  package let call: Ref
  /// The name that is called.
  package let name: String
  /// What it is called on; `Form.nothing` for a free function.
  package let receiver: Form
  package let arguments: [Argument]
  /// The calls of project functions that lead here from the migration's own code.
  package let path: [Ref]
  /// The step whose closure this one stands in.
  package let outer: Int?

  /// What is called and with what, the numbers of locals left out.
  package var signature: String {
    receiver.signature + "." + name
      + arguments.map { $0.label + ":" + $0.value.signature }.description
  }

  /// The text of the argument with a label, where it is known.
  package func literal(_ label: String) -> String? {
    arguments.first { $0.label == label }?.value.literal
  }
}

extension Migrator {
  /// What the lock file keeps of it.
  package var frozen: FrozenMigrator {
    var frozen = FrozenMigrator(name: name, migrations: migrations.map(\.frozen))
    frozen.isComplete = isComplete
    return frozen
  }
}

extension RegisteredMigration {
  fileprivate var frozen: FrozenMigrator.Migration {
    var frozen = FrozenMigrator.Migration(id: id, fingerprint: fingerprint)
    frozen.fullFingerprint = fullFingerprint
    frozen.isConditional = isConditional
    frozen.fails = fails
    frozen.definitions = liveTables.isEmpty ? nil : definitions
    frozen.liveTables = liveTables
    return frozen
  }

  /// Whether it does what one did that has shipped.
  package func isSame(as shipped: FrozenMigrator.Migration) -> Bool { shipped.isSame(as: frozen) }

  /// Whether it can't but fail: it throws, or asks SQLite for what that never does.
  package var fails: Bool {
    statements.contains { statement in
      if case .row(let parts) = statement { return parts.first == .words("throw") }
      return statement.called?.name == "fatalError"
    }
  }
}

extension Program {
  /// All migrators of GRDB outside of silent places, sorted by place.
  package var migrators: [Migrator] { answer(AllMigrators()) }
}

/// The migrators of a program.
private struct AllMigrators: Query {
  static var provisional: [Migrator] { [] }
  func answer(in program: Program) -> [Migrator] { program.findMigrators() }
}
