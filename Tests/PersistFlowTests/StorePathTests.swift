import PersistIndex
import PersistSyntax
import Testing

@testable import PersistFlow

/// What file an expression names, as far as it is a store's.
@Suite struct StorePathTests {
  private static let head = """
    import SwiftData
    import CoreData
    let configuration = ModelConfiguration()
    let storeURL = configuration.url
    let folder = URL.applicationSupportDirectory
    func wal(of url: URL) -> URL { URL(fileURLWithPath: url.path + "-wal") }
    func base() -> URL { folder.appendingPathComponent("Trips.store") }

    """

  /// The parts of a store that the first argument of the last `take(…)` names.
  private func parts(_ code: String) -> Set<String> {
    let program = Names(Self.head + code).program
    guard let call = program.calls(named: "take").last,
      let argument = program.children(call, .argument).first
    else { return ["no call"] }
    return Set(
      program.storePaths(argument).map { path in
        guard path.isStoreFile else { return "none" }
        switch path.part {
        case .main: return "main"
        case .writeAheadLog: return "wal"
        case .sharedMemory: return "shm"
        case .misnamed(let word): return "misnamed \(word)"
        case .other: return "other"
        }
      })
  }

  @Test(arguments: [
    "take(configuration.url)", "take(storeURL)", "take(storeURL.path)", "take(base())",
    "take(folder.appendingPathComponent(\"Trips.sqlite\"))",
    "take(folder.appending(path: \"Trips.db\"))",
    "take(folder.appending(component: \"Trips\").appendingPathExtension(\"sqlite\"))",
    "take(URL(fileURLWithPath: \"/x/default.store\"))",
    "func f(d: NSPersistentStoreDescription) { take(d.url!) }",
    "func f(c: NSPersistentContainer) { if let u = c.persistentStoreDescriptions.first?.url { take(u) } }",
    "func f(c: NSPersistentStoreCoordinator) { take(c.url(for: c.persistentStores[0])) }",
    "let u = storeURL\nfunc f() { let v = u; take(v) }",
    "final class S { let databaseURL: URL; func f() { take(databaseURL) } }",
    "take(storeURL.deletingLastPathComponent().appendingPathComponent(storeURL.lastPathComponent))",
    "take(URL(fileURLWithPath: \"\\(folder.path)/Trips.store\"))",
    "func f() { coordinator.coordinate(writingItemAt: storeURL, error: nil) { url in take(url) } }",
    "func f() { let u: URL; if x { u = storeURL } else { u = storeURL }; take(u) }",
  ])
  func theMainFile(code: String) { #expect(parts(code) == ["main"]) }

  @Test(arguments: [
    "take(URL(fileURLWithPath: storeURL.path + \"-wal\"))", "take(wal(of: storeURL))",
    "take(URL(fileURLWithPath: \"\\(storeURL.path)-wal\"))",
    "take(storeURL.path.appending(\"-wal\"))",
    "take(storeURL.deletingPathExtension().appendingPathExtension(\"store-wal\"))",
    "take(storeURL.deletingLastPathComponent().appendingPathComponent(storeURL.lastPathComponent + \"-wal\"))",
    "take(folder.appendingPathComponent(\"Trips.store-wal\"))",
    "take(URL(fileURLWithPath: base().path.replacingOccurrences(of: \".store\", with: \".store-wal\")))",
    "take(URL(string: storeURL.absoluteString + \"-wal\")!)",
  ])
  func theLog(code: String) { #expect(parts(code) == ["wal"]) }

  @Test(arguments: [
    "for suffix in [\"\", \"-wal\", \"-shm\"] { take(URL(fileURLWithPath: storeURL.path + suffix)) }",
    "[\"\", \"-wal\", \"-shm\"].forEach { take(URL(fileURLWithPath: storeURL.path + $0)) }",
    "[\"\", \"-wal\", \"-shm\"].map { URL(fileURLWithPath: storeURL.path + $0) }.forEach { take($0) }",
    "let all = [storeURL, wal(of: storeURL), URL(fileURLWithPath: storeURL.path + \"-shm\")]\nfunc f() { for url in all { take(url) } }",
    "let suffixes = [\"\", \"-wal\", \"-shm\"]\nfunc f() { for s in suffixes { let u = URL(fileURLWithPath: storeURL.path.appending(s)); take(u) } }",
    "func all(_ u: URL) -> [URL] { [u, URL(fileURLWithPath: u.path + \"-wal\"), URL(fileURLWithPath: u.path + \"-shm\")] }\nfunc f() { for u in all(storeURL) { take(u) } }",
    "func all(_ u: URL) -> [URL] { [\"\", \"-wal\", \"-shm\"].map { URL(fileURLWithPath: u.path + $0) } }\nfunc f() { all(storeURL).forEach { take($0) } }",
  ])
  func allThreeFiles(code: String) { #expect(parts(code) == ["main", "wal", "shm"]) }

  @Test(arguments: [
    "take(storeURL.appendingPathExtension(\"wal\"))",
    "take(storeURL.appendingPathComponent(\"-wal\"))",
    "take(storeURL.deletingPathExtension().appendingPathExtension(\"wal\"))",
    "take(folder.appendingPathComponent(\"Trips.store\").appendingPathExtension(\"wal\"))",
    "take(storeURL.appending(path: \"-wal\"))",
  ])
  func aNameThatIsNoLog(code: String) { #expect(parts(code) == ["misnamed wal"]) }

  @Test(arguments: [
    "take(FileManager.default.temporaryDirectory.appendingPathComponent(\"Trips.store\"))",
    "take(URL.cachesDirectory.appending(path: \"Trips.store\"))",
    "take(folder.appendingPathComponent(\"image.png\"))",
    "take(folder.appendingPathComponent(\"Trips-export.sqlite\"))",
    "let exportURL = storeURL\nfunc f() { take(exportURL) }",
    "take(URL(fileURLWithPath: NSTemporaryDirectory() + \"Trips.sqlite\"))", "take(downloadedURL)",
    "func f() { let backupURL = folder.appending(path: \"Trips.sqlite\"); take(backupURL) }",
    "final class S { let thumbnailCacheURL: URL; func f() { take(thumbnailCacheURL) } }",
    "take(folder)",
    "take(storeURL.deletingLastPathComponent())", "take(storeURL.appendingPathExtension(\"bak\"))",
  ])
  func noStoreInUse(code: String) { #expect(parts(code).isDisjoint(with: ["main", "wal", "shm"])) }
}
