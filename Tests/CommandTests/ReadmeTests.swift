import Foundation
import Testing

@testable import persistlint

/// What README.md and docs/*.md show is what the command does.
@Suite struct ReadmeTests {
  /// A page of the documentation, with its fences.
  struct Page: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String

    var testDescription: String { path }

    /// The contents of the fences that begin with this word.
    func fences(_ word: String) -> [String] {
      text.split(separator: "```\(word)\n").dropFirst().compactMap {
        $0.split(separator: "```", omittingEmptySubsequences: false).first.map(String.init)
      }
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let pages: [Page] = {
    let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/docs")) ?? []
    return (["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" })
      .compactMap { path in
        let file = root.appendingPathComponent(path)
        return (try? String(contentsOf: file, encoding: .utf8)).map { Page(path: path, text: $0) }
      }
  }()

  private static func page(_ path: String) throws -> Page {
    try #require(pages.first { $0.path == path })
  }

  @Test func shownFindingsAreThoseOfTheExamples() throws {
    let shown = try ReadmeTests.page("README.md").text.split(separator: "\n").filter {
      $0.hasPrefix("Examples/") && $0.contains(#/:\d+:\d+: (error|warning|note): /#)
    }
    #expect(shown.count >= 3)
    let folder = try Folder()
    try folder.link("Examples", to: ReadmeTests.root.appendingPathComponent("Examples").path)
    let run = try persistlint("Examples", in: folder)
    #expect(run.exitCode == 1, "as the README says")
    let printed = Set(
      run.output.split(separator: "\n").map {
        // The link leads out of the folder, so the paths are absolute there.
        String($0).replacing(ReadmeTests.root.path + "/", with: "")
      })
    for line in shown { #expect(printed.contains(String(line))) }
  }

  @Test func shownConfigurationIsAcceptedAndHasEveryKey() throws {
    let block = try #require(try ReadmeTests.page("docs/configuration.md").fences("js").first)
    let folder = try Folder()
    try folder.write(".persistlint.json", block)
    try folder.write("Shared.json", "{}")
    let run = try persistlint("config", in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.output.contains("\"TripKit.open\"") && run.output.contains("\"requireReason\": true"))
    func check(_ keys: [ConfigurationKey]) {
      for key in keys {
        #expect(block.contains("\"\(key.name)\":"), "\(key.name)")
        if case .record(let inner) = key.shape { check(inner) }
      }
    }
    check(ConfigurationKey.all)
  }

  /// Runs the lines of each fence of shell in a project of its own, one after the other. What
  /// installs persistlint is left out.
  @Test(arguments: pages) func shownCommandsRun(page: Page) throws {
    for fence in page.fences("sh") {
      let lines = fence.split(separator: "\n").filter {
        $0.contains(#/(^|\| )persistlint( |$)/#)
      }
      guard !lines.isEmpty else { continue }
      let folder = try Self.project()
      for line in lines {
        let run = try shell(String(line), in: folder)
        #expect(run.exitCode == 0 || run.exitCode == 1, "\(page.path): \(line)\n\(run.errors)")
      }
    }
  }

  @Test func everyFormatIsInTheTable() throws {
    let page = try ReadmeTests.page("docs/formats.md")
    for format in OutputFormat.allCases {
      #expect(page.text.contains("`\(format.rawValue)`"), "\(format.rawValue)")
    }
  }

  private func shell(_ line: String, in folder: Folder) throws -> (exitCode: Int32, errors: String)
  {
    let errors = folder.url.deletingLastPathComponent().appendingPathComponent("errors.txt")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "(\(line)\n) > /dev/null 2> '\(errors.path)'"]
    process.currentDirectoryURL = folder.url
    process.environment = ["PATH": "\(productsFolder.path):/usr/bin:/bin", "HOME": folder.url.path]
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
  }

  /// An app with two schema versions, a store of the first, a tag for each release, and a branch.
  private static func project() throws -> Folder {
    let folder = try Folder()
    let stores = folder.checkout("Tests/Stores")
    for (from, to) in [("trips.store", "default.store"), ("trips.store", "Tests/Stores/1.store")] {
      let data = try Data(contentsOf: stores.url.appendingPathComponent(from))
      try folder.write(to, data)
    }
    try folder.write("Sources/Schema.swift", schema(note: ""))
    try folder.write(
      "Sources/Store.swift",
      "import SwiftData\nfunc keep(_ context: ModelContext) { try? context.save() }\n")
    try folder.git("init", "--quiet", "--initial-branch", "main")
    try folder.git("add", "--all")
    try folder.git("commit", "--quiet", "--message", "one")
    for reference in ["refs/tags/v1.2", "refs/remotes/origin/main"] {
      try folder.git("update-ref", reference, "HEAD")
    }
    try folder.write("Sources/Schema.swift", schema(note: "    var note: String?\n"))
    return folder
  }

  private static func schema(note: String) -> String {
    "import SwiftData\n" + version("SchemaV1", 1, note: "") + version("SchemaV2", 2, note: note)
      + """
      enum TripPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] {
          [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
        }
      }

      """
  }

  private static func version(_ name: String, _ number: Int, note: String) -> String {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model final class Trip {
        @Attribute(.unique) var name: String = "new"
        var rating: Int\(number == 1 ? "?" : " = 0")
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
    \(note)    init() {}
      }
      @Model final class Stop {
        var day: Date
        var trip: Trip?
        init(day: Date) { self.day = day }
      }
    }

    """
  }
}
