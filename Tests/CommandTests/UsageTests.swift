import Testing

@Suite struct UsageTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func cleanFolderIsZeroWithASummaryOnStandardError() throws {
    try folder.write("Sources/App.swift", "let x = 1\n")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("1 file, 0 schema versions, 0 containers: no findings in 0."))
    #expect(run.errors.hasSuffix(" s\n"))
  }

  @Test func quietLeavesOutTheSummary() throws {
    try folder.write("App.swift", "let x = 1\n")
    let run = try persistlint("lint", "--quiet", ".", in: folder)
    #expect(run.exitCode == 0 && run.output == "" && run.errors == "")
  }

  @Test func versionAndHelpGoToStandardOutput() throws {
    let version = try persistlint("--version", in: folder)
    #expect(version.exitCode == 0 && version.output.hasPrefix("persistlint 0."))
    for command in ["lint", "rules", "explain"] {
      let help = try persistlint(command, "--help", in: folder)
      #expect(help.exitCode == 0 && help.errors == "")
      #expect(help.output.contains("USAGE: persistlint") && help.output.contains("--help"))
    }
    #expect(
      try persistlint("help", "rules", in: folder).output
        == (try persistlint("rules", "--help", in: folder).output))
    let help = try persistlint("-h", in: folder)
    #expect(try persistlint("help", in: folder).output == help.output)
    #expect(help.output.contains("SEVERITY is one of note, warning, error."))
    #expect(!help.output.contains("--jobs"))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [
    (["--formt"], "unknown option '--formt'; did you mean '--format'?"),
    (["--format"], "--format needs its FORMAT"),
    (["--format=srif"], "'srif' is not a value of --format; did you mean 'sarif'?"),
    (["--quiet=yes"], "--quiet takes no value"),
    (["--fail-on", "x"], "'x' is not a value of --fail-on; it takes note, warning, error"),
    (["rules", "x"], "no rule or group is called 'x'"),
    (["rulse"], "rulse: No such file or directory; did you mean 'persistlint rules'?"),
    (["explain"], "explain needs the name of one rule"),
    (["explain", "no-such-rule"], "no rule is called 'no-such-rule'"),
  ])
  func wrongUsageIsTwoAndSaysWhatIsWrong(arguments: [String], reason: String) throws {
    let run = try persistlint(arguments, in: folder)
    #expect(run.exitCode == 2)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("persistlint: error: \(reason)"))
  }

  @Test func missingPathIsTwoWithItsName() throws {
    try folder.write("a.swift", "")
    let run = try persistlint("a.swift", "Nowhere/b.swift", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("Nowhere/b.swift: No such file or directory"))
  }

  @Test func outputIsWrittenWholeAndNothingIsLeftBeside() throws {
    try folder.write("a.swift", "let x = 1\n")
    try folder.write("report.sarif", "old")
    let run = try persistlint("--format", "sarif", "--output", "report.sarif", in: folder)
    #expect(run.exitCode == 0 && run.output == "")
    #expect(try folder.read("report.sarif").hasPrefix("{\n  \"$schema\""))
    #expect(try folder.names() == ["a.swift", "report.sarif"])
  }

  @Test func severalFormatsAtOnceGoWhereTheyAreSent() throws {
    try folder.write("a.swift", "let x = 1\n")
    let run = try persistlint(
      "--format", "sarif:out.sarif", "--format=junit:out.xml", "--format", "json", in: folder)
    #expect(run.exitCode == 0)
    #expect(try folder.read("out.sarif").contains("\"2.1.0\""))
    #expect(try folder.read("out.xml").hasPrefix("<?xml"))
    #expect(run.output.hasPrefix("{\n  \"version\": 1,"))
  }

  @Test func documentsDoNotShareAStream() throws {
    let run = try persistlint("--format", "sarif", "--format", "text", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("sarif can't share standard output with another format"))
    let output = try persistlint("--format", "text:a", "--output", "b", in: folder)
    #expect(output.exitCode == 2)
  }

  @Test func surroundingsAddTheirFormatsToTheText() throws {
    try folder.write("a.swift", "let x = 1\n")
    let gitLab = try persistlint(in: folder, environment: ["GITLAB_CI": "true"])
    #expect(gitLab.exitCode == 0 && gitLab.output == "")
    #expect(try folder.read("gl-code-quality-report.json") == "[]\n")
    let summary = folder.url.appendingPathComponent("summary.md").path
    let gitHub = try persistlint(
      in: folder, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(gitHub.exitCode == 0)
    #expect(try folder.read("summary.md") == "### persistlint\n\nno findings\n")
  }

  @Test func outputThatCannotBeWrittenIsTwo() throws {
    try folder.write("file", "")
    let run = try persistlint("--output", "file/report.txt", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("file/report.txt: Not a directory"))
  }

  @Test func foldersOfReportsAreMade() throws {
    try folder.write("a.swift", "// persistlint:ignore[invalid-suppression]\n")
    let path = folder.url.appendingPathComponent("far/out.txt").path
    #expect(try persistlint("--output", "no/such/folder.txt", in: folder).exitCode == 0)
    #expect(try persistlint("--format", "json:reports/all.json", in: folder).exitCode == 0)
    #expect(try persistlint("--format", "text:\(path)", in: folder).exitCode == 0)
    #expect(try folder.read("no/such/folder.txt").contains("[invalid-suppression]"))
    #expect(try folder.read("reports/all.json").hasPrefix("{"))
    #expect(try folder.read("far/out.txt") == folder.read("no/such/folder.txt"))
  }

  // MARK: The source of a finding

  @Test func sourceIsShownInTheLogsOfJobsAndWhereItIsAskedFor() throws {
    try folder.write("a.swift", "let x = 1  // persistlint:ignore[invalid-suppression]\n")
    let shown = "let x = 1  // persistlint:ignore[invalid-suppression]\n              ^~~~~"
    #expect(!(try persistlint(in: folder).output.contains("^~~~")))
    #expect(try persistlint("--context", in: folder).output.contains(shown))
    #expect(try persistlint(in: folder, environment: ["CI": "true"]).output.contains(shown))
    let xcode = try persistlint("--format", "xcode", in: folder, environment: ["CI": "true"])
    #expect(!xcode.output.contains("^~~~"))
    _ = try persistlint("--format", "text:a.txt", "--format", "text:b.txt", in: folder)
    #expect(!(try folder.read("a.txt").contains("^~~~")))
    _ = try persistlint("--context", "--format", "text:b.txt", in: folder)
    #expect(try folder.read("b.txt").contains(shown))
  }
}
