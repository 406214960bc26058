import PersistProject
import PersistSyntax
import Testing

@testable import PersistIndex

/// Files that no target names, beside those that one does.
@Suite struct ReplacedFileTests {
  private static let project = """
    {objects = {
      R = {isa = PBXProject; buildConfigurationList = C; targets = (T); mainGroup = G; };
      G = {isa = PBXGroup; children = (F); path = App; sourceTree = "<group>"; };
      F = {isa = PBXFileReference; path = Store.swift; sourceTree = "<group>"; };
      T = {isa = PBXNativeTarget; name = App; buildConfigurationList = L; buildPhases = (P);
        productType = "com.apple.product-type.application"; };
      P = {isa = PBXSourcesBuildPhase; files = (B); };
      B = {isa = PBXBuildFile; fileRef = F; };
      C = {isa = XCConfigurationList; buildConfigurations = (); };
      L = {isa = XCConfigurationList; buildConfigurations = (); };
    }; rootObject = R; }
    """

  private func program(_ sources: [(path: String, code: String)]) -> Program {
    Program(
      sources.map { SourceFile(path: $0.path, outline: Outline(SourceText($0.code))) },
      input: SchemaInput(
        projectFiles: [
          ProjectFile(path: "App.xcodeproj/project.pbxproj") { Array(Self.project.utf8) }
        ].compactMap { $0 }))
  }

  private static let old: [(String, Bool)] = [
    ("struct Store { let id = 1 }", true), ("private struct Store {}", false),
    ("struct Shelf {}", false), ("extension Store {}", false),
    ("enum Shelf { struct Store {} }", false), ("typealias Store = Int", false),
  ]

  @Test(arguments: old)
  func whatATargetDeclaresIsNotCompiledAgain(code: String, isReplaced: Bool) {
    let program = program([("App/Store.swift", "struct Store {}"), ("App/Old.swift", code)])
    #expect(program.isReplaced(1) == isReplaced)
    #expect(!program.isReplaced(0))
  }

  @Test(arguments: ["import Old\nstruct Store {}", "struct Store {}"])
  func aModuleMayDeclareTheSame(code: String) {
    let program = program([("App/Store.swift", code), ("Old/Store.swift", "struct Store {}")])
    #expect(program.isReplaced(1) == !code.hasPrefix("import"))
  }

  @Test func aManifestMayCallByAProtocolOfItsOwn() {
    let manifest = """
      import PackageDescription
      protocol Named { var name: String { get } }
      struct App: Named { var name: String { "App" } }
      func target(for named: Named) -> Target { .target(name: named.name) }
      let package = Package(name: "App", targets: [target(for: App())])
      """
    let program = Program([
      SourceFile(path: "Package.swift", outline: Outline(SourceText(manifest))),
      SourceFile(path: "Sources/App/Store.swift", outline: Outline(SourceText("struct Store {}"))),
    ])
    #expect(!program.isExempt(Ref(file: 1, node: 0)))
  }
}
