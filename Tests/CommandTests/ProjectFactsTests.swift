import Foundation
import Testing

/// What the configuration says of a project changes what is found in it.
@Suite struct ProjectFactsTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Writes the configuration; single quotes stand for double ones.
  private func configure(_ text: String) throws {
    try folder.write(".persistlint.json", text.replacing("'", with: "\""))
  }

  private func rules(_ arguments: String...) throws -> [String] {
    let run = try persistlint(arguments + ["--exit-zero"], in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    return run.output.split(separator: "\n").compactMap { line in
      guard line.hasSuffix("]"), let start = line.lastIndex(of: "[") else { return nil }
      return line.contains(": note: `") ? nil : String(line[start...].dropFirst().dropLast())
    }
  }

  // MARK: Stores

  private static let model = """
    import SwiftData
    @Model final class Trip {
      @Attribute(.unique) var code = ""
      init() {}
    }

    """

  @Test func syncIsAFact() throws {
    try folder.write("Trip.swift", ProjectFactsTests.model)
    #expect(!(try rules().contains("cloudkit-incompatible-model")))
    try configure("{sync: true}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 1 && run.output.contains("error: the synced store"))
    try folder.write(
      "Store.swift",
      """
      import SwiftData
      func open() throws -> ModelContainer {
        try ModelContainer(for: Trip.self, configurations: ModelConfiguration("trips"))
      }
      """)
    #expect(try persistlint(in: folder).output.contains("this store syncs with CloudKit"))
    let none = try folder.read("Store.swift").replacing(
      "\"trips\"", with: "\"trips\", cloudKitDatabase: .none")
    try folder.write("Store.swift", none)
    #expect(!(try rules().contains("cloudkit-incompatible-model")))
  }

  @Test func entitlementsGiveWayToTheConfiguration() throws {
    try folder.write(
      "App.entitlements",
      """
      <plist version="1.0"><dict>
      <key>com.apple.developer.icloud-container-identifiers</key>
      <array><string>iCloud.trips</string></array>
      <key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>
      </dict></plist>
      """)
    try folder.write(
      "Trip.swift",
      ProjectFactsTests.model
        + "func open() throws -> ModelContainer { try ModelContainer(for: Trip.self) }\n")
    #expect(try rules().contains("cloudkit-incompatible-model"))
    try configure("{sync: false}")
    #expect(!(try rules().contains("cloudkit-incompatible-model")))
  }

  @Test func automaticSyncNeedsAnEntitlement() throws {
    func entitle(_ keys: String...) throws {
      let entries = keys.map {
        "<key>com.apple.\($0)</key><array><string>CloudKit</string></array>"
      }
      try folder.write(
        "App.entitlements", "<plist version=\"1.0\"><dict>\(entries.joined())</dict></plist>")
    }
    try folder.write(
      "Trip.swift",
      ProjectFactsTests.model
        + """
        func open() throws -> ModelContainer {
          try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(cloudKitDatabase: .automatic))
        }
        """)
    try entitle("developer.icloud-services", "developer.icloud-container-identifiers")
    #expect(try rules().contains("cloudkit-incompatible-model"))
    try entitle("security.application-groups")
    #expect(!(try rules().contains("cloudkit-incompatible-model")))
  }

  private static let shared = """
    import SwiftData
    import WidgetKit
    struct Trips: TimelineProvider {
      func timeline() async throws {
        let container = try StorePlace.container()
        _ = try ModelContext(container).fetch(FetchDescriptor<Trip>())
      }
    }
    enum StorePlace {
      static func container() throws -> ModelContainer {
        try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: Place.url))
      }
    }

    """

  @Test func appGroupLocksAndAssertionsAreFacts() throws {
    try folder.write("Trip.swift", ProjectFactsTests.model)
    try folder.write("Widget.swift", ProjectFactsTests.shared)
    let both = ["shared-store-without-lock", "store-access-without-background-assertion"]
    #expect(Set(try rules()).isDisjoint(with: both))
    try configure("{appGroup: true}")
    #expect(Set(try rules()).isSuperset(of: both))
    let guarded = ProjectFactsTests.shared
      .replacing("    try ModelContainer", with: "    try Gate.pass { try ModelContainer")
      .replacing("Place.url))", with: "Place.url)) }")
      .replacing("    let container", with: "    await Awake.hold()\n    let container")
    try folder.write("Widget.swift", guarded)
    #expect(Set(try rules()).isSuperset(of: both))
    try configure("{appGroup: true, names: {locks: ['Gate.pass'], assertions: ['Awake']}}")
    #expect(Set(try rules()).isDisjoint(with: ["shared-store-without-lock"]))
    try configure("{appGroup: true, names: {locks: ['Gate'], assertions: ['Awake.hold(for:)']}}")
    let left = try rules()
    #expect(!left.contains("shared-store-without-lock"))
    try configure("{appGroup: true, names: {locks: ['Door.pass']}}")
    #expect(Set(try rules()).isSuperset(of: both))
  }

  @Test func appGroupCanBeDenied() throws {
    try folder.write("Trip.swift", ProjectFactsTests.model)
    try folder.write(
      "Widget.swift",
      ProjectFactsTests.shared.replacing(
        "url: Place.url", with: "groupContainer: .identifier(\"group.trips\")"))
    #expect(try rules().contains("shared-store-without-lock"))
    try configure("{appGroup: false}")
    #expect(!(try rules().contains("shared-store-without-lock")))
  }

  // MARK: Names

  @Test(arguments: [
    "do { store = try TripKit.open() } catch { fatalError() }",
    "store = try! TripKit.open()",
    "guard let opened = TripKit.open() else { fatalError() }\n  store = opened",
    "TripKit.open { result in switch result { case .failure: fatalError()\n case .success: break } }",
    "TripKit.open { error in if let error { fatalError(\"\\(error)\") } }",
    "TripKit.open { store, error in if error != nil { fatalError() } }",
    "let kit: TripKit = .init()\n  do { store = try kit.open() } catch { fatalError() }",
  ])
  func openersMayFail(body: String) throws {
    try folder.write(
      "App.swift", "import TripKit\nvar store: Any?\nfunc start() {\n  \(body)\n}\n")
    #expect(try rules().isEmpty)
    for name in ["open", "TripKit.open", "TripKit.open(at:)", "Kits.TripKit.open"] {
      try configure("{names: {openers: ['\(name)']}}")
      #expect(try rules().contains("fatal-error-on-store-open"), "\(name)")
    }
    try configure("{names: {openers: ['OtherKit.open']}}")
    #expect(!(try rules().contains("fatal-error-on-store-open")))
  }

  @Test func whatTheSourcesTellIsFoundOnce() throws {
    try folder.write(
      "App.swift",
      """
      import SwiftData
      enum Store { static func open() throws -> ModelContainer { try ModelContainer(for: Trip.self) } }
      func start() {
        do { _ = try Store.open() } catch { fatalError() }
      }
      """)
    let before = try persistlint(in: folder).output
    try configure("{names: {openers: ['Store.open', 'ModelContainer']}}")
    #expect(try persistlint(in: folder).output == before)
    #expect(before.contains("[fatal-error-on-store-open]"))
  }

  @Test func backupsComeBeforeTheEnd() throws {
    try folder.write(
      "App.swift",
      """
      import SwiftData
      import Vaults
      func start() {
        do { _ = try ModelContainer(for: Trip.self) } catch {
          Vault.shared.keep("trips")
          fatalError()
        }
      }
      """)
    #expect(try rules().contains("fatal-error-on-store-open"))
    for name in ["Vault", "keep", "Vault.keep"] {
      try configure("{names: {backups: ['\(name)']}}")
      #expect(!(try rules().contains("fatal-error-on-store-open")), "\(name)")
    }
  }

  @Test func namesThatNothingIsCalledByAreReported() throws {
    try folder.write("App.swift", "func start() { TripKit.openStore() }\n")
    try configure("{names: {openers: ['TripKit.opneStore'],\n  locks: ['TirpKit']}}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.errors.contains(
        ".persistlint.json:1:28: nothing in the sources is called 'opneStore'; "
          + "did you mean 'openStore'?"), "\(run.errors)")
    #expect(run.errors.contains(".persistlint.json:2:11: ") && run.errors.contains("'TripKit'?"))
    #expect(!(try persistlint("App.swift", in: folder).errors.contains("nothing in the sources")))
    try folder.write(
      "App.swift", "func start(_ kit: TirpKit, _ other: TripKit) { kit.opneStore() }\n")
    #expect(!(try persistlint(in: folder).errors.contains("nothing in the sources")))
    try configure("{names: {opener: []}}")
    #expect(
      try persistlint(in: folder).errors.contains(
        "no key is called 'opener'; did you mean 'openers'?"))
  }
}
