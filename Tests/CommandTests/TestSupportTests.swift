import Foundation
import Testing

/// Targets of a package that only tests link hold no code that ships.
@Suite struct TestSupportTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "Sources/Mocks/Fill.swift",
      "import SwiftData\nfunc fill(_ context: ModelContext) { try! context.save() }\n")
    try folder.write("Sources/App/App.swift", "import SwiftData\nlet app = 1\n")
    try folder.write("Tests/AppTests/AppTests.swift", "import Testing\nimport Mocks\n")
  }

  private func manifest(_ parts: String) throws {
    try folder.write(
      "Package.swift",
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "App",
        \(parts)
          .target(name: "Mocks", dependencies: ["App"]),
          .testTarget(name: "AppTests", dependencies: ["App", "Mocks"]),
        ])

      """)
  }

  private func isSilent() throws -> Bool {
    try !persistlint("--format", "text", in: folder).output.contains("[fatal-error-on-save]")
  }

  @Test func aTargetThatOnlyTestsLinkIsSilent() throws {
    try manifest(
      "products: [.library(name: \"App\", targets: [\"App\"])], targets: [.target(name: \"App\"),")
    #expect(try isSilent())
  }

  @Test func aTargetThatThePackageOffersIsNot() throws {
    try manifest(
      "products: [.library(name: \"App\", targets: [\"App\", \"Mocks\"])], targets: [.target(name: \"App\"),"
    )
    #expect(try !isSilent())
  }

  @Test func aTargetThatAToolLinksIsNot() throws {
    try manifest(
      "targets: [.target(name: \"App\"), .executableTarget(name: \"Tool\", dependencies: [\"Mocks\"]),"
    )
    #expect(try !isSilent())
  }

  @Test func aTargetOfAPackageThatOffersNothingIsNot() throws {
    try manifest("targets: [.target(name: \"App\"),")
    #expect(try !isSilent())
  }
}
