import PersistSchema
import Testing

@testable import persistlint

@Suite struct SchemaPageTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func version(_ number: Int, _ body: String, _ others: String = "") -> String {
    """
    enum SchemaV\(number): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self\(others.isEmpty ? "" : ", Tag.self")] }
      @Model final class Trip {
        \(body)
        init() {}
      }
      \(others)
    }

    """
  }

  private func write(first: String = "var name = \"\"; var note = \"\"") throws {
    try folder.write(
      "Schema.swift",
      """
      import SwiftData
      \(version(1, first))
      \(version(
        2, "var name = \"\"; @Attribute(originalName: \"note\") var notes: String?",
        "@Model final class Tag { var word = \"<b>\"; init() {} }"))
      enum TripPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] {
          [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
        }
      }

      """)
  }

  private func page() throws -> String {
    let run = try persistlint("schema", "--format", "html", in: folder)
    #expect(run.exitCode == 0 && run.errors == "")
    return run.output
  }

  @Test func thePageShowsVersionsStepsAndEntities() throws {
    try write()
    let page = try page()
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(page.contains("2 versions in 1 chain"))
    #expect(page.contains("<h3>SchemaV1 <span class=\"soft\">1.0.0</span></h3>"))
    #expect(page.contains("<h4>Adds</h4>") && page.contains("<code>Tag: added</code>"))
    #expect(page.contains("<h4>Renames</h4>"))
    #expect(page.contains("<code>Trip.notes: renamed from note</code>"))
    #expect(page.contains("href=\"#e0-Trip\"") && page.contains("id=\"e0-Trip\""))
    #expect(page.contains("<td><code>note: String</code></td>"))
    #expect(page.contains("<td class=\"changed\"><code>String?</code></td>"))
  }

  @Test func thePageSaysWhatIsFrozen() throws {
    try write()
    #expect(try page().ranges(of: "not frozen").count == 2)
    #expect(try persistlint("freeze", in: folder).exitCode == 0)
    #expect(try page().contains("frozen: has shipped"))
    try write(first: "var name = \"\"; var note = 1")
    #expect(try page().contains("frozen, then edited"))
    try folder.write("Schema.swift", "import SwiftData\n")
    #expect(try page().contains("frozen, then deleted"))
  }

  @Test func withoutASchemaThePageSaysSo() throws {
    try folder.write("a.swift", "func f() {}\n")
    #expect(try page().contains("No models and no schema versions."))
    #expect(
      try persistlint("schema", "diff", "A", "B", "--format", "html", in: folder).exitCode == 2)
    #expect(try persistlint("schema", "--format", "html", "--only", "A", in: folder).exitCode == 2)
  }

  @Test func historyFollowsNames() {
    func entity(_ name: String, was: String? = nil, _ properties: [String] = []) -> Entity {
      Entity(
        name: name, originalName: was,
        properties: properties.map {
          Property(name: $0, kind: .attribute(Attribute(type: StoredType(spelling: "String"))))
        })
    }
    let history = SchemaHistory([
      SchemaShape(entities: [entity("Trip", ["name"]), entity("Stop")]),
      SchemaShape(entities: [
        entity("Journey", was: "Trip", ["title"]), entity("Stop", was: "Trip"),
      ]),
      SchemaShape(entities: [entity("Journey", was: "Trip", ["title"]), entity("Trip")]),
    ])
    let lines = history.entities.map { line in
      "\(line.name): \(line.values.map { $0?.name ?? "-" }.joined(separator: " "))"
    }
    #expect(lines == ["Journey: Trip Journey Journey", "Stop: Stop Stop -", "Trip: - - Trip"])
    let properties = SchemaHistory.properties(of: history.entities[0])
    #expect(properties.map(\.name) == ["name", "title"])
  }
}
