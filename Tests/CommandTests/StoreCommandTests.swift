import Foundation
import Testing

/// What `store` says of a store file, alone and against the sources.
@Suite struct StoreCommandTests {
  private let folder: Folder
  private let stores: String

  init() throws {
    folder = try Folder()
    stores = folder.checkout("Tests/Stores").url.path
  }

  private func version(_ name: String, _ number: Int, rating: String) -> String {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model final class Trip {
        @Attribute(.unique) var name: String = "new"
        \(rating)
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
        init() {}
      }
      @Model final class Stop {
        var day: Date
        var trip: Trip?
        init(day: Date) { self.day = day }
      }
    }

    """
  }

  private let plan = """
    enum TripPlan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
      }
    }

    """

  private func write(first: String, second: String) throws {
    try folder.write(
      "Schema.swift",
      "import SwiftData\n" + version("SchemaV1", 1, rating: first)
        + version("SchemaV2", 2, rating: second) + plan)
  }

  @Test func aStoreIsShownWithItsEntities() throws {
    let run = try persistlint("store", stores + "/trips.store", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("written by SwiftData, framework 1414, version 1.0.0"))
    #expect(run.output.contains("  Trip  3 rows  "))
    #expect(run.output.contains("    stops   [Stop]  inverse trip, cascade\n"))
  }

  @Test func theVersionThatWroteItIsFoundAndItsWayToTheNewest() throws {
    try write(first: "var rating: Int?", second: "var rating: Int?\n    var note: String?")
    let run = try persistlint("store", stores + "/trips.store", ".", in: folder)
    #expect(run.output.contains("written by SchemaV1\n"))
    #expect(
      run.output.hasSuffix(
        "  SchemaV1 → SchemaV2  lightweight stage, 1 change: lightweight\nopens\n"))
  }

  @Test func aStoreOfNoVersionSaysWhichPropertyIsTheCause() throws {
    try write(first: "var rating: String?", second: "var rating: String?\n    var note: String?")
    let run = try persistlint("store", stores + "/trips.store", ".", in: folder)
    #expect(
      run.output.contains("no version of the sources wrote this store; the nearest is SchemaV1"))
    #expect(
      run.output.contains(
        "doesn't open, 134504: no version matches because `Trip.rating` is Int64 in the store and "
          + "String in SchemaV1"))
  }

  @Test func programsGetTheSameAsJSON() throws {
    try write(first: "var rating: String?", second: "var rating: String?\n    var note: String?")
    let run = try persistlint("store", "--format", "json", stores + "/trips.store", ".", in: folder)
    #expect(run.output.contains("\"verdict\": \"fails\""))
    #expect(run.output.contains("\"code\": 134504"))
    #expect(run.output.contains("\"nearest\": \"SchemaV1\""))
  }

  @Test func nothingIsMadeBesideAStoreThatIsMissing() throws {
    let run = try persistlint("store", "gone.store", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("gone.store: no such file"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func otherFilesAreRefusedByTheirNames() throws {
    try folder.write("a.txt", "no database")
    let run = try persistlint("store", "a.txt", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("a.txt: not an SQLite database"))
  }

  @Test func anErrorNamesTheCodeThatLeadsThere() throws {
    try write(first: "var rating: Int?", second: "var rating: Int?")
    let run = try persistlint(
      "store", "--error", "Fatal error: Duplicate version checksums detected.", ".", in: folder)
    #expect(run.output.contains("two versions of the plan have one checksum"))
    #expect(run.output.contains("Schema.swift:"))
    #expect(run.output.contains("[identical-schema-versions]"))
  }

  @Test func aNumberInsideOfALongerOneIsNoErrorCode() throws {
    let run = try persistlint("store", "--error", "row 91345042", in: folder)
    #expect(run.errors.contains("nothing in this text is recognized"))
  }

  @Test func aVersionIsFrozenAsAStoreHoldsIt() throws {
    try write(first: "var rating: String?", second: "var rating: String?")
    let store = stores + "/trips.store"
    let unsaid = try persistlint("freeze", "--from-store", store, in: folder)
    #expect(unsaid.exitCode == 2)
    #expect(unsaid.errors.contains("name the version that did, as `persistlint freeze SchemaV1"))
    let run = try persistlint("freeze", "SchemaV1", "--from-store", store, in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.errors.contains("SchemaV1 differs from the store: `Trip.rating` is Int64 in the store"))
    let lock = try String(
      contentsOf: folder.url.appendingPathComponent("persistlint.lock"), encoding: .utf8)
    #expect(lock.contains("SchemaV1 = Trip.rating attribute Int64"))
    #expect(lock.contains("SchemaV1 checksum ToztcYkhIy/LThO7"))
    let lint = try persistlint("--format", "text", in: folder)
    #expect(lint.output.contains("[frozen-schema-edited]"))
    #expect(lint.output.contains("`SchemaV1` as a store has it, according to `persistlint.lock`"))
  }

  @Test func testsOfTheVersionsThatShippedAreWrittenAndChecked() throws {
    try write(first: "var rating: Int?", second: "var rating: Int?\n    var note: String?")
    let write = try persistlint(
      "freeze", "--tests", "Shipped.swift", "--module", "Trips", in: folder)
    #expect(write.errors.contains("Shipped.swift: 1 version tested"))
    let text = try String(
      contentsOf: folder.url.appendingPathComponent("Shipped.swift"), encoding: .utf8)
    #expect(text.contains("@testable import Trips"))
    #expect(text.contains("let trip = SchemaV1.Trip()"))
    #expect(text.contains("#expect(trip.rating == 7)"))
    let fresh = ["freeze", "--tests", "Shipped.swift", "--module", "Trips", "--check"]
    #expect(try persistlint(fresh, in: folder).exitCode == 0)
    try self.write(first: "var rating: Int?", second: "var score: Int?")
    let stale = try persistlint(fresh, in: folder)
    #expect(stale.exitCode == 1)
    #expect(stale.errors.contains("Shipped.swift is out of date"))
  }

  @Test func testsNeverReplaceAnotherFile() throws {
    try write(first: "var rating: Int?", second: "var note: String?")
    let run = try persistlint("freeze", "--tests", "Schema.swift", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("Schema.swift holds something else"))
  }

  @Test func freezeWarnsOfStoresInTheRepositoryThatMatchNoVersion() throws {
    try write(first: "var rating: String?", second: "var note: String?")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Resources"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: stores + "/trips.store",
      toPath: folder.url.appendingPathComponent("Resources/trips.store").path)
    let run = try persistlint("freeze", in: folder)
    #expect(run.errors.contains("Resources/trips.store matches no version: `Trip.rating`"))
  }

  @Test func aStoreOfTwoGigabytesIsNotReadWhole() throws {
    let large = folder.url.appendingPathComponent("large.store")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: stores + "/trips.store"), to: large)
    let file = try FileHandle(forWritingTo: large)
    // The size in pages stands in the header.
    try file.seek(toOffset: 28)
    try file.write(contentsOf: Data([0, 0x20, 0, 0]))
    try file.truncate(atOffset: 2 << 30)
    try file.close()
    let clock = ContinuousClock()
    let start = clock.now
    let run = try persistlint("store", "large.store", in: folder)
    #expect(run.output.contains("  Trip  3 rows  "))
    #expect(run.output.contains("2097152 pages of 1024 bytes"))
    #expect(clock.now - start < .seconds(10))
  }

  // MARK: GRDB

  private func migrations(_ ids: String...) throws -> String {
    try folder.write("Database.swift", registering(ids))
    return try persistlint("store", stores + "/players.sqlite", ".", in: folder).output
  }

  private func registering(_ ids: [String]) -> String {
    let calls = ids.map { id in
      "    migrator.registerMigration(\(id)) { db in try db.execute(sql: \"SELECT 1\") }\n"
    }
    return "import GRDB\nstruct Database {\n  static var migrator: DatabaseMigrator {\n"
      + "    var migrator = DatabaseMigrator()\n\(calls.joined())    return migrator\n  }\n}\n"
  }

  @Test func migrationsThatWillRunAreNamed() throws {
    let output = try migrations("\"v1\"", "\"add score\"", "\"add team\"")
    #expect(output.contains("    name, first  TEXT\n    CHECK (id > 0)\n"))
    #expect(output.contains("  ran      add score\n  runs     add team   Database.swift:7\n"))
    #expect(output.hasSuffix("1 migration will run: `add team`\n"))
  }

  @Test func aStoreThatRanThemAllIsUpToDate() throws {
    let output = try migrations("\"v1\"", "\"add score\"")
    #expect(output.hasSuffix("opens: all registered migrations have run\n"))
  }

  @Test func aMigrationThatIsRegisteredNowhereIsUnknown() throws {
    let output = try migrations("\"v1\"")
    #expect(output.contains("  unknown  add score\n"))
    #expect(output.contains("`add score` is registered nowhere: a newer app wrote this store"))
  }

  @Test func aRenamedMigrationRunsOnceMore() throws {
    let alike = try migrations("\"v1\"", "\"addScore\"")
    #expect(alike.contains("`addScore` ran here as `add score` and will run again"))
    let between = try migrations("\"first\"", "\"add score\"")
    #expect(between.contains("`first` ran here as `v1` and will run again"))
  }

  @Test func aMergedMigrationIsNotUnknown() throws {
    let output = try migrations("\"v1\"", "\"v3\", merging: [\"add score\", \"v2\"]")
    #expect(output.contains("  merged   add score  into `v3`\n"))
    #expect(!output.contains("registered nowhere"))
  }

  @Test func programsGetTheStateOfEachMigration() throws {
    try folder.write("Database.swift", registering(["\"v1\"", "\"addScore\""]))
    let run = try persistlint(
      "store", "--format", "json", stores + "/players.sqlite", ".", in: folder)
    #expect(run.output.contains("\"verdict\": \"runsAgain\""))
    #expect(run.output.contains("\"was\": \"add score\""))
  }

  @Test func aRealmIsNamedForWhatItIs() throws {
    try folder.write("default.realm", "encrypted, so that nothing tells its format")
    let run = try persistlint("store", "default.realm", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("a Realm file, whose format can't be read here"))
  }

  @Test func dataModelsAreSourcesToo() throws {
    try folder.write(
      "Places.xcdatamodeld/Places.xcdatamodel/contents",
      """
      <model><entity name="Place"><attribute name="title" optional="YES" attributeType="String"/>
      </entity><entity name="City" parentEntity="Place">
      <attribute name="people" optional="YES" attributeType="Integer 32"/></entity></model>
      """)
    let run = try persistlint("store", stores + "/places.sqlite", ".", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("written by Places.xcdatamodeld/Places"))
  }

  @Test func modelsWithoutVersionsAreFrozenFromAStoreByTheCommandThatIsPrinted() throws {
    try folder.write(
      "Models.swift",
      """
      import SwiftData
      @Model final class Trip { var name: String = "new"; init() {} }
      @Model final class Stop { var day: Date; init(day: Date) { self.day = day } }

      """)
    try FileManager.default.copyItem(
      atPath: stores + "/trips.store",
      toPath: folder.url.appendingPathComponent("my trips.store").path)
    let unsaid = try persistlint("freeze", "--from-store", "my trips.store", in: folder)
    #expect(unsaid.exitCode == 2)
    #expect(
      unsaid.errors.contains("`persistlint freeze unversioned --from-store 'my trips.store'`"))
    let run = try persistlint("freeze", "unversioned", "--from-store", "my trips.store", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("persistlint.lock: froze unversioned as my trips.store holds it"))
    #expect(try folder.read("persistlint.lock").contains("\nfrozen unversioned\n"))
  }
}
