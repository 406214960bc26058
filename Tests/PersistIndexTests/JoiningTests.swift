import PersistSyntax
import Testing

@testable import PersistIndex

/// That an extension belongs to the same type whatever questions led to its file first.
@Suite struct JoiningTests {
  private static let files = [
    "typealias Card = V3.Card\nextension Card { func shown() {} }",
    "extension V3 { final class Card {} }",
    "enum V3 {}",
  ]

  @Test(arguments: [
    [[0, 1, 2]], [[0], [1], [2]], [[2], [1], [0]], [[1], [0, 2]], [[2, 0], [1]],
  ])
  func anExtensionOfATypealiasExtendsWhatThatStandsFor(loads: [[Int]]) throws {
    let program = Program(
      Self.files.enumerated().map { index, text in
        SourceFile(path: "App/File\(index).swift", outline: Outline(SourceText(text)))
      })
    for files in loads { program.load(files) }
    let shown = try #require(program.functions(named: "shown").first)
    let owner = try #require(program.functions[shown].owner)
    #expect(program.types[owner].kind == .classDecl)
    #expect(program.types[owner].ref.file == 1)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func anExtensionMayExtendWhatALaterOneDeclares(order: [Int]) throws {
    let texts = [
      "extension A.B { func shown() {} }", "extension A { struct B {} }", "struct A {}",
    ]
    let program = Program(
      order.map { index in
        SourceFile(path: "App/File\(index).swift", outline: Outline(SourceText(texts[index])))
      })
    let shown = try #require(program.functions(named: "shown").first)
    let owner = try #require(program.functions[shown].owner)
    #expect(program.nameText(program.types[owner].ref) == "B")
  }
}
