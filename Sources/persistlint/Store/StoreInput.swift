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
      "no SQLite database; if it is encrypted, decrypt a copy first, and name that"
    case .realm:
      "a Realm file, whose format can't be read here; open a copy with Realm Studio"
    case .damaged(let what): "damaged: \(what); take the file again from the device"
    }
  }
}

extension System {
  /// The paths of the store files in a folder, sorted; none when there is no such folder.
  static func stores(in folder: String) -> [String] {
    let endings = [".store", ".sqlite", ".sqlite3", ".db"]
    return ((try? entries(of: folder)) ?? []).map(\.name)
      .filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
