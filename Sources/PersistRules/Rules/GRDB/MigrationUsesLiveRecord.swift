import PersistFlow
import PersistIndex
import PersistVersions

/// A migration that uses today's record type: the table doesn't have its columns yet.
struct MigrationUsesLiveRecord: Rule {
  static let id: RuleID = "migration-uses-live-record"

  func check(_ program: Program, into findings: inout Findings) {
    let migrators = program.migrators
    guard !migrators.isEmpty else { return }
    let code = program.migrationCode(migrators)
    var live: [TypeID: Bool] = [:]
    var places: Set<Ref> = []
    let stored = program.storedEnums
    for migrator in migrators where !program.isMigratedInMemory(migrator) {
      for (index, migration) in migrator.migrations.enumerated() {
        var seen: Set<TypeID> = []
        for step in migration.steps {
          guard let (type, place) = program.storedEnum(in: step, stored),
            !seen.contains(type), program.isUsed(type, outside: code)
          else { continue }
          seen.insert(type)
          guard places.insert(place).inserted else { continue }
          let declaration = program.types[type].ref
          findings.report(
            .writesLiveValue(program.nameText(declaration), migration.id), at: place,
            severity: .warning,
            related: [.init(declaration, "`\(program.nameText(declaration))` as it is today")],
            cause: CommonCause(program.causeID(of: migrator.place), rank: index, least: 3))
        }
        for step in migration.steps {
          guard let type = program.record(of: step), !seen.contains(type) else { continue }
          let isLive = live[type] ?? program.isUsed(type, outside: code)
          live[type] = isLive
          guard isLive, let place = program.calledNode(step.call) else { continue }
          seen.insert(type)
          guard places.insert(place).inserted else { continue }
          let others = migration.steps.filter {
            $0.call != step.call && (program.record(of: $0) == type || program.makes(type, $0))
          }
          .compactMap { program.calledNode($0.call) }
          let table = program.recordTable(of: type)?.lowercased()
          let change = table.flatMap { table in
            migrator.migrations[(index + 1)...].first { $0.changesColumns(of: table) }
          }
          report(
            type, [place] + others, migration, changedBy: change,
            CommonCause(program.causeID(of: migrator.place), rank: index, least: 3), into: &findings
          )
        }
      }
    }
  }

  private func report(
    _ type: TypeID, _ places: [Ref], _ migration: RegisteredMigration,
    changedBy change: RegisteredMigration?, _ cause: CommonCause, into findings: inout Findings
  ) {
    let declaration = findings.program.types[type].ref
    let name = findings.program.nameText(declaration)
    var related = [Findings.Related(declaration, "`\(name)` as it is today")]
    if let change, let call = findings.program.calledNode(change.call) {
      related.append(.init(call, "`\(change.id)` changes its table later"))
    }
    related += places.dropFirst().map { .init($0, "and used here") }
    findings.report(
      change.map { .fails(name, migration.id, $0.id) } ?? .isOfToday(name, migration.id),
      at: places[0], severity: change == nil ? .warning : .error, related: related, cause: cause)
  }
}

extension Program {
  /// Whether the code that makes a migrator opens nothing but databases in memory, which are always
  /// new.
  fileprivate func isMigratedInMemory(_ migrator: Migrator) -> Bool {
    enclosingBody(migrator.place).map { makesMemoryStore($0) } ?? false
  }

  /// Whether a step makes a record of a type.
  fileprivate func makes(_ type: TypeID, _ step: MigrationStep) -> Bool {
    guard case .initializer(let made, _) = callTarget(step.call) else { return false }
    return made == type
  }
}

extension Program {
  /// A value of such an enum that a step writes into the database: `Kind.plain.rawValue`.
  fileprivate func storedEnum(in step: MigrationStep, _ stored: Set<TypeID>) -> (TypeID, Ref)? {
    guard !stored.isEmpty, ["defaults", "execute", "check"].contains(step.name) else { return nil }
    return step.arguments.lazy.flatMap { self.staticMembers(namedIn: $0.place) }
      .first { stored.contains($0.type) }
  }
}

extension RegisteredMigration {
  /// Whether it adds or renames columns of a table, or makes the table anew. Records of today lack a
  /// column that it drops, and that hinders nobody before.
  fileprivate func changesColumns(of table: String) -> Bool {
    let made = tablesMade
    for step in steps {
      for work in step.work where work.tables.first == table {
        switch work.kind {
        case .drop: return true
        case .alter:
          if !work.tokens.isEmpty && !work.dropsColumn || step.name == "rename" { return true }
        default: continue
        }
      }
      if ["add", "rename"].contains(step.name), let outer = step.outer,
        steps[outer].name == "alter", steps[outer].literal("table")?.lowercased() == table
      {
        return true
      }
    }
    return made[table] != nil
  }
}

extension Finding.Message {
  fileprivate static func fails(_ type: String, _ id: String, _ change: String) -> Self {
    """
    `\(id)` fails for everyone who hasn't run it yet, and the database can't be opened, because \
    `\(type)` has today's columns and `\(change)` changes its table later; use SQL, or a copy of \
    the type as it was then
    """
  }

  fileprivate static func writesLiveValue(_ type: String, _ id: String) -> Self {
    """
    when a raw value of `\(type)` changes, `\(id)` writes another one on new installs than it wrote \
    on old ones; write the value itself, such as a string
    """
  }

  fileprivate static func isOfToday(_ type: String, _ id: String) -> Self {
    """
    the next new column of `\(type)` makes `\(id)` fail for everyone who hasn't run it yet; use \
    SQL, or a copy of the type as it is now
    """
  }
}
