import Foundation
import Testing

/// What a repository of strangers can hold does no harm: nothing outside is read or written, nothing
/// waits or fills memory, nothing reaches a terminal or a runner of jobs as a command.
@Suite struct HostileTests {
  let folder: Folder
  let victim: Folder

  private static let source = """
    import SwiftData
    func keep(_ context: ModelContext) { try? context.save() }

    """
  private static let mendable = """
    // persistlint:ignore[identical-schema-versions] it was needed once
    \(source)
    """

  init() throws {
    let whole = try Folder()
    folder = whole.inner("project")
    victim = whole.inner("victim")
    try folder.write("a.swift", HostileTests.source)
    try victim.write("v.swift", HostileTests.mendable)
  }

  @Test(arguments: [
    #"{"formats": ["text:../x"]}"#, #"{"formats": ["json:/tmp/persistlint-x"]}"#,
    #"{"formats": ["json:a.swift"]}"#, #"{"formats": ["text:new.swift"]}"#,
    #"{"formats": ["text:link/x"]}"#, #"{"formats": ["text:gone/../../x"]}"#,
    #"{"formats": ["text:.git/hooks/x"]}"#, #"{"formats": ["markdown:notes.md"]}"#,
    #"{"formats": ["text:dangling"]}"#, #"{"lock": "../x.lock"}"#, #"{"lock": "link/x.lock"}"#,
    #"{"baseline": "../x"}"#, #"{"baseline": "/tmp/persistlint-x"}"#,
  ])
  func configurationsWriteOnlyInside(configuration: String) throws {
    try folder.git("init", "-q")
    try folder.write("notes.md", "# Mine\n")
    try folder.link("link", to: "../victim")
    try folder.link("dangling", to: "../victim/new")
    try folder.write(".persistlint.json", configuration)
    for arguments in [[], ["--write-baseline"], ["freeze", "--all"]] {
      let run = try persistlint(arguments, in: folder)
      let isForReports = configuration.contains("formats") && !arguments.isEmpty
      #expect(run.exitCode == 2 || isForReports, "\(arguments): \(run.errors)")
    }
    #expect(try folder.read("a.swift") == HostileTests.source)
    #expect(try folder.read("notes.md") == "# Mine\n")
    #expect(try victim.names() == ["v.swift"])
    #expect(!FileManager.default.fileExists(atPath: "/tmp/persistlint-x"))
    #expect(try !folder.names().contains("new.swift"))
  }

  @Test func reportsOfTheConfigurationReplaceOnlyReports() throws {
    try folder.write(
      ".persistlint.json", #"{"formats": ["text:r.txt", "json:r.json", "markdown:r.md"]}"#)
    for _ in 0..<2 { #expect(try persistlint("--exit-zero", in: folder).exitCode == 0) }
    try folder.git("init", "-q")
    try folder.git("add", "-f", "r.md")
    let run = try persistlint("--exit-zero", in: folder)
    #expect(run.exitCode == 2 && run.errors.contains("r.md is tracked by git"))
    try folder.write("r.json", #"{"name": "mine"}"#)
    #expect(try persistlint(in: folder).errors.contains("r.json holds something else"))
    #expect(try persistlint("--format", "json:r.json", in: folder).exitCode == 0)
  }

  @Test func linksOutOfTheProjectAreNotFollowed() throws {
    for (name, target) in [
      ("Lib", "../victim"), ("L.swift", "../victim/v.swift"), ("x", "/"), ("self", "self"),
      ("nowhere", "gone"), ("up", ".."),
    ] { try folder.link(name, to: target) }
    try folder.write("Package.swift", "")
    let run = try persistlint("--fix", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("Lib was left out: a link that leads out of "))
    #expect(run.errors.contains("L.swift was left out"))
    #expect(run.errors.contains("2 files, "))
    #expect(try victim.read("v.swift") == HostileTests.mendable)
    #expect(try persistlint("Lib", in: folder).errors.contains("1 file, "), "an argument may")
  }

  @Test(arguments: [
    ".persistlint.json", "persistlint.lock", ".gitignore", "b.swift", "x.entitlements",
    "M.xcdatamodel/contents", "App.xcodeproj/project.pbxproj",
  ])
  func specialFilesAreRefused(name: String) throws {
    let path = folder.url.appendingPathComponent(name).path
    for kind in ["pipe", "zero", "huge"] {
      // To write into the pipe of the round before would wait for a reader.
      if kind == "pipe" { try folder.write(name, "") }
      try FileManager.default.removeItem(atPath: path)
      switch kind {
      case "pipe": #expect(mkfifo(path, 0o600) == 0)
      case "zero": try folder.link(name, to: "/dev/zero")
      default:
        try folder.write(name, "")
        #expect(truncate(path, 1 << 30) == 0)
      }
      let run = try persistlint(in: folder)
      #expect(run.errors.contains(name), "\(kind): \(run.errors)")
      let isNeeded = name.hasPrefix("persistlint") || name.hasPrefix(".persistlint")
      #expect(run.exitCode == (isNeeded ? 2 : 0), "\(kind)")
    }
  }

  @Test func halfTypedCodeCostsNoFindings() throws {
    try folder.write(
      "Model.swift", "import SwiftData\n@Model final class Trip { var title = \"\" }\n")
    try folder.write(
      "Half.swift", "func f(trip: Trip) { Task.detached { print(trip.title) }")
    for arguments in [[], ["--diff"], ["--format", "sarif"], ["--fix"]] {
      let run = try persistlint(arguments, in: folder)
      // What is mended is no finding any more.
      #expect(run.exitCode == 1 || !arguments.isEmpty && run.exitCode == 0)
      #expect(run.output.contains("[model-captured-in-detached-task]") || !arguments.isEmpty)
    }
  }

  @Test(arguments: [[:], ["GITHUB_ACTIONS": "true"]])
  func nothingIsPrintedAsACommand(environment: [String: String]) throws {
    let evil = "\u{1B}[31m\u{202E}"
    try folder.write(
      "a.swift",
      """
      import SwiftData
      // persistlint:ignore[identical-schema-versions] it was \(evil) once
      struct `S\(evil)` { func keep(_ context: ModelContext) { try? context.save() } }\r
      ::error::mine

      """)
    try folder.write("b\n::error::b%0A\(evil).swift", HostileTests.source)
    try folder.write("Bad\(evil).swift", Data([0xFF]))
    let formats = [
      "text", "xcode", "json", "sarif", "gitlab", "checkstyle", "junit", "markdown", "html",
    ]
    for arguments in [["--diff"]] + (formats + ["github"]).map({ ["--format", $0] }) {
      let run = try persistlint(arguments, in: folder, environment: environment)
      for text in [run.output, run.errors] {
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(arguments)")
        let commands = text.split(whereSeparator: \.isNewline).filter {
          $0.drop(while: \.isWhitespace).hasPrefix("::")
        }
        let isAllowed = arguments.last == "github" || environment.isEmpty
        #expect(isAllowed || commands.isEmpty || !arguments.contains("--diff"), "\(commands)")
        #expect(!commands.contains { $0.contains("mine") } || environment.isEmpty)
      }
    }
    try folder.write(".persistlint.json", #"{"a\n::error::mine\u001b[31m\u202e": 1}"#)
    let run = try persistlint(in: folder, environment: environment)
    #expect(run.errors.hasPrefix("persistlint: error: .persistlint.json:1:"))
    #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\n::"))
  }

  @Test(arguments: [["--changed-since", "main"], ["--staged"], ["--against", "main"]])
  func nothingOfTheRepositoryRuns(arguments: [String]) throws {
    let program = try victim.write("run", "#!/bin/sh\ntouch \(victim.url.path)/RAN\ncat\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    try folder.git("init", "-q", "-b", "main")
    try folder.git("add", ".")
    try folder.git("commit", "-qm", "one")
    for setting in [
      "core.fsmonitor", "core.pager", "filter.x.clean", "filter.x.process", "diff.external",
      "diff.x.textconv", "gpg.program",
    ] { try folder.git("config", setting, program.path) }
    try folder.write(".gitattributes", "*.swift filter=x diff=x\n")
    try folder.write("a.swift", HostileTests.source + "// edited\n")
    let run = try persistlint(arguments, in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try !victim.names().contains("RAN"))
    try folder.git("config", "core.worktree", victim.url.path)
    #expect(try persistlint("--staged", in: folder).exitCode == 2)
  }

  @Test(arguments: ["swallowed-save-error", "the reading of b.swift", "the fix of invalid"])
  func defectsCostOnlyWhatTheyAreIn(place: String) throws {
    try folder.write("b.swift", HostileTests.mendable + "func f() {}\n")
    let run = try persistlint(
      "--format", "json", in: folder, environment: ["PERSISTLINT_TRAP": place])
    let isFix = place.contains("fix")
    #expect(run.exitCode == (isFix ? 0 : 70))
    #expect(isFix || run.errors.contains("a defect of persistlint stopped \(place)"))
    #expect(run.output.contains("\"path\": \"a.swift\"") != (place == "swallowed-save-error"))
    #expect(run.output.contains("invalid-suppression") != place.contains("b.swift"))
  }

  @Test func editsMeanwhileStay() throws {
    try folder.write("a.swift", HostileTests.mendable)
    let inode =
      try FileManager.default.attributesOfItem(
        atPath: folder.url.appendingPathComponent("a.swift").path)[.systemFileNumber] as? Int
    #expect(
      link(folder.url.path + "/a.swift", folder.url.path + "/second.txt") == 0 && inode != nil)
    #expect(chmod(folder.url.path + "/a.swift", 0o4755) == 0)
    #expect(try persistlint("--fix", in: folder).exitCode == 0)
    #expect(try folder.read("second.txt") == HostileTests.source, "links stay")
    #expect(try folder.names() == ["a.swift", "second.txt"], "no draft stays")
  }

  @Test func whatIsTooLargeIsSaid() throws {
    try folder.write("big.swift", String(repeating: "// x\n", count: 1 << 18))
    let run = try persistlint("--max-file-size", "1", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("big.swift was left out: larger than 1 MB"))
    #expect(try persistlint("--max-file-size", "0", in: folder).exitCode == 2)
  }
}
