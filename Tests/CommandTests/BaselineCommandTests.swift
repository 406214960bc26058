import Foundation
import Testing

/// A baseline holds through the edits that people make, and not through new mistakes.
@Suite struct BaselineCommandTests {
  let folder: Folder

  private static let model = "@Model final class Item { var name = \"\" }\n"
  private static let version = """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self] }
    }

    """
  private static let rest = """
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Item.self, Other.self] }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    @Model final class Other { var name = "" }

    """

  init() throws {
    folder = try Folder()
    try folder.git("init", "-q")
    try folder.write(
      "App/Schema.swift",
      "import SwiftData\n" + BaselineCommandTests.model + BaselineCommandTests.version
        + BaselineCommandTests.rest)
    try folder.git("add", ".")
    try folder.git("commit", "-qm", "first")
  }

  private func lint(_ arguments: String...) throws -> Outcome {
    try persistlint(["--baseline", "base.txt"] + arguments, in: folder)
  }

  @Test func acceptedFindingsStayOut() throws {
    let before = try persistlint(in: folder)
    #expect(before.exitCode == 1 && before.output.contains("[schema-version-uses-live-model]"))
    let written = try lint("--write-baseline")
    #expect(written.exitCode == 0 && written.output == "")
    let text = try folder.read("base.txt")
    #expect(text.hasPrefix("persistlint baseline 1\n"))
    #expect(text.contains("\n#: App/Schema.swift\nschema-version-uses-live-model "))
    #expect(!text.contains(":2"))
    let after = try lint()
    #expect(after.exitCode == 0 && after.output == "")
    #expect(after.errors.contains("suppressed)"))
  }

  @Test func linesAddedAboveRenamedFilesAndMovedCodeChangeNothing() throws {
    _ = try lint("--write-baseline")
    try folder.write(
      "App/Schema.swift",
      "// One.\n// Two.\n\n" + (try folder.read("App/Schema.swift")))
    #expect(try lint().exitCode == 0)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Kit"), withIntermediateDirectories: true)
    try folder.git("mv", "App/Schema.swift", "Kit/Versions.swift")
    #expect(try lint().exitCode == 0)
    try folder.write("Kit/Versions.swift", "import SwiftData\n" + BaselineCommandTests.rest)
    try folder.write(
      "App/V1.swift",
      "import SwiftData\n" + BaselineCommandTests.version + BaselineCommandTests.model)
    let run = try lint()
    #expect(run.exitCode == 0 && run.output == "")
    #expect(!run.errors.contains("is fixed"))
  }

  @Test func newMistakesAreReported() throws {
    _ = try lint("--write-baseline")
    try folder.write(
      "App/More.swift",
      "import SwiftData\n"
        + (BaselineCommandTests.version + BaselineCommandTests.rest)
        .replacing("V1", with: "W1").replacing("V2", with: "W2")
        .replacing("Plan:", with: "OtherPlan:").replacing(
          "@Model final class Other", with: "class X"))
    let run = try lint()
    #expect(run.exitCode == 1)
    #expect(run.output.contains("`W1`") && !run.output.contains("`V1` can't"))
  }

  @Test func fixedEntriesAreReportedAndTakenOutWhenAskedFor() throws {
    _ = try lint("--write-baseline")
    try folder.write("App/Schema.swift", "let x = 1\n")
    let run = try lint()
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("base.txt: 'schema-version-uses-live-model"))
    #expect(run.errors.contains("is fixed") && run.errors.contains("--prune-baseline"))
    #expect(try lint("--prune-baseline").exitCode == 0)
    #expect(try folder.read("base.txt") == "persistlint baseline 1\n")
    #expect(!(try lint().errors.contains("fixed")))
  }

  @Test func otherFilesAreNeitherReadNorOverwritten() throws {
    try folder.write("base.txt", "my notes\n")
    for arguments in [[], ["--write-baseline"], ["--prune-baseline"]] {
      let run = try persistlint(["--baseline", "base.txt"] + arguments, in: folder)
      #expect(run.exitCode == 2)
      #expect(run.errors.contains("base.txt is not a baseline of persistlint"))
    }
    #expect(try folder.read("base.txt") == "my notes\n")
    let missing = try persistlint("--baseline", "nowhere.txt", in: folder)
    #expect(missing.exitCode == 2 && missing.errors.contains("nowhere.txt: No such file"))
  }

  @Test func configurationNamesTheBaseline() throws {
    try folder.write(".persistlint.json", "{baseline: \"base.txt\"}")
    _ = try persistlint("--write-baseline", in: folder)
    #expect(try folder.names().contains("base.txt"))
    #expect(try persistlint(in: folder).exitCode == 0)
    #expect(try persistlint("App", in: folder).exitCode == 0)
  }

  private let swallowing = "func keep(_ context: ModelContext) { try? context.save() }\n"

  /// Two folders with the same accepted mistake, the baseline at the root.
  private func writeTwoFolders() throws {
    try folder.write("App/Schema.swift", "import SwiftData\n" + swallowing)
    try folder.write("Shared/Keep.swift", "import SwiftData\n" + swallowing)
    try folder.write(".persistlint.json", "{baseline: \"base.txt\"}")
    _ = try persistlint("--write-baseline", in: folder)
    #expect(
      try folder.read("base.txt") == """
        persistlint baseline 1
        #: App/Schema.swift
        swallowed-save-error keep
        #: Shared/Keep.swift
        swallowed-save-error keep

        """)
  }

  @Test func pruningInAFolderLeavesTheEntriesOfOthers() throws {
    try writeTwoFolders()
    let idle = try persistlint("--prune-baseline", in: folder.inner("Shared"))
    #expect(idle.exitCode == 0 && idle.output.isEmpty)
    #expect(idle.errors.contains("base.txt: left 1 entry of files outside Shared alone"))
    #expect(try persistlint("--strict", in: folder).exitCode == 0)
    // Fixed in both, and only one of them is looked at.
    try folder.write("App/Schema.swift", "import SwiftData\n")
    try folder.write("Shared/Keep.swift", "import SwiftData\n")
    let run = try persistlint("--prune-baseline", in: folder.inner("Shared"))
    #expect(run.errors.contains("'swallowed-save-error keep' is fixed and gone"))
    #expect(
      try folder.read("base.txt") == """
        persistlint baseline 1
        #: App/Schema.swift
        swallowed-save-error keep

        """)
    let other = try persistlint("Shared", "--prune-baseline", in: folder)
    #expect(other.errors.contains("base.txt: left 1 entry of files outside Shared alone"))
    _ = try persistlint("--prune-baseline", in: folder)
    #expect(try folder.read("base.txt") == "persistlint baseline 1\n")
  }

  @Test func acceptingInAFolderLeavesTheEntriesOfOthers() throws {
    try writeTwoFolders()
    try folder.write("Shared/Keep.swift", "import SwiftData\n")
    try folder.write(
      "Shared/More.swift", "import SwiftData\n" + swallowing.replacing("keep", with: "store"))
    let run = try persistlint("--write-baseline", in: folder.inner("Shared"))
    #expect(run.errors.contains("base.txt: left 1 entry of files outside Shared alone"))
    #expect(run.errors.contains("base.txt accepts 1 finding of Shared"))
    #expect(
      try folder.read("base.txt") == """
        persistlint baseline 1
        #: App/Schema.swift
        swallowed-save-error keep
        #: Shared/More.swift
        swallowed-save-error store

        """)
    #expect(try persistlint("--strict", in: folder).exitCode == 0)
  }

  @Test func entriesOfOlderBaselinesAreKeptWhereTheirFileIsUnknown() throws {
    try writeTwoFolders()
    let entry = "swallowed-save-error keep\n"
    let old = "persistlint baseline 1\n" + entry + entry + "swallowed-save-error gone()\n"
    for option in ["--prune-baseline", "--write-baseline"] {
      try folder.write("base.txt", old)
      let run = try persistlint(option, in: folder.inner("Shared"))
      #expect(run.errors.contains("left 2 entries of files outside Shared alone"))
      #expect(try persistlint("--strict", in: folder).exitCode == 0)
      #expect(try folder.read("base.txt").contains("swallowed-save-error gone()\n"))
    }
  }

  @Test func aRunInAFolderDoesNotCallTheEntriesOfOthersFixed() throws {
    try writeTwoFolders()
    let run = try persistlint(in: folder.inner("Shared"))
    #expect(run.exitCode == 0 && !run.errors.contains("is fixed"))
  }

  @Test func entriesOfFilesThatCannotBeReadStay() throws {
    try writeTwoFolders()
    let before = try folder.read("base.txt")
    try folder.write("App/Schema.swift", Data([0x6C, 0xFF, 0xFE]))
    let run = try persistlint("--prune-baseline", in: folder)
    #expect(run.errors.contains("base.txt: left 1 entry of files that can't be read alone"))
    #expect(try folder.read("base.txt") == before)
  }
}
