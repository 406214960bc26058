import PersistIndex
import PersistSyntax
import Testing

@Suite struct SourceFileTests {
  private func file(_ path: String, rootDepth: Int = 0, _ code: String = "") -> SourceFile {
    SourceFile(path: path, outline: Outline(SourceText(code)), rootDepth: rootDepth)
  }

  @Test func theModuleIsTheTargetFolderOrTheFolderBelowTheCommonRoot() {
    #expect(SourceFile.rootDepth(of: ["/a/b/App/X.swift", "/a/b/Widget/In/Y.swift"]) == 2)
    #expect(file("/a/b/App/X.swift", rootDepth: 2).module == file("App/X.swift").module)
    #expect(file("Kit/Sources/Kit/Deep/X.swift").module == file("Kit/Sources/Kit/Y.swift").module)
    #expect(file("App/X.swift").module != file("Widget/X.swift").module)
  }

  @Test func testCodeIsKnownByItsFolderOrItsImports() {
    #expect(file("AppTests/X.swift").isTest)
    #expect(file("App/X.swift", "import Testing").isTest)
    #expect(!file("App/X.swift", "import SwiftUI").isTest)
    #expect(!file("/home/tests/App/X.swift", rootDepth: 2).isTest)
  }

  @Test func linesAreCountedAsTheCompilerDoes() {
    let source = file("X.swift", "a\r\nbß c\rd\n")
    #expect(source.lineAndColumn(of: 0) == (1, 1))
    #expect(source.lineAndColumn(of: 7) == (2, 5))
    #expect(source.lineAndColumn(of: 9) == (3, 1))
  }
}
