import Foundation
import Testing

/// Suppressions that silence nothing are taken out, and nothing else is touched.
@Suite struct FixTests {
  let folder: Folder

  private static let ignore = "persistlint:ignore[identical-schema-versions] it was needed once"

  private static let before = """
    import SwiftData
    // \(ignore)
    let a = 1  // \(ignore)
    \t// \(ignore)\u{20}
    let b = "🗻" /* \(ignore) */ + "x"
    // persistlint:ignore-begin[identical-schema-versions] it was needed once
    let c = 2
    // persistlint:ignore-end
    let d = "// \(ignore)"
    // \(ignore)
    """

  private static let after = """
    import SwiftData
    let a = 1
    let b = "🗻"  + "x"
    let c = 2
    let d = "// \(ignore)"

    """

  init() throws { folder = try Folder() }

  @Test(arguments: ["\n", "\r\n"]) func unusedSuppressionsAreTakenOut(lineBreak: String) throws {
    try folder.write("a.swift", FixTests.before.replacing("\n", with: lineBreak))
    let run = try persistlint("--fix", in: folder)
    #expect(run.exitCode == 0 && run.output == "")
    #expect(run.errors.hasPrefix("6 fixes in a.swift\n"))
    #expect(try folder.read("a.swift") == FixTests.after.replacing("\n", with: lineBreak))
    let again = try persistlint("--fix", in: folder)
    #expect(!again.errors.contains("fix"), "a second run has nothing to do")
  }

  @Test func differenceIsShownAndCanBeApplied() throws {
    try folder.git("init", "-q")
    try folder.write("App/a.swift", FixTests.before)
    try folder.write("App/b.swift", String(repeating: "let x = 1\n", count: 30) + FixTests.before)
    try folder.git("add", ".")
    let run = try persistlint("--diff", in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("--- a/App/a.swift\n+++ b/App/a.swift\n@@ -1,10 +1,5 @@\n"))
    #expect(try folder.read("App/a.swift") == FixTests.before, "nothing is changed")
    try folder.write("fix.patch", run.output)
    try folder.git("apply", "fix.patch")
    #expect(try folder.read("App/a.swift") == FixTests.after)
    #expect(try persistlint("--diff", in: folder).exitCode == 0)
  }

  @Test func modeOfTheFileStays() throws {
    let file = try folder.write("a.swift", FixTests.before)
    try FileManager.default.setAttributes([.posixPermissions: 0o754], ofItemAtPath: file.path)
    _ = try persistlint("--fix", in: folder)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o754)
    #expect(try folder.names() == ["a.swift"])
  }

  @Test func onlyWhatIsReportedIsMended() throws {
    try folder.write("a.swift", FixTests.before)
    try folder.write("b.swift", FixTests.before)
    _ = try persistlint("--fix", "--files-from", "-", in: folder, input: "b.swift\n")
    #expect(try folder.read("a.swift") == FixTests.before)
    #expect(try folder.read("b.swift") == FixTests.after)
    try folder.write(".persistlint.json", "{rules: {\"invalid-suppression\": \"off\"}}")
    _ = try persistlint("--fix", in: folder)
    #expect(try folder.read("a.swift") == FixTests.before)
  }

  @Test func suppressionsOfRulesThatAreOffStay() throws {
    try folder.write("a.swift", FixTests.before)
    try folder.write(".persistlint.json", "{rules: {\"identical-schema-versions\": \"off\"}}")
    _ = try persistlint("--fix", in: folder)
    #expect(try folder.read("a.swift") == FixTests.before)
  }

  @Test func rulesThatFindNothingLeaveTheBrackets() throws {
    let code = """
      import SwiftData
      func keep(_ context: ModelContext) {
        // persistlint:ignore[fatal-error-on-save, swallowed-save-error] a cache, made again
        try? context.save()
      }

      """
    try folder.write("a.swift", code)
    let run = try persistlint(in: folder)
    #expect(run.output.contains("there is no finding of fatal-error-on-save here; remove it"))
    #expect(run.output.split(separator: "\n").count == 1)
    _ = try persistlint("--fix", in: folder)
    #expect(
      try folder.read("a.swift") == code.replacing("fatal-error-on-save, ", with: ""))
    #expect(try persistlint(in: folder).output == "")
    try folder.write(".persistlint.json", "{rules: {\"fatal-error-on-save\": \"off\"}}")
    try folder.write("a.swift", code)
    #expect(try persistlint(in: folder).output == "")
  }

  @Test func suppressionsWithoutReasonGoTooWhereNoneIsRequired() throws {
    try folder.write("a.swift", "let x = 1  // persistlint:ignore[swallowed-save-error]\n")
    #expect(try persistlint(in: folder).output.contains("write the reason"))
    try folder.write(".persistlint.json", "{requireReason: false}")
    #expect(try persistlint(in: folder).output.contains("delete the comment"))
    _ = try persistlint("--fix", in: folder)
    #expect(try folder.read("a.swift") == "let x = 1\n")
  }

  @Test func fixesAreInSARIF() throws {
    try folder.write("a.swift", FixTests.before)
    let run = try persistlint("--format", "sarif", in: folder)
    #expect(run.output.contains("\"fixes\"") && run.output.contains("\"deletedRegion\""))
    #expect(run.output.contains("Delete the comment"))
  }

  @Test func fixesAreForFilesOnly() throws {
    for arguments in [["--fix", "-"], ["--fix", "--staged"], ["--diff", "-"]] {
      let run = try persistlint(arguments, in: folder)
      #expect(run.exitCode == 2 && run.errors.contains("fixes and suppressions change files"))
    }
  }

  private static let deleting = """
    import SwiftData
    func open(_ configuration: ModelConfiguration) throws -> ModelContainer {
      do {
        return try ModelContainer(for: Trip.self, configurations: configuration)
      } catch {
        try FileManager.default.removeItem(at: configuration.url)
        return try ModelContainer(for: Trip.self, configurations: configuration)
      }
    }

    """

  @Test func moreOfAStoreIsDeletedOnlyByUnsafeFixes() throws {
    try folder.write("a.swift", FixTests.deleting)
    let run = try persistlint("--fix", in: folder)
    #expect(run.output.contains("[store-deleted-without-backup]"))
    #expect(run.output.contains("[store-sidecars-forgotten]"))
    #expect(run.errors.contains("1 can be fixed with --unsafe-fixes; add --diff to see how"))
    #expect(try folder.read("a.swift") == FixTests.deleting)
    _ = try persistlint("--unsafe-fixes", in: folder)
    #expect(try folder.read("a.swift").contains("for suffix in [\"-wal\", \"-shm\"]"))
  }

  @Test func onlyFixesThatCanBeMadeAreCounted() throws {
    // A copy needs a person.
    let code = """
      import SwiftData
      func keep(_ configuration: ModelConfiguration, _ other: URL) throws -> ModelContainer {
        try FileManager.default.copyItem(at: configuration.url, to: other)
        return try ModelContainer(for: Trip.self, configurations: configuration)
      }

      """
    try folder.write("a.swift", code)
    let run = try persistlint(in: folder)
    #expect(run.output.contains("[store-sidecars-forgotten]"))
    #expect(!run.errors.contains("fixed") && !run.errors.contains("--unsafe-fixes"))
    try folder.write("a.swift", FixTests.deleting)
    let shown = try persistlint("--diff", "--unsafe-fixes", in: folder)
    #expect(shown.exitCode == 1 && shown.output.contains("+"))
  }

  @Test func fixesThatOthersHinderAreNamed() throws {
    let tasks = (1...12).map { number in
      "  Task.detached { print(trip.name\(number)) }\n"
    }.joined()
    let properties = (1...12).map { "var name\($0) = \"\"; " }.joined()
    let code =
      "import SwiftData\n@Model final class Trip { \(properties)init() {} }\n"
      + "@MainActor func export(_ trip: Trip) {\n\(tasks)}\n"
    try folder.write("a.swift", code)
    let run = try persistlint(in: folder)
    #expect(run.errors.contains("12 can be fixed with --fix"))
    let fixed = try persistlint("--fix", in: folder)
    #expect(fixed.errors.contains("10 fixes in a.swift"))
    #expect(
      fixed.errors.contains(
        "2 fixes, the first at a.swift:24, were not made, because another fix changes the same "
          + "code; run this again"))
    #expect(!(try persistlint("--fix", in: folder).errors.contains("not made")))
    #expect(try persistlint(in: folder).exitCode == 0)
  }
}
