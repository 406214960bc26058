import Foundation
import Testing

/// The output is the same bytes for any number of threads and any order of the arguments.
@Suite struct SameOutputTests {
  let folder: Folder
  private static let names = (1...24).map { "App/File\($0).swift" }

  init() throws {
    folder = try Folder()
    for (index, name) in SameOutputTests.names.enumerated() {
      let filling = String(repeating: "func f() { print(1) }\n", count: (index % 5) * 200)
      let model = "@Model final class Item\(index) { var name = \"\" }\n"
      try folder.write(
        name, "import SwiftData\n\(filling)\(model)// persistlint:ignore[no-such-rule]\n")
    }
  }

  @Test(arguments: ["text", "sarif", "json"]) func threadsDoNotMatter(format: String) throws {
    let outputs = try ["1", "2", "7", "64"].map { jobs in
      try persistlint("--format", format, "--jobs", jobs, in: folder).output
    }
    #expect(Set(outputs).count == 1)
    #expect(outputs[0].contains("no-such-rule"))
  }

  @Test func orderOfArgumentsDoesNotMatter() throws {
    let forward = try persistlint(SameOutputTests.names, in: folder).output
    let backward = try persistlint(SameOutputTests.names.reversed(), in: folder).output
    let repeated = try persistlint(["App", "."] + SameOutputTests.names, in: folder).output
    #expect(forward == backward && forward == repeated)
    #expect(forward.contains("File24.swift"))
  }

  /// Tables have another order in each process; what is known of the code must not.
  @Test func factsAreTheSameInEachProcess() throws {
    let folder = try Folder()
    let contexts = [
      "container.newBackgroundContext()", "container.viewContext",
      "NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)",
    ]
    for index in 0..<20 {
      try folder.write(
        "App/Store\(index).swift",
        """
        import CoreData
        final class Store\(index) {
          let container: NSPersistentContainer
          lazy var context = \(contexts[index % 3])
          init(container: NSPersistentContainer) { self.container = container }
          func show() {
            DispatchQueue.\(index % 2 == 0 ? "main" : "global()").async { rename(self.context) }
          }
        }

        """)
    }
    try folder.write(
      "App/Trip.swift",
      """
      import CoreData
      @objc(Trip) final class Trip: NSManagedObject { @NSManaged var name: String? }
      let request = NSFetchRequest<Trip>(entityName: "Trip")
      func rename(_ context: NSManagedObjectContext) {
        guard let trip = try? context.fetch(request).first else { return }
        trip.name = ""
      }

      """)
    let outputs = try (0..<6).map { _ in
      try persistlint("debug", "facts", "App", in: folder).output
    }
    #expect(Set(outputs).count == 1)
    #expect(outputs[0].contains("WRONG"))
  }

  @Test func pathsAreRelativeToTheFolder() throws {
    let inside = folder.inner("App")
    let here = try persistlint(in: folder).output
    let there = try persistlint(in: inside).output
    #expect(here == there.split(separator: "\n").map { "App/\($0)\n" }.joined())
  }
}
