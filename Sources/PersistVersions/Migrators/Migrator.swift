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
  /// Whether it hangs on a condition.
  package let isConditional: Bool
  /// What it does, statement by statement: constants resolved, project functions put in, locals
  /// numbered, comments and formatting left out.
  package let statements: [String]
  /// The calls that it makes, those of the project functions put in with them, in their order.
  package let steps: [MigrationStep]

  /// A sum of what it does.
  package let fingerprint: String
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
  /// An argument: its label, and its text in the form that `MigrationText` has.
  package struct Argument: Hashable, Sendable {
    package let label: String
    package let value: MigrationText
    package let place: Ref
  }

  package let call: Ref
  /// The name that is called.
  package let name: String
  /// What it is called on, as text; empty for a free function.
  package let receiver: String
  package let arguments: [Argument]
  /// The calls of project functions that lead here from the migration's own code.
  package let path: [Ref]
  /// The step whose closure this one stands in.
  package let outer: Int?

  /// What is called and with what, the numbers of locals left out.
  package var signature: String {
    let values = arguments.map { $0.label + ":" + $0.value.description.withoutNumbersOfLocals }
    return receiver.withoutNumbersOfLocals + "." + name + values.description
  }

  /// The text of the argument with a label, where it is known.
  package func literal(_ label: String) -> String? {
    arguments.first { $0.label == label }?.value.literal
  }
}

/// What an expression of a migration says: an exact text where it is one, else its form.
package struct MigrationText: Hashable, Sendable, CustomStringConvertible {
  static let open = "\u{E000}"
  static let close = "\u{E001}"
  /// Begins a part of a string that isn't known.
  package static let hole = "\u{E002}"
  static let holeEnd = "\u{E003}"

  package let description: String

  init(_ description: String) { self.description = description }

  /// The first string in an expression's text, as in `#sql("…")`.
  package static func firstTemplate(in text: String) -> String? {
    guard let start = text.firstIndex(of: Character(open)),
      let end = text.lastIndex(of: Character(close)),
      start < end
    else { return nil }
    return MigrationText(String(text[start...end])).template
  }

  init(literal text: String) { description = Self.open + text + Self.close }

  /// The strings that are known whole, as in `["v1", "v2"]`.
  package var literals: [String] {
    description.split(separator: Self.open).dropFirst().compactMap { part in
      part.firstIndex(of: Character(Self.close)).map { String(part[..<$0]) }
    }.filter { !$0.contains(Self.hole) }
  }

  /// The text of a string that is known whole.
  package var literal: String? {
    guard let text = template, !text.contains(Self.hole) else { return nil }
    return text
  }

  /// The text of a string, `\u{E002}…\u{E003}` for what isn't known of it.
  package var template: String? {
    guard description.hasPrefix(Self.open), description.hasSuffix(Self.close) else { return nil }
    let text = description.dropFirst().dropLast()
    var depth = 0
    for character in text {
      switch String(character) {
      case Self.hole: depth += 1
      case Self.holeEnd: depth -= 1
      case Self.open, Self.close: if depth == 0 { return nil }
      default: break
      }
    }
    return String(text)
  }
}

extension String {
  /// The text with `%` for `%1`, `%2` and so on.
  fileprivate var withoutNumbersOfLocals: String {
    var text = ""
    var isNumber = false
    for character in self {
      if isNumber, character.isASCII, character.isNumber { continue }
      isNumber = character == "%"
      text.append(character)
    }
    return text
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
    frozen.isConditional = isConditional
    frozen.fails = fails
    frozen.definitions = liveTables.isEmpty ? nil : definitions
    frozen.liveTables = liveTables
    return frozen
  }

  /// Whether it can't but fail: it throws, or asks SQLite for what that never does.
  package var fails: Bool {
    statements.contains { $0.hasPrefix("throw ") || $0.hasPrefix("fatalError(") }
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
