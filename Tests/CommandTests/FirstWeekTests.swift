import Foundation
import Testing

/// What a team meets in its first week: nothing is green because nothing was looked at, and what is
/// asked for is what is judged.
@Suite struct FirstWeekTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private let ending = """
    import SwiftData
    func open() -> ModelContainer {
      do { return try ModelContainer(for: Trip.self) } catch { fatalError("\\(error)") }
    }

    """
  private let swallowing = """
    import SwiftData
    func keep(_ context: ModelContext) { try? context.save() }
    @Model final class Trip { var name = ""; init() {} }

    """

  private func write() throws {
    try folder.write("Sources/Open.swift", ending)
    try folder.write("Sources/Keep.swift", swallowing)
  }

  private func rules(_ arguments: String...) throws -> Set<String> {
    let run = try persistlint(arguments + ["--format", "text"], in: folder)
    return Set(run.output.matches(of: /\[([a-z-]+)\]/).map { String($0.1) })
  }

  @Test func aFolderWithoutSwiftIsNotSilentlyGreen() throws {
    try folder.write("README.md", "x")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("no Swift file in this folder, so nothing was looked at"))
    #expect(try persistlint("--strict", in: folder).exitCode == 2)
    let named = try persistlint(".", in: folder)
    #expect(named.exitCode == 0)
    #expect(named.errors.contains("no Swift file in ., so nothing was looked at"))
    #expect(try persistlint(".", "--strict", in: folder).exitCode == 2)
  }

  @Test func patternsThatMatchNothingAreNamed() throws {
    try write()
    try folder.write(".persistlint.json", #"{ "exclude": ["Sorces"] }"#)
    let run = try persistlint(in: folder)
    #expect(run.errors.contains(".persistlint.json:1:15: 'Sorces' in `exclude` matches nothing"))
  }

  @Test func excludingEverythingSaysSo() throws {
    try write()
    try folder.write(".persistlint.json", #"{ "exclude": ["Sources"] }"#)
    let run = try persistlint("--strict", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("`exclude` in .persistlint.json leaves out every Swift file"))
  }

  @Test func rulesAndGroupsAreChosenOnTheCommandLine() throws {
    try write()
    #expect(
      try rules().isSuperset(of: ["fatal-error-on-store-open", "swallowed-save-error"]))
    #expect(try rules("--select", "swallowed-save-error") == ["swallowed-save-error"])
    #expect(try rules("--select", "context") == ["swallowed-save-error"])
    #expect(try !rules("--ignore", "store").contains("fatal-error-on-store-open"))
    try folder.write(".persistlint.json", #"{ "rules": { "context": "off" } }"#)
    #expect(try !rules().contains("swallowed-save-error"))
    #expect(try rules("--only", "swallowed-save-error") == ["swallowed-save-error"])
    let wrong = try persistlint("--select", "contxt", in: folder)
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("no rule or group is called 'contxt'; did you mean 'context'?"))
  }

  @Test func aRuleCountsBeforeItsGroup() throws {
    try write()
    try folder.write(
      ".persistlint.json",
      #"{ "rules": { "context": "off", "swallowed-save-error": "error" } }"#)
    #expect(try rules().contains("swallowed-save-error"))
  }

  @Test func aNamedFileIsJudgedWithItsProject() throws {
    try folder.write("Package.swift", "// swift-tools-version: 6.0\n")
    try folder.write("Sources/Open.swift", ending)
    try folder.write(
      "Sources/Ends.swift",
      "func crash(_ error: any Error) -> Never { fatalError(\"\\(error)\") }\n")
    try folder.write(
      "Sources/App.swift",
      "import SwiftData\nfunc start() -> ModelContainer {\n"
        + "  do { return try ModelContainer(for: Trip.self) } catch { crash(error) }\n}\n")
    let run = try persistlint("Sources/App.swift", "--format", "text", in: folder)
    #expect(run.output.contains("Sources/App.swift:3:"))
    #expect(run.output.contains("[fatal-error-on-store-open]"))
    #expect(!run.output.contains("Sources/Open.swift:3"))
    let alone = try persistlint("Sources/App.swift", "--alone", "--format", "text", in: folder)
    #expect(!alone.output.contains("[fatal-error-on-store-open]"))
  }

  @Test func namesAsGitQuotesThemAreRead() throws {
    try folder.write("Sources/Über.swift", ending)
    try folder.write("changed", "\"Sources/\\303\\234ber.swift\"\n")
    let run = try persistlint("--files-from", "changed", "--format", "text", in: folder)
    #expect(run.output.contains("[fatal-error-on-store-open]"))
  }

  @Test(arguments: [
    (["--stdin-filename", "a.swift"], "write - among the PATHs"),
    (["--null"], "--null goes with --files-from"),
    (["--fix", "--write-baseline"], "--fix and --write-baseline can't be combined"),
    (["Sources/Open.swift", "--write-baseline"], "name no single files"),
    (["--select", "store", "--only", "store"], "--only and --select can't be combined"),
  ])
  func argumentsThatContradictEachOtherAreRefused(arguments: [String], reason: String) throws {
    try write()
    let run = try persistlint(arguments, in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(reason))
  }

  @Test(arguments: ["lint", "schema"]) func aLockThatIsNamedHasToBeThere(command: String) throws {
    try write()
    try folder.write(".persistlint.json", #"{ "lock": "shipped.lock" }"#)
    let run = try persistlint(command, in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("shipped.lock doesn't exist, but the configuration names it"))
  }

  @Test(arguments: [
    (
      #"{ "failOn": "error", "failOn": "note" }"#,
      "expected a key other than 'failOn', which appears above"
    )
  ])
  func configurationsWithTwoMeaningsAreRefused(text: String, reason: String) throws {
    try write()
    try folder.write(".persistlint.json", text)
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(reason))
  }

  @Test func onlyTheKnownWordsSuppress() throws {
    try folder.write(
      "A.swift",
      """
      import SwiftData
      func keep(_ context: ModelContext) {
        try? context.save()  // persistlint:disable[swallowed-save-error] it is a draft
        try? context.save()  // persistlint:ignore[*] it is a draft
      }

      """)
    let run = try persistlint("--format", "text", in: folder)
    #expect(run.output.contains("A.swift:3:3: warning"))
    #expect(run.output.contains("A.swift:4:3: warning"))
    #expect(run.output.contains("`*` silences nothing"))
  }

  @Test func aGroupSuppressesAllItsRules() throws {
    try folder.write(
      "A.swift",
      """
      import SwiftData
      func keep(_ context: ModelContext) {
        try? context.save()  // persistlint:ignore[context] it is a draft
        let x = 1  // persistlint:ignore[realm, context] nothing here
      }

      """)
    let run = try persistlint("--format", "text", in: folder)
    #expect(!run.output.contains("[swallowed-save-error]"))
    #expect(run.output.contains("A.swift:4:"))
    #expect(run.output.contains("there is no finding of realm, context here"))
  }

  @Test func findingsOfTodayAreSilencedWithTheirReason() throws {
    try write()
    let shown = try persistlint("--add-ignore", "known since 2.1", "--diff", in: folder)
    #expect(
      shown.output.contains("+  // persistlint:ignore[fatal-error-on-store-open] known since 2.1"))
    let run = try persistlint("--add-ignore", "known since 2.1", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("comments in Sources/Keep.swift, Sources/Open.swift"))
    #expect(try persistlint("--strict", in: folder).exitCode == 0)
    #expect(try persistlint("--add-ignore", " ", in: folder).exitCode == 2)
    #expect(try persistlint("--add-ignore", "x", "--fix", in: folder).exitCode == 2)
  }

  @Test func aBuildIsBrokenOnlyWhereTheProjectSaysSo() throws {
    try write()
    let advice = try persistlint("--stamp", "Linted.swift", "--format", "xcode", in: folder)
    #expect(advice.exitCode == 0)
    #expect(advice.output.contains("warning: ") && !advice.output.contains("error: "))
    try folder.write(".persistlint.json", #"{ "failOn": "error" }"#)
    let demand = try persistlint("--stamp", "Linted.swift", "--format", "xcode", in: folder)
    #expect(demand.exitCode == 1)
    #expect(demand.output.contains("error: "))
  }

  @Test func suggestionsGiveNoNameTwice() throws {
    try folder.write(
      "A.swift",
      """
      import SwiftData
      @Model final class Trip { var name = ""; init() {} }
      @Model final class Stop { var name = ""; init() {} }
      @MainActor func export(_ trip: Trip, _ stop: Stop) {
        Task.detached { print(trip.name + stop.name) }
      }

      """)
    let run = try persistlint("--format", "text", in: folder)
    #expect(run.output.contains("`let name = trip.name`"))
    #expect(run.output.contains("`let stopName = stop.name`"))
  }

  @Test func coloursAreThereWhenAskedFor() throws {
    try write()
    #expect(!(try persistlint(in: folder).output.contains("\u{1B}[1m")))
    #expect(try persistlint("--color", "always", in: folder).output.contains("\u{1B}[1m"))
    #expect(try persistlint("--color", "often", in: folder).exitCode == 2)
    let page = try persistlint(
      "explain", "store-sidecars-forgotten", "--color", "always", in: folder
    ).output
    #expect(page.contains("\u{1B}[1mA store's three files stay together\u{1B}[0m"))
    #expect(!page.contains("```"))
  }

  @Test func pruningSaysWhatWent() throws {
    try write()
    _ = try persistlint("--write-baseline", in: folder)
    try folder.write("Sources/Open.swift", "import SwiftData\n")
    let run = try persistlint("--prune-baseline", in: folder)
    #expect(run.errors.contains("fatal-error-on-store-open"))
    #expect(run.errors.contains("is fixed and gone"))
  }

  @Test func failuresOfJUnitAreWhatFailsTheRun() throws {
    try write()
    let run = try persistlint("--format", "junit", in: folder)
    #expect(run.output.contains("<failure message="))
    #expect(run.output.contains("<system-out>Sources/Keep.swift:2:"))
  }

  @Test func azureAndTeamCityGetTheirOwnCommands() throws {
    try write()
    let azure = try persistlint("-f", "azure", "-q", in: folder)
    #expect(
      azure.output.contains(
        "##vso[task.logissue type=error;sourcepath=Sources/Open.swift;linenumber=3;columnnumber="))
    #expect(azure.errors.isEmpty)
    let city = try persistlint("-f", "teamcity", in: folder)
    #expect(city.output.contains("##teamcity[inspectionType id='fatal-error-on-store-open'"))
    #expect(city.output.contains("file='Sources/Open.swift' line='3' SEVERITY='ERROR'"))
  }

  @Test func rulesAreListedByGroupAndAsJSON() throws {
    let group = try persistlint("rules", "store", in: folder)
    #expect(group.output.hasPrefix("store\n  "))
    #expect(!group.output.contains("swallowed-save-error"))
    let page = try persistlint("explain", "store", in: folder)
    #expect(page.errors.contains("'store' is a group; persistlint rules store lists its rules"))
    let wrong = try persistlint("--format", "sarf", in: folder)
    #expect(wrong.errors.contains("did you mean 'sarif'? It takes text, xcode,"))
    let json = try persistlint("rules", "--format", "json", in: folder)
    #expect(json.output.contains("\"group\": \"store\""))
  }

  @Test func theConfigurationChoosesRulesToo() throws {
    try write()
    try folder.write(
      ".persistlint.json", #"{ "select": ["store", "context"], "ignore": ["context"] }"#)
    #expect(try rules().contains("fatal-error-on-store-open"))
    #expect(try !rules().contains("swallowed-save-error"))
    #expect(try rules("--select", "swallowed-save-error") == ["swallowed-save-error"])
    #expect(try rules("--only", "swallowed-save-error") == ["swallowed-save-error"])
    let effective = try persistlint("config", in: folder).output
    #expect(effective.contains("\"swallowed-save-error\": \"off\""))
    try folder.write(
      "Sources/.persistlint.json", #"{ "extends": "../.persistlint.json", "ignore": [] }"#)
    #expect(try rules().contains("swallowed-save-error"))
  }

  @Test(arguments: [
    (#"{ "ignore": ["relm"] }"#, "1:14: no rule or group is called 'relm'; did you mean 'realm'?"),
    (#"{ "select": "realm" }"#, "expected a list, found 'realm'"),
    (#"{ "select": [7] }"#, "expected the name of a rule or group, found 7"),
  ])
  func rulesThatTheConfigurationChoosesHaveToBeThere(text: String, reason: String) throws {
    try write()
    try folder.write(".persistlint.json", text)
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(reason), "\(run.errors)")
  }

  @Test func argumentsLeaveFilesOut() throws {
    try write()
    #expect(try !rules("--exclude", "Open.swift").contains("fatal-error-on-store-open"))
    let run = try persistlint("--exclude", "Nowhere", "--exclude", "Sources/Open.*", in: folder)
    #expect(run.errors.contains("--exclude: 'Nowhere' matches nothing"))
    #expect(!run.errors.contains("Open.*") && run.errors.contains("1 file,"))
    let all = try persistlint("--exclude", "Sources/", in: folder)
    #expect(all.errors.contains("--exclude leaves out every Swift file in this folder"))
  }

  @Test func theBaselineKeepsWhatArgumentsLeaveOut() throws {
    try write()
    _ = try persistlint("--write-baseline", in: folder)
    let before = try folder.read(".persistlint-baseline")
    let run = try persistlint("--prune-baseline", "--exclude", "Open.swift", in: folder)
    #expect(run.errors.contains("of files that --exclude leaves out alone"))
    #expect(try folder.read(".persistlint-baseline") == before)
  }

  @Test func patternsInQuotesAreExpanded() throws {
    try write()
    try folder.write("Sources/Inner/More.swift", swallowing.replacing("Trip", with: "Stop"))
    func files(_ pattern: String) throws -> [String] {
      let run = try persistlint(
        pattern, "--only", "swallowed-save-error,fatal-error-on-store-open", in: folder)
      return Set(run.output.matches(of: /(?m)^([^:]+):/).map { String($0.1) }).sorted()
    }
    #expect(
      try files("Sources/**/*.swift")
        == ["Sources/Inner/More.swift", "Sources/Keep.swift", "Sources/Open.swift"])
    #expect(try files("**/[KM]*.swift") == ["Sources/Inner/More.swift", "Sources/Keep.swift"])
    #expect(try files("Sources/Inn?r") == ["Sources/Inner/More.swift"])
    #expect(try files("\(folder.url.path)/S*/Keep.swift") == ["Sources/Keep.swift"])
    let none = try persistlint("Sources/*.txt", in: folder)
    #expect(none.exitCode == 2)
    #expect(none.errors.contains("Sources/*.txt: no Swift file matches this pattern"))
  }

  @Test(arguments: [".persistlint.yml", ".persistlint.jsonc", ".persistlint.yaml"])
  func configurationsThatNobodyReadsAreNamed(name: String) throws {
    try write()
    try folder.write(name, "failOn: note\n")
    let alone = try persistlint("Sources", in: folder)
    #expect(
      alone.errors.contains("\(name) isn't read, because settings lie in .persistlint.json"))
    try folder.write(".persistlint.json", "{}")
    #expect(try persistlint(in: folder).errors.contains("\(name) isn't read"))
  }
}
