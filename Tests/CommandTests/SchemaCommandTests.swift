import Testing

/// What `freeze`, `schema` and the options about what has shipped do in a folder.
@Suite struct SchemaCommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func version(_ name: String, _ number: Int, _ body: String) -> String {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self] }
      @Model final class Trip {
        \(body)
        init() {}
      }
    }

    """
  }

  private let plan = """
    enum TripPlan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
      }
    }

    """

  private func write(first: String, second: String? = "var name = \"\"; var note: String?") throws {
    var text = "import SwiftData\n" + version("SchemaV1", 1, first)
    if let second { text += version("SchemaV2", 2, second) + plan }
    try folder.write("Schema.swift", text)
  }

  @Test func freezeWritesAllVersionsButTheNewest() throws {
    try write(first: "var name = \"\"")
    let run = try persistlint("freeze", in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.errors
        == "persistlint.lock: froze SchemaV1\n  left out SchemaV2: it is the newest and may "
        + "still change; --all freezes it at a release\n")
    let lock = try folder.read("persistlint.lock")
    #expect(lock.hasPrefix("persistlint lock 3 0.2.0\nfrozen SchemaV1\nplan TripPlan staged\n"))
    #expect(lock.contains("\nSchemaV1 = Trip.name attribute String\n"))
    #expect(!lock.contains("SchemaV2"))
    #expect(try persistlint("freeze", in: folder).errors.contains("holds SchemaV1 already"))
    #expect(try persistlint("freeze", "--all", in: folder).errors.contains("froze SchemaV2"))
  }

  @Test func versionsAreInTheOrderOfTheirNumbers() throws {
    try folder.write(
      "Schema.swift",
      "import SwiftData\n" + version("SchemaV10", 10, "var a = 1; var b = 1; var c = 1")
        + version("SchemaV9", 9, "var a = 1; var b = 1") + version("SchemaV1", 1, "var a = 1"))
    let run = try persistlint("freeze", "--all", in: folder)
    #expect(run.errors == "persistlint.lock: froze SchemaV1, SchemaV9, SchemaV10\n")
    let text = try persistlint("schema", in: folder).output
    let names = text.matches(of: /(SchemaV[0-9]+)  [0-9]/).map { String($0.1) }
    #expect(names == ["SchemaV1", "SchemaV9", "SchemaV10"])
  }

  @Test func anOldVersionOutsideOfThePlanIsFrozenToo() throws {
    try folder.write(
      "Schema.swift",
      "import SwiftData\n" + version("SchemaV0", 0, "var old = 1")
        + version("SchemaV1", 1, "var name = \"\"")
        + version("SchemaV2", 2, "var name = \"\"; var note: String?") + plan)
    let run = try persistlint("freeze", in: folder)
    #expect(run.errors.hasPrefix("persistlint.lock: froze SchemaV0, SchemaV1\n"))
  }

  @Test func anEditInTheMiddleIsWrittenBack() throws {
    try write(first: "var name = \"\"")
    _ = try persistlint("freeze", in: folder)
    let shipped = try folder.read("Schema.swift")
    try write(first: "var name = \"\"; var city: String?")
    let run = try persistlint("--unsafe-fixes", in: folder)
    #expect(run.errors.contains("1 fix in Schema.swift"))
    #expect(!(try persistlint(in: folder).output.contains("[frozen-schema-edited]")))
    #expect(
      try folder.read("Schema.swift").count { $0 == "\n" } <= shipped.count { $0 == "\n" } + 1)
  }

  @Test func aRenameInANewVersionSaysWhatThePropertyWasCalled() throws {
    try write(first: "var name = \"\"", second: nil)
    _ = try persistlint("freeze", "--all", in: folder)
    try write(first: "var nameOfTrip = \"\"", second: nil)
    let run = try persistlint("--unsafe-fixes", "--diff", in: folder)
    #expect(run.output.contains("+    @Attribute(originalName: \"name\") var nameOfTrip = \"\""))
    #expect(run.output.contains("lightweight("))
    #expect(!run.output.contains("custom("))
  }

  @Test func anEditOfAFrozenVersionIsFoundAndFreezeRefusesIt() throws {
    try write(first: "var name = \"\"")
    _ = try persistlint("freeze", in: folder)
    #expect(try persistlint("lint", in: folder).exitCode == 0)
    try write(first: "var name = \"\"; var city: String?")
    let run = try persistlint("lint", in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("[frozen-schema-edited]"))
    #expect(run.output.contains("persistlint.lock:"))
    let refused = try persistlint("freeze", in: folder)
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("SchemaV1 is frozen and has changed: Trip.city"))
    #expect(try persistlint("freeze", "--again", in: folder).exitCode == 0)
    #expect(!(try persistlint("lint", in: folder).output.contains("[frozen-schema-edited]")))
  }

  @Test func aLockThatCantBeReadEndsTheRunWithItsLine() throws {
    try write(first: "var name = \"\"")
    try folder.write("persistlint.lock", "persistlint lock 9\n")
    let run = try persistlint("lint", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("persistlint.lock:1: format 9 is unknown"))
    #expect(try persistlint("freeze", in: folder).exitCode == 2)
    #expect(try persistlint("lint", "--lock", "none.lock", in: folder).exitCode == 2)
  }

  @Test func aCommitATagOrAFolderTellsWhatHasShipped() throws {
    try write(first: "var name = \"\"")
    try folder.git("init", "-q")
    try folder.git("add", ".")
    try folder.git("commit", "-q", "-m", "one")
    try folder.git("tag", "v1.0")
    try write(first: "var name = \"\"; var city: String?")
    for arguments in [["--against", "HEAD"], ["--against", "v1.0"], ["--against-release", "v*"]] {
      let run = try persistlint(["lint"] + arguments, in: folder)
      #expect(run.exitCode == 1, "\(arguments)")
      #expect(run.output.contains("`Trip.city` (`String?`) is new"))
    }
    let missing = try persistlint("lint", "--against", "v9", in: folder)
    #expect(missing.exitCode == 2)
    #expect(missing.errors.contains("git knows no commit, branch or tag 'v9'"))
    let pattern = try persistlint("lint", "--against-release", "x*", in: folder)
    #expect(pattern.errors.contains("git knows no tag that matches 'x*'"))
    let both = try persistlint("lint", "--against", "v1.0", "--lock", "a", in: folder)
    #expect(both.exitCode == 2)
  }

  @Test func theNewestVersionIsFrozenByAReleaseAlone() throws {
    try write(first: "var name = \"\"", second: nil)
    try folder.git("init", "-q")
    try folder.git("add", ".")
    try folder.git("commit", "-q", "-m", "one")
    try folder.git("tag", "v1.0")
    try write(first: "var name = \"\"; var city: String?", second: nil)
    #expect(try persistlint("lint", "--against", "v1.0", in: folder).exitCode == 0)
    #expect(try persistlint("lint", "--against-release", "v*", in: folder).exitCode == 1)
  }

  @Test func aChangeOfTheNewestVersionIsANoteAgainstABranch() throws {
    try write(first: "var name = \"\"")
    try folder.git("init", "-q")
    try folder.git("add", ".")
    try folder.git("commit", "-q", "-m", "one")
    try write(first: "var name = \"\"", second: "var name = \"\"; var remark: String?")
    let against = ["--against", "HEAD", "--select", "schema"]
    let run = try persistlint(against, in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.output.contains(
        "note: if `SchemaV2` has shipped, its users can't open their store after an update "
          + "(134504): `Trip.note` (`String?`) was removed"))
    #expect(run.output.contains("list the version under `released` in the configuration"))
    #expect(run.output.contains("`SchemaV2` as it is in `HEAD`"))
    try folder.write(".persistlint.json", "{released: [\"SchemaV1\"]}")
    #expect(try persistlint(against, in: folder).output.isEmpty, "it is said that it hasn't")
    try folder.write(".persistlint.json", "{released: [\"SchemaV1\", \"SchemaV2\"]}")
    #expect(try persistlint(against, in: folder).exitCode == 1)
    try folder.write(".persistlint.json", "{}")
    let schema = try folder.read("Schema.swift")
    try folder.write("Schema.swift", schema.replacing("SchemaV2", with: "SchemaV3"))
    let renamed = try persistlint(against, in: folder)
    #expect(renamed.exitCode == 0)
    #expect(renamed.output.contains("the sources no longer have the version"))
  }

  @Test func withoutGitThereIsAMessage() throws {
    try write(first: "var name = \"\"")
    let run = try persistlint("lint", "--against", "main", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("is not in a git repository"))
  }

  @Test func showPrintsVersionsAndTheWaysBetweenThem() throws {
    try write(first: "var name = \"\"")
    let text = try persistlint("schema", in: folder).output
    #expect(text.contains("TripPlan  Schema.swift  versions are told apart by checksum"))
    #expect(text.contains("SchemaV1  1.0.0  Schema.swift\n    models: Trip\n"))
    #expect(text.contains("↓ lightweight, 1 change: lightweight"))
    let json = try persistlint("schema", "show", "--format", "json", in: folder).output
    #expect(json.contains("\"chain\": ["))
    let mermaid = try persistlint("schema", "--format", "mermaid", in: folder).output
    #expect(mermaid.hasPrefix("flowchart LR\n  V0([\"SchemaV1\"])\n  subgraph V1[\"SchemaV2\"]\n"))
    #expect(mermaid.hasSuffix("  end\n  V0 ==>|\"lightweight\"| V1\n"))
    let only = try persistlint("schema", "--format", "mermaid", "--only", "SchemaV1", in: folder)
    #expect(only.output.contains("erDiagram\n  Trip {\n    String name\n  }\n"))
    let unknown = try persistlint("schema", "--format", "dot", "--only", "SchemaV7", in: folder)
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.contains("no version is called 'SchemaV7'; did you mean"))
    let dot = try persistlint("schema", "--format", "dot", in: folder).output
    #expect(dot.contains("\"SchemaV1\" -> \"SchemaV2\" [label=\"lightweight\"];"))
  }

  @Test func diffGivesTheVerdictOfEachChange() throws {
    try write(first: "var name = \"\"", second: "var title: String")
    let run = try persistlint("schema", "diff", "SchemaV1", "SchemaV2", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("loses data           Trip.name: String → none"))
    #expect(run.output.contains("can't open (134110)  Trip.title: none → String"))
    #expect(run.output.hasSuffix("SchemaV1 → SchemaV2: can't open\n"))
    let json = try persistlint(
      "schema", "diff", "SchemaV1", "SchemaV2", "--format", "json", in: folder)
    #expect(json.output.contains("\"summary\": \"SchemaV1 → SchemaV2: can't open\""))
    #expect(json.output.contains("\"code\": 134110"))
    let mermaid = try persistlint(
      "schema", "diff", "SchemaV1", "SchemaV2", "--format", "mermaid", in: folder)
    #expect(mermaid.output.contains("classDiagram\n  class E0[\"Trip\"] {\n"))
    #expect(mermaid.output.contains("    title: none → String  can't open [134110]\n"))
    let unknown = try persistlint("schema", "diff", "SchemaV1", "SchemaV3", in: folder)
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.contains("no version is called 'SchemaV3'; did you mean"))
  }

  @Test func whatCantBeResolvedIsShownAndNotJudged() throws {
    try folder.write(
      "Schema.swift",
      """
      import SwiftData
      enum SchemaV1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Missing.self] }
      }
      enum TripPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV9.self] }
        static var stages: [MigrationStage] { [] }
      }
      """)
    let text = try persistlint("schema", in: folder).output
    #expect(text.contains("`SchemaV9` in `schemas` is not a version that the sources declare"))
    #expect(text.contains("`Missing.self` in `models` is no model that the sources declare"))
    let run = try persistlint("lint", in: folder)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.contains(
        "Schema.swift:6:14: `SchemaV9` in `schemas` is not a version that the sources declare"))
  }

  @Test func twoVersionsOfOneNameAreTold() throws {
    try folder.write("One.swift", "import SwiftData\n" + version("SchemaV1", 1, "var a = 1"))
    try folder.write("Two.swift", "import SwiftData\n" + version("SchemaV1", 1, "var b = 1"))
    let run = try persistlint("lint", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("Two.swift:2:6:"))
    #expect(run.errors.contains("SchemaV1 is declared twice, first in One.swift"))
  }

  @Test func aModelThatCantBeReadIsToldAndTheRestGoesOn() throws {
    try folder.write("M.xcdatamodeld/M.xcdatamodel/contents", "<model>\n<entity name=\"A\"")
    try folder.write(
      "M.xcdatamodeld/M 2.xcdatamodel/contents", "<model><entity name=\"A\"/></model>")
    try folder.write(
      "M.xcdatamodeld/.xccurrentversion",
      "<plist><dict><key>_XCCurrentVersionName</key><string>M 3.xcdatamodel</string></dict></plist>"
    )
    let run = try persistlint("lint", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("M.xcdatamodel/contents:2: the XML is not well formed"))
    #expect(run.errors.contains("names `M 3.xcdatamodel`, which is not in the model"))
    #expect(try persistlint("schema", in: folder).output.contains("M 2  current\n    entities: A"))
  }
}

/// What the rules say of the newest step of a Core Data model.
@Suite struct DataModelRuleTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func write(_ name: String, _ attributes: String) throws {
    try folder.write(
      "M.xcdatamodeld/\(name).xcdatamodel/contents",
      "<model>\n  <entity name=\"Trip\">\n\(attributes)\n  </entity>\n</model>\n")
  }

  private func writeModel() throws {
    try write(
      "M", "    <attribute name=\"name\" attributeType=\"String\" defaultValueString=\"\"/>")
    try write(
      "M 2",
      """
          <attribute name="name" attributeType="Date"/>
          <attribute name="note" attributeType="Integer 64"/>
      """)
  }

  @Test func theNewestStepIsJudgedAtItsLines() throws {
    try writeModel()
    let run = try persistlint("lint", in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output.contains("M 2.xcdatamodel/contents:3:5: error: users who update from `M`"))
    #expect(run.output.contains("[lightweight-migration-impossible]"))
    #expect(run.output.contains("M 2.xcdatamodel/contents:4:5: error:"))
    #expect(run.output.contains("[required-property-without-default]"))
  }

  @Test(arguments: ["App", "AppTests"]) func aModelOfTestsAsksForNoMergePolicy(home: String) throws
  {
    try folder.write(
      "\(home)/M.xcdatamodeld/M.xcdatamodel/contents",
      """
      <model>
        <entity name="Trip">
          <attribute name="code" attributeType="String" defaultValueString=""/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
      </model>
      """)
    try folder.write(
      "App/Stack.swift",
      """
      import CoreData
      final class Stack {
        let container = NSPersistentContainer(name: "M")
        init() {
          container.loadPersistentStores { _, error in if let error { print(error) } }
        }
      }
      """)
    let run = try persistlint("lint", in: folder)
    #expect(run.output.contains("[merge-policy-missing]") == (home == "App"))
  }

  @Test func aMappingModelOrAPolicyMayDoTheWork() throws {
    try writeModel()
    try folder.write("Map.xcmappingmodel/xcmapping.xml", "<model/>")
    #expect(try persistlint("lint", in: folder).output.isEmpty)
    try folder.write(
      "App.swift", "import CoreData\nfinal class TripPolicy: NSEntityMigrationPolicy {}\n")
    #expect(try persistlint("lint", in: folder).output.isEmpty)
  }

  @Test func anEditOfAVersionThatShippedIsFound() throws {
    try writeModel()
    _ = try persistlint("freeze", in: folder)
    try write("M", "    <attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>")
    let run = try persistlint("lint", in: folder)
    #expect(run.output.contains("M.xcdatamodel/contents:3:5: error: users with stores of"))
    #expect(
      run.output.contains(
        "(134130), because a shipped version was edited: `Trip.name` became optional"))
  }
}
