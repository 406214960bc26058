import Foundation
import Testing

/// What a run does when nothing tells what has shipped.
@Suite struct ShippedTests {
  let folder: Folder

  private static let ignore = "// persistlint:ignore[frozen-schema-edited] nobody has this version"

  private static func schema(_ note: String = "", properties: String = "var name = \"\"") -> String
  {
    """
    import SwiftData
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self] }
      @Model final class Item {
        \(note)
        \(properties)
        init() {}
      }
    }
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self] }
      @Model final class Item { var name = ""; var size = 0; init() {} }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }

    """
  }

  init() throws { folder = try Folder() }

  @Test func missingLockIsRefusedWhereTheConfigurationNamesIt() throws {
    try folder.write("Schema.swift", ShippedTests.schema())
    try folder.write(".persistlint.json", "{lock: \"shipped.lock\"}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2 && run.output == "")
    #expect(run.errors.contains("shipped.lock doesn't exist") && run.errors.contains("freeze"))
    #expect(try persistlint("--against", ".", in: folder).exitCode == 0)
    #expect(try persistlint("freeze", in: folder).exitCode == 0)
    #expect(try persistlint(in: folder).exitCode == 0)
  }

  @Test func aMissingLockIsRefusedEvenWhereNothingNeedsIt() throws {
    try folder.write("Schema.swift", ShippedTests.schema())
    try folder.write(
      ".persistlint.json",
      """
      {lock: "shipped.lock",
       rules: {"frozen-schema-edited": "off", "staged-migration-introduced": "off"}}
      """)
    #expect(try persistlint(in: folder).exitCode == 2)
    try folder.write(".persistlint.json", "{lock: \"shipped.lock\"}")
    try folder.write("Schema.swift", "import SwiftData\nlet x = 1\n")
    #expect(try persistlint(in: folder).exitCode == 2)
    #expect(try persistlint("--lock", "shipped.lock", in: folder).exitCode == 2)
  }

  @Test func aMissingLockIsRefusedBeforeAnythingHasShipped() throws {
    try folder.write(
      "Item.swift", "import SwiftData\n@Model final class Item { var name = \"\" }\n")
    try folder.write(".persistlint.json", "{lock: \"shipped.lock\"}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(
      run.errors.contains("shipped.lock doesn't exist"), "\(run.errors)")
  }

  @Test func versionsOfOtherFoldersAreNotMissedInAPart() throws {
    try folder.write("App/Schema.swift", ShippedTests.schema())
    let kit = ShippedTests.schema().replacing("V1", with: "K1").replacing("V2", with: "K2")
      .replacing("Item", with: "Stop").replacing("Plan:", with: "KitPlan:")
    try folder.write("Kit/Schema.swift", kit)
    try folder.write(".persistlint.json", "{}")
    _ = try persistlint("freeze", in: folder)
    #expect(try folder.read("persistlint.lock").contains("frozen K1\nfrozen V1\n"))
    #expect(try persistlint(in: folder.inner("App")).exitCode == 0)
    #expect(try persistlint("Kit", in: folder).exitCode == 0)
    let gone = kit.replacing("enum K1", with: "enum K0").replacing("K1.self", with: "K0.self")
      .replacing("var name", with: "var title")
    try folder.write("Kit/Schema.swift", gone)
    #expect(try persistlint("Kit", in: folder).output.contains("[frozen-schema-edited]"))
  }

  @Test func lockLiesBesideTheConfiguration() throws {
    try folder.write("App/Schema.swift", ShippedTests.schema())
    try folder.write("App/.persistlint.json", "{}")
    #expect(try persistlint("freeze", in: folder.inner("App")).exitCode == 0)
    try folder.write("App/Schema.swift", ShippedTests.schema(properties: "var title = \"\""))
    let run = try persistlint("App", in: folder)
    #expect(run.exitCode == 1 && run.output.contains("[frozen-schema-edited]"))
    #expect(run.output.contains("App/persistlint.lock:"))
  }

  @Test func suppressionThatNeedsTheLockStaysWithoutIt() throws {
    try folder.write("Schema.swift", ShippedTests.schema())
    _ = try persistlint("freeze", in: folder)
    let edited = ShippedTests.schema(ShippedTests.ignore, properties: "var title = \"\"")
    try folder.write("Schema.swift", edited)
    let run = try persistlint("--strict", in: folder)
    #expect(run.errors.contains("suppressed"), "\(run.output)")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("persistlint.lock"))
    #expect(!(try persistlint(in: folder).output.contains("invalid-suppression")))
    _ = try persistlint("--fix", in: folder)
    #expect(try folder.read("Schema.swift") == edited)
    _ = try persistlint("freeze", in: folder)
    #expect(try persistlint(in: folder).output.contains("no finding of frozen-schema-edited"))
  }

  @Test func singleFilesDontTellWhatIsUnused() throws {
    let text = "// persistlint:ignore[swallowed-save-error] its context is elsewhere\nlet x = 1\n"
    try folder.write("App/a.swift", text)
    #expect(try persistlint("App/a.swift", "--alone", in: folder).output == "")
    #expect(try persistlint("-", "--alone", in: folder, input: text).output == "")
    _ = try persistlint("--fix", "--alone", "App/a.swift", in: folder)
    #expect(try folder.read("App/a.swift") == text)
    #expect(try persistlint("App", in: folder).output.contains("[invalid-suppression]"))
  }

  @Test func baselineKeepsWhatNoRuleLookedFor() throws {
    try folder.write("Schema.swift", ShippedTests.schema())
    _ = try persistlint("freeze", in: folder)
    try folder.write("Schema.swift", ShippedTests.schema(properties: "var title = \"\""))
    _ = try persistlint("--baseline", "base.txt", "--write-baseline", in: folder)
    let before = try folder.read("base.txt")
    #expect(before.contains("frozen-schema-edited"))
    try FileManager.default.moveItem(
      at: folder.url.appendingPathComponent("persistlint.lock"),
      to: folder.url.appendingPathComponent("old.lock"))
    let run = try persistlint("--baseline", "base.txt", "--prune-baseline", in: folder)
    #expect(run.exitCode == 0 && !run.errors.contains("is fixed"))
    #expect(try folder.read("base.txt").contains("frozen-schema-edited"))
    try folder.write(".persistlint.json", "{rules: {\"frozen-schema-edited\": \"off\"}}")
    let off = try persistlint("--lock", "old.lock", "--baseline", "base.txt", in: folder)
    #expect(!off.errors.contains("'frozen-schema-edited"))
    let part = try persistlint(
      "--baseline", "base.txt", "--prune-baseline", "Schema.swift", in: folder)
    #expect(part.exitCode == 2 && part.errors.contains("name no single files"))
  }

  // MARK: Released versions

  @Test func releasedVersionsHaveToExist() throws {
    try folder.write("App/Schema.swift", ShippedTests.schema())
    try folder.write(".persistlint.json", "{\n  released: [\"V1\", \"V11\"],\n}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2 && run.output == "")
    #expect(
      run.errors.contains(
        ".persistlint.json:2:20: no version is called 'V11'; did you mean 'V1'?"), "\(run.errors)")
    let inner = try persistlint("--config", "../.persistlint.json", in: folder.inner("App"))
    #expect(inner.exitCode == 0, "a part of the project need not have all versions")
    #expect(try persistlint("freeze", in: folder).errors.contains("did you mean 'V1'?"))
  }

  @Test func releasedVersionsAreFrozen() throws {
    try folder.write("Schema.swift", ShippedTests.schema())
    try folder.write(".persistlint.json", "{released: [\"V1\", \"V2\"]}")
    let loose = try persistlint(in: folder)
    #expect(loose.exitCode == 0)
    #expect(
      loose.errors.contains("V1, V2 are released, and there is no record of how they shipped"))
    _ = try persistlint("freeze", in: folder)
    #expect(try folder.read("persistlint.lock").contains("frozen V1\nfrozen V2\n"))
    #expect(!(try persistlint(in: folder).errors.contains("released")))
    try folder.write(".persistlint.json", "{released: [\"V1\"]}")
    try folder.write("persistlint.lock", "persistlint lock 1\nfrozen\n")
    #expect(
      try persistlint(in: folder).errors.contains(
        "V1 is released, and there is no record of how it"))
    _ = try persistlint("freeze", in: folder)
    #expect(try folder.read("persistlint.lock").contains("frozen V1\n"))
  }

  @Test func releasedVersionsDecideWhatABranchMayEdit() throws {
    try folder.git("init", "-q")
    try folder.write("Schema.swift", ShippedTests.schema())
    try folder.git("add", ".")
    try folder.git("commit", "-qm", "first")
    let edited = ShippedTests.schema(properties: "var title = \"\"")
    try folder.write("Schema.swift", edited.replacing("var size = 0", with: "var length = 0"))
    func findings(_ released: String?) throws -> [Bool] {
      try folder.write(".persistlint.json", released.map { "{released: \($0)}" } ?? "{}")
      let run = try persistlint("--against", "HEAD", "--exit-zero", in: folder)
      let lines = run.output.split(separator: "\n").filter {
        $0.contains(": error: ") && $0.hasSuffix("[frozen-schema-edited]")
      }
      return ["V1", "V2"].map { name in lines.contains { $0.contains("`\(name)`") } }
    }
    #expect(try findings(nil) == [true, false])
    #expect(try findings(#"["V1", "V2"]"#) == [true, true])
    #expect(try findings(#"["V2"]"#) == [false, true])
    #expect(try findings("[]") == [false, false])
  }

  @Test func releasedVersionInNoPlanIsAnError() throws {
    let loose = ShippedTests.schema()
      .replacing("[V1.self, V2.self]", with: "[V2.self]")
      .replacing("[.lightweight(fromVersion: V1.self, toVersion: V2.self)]", with: "[]")
    try folder.write("Schema.swift", loose)
    let before = try persistlint(in: folder)
    #expect(before.exitCode == 0 && before.output.contains("[schema-version-not-in-plan]"))
    try folder.write(".persistlint.json", "{released: [\"V1\"]}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 1 && run.output.contains("`V1`, a released version"))
  }
}
