import PersistStore

/// A store file that is open for reading, and its log.
struct StoreInput {
  let path: String
  let file: StoreFile
  /// The path of the `-wal` file, when there is one.
  let logPath: String?

  /// Opens a store read only, so that no file is made or changed beside it.
  init(_ path: String) throws(CommandError) {
    guard let bytes = try Self.open(path) else { throw .refusal("\(path): no such file") }
    let log = try Self.open(path + "-wal")
    self.path = path
    logPath = log.map { _ in path + "-wal" }
    do throws(SQLiteFile.Failure) {
      file = try StoreFile(bytes, log: log)
    } catch {
      let failure = path.hasSuffix(".realm") && error == .notADatabase ? .realm : error
      throw .refusal("\(path): \(failure.words)")
    }
  }

  /// Nothing when there is no such file.
  private static func open(_ path: String) throws(CommandError) -> StoreBytes? {
    guard System.hasEntry(path) else { return nil }
    do throws(SystemError) {
      let file = try FileInPieces(path)
      return StoreBytes(size: file.size) { file.read(at: $0, count: $1) }
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
  }
}

extension SQLiteFile.Failure {
  /// Why the file can't be read, and what to do.
  fileprivate var words: String {
    switch self {
    case .empty: "the file is empty: nothing was ever written into this store"
    case .notADatabase:
      "not an SQLite database; if it is encrypted, decrypt a copy first and name that"
    case .realm:
      "a Realm file, whose format can't be read here; open a copy with Realm Studio"
    case .damaged(let what): "damaged: \(what); take the file again from the device"
    }
  }
}

extension System {
  /// The paths of the store files below this folder that git keeps, or of all where there is no git;
  /// sorted.
  static var storesOfRepository: [String] {
    let endings = [".store", ".sqlite", ".sqlite3", ".db"]
    var found: [String] = []
    var pending = [(path: ".", depth: 0)]
    while let (folder, depth) = pending.popLast() {
      for entry in (try? entries(of: folder)) ?? [] {
        let path = folder == "." ? entry.name : "\(folder)/\(entry.name)"
        switch entry.kind {
        case .folder where depth < mostFolders && !FileWalk.leavesOut(folderNamed: entry.name):
          pending.append((path, depth + 1))
        case .file where endings.contains(where: entry.name.hasSuffix): found.append(path)
        default: continue
        }
      }
    }
    let isKept = { (path: String) in
      resolve(path).map(Git.tracks) ?? false || !hasRepository
    }
    return found.filter(isKept).sorted()
  }

  /// How deep a store is looked for.
  private static let mostFolders = 12

  private static var hasRepository: Bool {
    var folder = resolve(".")
    while let current = folder {
      if hasEntry(current.inner(".git")) { return true }
      folder = parentFolder(of: current)
    }
    return false
  }
}
