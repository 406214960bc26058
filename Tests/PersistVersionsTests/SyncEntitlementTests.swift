import PersistIndex
import PersistProject
import PersistSyntax
import PersistVersions
import Testing

/// Whose entitlements let a store sync.
@Suite struct SyncEntitlementTests {
  private let services = """
    <key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>
    <key>com.apple.developer.icloud-container-identifiers</key><array><string>iCloud.a</string></array>
    """

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
          Array((path.hasSuffix(".entitlements") ? "<dict>\(services)</dict>" : "").utf8)
        }
      })
    let code = "import SwiftData\nlet c = try? ModelContainer(for: A.self)"
    let file = SourceFile(path: "Sources/App/App.swift", outline: Outline(SourceText(code)))
    #expect((Program([file], input: input).undecidedSync != nil) == syncs)
  }
  @Test(arguments: [("", 0), ("<dict/>", 0), ("<dict>SERVICES</dict>", 1)])
  func aContainerSyncsWhereItsEntitlementsLetIt(content: String, count: Int) {
    let text = content.replacing("SERVICES", with: services)
    let entitlements = ProjectFile(path: "App.entitlements") { Array(text.utf8) }
    let input = SchemaInput(projectFiles: [entitlements].compactMap { $0 })
    let code = "import CoreData\nlet c = NSPersistentCloudKitContainer(name: \"A\")"
    let file = SourceFile(path: "App.swift", outline: Outline(SourceText(code)))
    #expect(Program([file], input: input).syncingContainers.count == count)
    #expect(Program([file]).syncingContainers.count == 1)
  }
}
