import PersistIndex
import PersistSyntax

/// Work on some of a store's three files, and not on the others.
package struct SidecarGap: Sendable {
  package let kind: StoreFileWork.Kind
  /// The work at which the gap is shown.
  package let work: StoreFileWork
  /// The endings of the files that are left out; "" for the main file.
  package let missing: [String]
  /// The log file's ending that a path meant to name, without the hyphen.
  package let misnamed: String?
  /// Whether the same code brought the store to another place before.
  package let isOfFormerStore: Bool
}

// MARK: - The three files of a store

extension Program {
  /// The functions and closures of properties that take some of a store's files only.
  package var sidecarGaps: [SidecarGap] {
    guard keepsLogFiles else { return [] }
    var bodies: Set<Ref> = []
    for name in Words.fileWork.keys {
      for call in calls(named: name) where !isExempt(call) {
        var reached: Set<FunctionID> = []
        collectBodies(around: call, into: &bodies, &reached, depth: 0)
      }
    }
    let found = bodies.sorted().flatMap { gaps(in: $0) }
    guard !found.isEmpty else { return [] }
    let logless = storesWithoutLog
    return found.filter { gap in
      let own = gap.work.files.filter { $0.isStoreFile }
      return !logless.contains { store in
        store.map { store in own.contains { $0.maySharesStore(with: store) } } ?? true
      }
    }
  }

  /// Whether some store is opened that keeps a log beside its main file, as far as is known.
  private var keepsLogFiles: Bool { !openingsWithLog.isEmpty }

  /// The openings of stores that keep a log beside their main file, by themselves or because a
  /// pragma asks for it.
  private var openingsWithLog: [Ref] {
    storeFlow.openings.filter { !$0.isInMemory }.map(\.root).filter {
      !["DatabaseQueue", "Realm", "asyncOpen", "migrate"].contains(calledName($0))
    } + (turnsLogOn ? openingsWithJournal.filter { !isExempt($0) && !opensInMemory($0) } : [])
  }

  /// The openings of databases that SQLite keeps with a rollback journal unless a pragma says so.
  private var openingsWithJournal: [Ref] {
    Self.journalOpenings.flatMap { calls(named: $0) }.filter { call in
      files[Int(call.file)].imports("SQLite") || calledName(call) != "Connection"
    }
  }

  /// The stores whose logs a pragma turns off; nil for one that can't be told from others.
  private var storesWithoutLog: [StorePath?] {
    files.indices.filter { files[$0].mentions("journal_mode") }.flatMap { file in
      descendants(Ref(file: file, node: 0), .string).filter { turnsLogOff($0) }
    }.flatMap { storesOpened(beside: $0) }
  }

  private func turnsLogOff(_ string: Ref) -> Bool {
    guard holdsString(in: string, where: { $0.lowercased().contains("journal_mode") }) else {
      return false
    }
    let holder = ancestors(string).prefix(6).first {
      kind($0) == .dictionary || kind($0) == .call && argument($0, "forPragmaNamed") != nil
    }
    return holdsString(in: holder ?? string) { text in
      let text = text.lowercased()
      return text.contains("delete") || text.contains("truncate")
    }
  }

  /// The stores that the function around a node describes or opens.
  private func storesOpened(beside node: Ref) -> [StorePath?] {
    guard let body = outermostBody(node) else { return [nil] }
    let labels: Set<Name> = ["url", "at", "path", "atPath"]
    let places = descendants(body, .call).filter {
      ["NSPersistentStoreDescription", "addPersistentStore", "DatabasePool", "DatabaseQueue"]
        .contains(calledName($0))
    }.flatMap { children($0, .argument).filter { labels.contains(label($0)) } }
    let paths = places.flatMap { storePaths($0) }.filter { $0.literalName != nil }
    return paths.isEmpty ? [nil] : paths
  }

  /// The body that holds a call, and those that hand it files through parameters.
  private func collectBodies(
    around call: Ref, into bodies: inout Set<Ref>, _ reached: inout Set<FunctionID>, depth: Int
  ) {
    guard let function = enclosingFunction(call) else {
      let outer = ancestors(call).last { kind($0) == .closure || kind($0) == .accessors }
      if let outer { bodies.insert(outer) }
      return
    }
    guard reached.insert(function).inserted, let body = functions[function].body else { return }
    bodies.insert(Ref(file: Int(functions[function].ref.file), node: body))
    guard isWithin(depth, .fileCallers) else { return }
    for caller in callers(of: function) where !isExempt(caller) {
      collectBodies(around: caller, into: &bodies, &reached, depth: depth + 1)
    }
  }

  private func gaps(in body: Ref) -> [SidecarGap] {
    let work = fileWork(in: body)
    let former = work.filter { isOfFormerStore($0, in: body) }
    let all = followed(work, former.flatMap(\.files))
    guard !truncatesLog(body) else { return [] }
    return [StoreFileWork.Kind.deletion, .move, .copy].compactMap { kind in
      gap(
        all.filter { $0.kind == kind }, kind, in: body, others: all.filter { $0.kind != kind },
        former: Set(former.filter { $0.kind == .deletion }.map(\.site)))
    }
  }

  /// Work on the store of before as work on a store in use, where the same body brings that store to
  /// another place: its log files are there.
  private func followed(_ all: [StoreFileWork], _ former: [StorePath]) -> [StoreFileWork] {
    guard !former.isEmpty else { return all }
    return all.map { work in
      let files = work.files.map { file in
        var file = file
        if file.part != .other, former.contains(where: { $0.maySharesStore(with: file) }) {
          file.saysOther = false
        }
        return file
      }
      var made = work
      made.files = files
      return made
    }
  }

  private func isOfFormerStore(_ work: StoreFileWork, in body: Ref) -> Bool {
    if work.kind == .deletion, isMigrated(work, in: body) { return true }
    let words = work.files.flatMap { $0.text.camelWords } + words(in: work.call)
    guard work.files.contains(where: { $0.namesStoreFile && $0.saysOther }),
      words.contains(where: { Words.formerWords.contains($0) })
    else { return false }
    guard work.kind == .deletion else {
      return words.allSatisfy {
        !Words.noStoreWords.contains($0) || Words.formerWords.contains($0)
      }
    }
    return nodesRun(in: body).contains {
      kind($0) == .call && $0 < work.site && Words.wholeTransfers.contains(calledName($0))
    }
  }

  /// Whether the store that work deletes was brought to another place before, by its coordinator.
  private func isMigrated(_ work: StoreFileWork, in body: Ref) -> Bool {
    descendants(body, .call).contains { call in
      guard call < work.site, calledName(call) == "migratePersistentStore",
        let store = children(call, .argument).first.flatMap({ child($0, .expression) })
      else { return false }
      let names = descendants(store, .name).filter { declared($0) != nil }
      return names.contains { name in
        guard let found = fixedValue(of: name) else { return false }
        return descendants(found, .call).contains { lookUp in
          calledName(lookUp) == "persistentStore"
            && takes(work, children(lookUp, .argument).flatMap { storePaths($0) })
        }
      }
    }
  }

  private func gap(
    _ work: [StoreFileWork], _ kind: StoreFileWork.Kind, in body: Ref, others: [StoreFileWork],
    former: Set<Ref>
  ) -> SidecarGap? {
    guard !work.contains(where: { $0.isWhole }) else { return nil }
    let shown = work.filter { $0.origin != .called && isShown($0) }
    let known = work.flatMap { item in item.files.filter { $0.isStoreFile }.map { (item, $0) } }
    let parts = Set(known.map { $0.1.part })
    guard
      !known.contains(where: {
        $0.1.base == .store(StorePath.realmKey) || !keepsLog($0.1)
      })
    else { return nil }
    let missing = [StorePath.Part.main, .writeAheadLog, .sharedMemory].filter {
      !parts.contains($0)
    }
    guard missing.count < 3 || parts.contains(where: { $0.isMisnamed }), !missing.isEmpty else {
      return nil
    }
    if work.contains(where: { $0.files.contains { mayBeAny($0) } && $0.origin != .called }),
      parts.contains(.main) == false || work.count > 1
    {
      return nil
    }
    let hasMain = parts.contains(.main)
    if !hasMain, !isMainForgotten(body, kind, others) { return nil }
    let misnamed = shown.first { item in item.files.contains { $0.part.isMisnamed } }
    let main = shown.first { item in item.files.contains { $0.isStoreFile && $0.part == .main } }
    guard
      let place = misnamed ?? main
        ?? (hasMain
          ? nil
          : shown.first { item in
            item.files.contains { $0.isStoreFile }
          })
    else { return nil }
    let words = place.files.compactMap { $0.part.misnamedWord }
    return SidecarGap(
      kind: kind, work: place, missing: missing.map { $0.ending }, misnamed: words.first,
      isOfFormerStore: kind == .deletion && words.isEmpty && former.contains(place.site))
  }

  /// Whether a store is one that keeps a log: no Realm, nothing that is opened with the rollback
  /// journal of SQLite, and no `.db` that no opening with a log names.
  private func keepsLog(_ path: StorePath) -> Bool {
    let name = path.mainText
    if name.hasSuffix(".realm") { return false }
    if isOpenedWithJournal(path) { return false }
    var ownParts: [Substring] = []
    if case .store(let key) = path.base {
      guard key.hasPrefix(StorePath.pickedDatabase) else { return true }
      ownParts = [".db"]
    } else {
      guard name.hasSuffix(".db") else { return true }
      ownParts = name.split { "\u{1}\u{2}\u{3}\u{4}".contains($0) }
    }
    let openings = openingsWithLog
    return Set(openings.map(\.file)).contains { file in
      let root = Ref(file: Int(file), node: 0)
      return ownParts.allSatisfy { part in holdsString(in: root) { $0.contains(part) } }
    } || openings.contains { calledName($0) == "DatabasePool" }
  }

  /// Whether SQLite itself opens a file of that name, which keeps no log unless a pragma says so.
  private func isOpenedWithJournal(_ path: StorePath) -> Bool {
    guard path.base == .unknown, !path.mainText.isEmpty, path.mainText != StorePath.unknownText
    else { return false }
    return openingsWithJournal.contains { call in
      guard let place = children(call, .argument).first else { return false }
      return storePaths(place).contains { $0.base == .unknown && $0.mainText == path.mainText }
    } && !turnsLogOn
  }

  private static let journalOpenings: [Name] = [
    "Connection", "DatabaseQueue", "sqlite3_open", "sqlite3_open_v2",
  ]

  /// Whether a pragma of the sources asks for a log.
  private var turnsLogOn: Bool {
    files.indices.contains { file in
      files[file].mentions("journal_mode")
        && descendants(Ref(file: file, node: 0), .string).contains { string in
          holdsString(in: string) {
            let text = $0.lowercased()
            return text.contains("journal_mode") && text.contains("wal")
          }
        }
    }
  }

  /// Whether a path could name any file, so that it may be one of the missing ones.
  private func mayBeAny(_ path: StorePath) -> Bool {
    if path.saysOther { return false }
    if path.text.contains(StorePath.unknownText) { return true }
    switch path.base {
    case .parameter, .closureParameter: return !path.isStoreFile
    default: return false
    }
  }

  /// Whether work is judged in this body: files that come in through a parameter are judged at the
  /// callers.
  private func isShown(_ work: StoreFileWork) -> Bool {
    work.files.allSatisfy { path in
      guard case .parameter(let function, _) = path.base else { return true }
      return path.isStoreFile && callers(of: function).allSatisfy { isExempt($0) }
    }
  }

  /// Whether nobody takes the main file when only the log files are taken.
  private func isMainForgotten(_ body: Ref, _ kind: StoreFileWork.Kind, _ others: [StoreFileWork])
    -> Bool
  {
    guard kind == .deletion, others.isEmpty else { return false }
    let writes = nodesRun(in: body).contains {
      self.kind($0) == .call && ["write", "replaceItemAt", "createFile"].contains(calledName($0))
    }
    guard !writes else { return false }
    guard let function = enclosingFunction(body) else { return true }
    return callers(of: function).allSatisfy { call in
      if opensStore(after: call) { return true }
      guard let caller = enclosingFunction(call), let outer = functions[caller].body else {
        return false
      }
      let work = fileWork(in: Ref(file: Int(call.file), node: outer))
      return !work.contains { $0.takesStore || $0.kind != .deletion }
    }
  }

  /// Whether the store is opened after a call in the same block, with nothing done to the main file
  /// before.
  private func opensStore(after call: Ref) -> Bool {
    guard let block = ancestors(call).first(where: { kind($0) == .block }) else { return false }
    for statement in children(block) where statement > call {
      if fileWork(in: statement).contains(where: { $0.takesStore }) { return false }
      if storeFlow.openings.contains(where: { !$0.isInMemory && contains(statement, $0.site) }) {
        return true
      }
    }
    return false
  }

  private func truncatesLog(_ body: Ref) -> Bool {
    holdsString(in: body) { $0.lowercased().contains("wal_checkpoint") }
  }
}

extension StorePath.Part {
  /// What stands behind the main file's name.
  fileprivate var ending: String {
    switch self {
    case .main, .other, .misnamed: ""
    case .writeAheadLog: "-wal"
    case .sharedMemory: "-shm"
    }
  }

  fileprivate var misnamedWord: String? {
    if case .misnamed(let word) = self { return word }
    return nil
  }

  fileprivate var isMisnamed: Bool { misnamedWord != nil }
}
