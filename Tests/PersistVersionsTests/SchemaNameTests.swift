import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions
import Testing

/// How the names in a version resolve.
@Suite struct SchemaNameTests {
  @Test func bareNameIsTheNestedClassOfTheVersionInAnyExtensionOfAnyFile() {
    let program = schemas([
      "App/V1.swift": versionSource("V1", "Trip.self"),
      "App/V1Trip.swift": "extension V1 { @Model final class Trip { var name: String } }",
      "App/Trip.swift": "@Model final class Trip { var title: String }",
    ])
    #expect(program.classes("V1") == ["V1.Trip"])
  }

  @Test func bareNameIsTheTopLevelClassOrAliasOtherwise() {
    let program = schemas([
      "App/V1.swift": versionSource("V1", "Trip.self"),
      "App/V3.swift": versionSource("V3", "Trip.self", "@Model class Trip { var a: Int }"),
      "App/Trip.swift": "typealias Trip = V3.Trip",
    ])
    #expect(program.classes("V1") == ["V3.Trip"])
    #expect(program.version("V1")?.uses.first?.isNested == false)
  }

  @Test func extensionOfAModelDoesNotSeeItsVersionButAClassInAnExtensionOfTheVersionDoes() {
    let program = schemas([
      "App/V1.swift": versionSource("V1", "Trip.self", "@Model class Item { var a: Int }"),
      "App/Trip.swift": "extension V1 { @Model class Trip { var item: Item?; var kind: Kind } }",
      "App/Kind.swift": "extension V1.Trip { struct Kind: Codable { var item: Reading } }",
      "App/Item.swift": """
      @Model class Item { var b: Int }
      extension V1 { struct Reading: Codable { var a: Int } }
      struct Reading: Codable { var b: String }
      """,
    ])
    #expect(program.classes("V1") == ["V1.Trip", "(V1.Item)"])
    #expect(program.facts("V1", "Trip.kind.item.b") == ["= Trip.kind.item.b member String"])
  }

  @Test func aliasInTheVersionSaysUnchanged() {
    let program = schemas(
      versionSource("V1", "Trip.self", "@Model class Trip { var a: Int }")
        + versionSource("V2", "Trip.self", "typealias Trip = V1.Trip"))
    #expect(program.classes("V2") == ["V1.Trip"])
  }

  @Test func longChainsOfAliasesAndAliasesOfVersionsAreFollowed() {
    let chain = (1...12).map { "typealias A\($0) = A\($0 + 1)" }.joined(separator: "\n")
    let program = schemas(
      versionSource("V1", "A1.self") + chain + """

        typealias A13 = Current.Font
        typealias Current = V1
        extension Current { @Model class Font { var point: Point } }
        typealias FontAlias = A1
        extension FontAlias { struct Point: Codable { var x: Double } }
        """)
    #expect(program.classes("V1") == ["V1.Font"])
    #expect(program.facts("V1", "Font.point.x") == ["= Font.point.x member Double"])
  }

  @Test func theEntityHasTheNameOfTheClassNotOfTheAlias() {
    let program = schemas(
      versionSource("V1", "CustomFont.self") + """
        typealias CustomFont = CustomFontV1
        @Model class CustomFontV1 { var a: Int }
        """)
    #expect(program.version("V1")?.shape.entities.map(\.name) == ["CustomFontV1"])
  }

  @Test func modelsMayBeSumsHelpersCopiesAndGrowByAppend() {
    let program = schemas(
      versionSource("V1", "A.self", "@Model class A { var a: Int }") + """
        enum V2: VersionedSchema {
          static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
          static var models: [any PersistentModel.Type] { V1.models + shared }
          static let shared: [any PersistentModel.Type] = [B.self] as [any PersistentModel.Type]
          @Model class B { var a: Int }
        }
        enum V3: VersionedSchema {
          static let versionIdentifier = Schema.Version(3, 0, 0)
          static var models: [any PersistentModel.Type] {
            var list: [any PersistentModel.Type] = [V1.A.self]
            #if os(iOS)
            list.append(V2.B.self)
            #endif
            return list
          }
        }
        enum V4: VersionedSchema {
          static let versionIdentifier = Schema.Version(4, 0, 0)
          static var models: [any PersistentModel.Type] { V1.models }
        }
        """)
    #expect(program.classes("V2") == ["V1.A", "V2.B"])
    #expect(program.version("V2")?.identifier == [2, 0, 0])
    #expect(program.classes("V3") == ["V1.A", "V2.B"])
    #expect(program.classes("V4") == ["V1.A"])
  }

  @Test func platformsDivideLists() {
    let text = """
      enum V1: VersionedSchema {
        #if os(iOS)
        static var models: [any PersistentModel.Type] { [A.self] }
        #else
        static var models: [any PersistentModel.Type] { [A.self, B.self] }
        #endif
      }
      @Model class A { var a: Int }
      @Model class B { var a: Int }
      """
    #expect(schemas(["App/A.swift": text]).classes("V1") == ["A"])
    #expect(schemas(["App/A.swift": text], platform: "macOS").classes("V1") == ["A", "B"])
  }

  @Test func twoModulesOfOneRepositoryAreNeverMerged() {
    let program = schemas([
      "One/One/V1.swift": versionSource("V1", "Trip.self"),
      "One/One/Models/Trip.swift": "@Model class Trip { var one: Int }",
      "Two/Two/V1.swift": versionSource("V1", "Trip.self"),
      "Two/Two/Models/Trip.swift": "@Model class Trip { var two: Int }",
    ])
    #expect(program.versions.map(\.key) == ["One/V1", "Two/V1"])
    #expect(
      program.versions.map { $0.shape.entities[0].properties.map(\.name) } == [["one"], ["two"]])
  }

  @Test func listedModelsReachOthersAndTwoClassesOfOneName() {
    let program = schemas(
      versionSource("V1", "Card.self", "@Model class Card { var rules: [Rule] }") + """
        @Model class Rule { var cards: [Card] }
        @Model class Card { var extra: Int; var rules: [Rule] }
        """)
    #expect(program.classes("V1") == ["V1.Card", "(Rule)", "(Card)"])
    #expect(program.version("V1")?.shape.entities.map(\.key) == ["Card", "Card@Card", "Rule"])
    #expect(program.version("V1")?.uses.map(\.route) == [nil, "Card.rules", "Rule.cards"])
  }

  @Test func superclassesBelongToTheVersion() {
    let program = schemas(
      versionSource("V1", "Trip.self") + """
        @Model class Trip: Base { var a: Int }
        @Model class Base: Identifiable { var b: Int }
        """)
    #expect(program.classes("V1") == ["Trip", "(Base)"])
    #expect(program.facts("V1", "Trip").contains("= Trip super Base"))
  }

  @Test func whatCantBeResolvedIsMarked() {
    let program = schemas(
      versionSource("V1", "Elsewhere.self, Trip.self", "@Model class Trip { var a: Int }") + """
        enum V2: VersionedSchema {
          static var models: [any PersistentModel.Type] { flag ? [] : [V1.Trip.self] }
        }
        enum V3: VersionedSchema {
          #if BETA
          static var models: [any PersistentModel.Type] { [V1.Trip.self] }
          #endif
        }
        """)
    #expect(
      program.version("V1")?.shape.gaps.map(\.reason)
        == ["`Elsewhere.self` in `models` is no model that the sources declare"])
    #expect(program.version("V2")?.shape.listIsComplete == false)
    #expect(program.version("V3")?.shape.listIsComplete == false)
  }

  @Test func protocolsOfTheSameNamesFromElsewhereAreNoSchemas() {
    let own = SourceFile(
      path: "App/Own.swift",
      outline: Outline(
        SourceText("import Vein\nenum V1: VersionedSchema { static let models = [Trip.self] }")))
    #expect(SchemaProgram([own]).versions.isEmpty)
    let declared = schemas("protocol VersionedSchema {}\nenum V1: VersionedSchema {}")
    #expect(declared.versions.isEmpty)
  }
}
