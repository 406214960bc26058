import PersistProject
import PersistSyntax
import Testing

@testable import PersistIndex

/// Types of a framework's name in files that are built with nothing.
@Suite struct HiddenTypeTests {
  private static let project = """
    {objects = {
      R = {isa = PBXProject; buildConfigurationList = C; targets = (T); mainGroup = G; };
      G = {isa = PBXGroup; children = (F); path = Sources; sourceTree = "<group>"; };
      F = {isa = PBXFileReference; path = Store.swift; sourceTree = "<group>"; };
      T = {isa = PBXNativeTarget; name = App; buildConfigurationList = L; buildPhases = (P);
        productType = "com.apple.product-type.application"; };
      P = {isa = PBXSourcesBuildPhase; files = (B); };
      B = {isa = PBXBuildFile; fileRef = F; };
      C = {isa = XCConfigurationList; buildConfigurations = (); };
      L = {isa = XCConfigurationList; buildConfigurations = (); };
    }; rootObject = R; }
    """

  private static let cases: [(String, String, String, Bool)] = [
    ("examples/Pairing.swift", "class ModelContainer {}", "", true),
    ("App/Sources/Pairing.swift", "class ModelContainer {}", "", true),
    ("examples/Pairing.swift", "class ModelContainer {}", "import examples", false),
    ("Kit/Sources/Kit/Pairing.swift", "class ModelContainer {}", "", false),
    ("examples/Pairing.swift", "class Notebook {}", "", false),
  ]

  @Test(arguments: cases)
  func aFileOfATargetMeansTheFrameworks(
    path: String, code: String, imported: String, isHidden: Bool
  ) {
    let name = code.split(separator: " ")[1]
    let manifest = """
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """
    let program = Program(
      [
        ("App/Sources/Store.swift", "import SwiftData\n\(imported)\nlet made = \(name)()"),
        (path, code), ("Kit/Package.swift", manifest),
      ].map { SourceFile(path: $0.0, outline: Outline(SourceText($0.1))) },
      input: SchemaInput(
        projectFiles: [
          ProjectFile(path: "App/App.xcodeproj/project.pbxproj") { Array(Self.project.utf8) }
        ].compactMap { $0 }))
    #expect((program.topLevelType(Name(String(name)), file: 0) == .absent) == isHidden)
    #expect(program.topLevelType(Name(String(name)), file: 1) != .absent)
  }
}
