import Foundation
import Testing

/// Which code a target builds, and with what, decides what is said of it.
@Suite struct BuiltTargetTests {
  private func output(_ files: [String: String]) throws -> String {
    let folder = try Folder()
    for (path, text) in files { try folder.write(path, text) }
    return try persistlint("--format", "text", "--exit-zero", in: folder).output
  }

  @Test func manifestsMayUseNamesOfSeveralTargets() throws {
    let names = #"enum Names { static let folder = "Sources/A" }"#
    let output = try output([
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Trips",
        targets: [
          .target(name: "A", path: Names.folder), .target(name: "B", dependencies: ["A"]),
        ])

      """,
      "Sources/A/Names.swift": names, "Sources/B/Names.swift": names,
      "Sources/A/Save.swift":
        "import SwiftData\nfunc keep(_ context: ModelContext) { try? context.save() }\n",
    ])
    #expect(output.contains("Sources/A/Save.swift:2:38: warning: when `save` fails"))
  }

  // MARK: Manifests of Tuist that helpers write

  private static let helper = """
    import ProjectDescription
    extension Project {
      public static func makeProject(name: String, extensions: [Target] = []) -> Self {
        Project(name: name, targets: [.app(name)] + extensions)
      }
    }
    extension Target {
      static func app(_ name: String) -> Target {
        Target(name: name, product: .app, sources: ["Sources/**"])
      }
      public static func widget(name: String) -> Target {
        Target(name: name, product: .appExtension, sources: ["\\(name)/**"])
      }
    }

    """
  private static let store = """
    import SwiftData
    @Model final class Trip { init() {} }
    let container = Result {
      try ModelContainer(
        for: Trip.self, configurations: ModelConfiguration(groupContainer: .identifier("group.t")))
    }

    """
  private static let widget = """
    import SwiftData
    import WidgetKit
    struct Provider: TimelineProvider {
      func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
        do { print(try container.get()) } catch { print(error) }
      }
    }

    """

  private func sharing(_ manifest: String) throws -> String {
    try output([
      "Tuist/ProjectDescriptionHelpers/Project+Templates.swift": Self.helper,
      "App/Project.swift": manifest, "App/Sources/Store.swift": Self.store,
      "App/Sources/App.swift":
        "import SwiftUI\n@main struct Trips: App { let opened = container\n"
        + "  var body: some Scene { WindowGroup { Text(\"\") } } }\n",
      "App/Widget/Provider.swift": Self.widget,
    ])
  }

  @Test func aTargetInACommentIsNotBuilt() throws {
    let output = try sharing(
      """
      import ProjectDescription
      import ProjectDescriptionHelpers
      let project = Project.makeProject(name: "App", extensions: [
      //  .widget(name: "Widget")
      ])
      """)
    #expect(!output.contains("[shared-store-without-lock]"), "\(output)")
  }

  @Test func aTargetThatTheManifestNamesIsBuilt() throws {
    let output = try sharing(
      """
      import ProjectDescription
      import ProjectDescriptionHelpers
      let project = Project.makeProject(name: "App", extensions: [.widget(name: "Widget")])
      """)
    #expect(output.contains("[shared-store-without-lock]"), "\(output)")
  }

  // MARK: Functions of one name in several targets

  @Test func theFunctionOfTheOwnTargetIsCalled() throws {
    let database = """
      import GRDB
      func appDatabase() throws -> DatabaseQueue { try DatabaseQueue(path: "a.sqlite") }

      """
    let app = """
      import SwiftUI
      @main struct Main: App {
        let database = try! appDatabase()
        var body: some Scene { WindowGroup { Text("") } }
      }

      """
    let output = try output([
      "project.yml": """
      name: Apps
      targets:
        One: { type: application, platform: iOS, sources: [One] }
        Two: { type: application, platform: iOS, sources: [Two] }

      """,
      "One/Database.swift": database, "One/Main.swift": app,
      "Two/Database.swift": database, "Two/Main.swift": app,
    ])
    let lines = output.split(separator: "\n")
    let found = lines.indices.filter { lines[$0].hasSuffix("[fatal-error-on-store-open]") }
    #expect(found.count == 2, "\(output)")
    for index in found {
      let folder = lines[index].prefix { $0 != "/" }
      #expect(lines[(index + 1)...].first?.hasPrefix("\(folder)/Database.swift") ?? false)
    }
  }

  // MARK: What is public in an app

  @Test func nothingImportsAnApp() throws {
    let keeper =
      "import SwiftData\n@ModelActor public actor Keeper {\n"
      + "  public func all() throws -> [Trip] { try modelContext.fetch(FetchDescriptor()) }\n}\n"
    var files = [
      "App/Keeper.swift": keeper,
      "App/App.swift": "import SwiftData\nimport SwiftUI\n@Model final class Trip { init() {} }\n"
        + "@main struct Main: App { var body: some Scene { WindowGroup { Text(\"\") } } }\n",
    ]
    #expect(try output(files).contains("error: the app can crash where the result of `all`"))
    files["project.yml"] =
      "name: App\ntargets:\n  App: { type: application, platform: iOS, sources: [App] }\n"
    #expect(try output(files).contains("note: the app can crash where the result of `all`"))
  }

  // MARK: Plans that one platform passes

  @Test func aPlanThatTheWatchDoesNotPassIsNotJudgedThere() throws {
    func version(_ number: Int, _ more: String) -> String {
      """
      enum SchemaV\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] {
          #if os(iOS)
          [Trip.self\(more)]
          #else
          [Trip.self]
          #endif
        }
        @Model final class Trip { var name = ""; init() {} }
        @Model final class Note { var text = ""; init() {} }
      }

      """
    }
    let plan = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] {
          [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
        }
      }

      """
    func opening(_ plan: String) -> String {
      "import SwiftData\nlet container = Result {\n"
        + "  try ModelContainer(for: Schema(versionedSchema: SchemaV2.self)\(plan))\n}\n"
    }
    var files = [
      "project.yml": """
      name: Trips
      targets:
        App: { type: application, platform: iOS, sources: [Shared, App] }
        Watch: { type: application, platform: watchOS, sources: [Shared, Watch] }

      """,
      "Shared/Schema.swift": "import SwiftData\n" + version(1, "") + version(2, ", Note.self")
        + plan,
      "App/Store.swift": opening(", migrationPlan: Plan.self"),
      "Watch/Store.swift": opening(""),
    ]
    let crash = "on watchOS the app crashes at launch"
    #expect(!(try output(files).contains(crash)))
    files["Watch/Store.swift"] = opening(", migrationPlan: Plan.self")
    #expect(try output(files).contains(crash))
  }

  // MARK: App groups

  private static let app = "  App: {type: application, platform: iOS, sources: [App]}\n"

  private func busy(_ targets: String) throws -> String {
    try output([
      "project.yml": "name: Trips\ntargets:\n" + targets,
      "App/Store.swift": """
      import Foundation
      import GRDB
      enum Store {
        static func open() throws -> DatabasePool {
          let folder = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: "group.t")!
          return try DatabasePool(path: folder.appending(path: "t.sqlite").path)
        }
      }

      """,
      "App/App.swift": """
      import AppIntents
      import SwiftUI
      @main struct Trips: App {
        let opened = Result { try Store.open() }
        var body: some Scene { WindowGroup { Text("") } }
      }
      struct Add: AppIntent {
        func perform() async throws -> some IntentResult {
          print(try Store.open())
          return .result()
        }
      }

      """,
      "Widget/Provider.swift": """
      import WidgetKit
      struct Provider: TimelineProvider {
        func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
          do { print(try Store.open()) } catch { print(error) }
        }
      }

      """,
    ])
  }

  @Test func aGroupsDatabaseIsSharedWhereASecondProcessOpensIt() throws {
    let rule = "[shared-database-without-busy-mode]"
    #expect(!(try busy(Self.app).contains(rule)))
    let widget =
      "  Widget: {type: app-extension, platform: iOS, sources: [Widget, App/Store.swift]}\n"
    #expect(try busy(Self.app + widget).contains(rule))
  }

  @Test func aGroupOfAnotherPlatformIsNoneHere() throws {
    func access(onlyOn platform: String) throws -> String {
      try output([
        "project.yml": "name: Trips\ntargets:\n" + Self.app
          + "  TV: {type: application, platform: tvOS, sources: [App/Store.swift, TV]}\n",
        "App/Store.swift": """
        import SwiftData
        @Model final class Trip { init() {} }
        func folder() -> URL {
          #if os(\(platform))
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.t")!
          #else
            URL.documentsDirectory
          #endif
        }
        let container = Result {
          try ModelContainer(
            for: Trip.self,
            configurations: ModelConfiguration(url: folder().appending(path: "t.store")))
        }

        """,
        "App/Add.swift": """
        import AppIntents
        import SwiftData
        struct Add: AppIntent {
          func perform() async throws -> some IntentResult {
            let context = ModelContext(try container.get())
            context.insert(Trip())
            try context.save()
            return .result()
          }
        }

        """,
        "TV/App.swift": "import SwiftUI\n@main struct TV: App { let opened = container\n"
          + "  var body: some Scene { WindowGroup { Text(\"\") } } }\n",
      ])
    }
    #expect(!(try access(onlyOn: "tvOS").contains("0xdead10cc")))
    #expect(try access(onlyOn: "iOS").contains("0xdead10cc"))
  }
}
