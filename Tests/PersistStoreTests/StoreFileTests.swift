import Foundation
import PersistSchema
import PersistStore
import Testing

/// The stores of `scripts/store-fixtures`.
enum Stores {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Stores")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func read(_ name: String, log: [UInt8]? = nil) throws -> StoreFile {
    try StoreFile(StoreBytes(bytes(name)), log: log.map { StoreBytes($0) })
  }
}

/// What a store file says of itself.
@Suite struct StoreFileTests {
  @Test func aStoreOfSwiftDataTellsItsWholeModel() throws {
    let store = try Stores.read("trips.store")
    #expect(store.maker == .swiftData)
    #expect(store.metadata?.versionIdentifiers == ["1.0.0"])
    #expect(store.metadata?.entityHashes["Trip"]?.count == 32)
    #expect(store.metadata?.checksum == "ToztcYkhIy/LThO7/yRDgFH0I9Vce4R6fOB1x1mTf/Q=")
    let trip = try #require(store.shape?.entity("Trip"))
    #expect(trip.properties.map(\.name) == ["name", "photo", "rating", "stops"])
    #expect(trip.uniqueness == [["name"]])
    #expect(trip.property("rating")?.attribute?.type == .integer64)
    #expect(trip.property("rating")?.isOptional == true)
    #expect(trip.property("photo")?.attribute?.isExternal == true)
    #expect(trip.property("name")?.attribute?.defaultText == "\"new\"")
    let stops = try #require(trip.property("stops")?.relationship)
    #expect(stops.destination == "Stop")
    #expect(stops.isToMany)
    #expect(stops.inverse == .given("trip"))
    #expect(stops.deleteRule == "cascade")
    #expect(store.gaps.isEmpty)
  }

  @Test func rowsAndHistoryAreCounted() throws {
    let store = try Stores.read("trips.store")
    #expect(store.tables.first { $0.entity == "Trip" }?.rows == 3)
    #expect(store.history.transactions == 5)
    #expect(store.history.changes == 400)
    #expect(store.history.bytes == 6 * 1024)
    #expect(store.logPages == nil)
  }

  @Test func aPropertyThatIsInheritedStandsAtItsParentAlone() throws {
    let store = try Stores.read("places.sqlite")
    #expect(store.maker == .coreData)
    #expect(store.shape?.entity("City")?.superentity == "Place")
    #expect(store.shape?.entity("City")?.properties.map(\.name) == ["people"])
    #expect(store.shape?.entity("Place")?.properties.map(\.name) == ["title"])
  }

  @Test func theMigrationsOfGRDBStandInTheirOrder() throws {
    let store = try Stores.read("players.sqlite")
    #expect(store.maker == .grdb)
    #expect(store.migrations == ["v1", "add score"])
    #expect(
      store.tables.first { $0.name == "player" }?.columns.map(\.name) == ["id", "name, first"])
  }

  @Test func theLogHoldsTheNewestRows() throws {
    let log = try Stores.bytes("log.store-wal")
    let alone = try Stores.read("log.store")
    let whole = try Stores.read("log.store", log: log)
    #expect(alone.tables.first { $0.entity == "Trip" }?.rows == 3)
    #expect(whole.tables.first { $0.entity == "Trip" }?.rows == 4)
    #expect(whole.logPages == 1)
  }

  @Test func aLogWithABrokenSumIsLeftOutAsSQLiteLeavesItOut() throws {
    var log = try Stores.bytes("log.store-wal")
    log[log.count - 1] ^= 1
    let store = try Stores.read("log.store", log: log)
    #expect(store.tables.first { $0.entity == "Trip" }?.rows == 3)
    #expect(store.logPages == nil)
  }

  @Test func otherFilesAreNamedForWhatTheyAre() throws {
    func failure(_ bytes: [UInt8]) -> SQLiteFile.Failure? {
      do throws(SQLiteFile.Failure) {
        _ = try StoreFile(StoreBytes(bytes))
        return nil
      } catch { return error }
    }
    #expect(failure([]) == .empty)
    #expect(failure(Array("no database at all, but a text of some length".utf8)) == .notADatabase)
    #expect(failure([UInt8](repeating: 0, count: 16) + Array("T-DB".utf8)) == .realm)
    #expect(failure(Array("SQLite format 3\0".utf8)) == .damaged("the header ends after 16 bytes"))
  }
}

/// Damaged stores end in an error or in gaps, never in a trap or without end.
@Suite struct DamagedStoreTests {
  /// A generator whose numbers are the same in every run.
  struct Noise: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(arguments: ["trips.store", "places.sqlite", "players.sqlite", "log.store"])
  func mutatedStoresAreReadToAnEnd(name: String) throws {
    let whole = try Stores.bytes(name)
    let log = name == "log.store" ? try Stores.bytes("log.store-wal") : nil
    var noise = Noise(state: UInt64(name.utf8.count))
    var read = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...12, using: &noise) {
        // Most of the facts stand at the beginning of a page.
        let page = Int.random(in: 0..<bytes.count / 1024, using: &noise) * 1024
        let offset =
          page + Int.random(in: 0..<(Bool.random(using: &noise) ? 16 : 1024), using: &noise)
        bytes[min(offset, bytes.count - 1)] = UInt8.random(in: .min ... .max, using: &noise)
      }
      if Bool.random(using: &noise) { bytes.removeLast(Int.random(in: 0..<2048, using: &noise)) }
      do throws(SQLiteFile.Failure) {
        let store = try StoreFile(StoreBytes(bytes), log: log.map { StoreBytes($0) })
        #expect(store.pageSize >= 512)
        read += 1
      } catch { continue }
    }
    #expect(read > 50)
  }
}
