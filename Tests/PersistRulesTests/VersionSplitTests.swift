import Foundation
import PersistVersions
import Testing

/// What was edited in a frozen version gets a version of its own.
@Suite struct VersionSplitTests {
  private static let rule = "frozen-schema-edited"

  private func version(_ body: String, plan: String = "", more: String = "") -> String {
    """
    import SwiftData

    typealias Trip = SchemaV1.Trip

    // What we had first.
    enum SchemaV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self] }

      @Model final class Trip {
        \(body)
        init() {}
      }
    }
    \(plan)
    let schema = Schema(versionedSchema: SchemaV1.self)
    \(more)
    """
  }

  private func mended(_ before: String, _ after: String) -> Mending {
    let path = "Sources/App/Schema.swift"
    return Mending(
      [
        Page.File(path: path, code: before, isShipped: true),
        Page.File(path: path, code: after, isShipped: false),
      ], rule: Self.rule, isSafe: false)
  }

  private func expect(
    _ old: String, _ new: String, gives lines: String..., plan: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) {
    let mending = mended(version(old, plan: plan), version(new, plan: plan))
    for line in lines {
      #expect(mending.code.contains(line), "\(mending.code)", sourceLocation: location)
    }
    #expect(mending.rounds == 1 && mending.left.isEmpty, sourceLocation: location)
    #expect(parses(mending.code), sourceLocation: location)
  }

  @Test func newPropertyGetsAVersion() {
    expect(
      "var name = \"\"", "var name = \"\"\n    var note: String?",
      gives: """
        typealias Trip = SchemaV2.Trip

        enum SchemaV1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }

          @Model final class Trip {
            var name = ""

            init() {}
          }
        }

        // What we had first.
        enum SchemaV2: VersionedSchema {
          static let versionIdentifier = Schema.Version(2, 0, 0)
        """, "Schema(versionedSchema: SchemaV2.self)",
      "[.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]"
        .replacing("[", with: "    [\n      ").replacing(")]", with: ")\n    ]"))
  }

  @Test func propertiesThatAreGoneAreWrittenAgain() {
    expect(
      """
      @Attribute(.unique) var code: String
          var count = 3
          var start: Date?
          @Attribute(.externalStorage) var image: Data?
          @Relationship(deleteRule: .cascade) var legs: [Trip] = []
      """, "var start: Date?",
      gives: """
            var start: Date?
            @Attribute(.unique) var code: String
            var count: Int = 3
            @Attribute(.externalStorage) var image: Data?
            @Relationship(deleteRule: .cascade) var legs: [Trip] = []

            init(code: String) {
              self.code = code
            }
        """, "MigrationStage] {\n    [\n      .custom(\n")
  }

  @Test func valuesOfTheVersionAreCopied() {
    let point = "var at = Point()"
    let mending = mended(
      version(point).replacing(
        "  @Model", with: "  struct Point: Codable {\n    var x = 0\n  }\n\n  @Model"),
      version(point + "\n    var note: String?")
        .replacing("  @Model", with: "  struct Point: Codable {\n    var x = 0\n  }\n\n  @Model"))
    #expect(mending.rounds == 1 && mending.left.isEmpty && parses(mending.code), "\(mending.code)")
    #expect(mending.code.components(separatedBy: "\n  struct Point: Codable {").count == 3)
    let edited = mended(
      version(point).replacing("  @Model", with: "  struct Point: Codable { var x = 0 }\n  @Model"),
      version(point).replacing(
        "  @Model", with: "  struct Point: Codable { var x = 0, y = 0 }\n  @Model"))
    #expect(edited.rounds == 0 && !edited.left.isEmpty, "\(edited.code)")
  }

  @Test func plansWithoutStagesStaySo() {
    let plan = """
      enum SchemaV0: VersionedSchema {
        static let versionIdentifier = Schema.Version(0, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip {
          var label = ""
          init() {}
        }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV0.self, SchemaV1.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    expect(
      "var name = \"\"", "var name = \"\"\n    var note: String?",
      gives: "[SchemaV0.self, SchemaV1.self, SchemaV2.self]", "MigrationStage] { [] }", plan: plan)
  }

  @Test func longLinesAreBroken() {
    let names = (1...6).map { "var aRatherLongName\($0): String" }.joined(separator: "; ")
    expect(
      names, names + "; var note: String?",
      gives: """
            init(
              aRatherLongName1: String,
              aRatherLongName2: String,
        """, "      aRatherLongName6: String\n    ) {\n      self.aRatherLongName1 = ")
  }

  @Test func plansAreLengthened() {
    let plan = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] {
          [
            SchemaV1.self,
          ]
        }
        static var stages: [MigrationStage] { [] }
      }
      """
    expect(
      "var name = \"\"", "var name = \"\"\n    var note: String?",
      gives: "      SchemaV1.self,\n      SchemaV2.self,\n", "{ [v1ToV2] }",
      """

        static let v1ToV2 = MigrationStage.lightweight(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
      }
      """, plan: plan)
  }

  @Test(arguments: ["\r\n", "\n"]) func lineBreaksAreThoseOfTheFile(lineBreak: String) {
    let mending = mended(
      version("var name = \"\"").replacing("\n", with: lineBreak),
      version("var note: String?").replacing("\n", with: lineBreak))
    #expect(mending.rounds == 1 && mending.left.isEmpty, "\(mending.code)")
    #expect(
      !mending.code.replacing(lineBreak, with: "").contains { $0.isNewline }, "\(mending.code)")
  }

  @Test func typesThatTheLockDoesNotKnowAreLeft() {
    let more = "enum Kind: String, Codable { case a }"
    let mending = mended(
      version("var kind = Kind.a", more: more), version("var note: String?", more: more))
    #expect(mending.rounds == 0 && !mending.left.isEmpty, "\(mending.code)")
  }

  @Test func olderVersionsAreWrittenBack() {
    let newer = """
      enum SchemaV2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip {
          var title = ""
          init() {}
        }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    let mending = mended(
      version("var name = \"\"", plan: newer), version("var note: String?", plan: newer))
    #expect(mending.rounds == 1 && mending.left.isEmpty, "\(mending.code)")
    #expect(mending.code.contains("var name: String = \"\""), "\(mending.code)")
    #expect(!mending.code.contains("note"), "\(mending.code)")
  }
}
