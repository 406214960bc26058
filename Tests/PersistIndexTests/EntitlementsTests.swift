import PersistProject
import Testing

@testable import PersistIndex

/// What an entitlements file says of CloudKit.
@Suite struct EntitlementsTests {
  private static let services =
    "<key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>"
  private static let containers =
    "<key>com.apple.developer.icloud-container-identifiers</key><array><string>iCloud.a</string></array>"

  private static let both = services + containers
  private static let noContainer =
    services + "<key>com.apple.developer.icloud-container-identifiers</key><array/>"
  private static let noService =
    "<key>com.apple.developer.icloud-services</key><array/>" + containers
  private static let texts: [(String, Bool)] = [
    (both, true), (containers + services, true), (services, false), (noContainer, false),
    (noService, false), ("", false), ("<!-- later: \(both)-->", false), ("<!--\(both)", false),
    ("<!-- a - b --><dict>\(services)<!----><!-- -->\(containers)</dict>", true),
  ]

  @Test(arguments: texts)
  func syncNeedsTheServiceAndAContainer(text: String, syncs: Bool) {
    let list = "<plist><dict>\(text)</dict></plist>"
    #expect(Entitlements(Array(list.utf8)).letsSyncWithCloudKit == syncs)
  }

  @Test(arguments: [
    (["App.xcodeproj/project.pbxproj"], true), ([], true),
    (["Sources/Sources.xcodeproj/project.pbxproj", "Chat/Chat.xcodeproj/project.pbxproj"], false),
    (["App.xcodeproj/project.pbxproj", "Chat/Chat.xcodeproj/project.pbxproj"], false),
    (["Chat/Chat.xcodeproj/project.pbxproj"], true),
  ])
  func entitlementsAreOfTheirOwnProject(projects: [String], syncs: Bool) {
    let files = projects + ["Chat/Chat.entitlements"]
    let input = SchemaInput(
      projectFiles: files.compactMap { path in
        ProjectFile(path: path) {
          Array((path.hasSuffix(".entitlements") ? "<dict>\(Self.both)</dict>" : "").utf8)
        }
      })
    let code = "import SwiftData\nlet c = try? ModelContainer(for: A.self)"
    #expect((Names(code, input: input).program.undecidedSync != nil) == syncs)
  }
}
