import PersistProject
import PersistSyntax
import Testing

@testable import PersistFlow
@testable import PersistIndex

/// Which stores lie in an app group container.
@Suite struct GroupTests {
  private static let group =
    "<dict><key>com.apple.security.application-groups</key><array><string>g</string></array></dict>"

  private func groups(_ code: String, entitlements: [String] = []) -> Int {
    let input = SchemaInput(
      projectFiles: entitlements.compactMap { path in
        ProjectFile(path: path) { Array(Self.group.utf8) }
      })
    return Names("import SwiftData\nimport CoreData\n" + code, input: input).program
      .groupOpenings.count
  }

  @Test(arguments: [
    "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(groupContainer: .identifier(\"g\")))",
    "let m = ModelConfiguration(groupContainer: .identifier(\"g\"))\nlet c = try? ModelContainer(for: A.self, configurations: [m])",
    "let u = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\")!.appending(path: \"A.store\")\nlet c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: u))",
    "func f() throws { let u: URL; if let g = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\") { u = g.appending(path: \"A.store\") } else { u = URL.documentsDirectory }; _ = try ModelContainer(for: A.self, configurations: ModelConfiguration(url: u)) }",
    "enum P { static var url: URL { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\")! } }\nlet c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: P.url))",
    "enum P { static var group: ModelConfiguration.GroupContainer { .identifier(\"g\") }\n static let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(groupContainer: group)) }\nlet x = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\")",
    "func make(at url: URL) throws -> ModelContainer { try ModelContainer(for: A.self, configurations: ModelConfiguration(url: url)) }\nlet c = try? make(at: FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\")!)",
    "final class S { lazy var c: NSPersistentContainer = { let c = NSPersistentContainer(name: \"A\"); c.persistentStoreDescriptions.first?.url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"g\"); c.loadPersistentStores { _, _ in }; return c }() }",
  ])
  func storesInAGroup(code: String) { #expect(groups(code) == 1) }

  @Test(arguments: [
    "let c = try? ModelContainer(for: A.self)",
    "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(groupContainer: .none))",
    "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: URL.documentsDirectory))",
    "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true, groupContainer: .identifier(\"g\")))",
    "let d = UserDefaults(suiteName: \"group.a\")\nlet c = try? ModelContainer(for: A.self)",
  ])
  func storesOutsideOfGroups(code: String) { #expect(groups(code) == 0) }

  @Test(arguments: [
    ("let c = try? ModelContainer(for: A.self)", "Sources/App/App.entitlements", 1),
    (
      "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(\"A\"))",
      "App.entitlements", 1
    ),
    (
      "let m = ModelConfiguration(allowsSave: true)\nlet c = try? ModelContainer(for: A.self, configurations: [m])",
      "App.entitlements", 1
    ),
    ("let c = try? ModelContainer(for: A.self)", "Other/Other.entitlements", 0),
    (
      "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(groupContainer: .none))",
      "App.entitlements", 0
    ),
    (
      "let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: u))",
      "App.entitlements", 0
    ),
    (
      "func f(m: ModelConfiguration) throws { _ = try ModelContainer(for: A.self, configurations: m) }",
      "App.entitlements", 0
    ),
  ])
  func entitlementsPutAStoreInTheGroup(code: String, entitlements: String, count: Int) {
    #expect(groups(code, entitlements: [entitlements]) == count)
  }

  @Test(arguments: [
    (
      "<key>com.apple.security.application-groups</key><array><string>group.a</string></array>",
      true
    ),
    (
      "<key>com.apple.security.application-groups</key><array/><key>a</key><array><string>b</string></array>",
      false
    ),
    ("<key>com.apple.security.app-sandbox</key><true/>", false), ("", false),
  ])
  func anEntitlementsFileNamesAGroup(text: String, names: Bool) {
    let list = "<plist><dict>\(text)</dict></plist>"
    #expect(Entitlements(Array(list.utf8)).namesAppGroup == names)
  }

  // MARK: Two containers of one store

  private func secondSites(_ code: String) -> Int {
    Names("import SwiftData\nimport SwiftUI\nimport AppIntents\n" + code).program.secondSites.count
  }

  @Test(arguments: [
    "let a = try? ModelContainer(for: A.self)\nenum S { static let b = try? ModelContainer(for: A.self) }",
    "@main struct T: App { let c: ModelContainer?; init() { c = try? ModelContainer(for: A.self) } }\nfinal class S { static let c = try? ModelContainer(for: A.self, configurations: ModelConfiguration(isStoredInMemoryOnly: false)) }",
    "func make() throws -> ModelContainer { try ModelContainer(for: A.self) }\nlet a = try? make()\nlet b = try? make()",
    "let u = URL.documentsDirectory\nlet a = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: u))\nlet b = try? ModelContainer(for: A.self, configurations: ModelConfiguration(url: u))",
  ])
  func twoSites(code: String) { #expect(secondSites(code) == 1) }

  @Test(arguments: [
    "let a = try? ModelContainer(for: A.self)",
    "let a = try? ModelContainer(for: A.self)\nlet b = try? ModelContainer(for: B.self, configurations: ModelConfiguration(\"B\"))",
    "let a = try? ModelContainer(for: A.self)\nstruct P: TimelineProvider { let b = try? ModelContainer(for: A.self) }",
    "let a: ModelContainer? = { do { return try ModelContainer(for: A.self) } catch { return try? ModelContainer(for: A.self) } }()",
    "let a = try? ModelContainer(for: A.self)\nlet p = try? ModelContainer(for: A.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
    "func open(_ big: Bool) throws -> ModelContainer { if big { return try ModelContainer(for: A.self, B.self) }\n return try ModelContainer(for: A.self) }\nlet a = try? open(true)",
    "let a = try? ModelContainer(for: A.self)\nfinal class M { init(c: ModelContainer? = nil) throws { if let c { keep(c) } else { keep(try ModelContainer(for: A.self)) } } }\nlet m = try? M()",
    "let a = try? ModelContainer(for: A.self)\nfunc unused() { _ = try? ModelContainer(for: A.self) }",
    "func make(_ m: ModelConfiguration) throws -> ModelContainer { try ModelContainer(for: A.self, configurations: m) }\nlet a = try? make(x)\nlet b = try? make(y)",
  ])
  func oneSite(code: String) { #expect(secondSites(code) == 0) }
}
