import PersistSyntax
import Testing

@testable import PersistIndex

/// That an extension belongs to the same type whatever the order of the files.
@Suite struct JoiningTests {
  private static func program(_ texts: [String], order: [Int]) -> Program {
    Program(
      order.map { index in
        SourceFile(path: "App/File\(index).swift", outline: Outline(SourceText(texts[index])))
      })
  }

  /// The owner of the function `shown`, by the names around it.
  private static func owner(_ program: Program) -> String? {
    guard let shown = program.functions(named: "shown").first,
      let owner = program.functions[shown].owner
    else { return nil }
    return program.symbol(program.types[owner].ref)
  }

  private static let orders = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test(arguments: orders) func anExtensionOfATypealiasExtendsWhatThatStandsFor(order: [Int]) {
    let texts = [
      "typealias Card = V3.Card\nextension Card { func shown() {} }",
      "extension V3 { final class Card {} }",
      "enum V3 {}",
    ]
    #expect(Self.owner(Self.program(texts, order: order)) == "V3.Card")
  }

  @Test(arguments: orders) func anExtensionMayExtendWhatAnotherDeclares(order: [Int]) {
    let texts = [
      "extension A.B { func shown() {} }", "extension A { struct B {} }", "struct A {}",
    ]
    #expect(Self.owner(Self.program(texts, order: order)) == "A.B")
  }

  @Test(arguments: orders) func aTypealiasMayMeanWhatASupertypeHolds(order: [Int]) {
    let texts = [
      "extension List.Row { func shown() {} }",
      "class List: Base { typealias Row = Inner.Cell }",
      "class Base {}\nextension Base { enum Inner { struct Cell {} } }",
    ]
    #expect(Self.owner(Self.program(texts, order: order)) == "Base.Inner.Cell")
  }

  @Test(arguments: orders) func anExtensionMayExtendWhatStandsInOneOfATypeFromElsewhere(
    order: [Int]
  ) {
    let texts = [
      "extension URLSession.Kind { func shown() {} }", "extension URLSession { enum Kind {} }",
      "func unrelated() {}",
    ]
    #expect(Self.owner(Self.program(texts, order: order)) == "URLSession.Kind")
  }

  @Test(arguments: orders) func aTypealiasOfSomethingFromElsewhereIsExtendedItself(order: [Int]) {
    let texts = [
      "extension Image.Size { func shown() {} }", "extension Image { enum Size {} }",
      "typealias Image = UIImage",
    ]
    #expect(Self.owner(Self.program(texts, order: order)) == "Image.Size")
  }

  @Test(arguments: orders) func typealiasesOfOneAnotherLeadNowhere(order: [Int]) throws {
    let texts = ["typealias A = B.C", "typealias B = A.C", "extension A { func shown() {} }"]
    let program = Self.program(texts, order: order)
    let shown = try #require(program.functions(named: "shown").first)
    let owner = try #require(program.functions[shown].owner)
    #expect(program.types[owner].kind == .typealiasDecl)
  }

  @Test(arguments: orders) func aGenericParameterIsNoTypealiasOfATypeBesideIt(order: [Int]) throws {
    let texts = [
      "struct Box<Item> { typealias Content = Item }", "struct Item {}",
      "extension Box.Content { func shown() {} }",
    ]
    let program = Self.program(texts, order: order)
    let shown = try #require(program.functions(named: "shown").first)
    let owner = try #require(program.functions[shown].owner)
    #expect(program.types[owner].kind == .typealiasDecl)
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
    let nested = program.types.indices.filter { program.types[$0].name == "N" }
    #expect(nested.count == 41)
    #expect(nested.allSatisfy { program.types[$0].parent != nil })
    #expect(program.limitHits.isEmpty)
  }

  @Test(arguments: orders) func membersStandInTheOrderOfTheSources(order: [Int]) throws {
    let texts = [
      "extension A { func one() {}; var two: Int { 2 } }", "extension A { func three() {} }",
      "struct A { func own() {} }",
    ]
    let program = Self.program(texts, order: order)
    let type = try #require(program.topLevelTypes(named: "A").first)
    let names = program.types[type].functions.map { program.nameText(program.functions[$0].ref) }
    let extended = order.filter { $0 != 2 }.flatMap { $0 == 0 ? ["one"] : ["three"] }
    #expect(names == ["own"] + extended)
  }
}
