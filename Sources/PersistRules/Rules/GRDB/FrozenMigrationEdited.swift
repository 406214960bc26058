import PersistIndex
import PersistSchema
import PersistVersions

/// A shipped migration that was edited, removed or reordered: users who ran it never run it again.
struct FrozenMigrationEdited: Rule {
  static let id: RuleID = "frozen-migration-edited"
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
    guard let base = program.schema.base, !base.migrators.isEmpty else { return }
    for pair in program.pairs(with: base) {
      guard !pair.frozen.couldNeverRun else { continue }
      reportEdits(pair, base, into: &findings)
      reportMissing(pair, base, into: &findings)
      reportOrder(pair, base, into: &findings)
    }
  }

  private func reportEdits(_ pair: MigratorPair, _ base: SchemaBase, into findings: inout Findings)
  {
    for frozen in pair.frozen.migrations where !frozen.fails {
      let now = pair.current.migrations.filter { $0.id == frozen.id }
      guard let first = now.first,
        !now.contains(where: { $0.isSame(as: frozen) || $0.replaces(live: frozen) })
      else { continue }
      var related = base.related(pair.frozen, frozen.id)
      for place in base.newWork(of: first, pair.frozen, in: findings.program).prefix(12) {
        related.append(
          .init(
            SchemaPlace(nameOf: place, in: findings.program), "this is different from what shipped")
        )
      }
      for function in findings.program.functionsPutIn(first).prefix(3) {
        let name = findings.program.functionName(function)
        related.append(
          .init(
            SchemaPlace(nameOf: findings.program.functions[function].ref, in: findings.program),
            "`\(name)` is part of the migration"))
      }
      findings.report(
        .edited(frozen.id, base.origin.text), at: findings.program.place(of: first),
        related: related)
    }
  }

  private func reportMissing(
    _ pair: MigratorPair, _ base: SchemaBase, into findings: inout Findings
  ) {
    guard pair.current.isComplete else { return }
    let program = findings.program
    var gone: [String] = []
    for frozen in pair.missing {
      if let now = pair.renamed(frozen) {
        findings.report(
          .renamed(frozen.id, now.id, base.origin.text), at: program.place(of: now),
          related: base.related(pair.frozen, frozen.id))
      } else if base.isWhole, !program.migrators.contains(where: { $0.ids.contains(frozen.id) }),
        !pair.isReplaced(frozen)
      {
        gone.append(frozen.id)
      }
    }
    guard !gone.isEmpty else { return }
    findings.report(
      .removed(gone, base.origin.text), at: SchemaPlace(node: pair.current.place, in: program),
      related: gone.prefix(4).flatMap { base.related(pair.frozen, $0) })
  }

  private func reportOrder(
    _ pair: MigratorPair, _ base: SchemaBase, into findings: inout Findings
  ) {
    let before = pair.frozen.migrations.map(\.id)
    let order = Dictionary(
      before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let now = pair.current.migrations
    var explained: Set<String> = []
    for (index, migration) in now.enumerated() {
      let later = now[(index + 1)...]
      if let rank = order[migration.id] {
        guard let ahead = later.first(where: { order[$0.id].map { $0 < rank } ?? false }),
          ahead.id != migration.id, explained.insert(ahead.id).inserted
        else { continue }
        findings.report(
          .reordered(migration.id, before: ahead.id, base.origin.text),
          at: findings.program.place(of: migration),
          related: base.related(pair.frozen, migration.id))
      } else if pair.frozen.isComplete, !migration.isConditional, !pair.isRenamed(migration),
        let next = later.first(where: { order[$0.id] != nil && !$0.isConditional })
      {
        findings.report(
          .inserted(migration.id, before: next.id), at: findings.program.place(of: migration),
          severity: .warning, related: base.related(pair.frozen, next.id))
      }
    }
  }
}

extension RegisteredMigration {
  /// Whether it does with SQL, or with records of its own, what a shipped one did with a record type
  /// that other code uses too.
  fileprivate func replaces(live frozen: FrozenMigrator.Migration) -> Bool {
    frozen.definitions == definitions && liveTables.isEmpty
      && namesOfRows.isSuperset(of: frozen.liveTables)
  }
}

extension SchemaBase {
  fileprivate func related(
    _ migrator: FrozenMigrator, _ id: String
  ) -> [Findings.SchemaRelated] {
    guard let place = migrationPlaces[migrator.name]?[id] else { return [] }
    return [.init(place, "`\(id)` as it shipped, according to \(origin.text)")]
  }
}

extension SchemaBase {
  /// The calls of a migration that it didn't make when it shipped, the calls around others left out.
  fileprivate func newWork(
    of migration: RegisteredMigration, _ migrator: FrozenMigrator, in program: Program
  ) -> [Ref] {
    guard let before = migrationWork[migrator.name]?[migration.id] else { return [] }
    let isNew = migration.steps.map { !before.contains($0.signature) }
    // Of what is new inside one statement the first place is enough.
    var statements: Set<Int> = []
    return migration.steps.indices.filter { isNew[$0] }.compactMap { index in
      var outermost = index
      while let outer = migration.steps[outermost].outer { outermost = outer }
      guard statements.insert(outermost).inserted else { return nil }
      return program.calledNode(migration.steps[index].call)
    }
  }
}

extension Program {
  fileprivate func place(of migration: RegisteredMigration) -> SchemaPlace {
    SchemaPlace(nameOf: calledNode(migration.naming) ?? migration.naming, in: self)
  }

  /// The functions of the sources that a migration's code is made of, in the order of their calls.
  fileprivate func functionsPutIn(_ migration: RegisteredMigration) -> [FunctionID] {
    var seen: Set<FunctionID> = []
    return migration.steps.flatMap { $0.path.dropFirst(migration.path.count) }
      .flatMap { functions(calledBy: $0) }.filter { seen.insert($0).inserted }
  }
}

extension Finding.Message {
  fileprivate static func edited(_ id: String, _ origin: String) -> Self {
    """
    users who have run `\(id)` won't run it again, so this change reaches only new installations \
    and later migrations meet two different databases; restore `\(id)` as in \(origin) and make \
    the change in a new migration at the end
    """
  }

  fileprivate static func removed(_ ids: [String], _ origin: String) -> Self {
    """
    users who haven't run \(ids.listed()) yet never get \
    \(ids.count == 1 ? "that change" : "those changes"), and later migrations meet two different \
    databases; restore \(ids.count == 1 ? "the migration" : "the migrations") from \(origin)
    """
  }

  fileprivate static func renamed(_ old: String, _ new: String, _ origin: String) -> Self {
    """
    users who have run this migration as `\(old)` run it again, because GRDB knows a migration \
    only by its name; change the name back from `\(new)` to `\(old)`, as in \(origin)
    """
  }

  fileprivate static func reordered(_ id: String, before other: String, _ origin: String) -> Self {
    """
    databases can differ, because new installations run `\(id)` before `\(other)` and users of \
    shipped versions ran it afterwards; restore the order of \(origin)
    """
  }

  fileprivate static func inserted(_ id: String, before other: String) -> Self {
    """
    users who already have `\(other)` run `\(id)` afterwards, but new installations run it first; \
    register `\(id)` at the end
    """
  }
}
