import PersistIndex
import PersistReport
import PersistSchema
import PersistVersions

/// The migrations of GRDB that a store has run, against those that the sources register.
struct MigrationsDiagnosis: StoreVerdict {
  /// What becomes of one migration on the store.
  enum State: Equatable {
    case ran
    /// It ran, and does something else today than when it was frozen.
    case edited
    /// It ran, and one that is registered today has taken its place.
    case merged(into: String)
    /// It ran, and nothing that is registered has its id.
    case unknown
    /// It ran here by another id, and runs again.
    case renamed(from: String)
    /// It will run; the migration that is registered behind it and ran already, if there is one.
    case runs(before: String?)
  }

  /// One migration with what becomes of it.
  struct Row: Equatable {
    let id: String
    let state: State
    /// `path:line` of its registration; nil for one that isn't registered.
    var place: String?
    var isConditional = false
  }

  /// The migrator that the store belongs to; nil where the sources don't tell.
  private let migrator: Migrator?
  private let path: String
  private let rows: [Row]
  /// Why nothing can be said.
  private let gap: String?

  init(ran: [String], _ snapshot: SchemaSources.Snapshot, lock: LockFile?) {
    let candidates = snapshot.migrators.map { migrator in
      (migrator, ran.count { id in migrator.ids.contains(id) })
    }
    let most = candidates.map(\.1).max() ?? 0
    let best = candidates.filter { $0.1 == most }.map(\.0)
    guard let migrator = best.first, most > 0 || best.count == 1 else {
      self.migrator = nil
      path = ""
      rows = []
      gap =
        candidates.isEmpty
        ? "the sources register no migrations with GRDB's `DatabaseMigrator`"
        : "none of the migrators registers a migration that ran here"
      return
    }
    self.migrator = migrator
    path = snapshot.files[Int(migrator.place.file)].path
    gap = nil
    rows = Reading(ran: ran, migrator, lock?.migrators ?? [], snapshot.files).rows
  }

  private var renamed: [Row] {
    rows.filter { if case .renamed = $0.state { true } else { false } }
  }
  private var running: [Row] { rows.filter { if case .runs = $0.state { true } else { false } } }
  private var unknown: [Row] { rows.filter { $0.state == .unknown } }
}

extension MigrationsDiagnosis {
  var text: String {
    guard let migrator else { return "not judged: \(gap ?? "")\n" }
    var lines = ["\(migrator.name)  \(path)"]
    let width = (rows.map(\.id.count).max() ?? 0) + 2
    for row in rows {
      let line = "  \(row.word.filled(to: 9))\(row.id.filled(to: width))\(row.remark)"
      lines.append(line.trimmed)
    }
    if !migrator.isComplete {
      lines.append("  not resolved: some of its migrations; what is unknown may be among them")
    }
    return (lines + verdictLines).joined(separator: "\n") + "\n"
  }

  private var verdictLines: [String] {
    var lines: [String] = []
    for row in renamed {
      guard case .renamed(let old) = row.state else { continue }
      lines.append(
        "`\(row.id)` ran here as `\(old)` and will run again, and that fails on what exists "
          + "already; give it its old id back, or merge the old one into it")
    }
    if !unknown.isEmpty {
      let one = unknown.count == 1
      lines.append(
        "\(unknown.listed) \(one ? "is" : "are") registered nowhere: a newer app wrote this store, "
          + "or \(one ? "the migration was" : "the migrations were") removed; GRDB passes over "
          + (one ? "it" : "them"))
    }
    if !running.isEmpty {
      let some = running.count == 1 ? "1 migration" : "\(running.count) migrations"
      lines.append("\(some) will run: \(running.map { "`\($0.id)`" }.joined(separator: ", "))")
    } else if renamed.isEmpty {
      lines.append("opens: all registered migrations have run")
    }
    return lines
  }

  /// One word for programs.
  private var verdict: String {
    if migrator == nil { return "unknown" }
    if !renamed.isEmpty { return "runsAgain" }
    return running.isEmpty ? "current" : "opens"
  }

  var json: JSON {
    var json: JSON = ["verdict": .string(verdict)]
    json.add("reason", gap.map { .string($0) })
    guard let migrator else { return json }
    json.add("migrator", .string(migrator.name))
    json.add("path", .string(path))
    json.add("complete", .boolean(migrator.isComplete))
    json.add(
      "migrations",
      .array(
        rows.map { row in
          var json: JSON = ["id": .string(row.id), "state": .string(row.word)]
          if case .renamed(let old) = row.state { json.add("was", .string(old)) }
          if case .merged(let new) = row.state { json.add("into", .string(new)) }
          json.add("place", row.place.map { .string($0) })
          return json
        }))
    return json
  }
}

extension MigrationsDiagnosis.Row {
  fileprivate var word: String {
    switch state {
    case .ran: "ran"
    case .edited: "edited"
    case .merged: "merged"
    case .unknown: "unknown"
    case .renamed: "renamed"
    case .runs: "runs"
    }
  }

  fileprivate var remark: String {
    let condition = isConditional ? ", on a condition" : ""
    return switch state {
    case .ran: ""
    case .edited: "ran as it was frozen, and does something else today; this store lacks the edit"
    case .merged(let new): "into `\(new)`"
    case .unknown: ""
    case .renamed(let old): "ran as `\(old)`  \(place ?? "")"
    case .runs(nil): (place ?? "") + condition
    case .runs(let later?): "\(place ?? "")\(condition), though `\(later)` behind it ran already"
    }
  }
}

/// Joins what ran with what is registered.
private struct Reading {
  let ran: [String]
  let registered: [RegisteredMigration]
  let frozen: FrozenMigrator?
  let files: [SourceFile]
  private let ids: Set<String>

  init(
    ran: [String], _ migrator: Migrator, _ frozen: [FrozenMigrator], _ files: [SourceFile]
  ) {
    self.ran = ran
    self.files = files
    var seen: Set<String> = []
    registered = migrator.migrations.filter { seen.insert($0.id).inserted }
    ids = seen
    self.frozen =
      frozen.first { $0.name == migrator.name }
      ?? frozen.first { old in old.migrations.contains { ran.contains($0.id) } }
  }

  /// In the order of registration; what isn't registered stands where it ran.
  var rows: [MigrationsDiagnosis.Row] {
    let done = Set(ran)
    var oldIDs = renames
    var rows: [MigrationsDiagnosis.Row] = []
    var lost = ran[...]
    func strange(upTo id: String?) {
      while let next = lost.first, next != id {
        lost.removeFirst()
        if !ids.contains(next), !oldIDs.values.contains(next) { rows.append(row(strange: next)) }
      }
      if lost.first == id { lost = lost.dropFirst() }
    }
    for (index, migration) in registered.enumerated() {
      if done.contains(migration.id) {
        if lost.contains(migration.id) { strange(upTo: migration.id) }
        rows.append(row(migration, isEdited(migration) ? .edited : .ran))
      } else if let old = oldIDs.removeValue(forKey: migration.id) {
        oldIDs[migration.id] = old
        rows.append(row(migration, .renamed(from: old)))
      } else {
        let later = registered[(index + 1)...].last { done.contains($0.id) }
        rows.append(row(migration, .runs(before: later?.id)))
      }
    }
    strange(upTo: nil)
    return rows
  }

  private func row(
    _ migration: RegisteredMigration, _ state: MigrationsDiagnosis.State
  ) -> MigrationsDiagnosis.Row {
    let file = files[Int(migration.call.file)]
    let offset = file.outline.byteRange(of: Int(migration.call.node)).lowerBound
    return .init(
      id: migration.id, state: state,
      place: "\(file.path):\(file.lineAndColumn(of: offset).line)",
      isConditional: migration.isConditional)
  }

  private func row(strange id: String) -> MigrationsDiagnosis.Row {
    let heir = registered.first { $0.merged.contains(id) }
    return .init(id: id, state: heir.map { .merged(into: $0.id) } ?? .unknown)
  }

  private func isEdited(_ migration: RegisteredMigration) -> Bool {
    let old = frozen?.migrations.first { $0.id == migration.id }
    return old.map { !migration.isSame(as: $0) } ?? false
  }

  /// The old ids of registered migrations that ran by another one, by their new ids.
  ///
  /// The lock knows what an old id did; without it, the two are spelled alike, or stand alone between
  /// the same neighbours, of which the one behind ran as well.
  private var renames: [String: String] {
    let done = Set(ran)
    let merged = Set(registered.flatMap(\.merged))
    let strange = ran.filter { !ids.contains($0) && !merged.contains($0) }
    var found: [String: String] = [:]
    for old in strange {
      guard let shipped = frozen?.migrations.first(where: { $0.id == old }) else { continue }
      let same = registered.filter { $0.isSame(as: shipped) && !done.contains($0.id) }
      if same.count == 1 { found[same[0].id] = old }
    }
    for old in strange where !found.values.contains(old) {
      let alike = registered.filter { !done.contains($0.id) && $0.id.bare == old.bare }
      let new = alike.count == 1 ? alike[0].id : neighbour(of: old, done)
      if let new, found[new] == nil { found[new] = old }
    }
    return found
  }

  private func neighbour(of old: String, _ done: Set<String>) -> String? {
    guard let place = ran.firstIndex(of: old) else { return nil }
    let before = ran[..<place].last
    guard let after = ran[(place + 1)...].first, ids.contains(after),
      before.map(ids.contains) ?? true,
      let end = registered.firstIndex(where: { $0.id == after })
    else { return nil }
    let start = before.flatMap { id in registered.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
    guard start + 1 == end, !done.contains(registered[start].id) else { return nil }
    return registered[start].id
  }
}

extension [MigrationsDiagnosis.Row] {
  fileprivate var listed: String { map { "`\($0.id)`" }.joined(separator: ", ") }
}

extension String {
  /// Its letters and digits, in small letters.
  fileprivate var bare: String { lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Without spaces at its end.
  fileprivate var trimmed: String {
    hasSuffix(" ") ? String(dropLast()).trimmed : self
  }
}
