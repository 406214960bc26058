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

  @Test(arguments: [false, true])
  func aChainOfExtensionsIsJoinedWhicheverWayItRuns(isReversed: Bool) throws {
    let links = (0..<40).map {
      "typealias X\($0) = X\($0 + 1).N\nextension X\($0) { struct N {} }"
    }
    let text = (isReversed ? links.reversed() : links) + ["struct X40 { struct N {} }"]
    let program = Program([
      SourceFile(path: "App.swift", outline: Outline(SourceText(text.joined(separator: "\n"))))
    ])
    program.load([0])
    let nested = program.types.indices.filter { program.types[$0].name == "N" }
    #expect(nested.count == 41)
    #expect(nested.allSatisfy { program.types[$0].parent != nil })
    #expect(program.limitHits.isEmpty)
  }
}
