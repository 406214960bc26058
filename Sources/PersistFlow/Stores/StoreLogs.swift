import PersistIndex
import PersistSyntax

// MARK: - Which stores keep a log

extension Program {
  /// Whether some store is opened that keeps a log beside its main file, as far as is known.
  var keepsLogFiles: Bool { !openingsWithLog.isEmpty }

  /// The openings of stores that keep a log beside their main file, by themselves or because a
  /// pragma asks for it.
  private var openingsWithLog: [Ref] {
    let withJournal = openingsWithJournal.filter { !isExempt($0) && !opensInMemory($0) }
    return storeFlow.openings.filter { !$0.isInMemory }.map(\.root).filter {
      !["DatabaseQueue", "Realm", "asyncOpen", "migrate", "Connection"].contains(calledName($0))
    } + (!withJournal.isEmpty && turnsLogOn ? withJournal : [])
  }

  /// The openings of databases that SQLite keeps with a rollback journal unless a pragma says so.
  private var openingsWithJournal: [Ref] {
    Self.journalOpenings.flatMap { calls(named: $0) }.filter { call in
      files[Int(call.file)].imports("SQLite") || calledName(call) != "Connection"
    }
  }

  /// The stores whose logs a pragma turns off; nil for one that can't be told from others.
  var storesWithoutLog: [StorePath?] {
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

  /// Whether a store is one that keeps a log: no Realm, nothing that is opened with the rollback
  /// journal of SQLite, and no `.db` that no opening with a log names.
  func keepsLog(_ path: StorePath) -> Bool {
    let name = path.mainText
    if name.hasSuffix(".realm") { return false }
    if isOpenedWithJournal(path) { return false }
    var ownParts: [Substring] = []
    if case .store(let key) = path.base {
      // A file that only its name calls a store may be one of those that keep no log.
      if key.hasPrefix(StorePath.toldByName), path.literalName == nil, !turnsLogOn {
        return openingsWithJournal.allSatisfy { isExempt($0) || opensInMemory($0) }
      }
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

  /// Whether SQLite itself opens a file of that name, which keeps no log unless a pragma says so; a
  /// file that a pool has opened as well keeps its log.
  private func isOpenedWithJournal(_ path: StorePath) -> Bool {
    guard path.base == .unknown, !path.mainText.isEmpty, path.mainText != StorePath.unknownText
    else { return false }
    func opens(_ call: Ref) -> Bool {
      guard let place = children(call, .argument).first else { return false }
      return storePaths(place).contains { $0.base == .unknown && $0.mainText == path.mainText }
    }
    return openingsWithJournal.contains(where: opens) && !turnsLogOn
      && !openingsWithLog.contains { call in
        switch calledName(call) {
        case "DatabasePool": return opens(call)
        // What SwiftData has opened keeps its log, whoever else looks into the file.
        case "ModelContainer":
          let names = stores(ofContainer: call)?.compactMap(\.whole) ?? []
          guard let name = path.literalName else { return false }
          return names.contains { $0.hasSuffix("/" + name) }
        default: return false
        }
      }
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
}
