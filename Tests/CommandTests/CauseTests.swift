import Foundation
import Testing

/// What one cause does in many places is one finding, and each place is still asked for by itself.
@Suite struct CauseTests {
  let folder: Folder

  private static func saves(_ count: Int) -> String {
    (1...count).map { "  func save\($0)() { try? context.save() }\n" }.joined()
  }

  init() throws {
    folder = try Folder()
    try folder.write(
      "Repo.swift",
      "import SwiftData\nfinal class Repo {\n  let context: ModelContext\n"
        + "  init(_ context: ModelContext) { self.context = context }\n" + Self.saves(9) + "}\n")
    try folder.write(
      "Repo+Last.swift",
      "import SwiftData\nextension Repo {\n  func last() { try? context.save() }\n}\n"
        + "final class Other {\n  func keep(_ context: ModelContext) { try? context.save() }\n}\n")
  }

  private func count(_ text: String, in output: String) -> Int {
    output.components(separatedBy: text).count - 1
  }

  @Test func aTypeThatHidesTenSavesIsOneFinding() throws {
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[swallowed-save-error]", in: output) == 2)
    #expect(count("note: and here", in: output) == 6)
    #expect(output.contains("note: and 3 more places"))
    #expect(output.contains("Repo+Last.swift:6:"))
  }

  @Test func formatsForMachinesHoldAllPlaces() throws {
    for format in ["json", "sarif"] {
      let output = try persistlint("--format", format, in: folder).output
      #expect(count("and here", in: output) >= 9, "\(format)")
    }
  }

  @Test func objectsThatOneHelperLetsOutOfPerformAreOneFinding() throws {
    let stores = (1...9).map {
      """
      import CoreData
      final class Store\($0) {
        let desk: Desk
        init(_ desk: Desk) { self.desk = desk }
        func name() async throws -> String? { try await desk.trips().first?.name }
      }
      """
    }
    let folder = try Folder()
    for (index, store) in stores.enumerated() { try folder.write("Store\(index).swift", store) }
    try folder.write(
      "Desk.swift",
      """
      import CoreData
      class Trip: NSManagedObject { @NSManaged var name: String? }
      final class Desk {
        let container: NSPersistentContainer
        init(_ container: NSPersistentContainer) { self.container = container }
        func trips() async throws -> [Trip] {
          let context = container.newBackgroundContext()
          return try await context.perform { try context.fetch(NSFetchRequest<Trip>(entityName: "Trip")) }
        }
      }
      """)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[managed-object-outside-context]", in: output) == 1)
    #expect(output.contains("note: and 5 more places"))
    #expect(output.contains("Desk.swift:8:30: note: the object leaves `perform` here"))
  }

  @Test func whatClosuresDoOnTheQueueOfOneClientIsOneFinding() throws {
    let client = """
      import CoreData
      final class Safe: NSManagedObject { @NSManaged var name: String }
      final class Client {
        var isReachable = true
        func load(_ done: @escaping () -> Void) {
          guard isReachable else { return done() }
          URLSession.shared.dataTask(with: URL(string: "https://example.org")!) { _, _, _ in
            done()
          }.resume()
        }
      }

      """
    try folder.write(
      "Review.swift",
      """
      import CoreData
      final class Review {
        let client = Client()
        let safe: Safe
        init(safe: Safe) { self.safe = safe }
        func estimate() {
          print(safe.name)
          client.load { [weak self] in self?.find() }
        }
        func find() {
          print(safe.name)
          client.load { [weak self] in self?.change() }
        }
        func change() {
          print(safe.name)
          estimate()
        }
      }
      @MainActor func show(_ container: NSPersistentContainer) throws {
        for safe in try container.viewContext.fetch(NSFetchRequest<Safe>(entityName: "Safe")) {
          Review(safe: safe).estimate()
        }
      }

      """)
    func output(_ client: String) throws -> String {
      try folder.write("Client.swift", client)
      return try persistlint("--format", "text", in: folder).output
    }
    let found = try output(client)
    #expect(count("[managed-object-outside-context]", in: found) == 1)
    #expect(found.contains("this closure runs on the other queue"))
    let onMain = client.replacing("  done()", with: "  DispatchQueue.main.async { done() }")
    #expect(count("[managed-object-outside-context]", in: try output(onMain)) == 0)
  }

  @Test func whatATypeAssumesOfOneRelationshipIsOneFinding() throws {
    let folder = try Folder()
    try folder.write(
      "Cars.swift",
      """
      import SwiftData
      @Model final class Car {
        var unit = 0
        @Relationship(inverse: \\Fill.car) var fills: [Fill]? = []
        init() {}
      }
      @Model final class Fill { var car: Car?; init() {} }
      let synced = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.cars"))
      struct Row {
        let fill: Fill
        var first: Int { fill.car!.unit }
        var second: Int { fill.car!.unit }
        var third: Int { fill.car!.unit }
      }
      struct Short {
        let fill: Fill
        var first: Int { fill.car!.unit }
        var second: Int { fill.car!.unit }
      }
      """)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[synced-relationship-unwrapped]", in: output) == 3)
    #expect(count("note: and here", in: output) == 2)
  }

  @Test func theLateReadsOfOneScreenAreOneFinding() throws {
    func screen(_ name: String, _ methods: ClosedRange<Int>) -> String {
      let all = methods.map { number in
        """
          func show\(number)(_ realm: Realm) {
            guard let memo = realm.objects(Memo.self).first else { return }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) { print(memo.title) }
          }

        """
      }
      return "final class \(name): UIViewController {\n\(all.joined())}\n"
    }
    let folder = try Folder()
    try folder.write(
      "Memos.swift",
      """
      import RealmSwift
      import UIKit
      final class Memo: Object { @Persisted var title: String }
      func empty(_ realm: Realm) throws {
        try realm.write { realm.delete(realm.objects(Memo.self)) }
      }

      """ + screen("Board", 1...4) + screen("Page", 1...3))
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[realm-object-invalidated]", in: output) == 4)
    #expect(count("note: and here", in: output) == 3)
  }

  @Test func whereARuleSpeaksOfManyATypeIsOneFinding() throws {
    let types = (1...4).map {
      "final class Desk\($0) {\n  var context: ModelContext!\n" + Self.saves(2) + "}\n"
    }
    let folder = try Folder()
    try folder.write("Desks.swift", "import SwiftData\n" + types.joined())
    var output = try persistlint("--format", "text", in: folder).output
    #expect(count("[swallowed-save-error]", in: output) == 4)
    try folder.write("Desks.swift", "import SwiftData\n" + types.dropLast().joined())
    output = try persistlint("--format", "text", in: folder).output
    #expect(count("[swallowed-save-error]", in: output) == 6)
  }

  @Test func theMethodsOfOneClassWithoutIsolationAreOneFinding() throws {
    let folder = try Folder()
    try folder.write(
      "Trips.swift",
      """
      import SwiftData
      import SwiftUI
      @Model final class Trip {
        var isDone = false
        init() {}
      }
      final class Editor {
        let trip: Trip
        init(trip: Trip) { self.trip = trip }
        func finish() async { trip.isDone = true }
        func reopen() async { trip.isDone = false }
      }
      struct Row: View {
        @Query private var trips: [Trip]
        var body: some View {
          Button("Finish") {
            guard let trip = trips.first else { return }
            let editor = Editor(trip: trip)
            Task {
              await editor.finish()
              await editor.reopen()
            }
          }
        }
      }
      """)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[model-captured-in-detached-task]", in: output) == 1)
    #expect(count("note: and here", in: output) == 1)
  }

  @Test func theRecordsOfOneMigratorAreOneFinding() throws {
    let folder = try Folder()
    try folder.write(
      "Library.swift",
      """
      import GRDB
      struct Shelf: Codable, FetchableRecord, PersistableRecord { var id: Int64; var name: String }
      struct Pin: Codable, FetchableRecord, PersistableRecord { var id: Int64; var name: String }
      struct Tag: Codable, FetchableRecord, PersistableRecord { var id: Int64; var name: String }
      func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("seed") { db in
          try Shelf(id: 1, name: "All").insert(db)
          try Pin(id: 1, name: "First").insert(db)
          try Tag(id: 1, name: "New").insert(db)
        }
        return migrator
      }
      func all(_ queue: DatabaseQueue) throws -> ([Shelf], [Pin], [Tag]) {
        try queue.read { db in
          (try Shelf.fetchAll(db), try Pin.fetchAll(db), try Tag.fetchAll(db))
        }
      }
      """)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[migration-uses-live-record]", in: output) == 1)
    #expect(output.contains("Library.swift:10:") && output.contains("note: and here"))
  }

  @Test func anAppThatCrashesWhereverItSavesIsOneFinding() throws {
    let types = (1...8).map {
      "final class Desk\($0) {\n  var context: ModelContext!\n"
        + "  func save() { try! context.save() }\n}\n"
    }
    let folder = try Folder()
    try folder.write("Desks.swift", "import SwiftData\n" + types.joined())
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[fatal-error-on-save]", in: output) == 1)
  }

  @Test func theHandlesOfOneRealmAreOneFinding() throws {
    let folder = try Folder()
    for name in ["A", "B"] {
      try folder.write(
        "\(name).swift",
        "import RealmSwift\nfinal class \(name) {\n"
          + "  func show() { print(try! Realm()) }\n"
          + "  func look() { print(try! Realm(configuration: .\(name.lowercased()))) }\n}\n")
    }
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[fatal-error-on-store-open]", in: output) == 3)
  }

  @Test func theEndsOfOneFailureAreOneFinding() throws {
    let folder = try Folder()
    try folder.write(
      "Stack.swift",
      """
      import CoreData
      final class Stack {
        func open(_ coordinator: NSPersistentStoreCoordinator, at url: URL) {
          do {
            try coordinator.addPersistentStore(
              ofType: NSSQLiteStoreType, configurationName: nil, at: url)
          } catch let error as NSError {
            if error.code == NSMigrationMissingSourceModelError { fatalError("no model") }
            fatalError("not opened: \\(error)")
          }
        }
      }
      """)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(count("[fatal-error-on-store-open]", in: output) == 1)
    #expect(count("note: and here", in: output) == 1)
  }

  @Test func aPlaceThatTheBaselineLacksIsReported() throws {
    _ = try persistlint("--baseline", "base.txt", "--write-baseline", in: folder)
    let old = try persistlint("--baseline", "base.txt", "--format", "text", in: folder)
    #expect(old.output == "")
    try folder.write(
      "Repo+New.swift", "import SwiftData\nextension Repo { func new() { try? context.save() } }\n")
    let new = try persistlint("--baseline", "base.txt", "--format", "text", in: folder)
    #expect(new.output.hasPrefix("Repo+New.swift:2:"))
    #expect(count("[swallowed-save-error]", in: new.output) == 1)
    #expect(!new.output.contains("and here"))
  }

  @Test func aFindingStandsAtItsFirstPlaceInTheChange() throws {
    try folder.write("files.txt", "Repo+Last.swift\n")
    let output = try persistlint(
      "--files-from", "files.txt", "--format", "text", in: folder
    ).output
    #expect(output.contains("Repo+Last.swift:3:"))
    #expect(!output.contains("Repo.swift:"))
  }

  @Test func aSuppressionSpeaksForItsOwnPlace() throws {
    let text = try folder.read("Repo.swift").replacingOccurrences(
      of: "  func save1()",
      with: "  // persistlint:ignore[swallowed-save-error] a draft\n  func save1()")
    try folder.write("Repo.swift", text)
    let output = try persistlint("--format", "text", in: folder).output
    #expect(!output.contains("Repo.swift:6:") && output.contains("Repo.swift:7:"))
  }
}
