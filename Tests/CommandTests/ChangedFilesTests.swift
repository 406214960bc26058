import Foundation
import Testing

@Suite struct ChangedFilesTests {
  let folder: Folder

  /// A warning, for the comment gives no reason.
  private static let bad = "// persistlint:ignore[invalid-suppression]\nlet x = 1\n"

  init() throws {
    folder = try Folder()
    try folder.git("init", "-q", "-b", "main")
    for name in ["old.swift", "edited.swift", "Ä b.swift"] {
      try folder.write("App/\(name)", ChangedFilesTests.bad)
    }
    try folder.git("add", ".")
    try folder.git("commit", "-qm", "first")
  }

  @Test func reportIsAboutWhatChangedSinceTheCommit() throws {
    try folder.git("checkout", "-qb", "branch")
    try folder.write("App/edited.swift", "// edited\n" + ChangedFilesTests.bad)
    try folder.git("commit", "-qam", "second")
    try folder.write("App/new.swift", ChangedFilesTests.bad)
    try folder.write("App/Ä b.swift", "\n" + ChangedFilesTests.bad)
    try folder.git("checkout", "-q", "main", "--", "App/old.swift")
    let run = try persistlint("--changed-since", "main", in: folder)
    #expect(run.exitCode == 0)
    #expect(files(run) == ["App/edited.swift", "App/new.swift", "App/Ä b.swift"])
    #expect(run.errors.contains("4 files,"), "all files are looked at")
  }

  @Test func whatOthersAddedToTheBaseIsNotMine() throws {
    try folder.git("checkout", "-qb", "branch")
    try folder.git("checkout", "-q", "main")
    try folder.write("App/old.swift", "// theirs\n" + ChangedFilesTests.bad)
    try folder.git("commit", "-qam", "theirs")
    try folder.git("checkout", "-q", "branch")
    #expect(files(try persistlint("--changed-since", "main", in: folder)) == [])
  }

  @Test func stagedBytesAreJudgedNotThoseInTheFolder() throws {
    try folder.write("App/edited.swift", "let fine = 1\n")
    try folder.write("App/old.swift", "// still bad\n" + ChangedFilesTests.bad)
    try folder.git("add", ".")
    try folder.write("App/edited.swift", ChangedFilesTests.bad)
    try folder.write("App/old.swift", "let fine = 1\n")
    let run = try persistlint("--staged", in: folder)
    #expect(files(run) == ["App/old.swift"])
  }

  @Test func namesComeFromStandardInput() throws {
    let lines = try persistlint(
      "--files-from", "-", in: folder, input: "App/old.swift\nApp/gone.swift\n")
    #expect(files(lines) == ["App/old.swift"])
    let nul = try persistlint("--files-from", "-", in: folder, input: "App/Ä b.swift\0")
    #expect(files(nul) == ["App/Ä b.swift"])
    let none = try persistlint("--files-from", "-", in: folder)
    #expect(none.exitCode == 0 && none.output == "")
  }

  @Test func unknownCommitIsTwo() throws {
    let run = try persistlint("--changed-since", "nowhere", in: folder)
    #expect(
      run.exitCode == 2 && run.errors.contains("git knows no commit, branch or tag 'nowhere'\n"))
    let option = try persistlint("--changed-since=--output=x", in: folder)
    #expect(option.exitCode == 2)
    let both = try persistlint("--staged", "--files-from", "-", in: folder)
    #expect(both.exitCode == 2 && both.errors.contains("can't be combined"))
  }

  @Test func shallowCloneGetsTheRightAdvice() throws {
    try folder.write("App/edited.swift", "let x = 2\n")
    try folder.git("commit", "-qam", "second")
    let clone = try Folder()
    try clone.git("clone", "-q", "--depth", "1", "file://\(folder.url.path)", "copy")
    let run = try persistlint("-", "--changed-since", "HEAD~1", in: clone.inner("copy"))
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("because this clone is shallow; run git fetch --unshallow"))
    #expect(run.errors.contains("fetch-depth: 0"))
  }

  @Test func folderWithoutGitIsTwo() throws {
    let plain = try Folder()
    let run = try persistlint("--staged", in: plain)
    #expect(run.exitCode == 2 && run.errors.contains("is not in a git repository"))
  }

  private func files(_ run: Outcome) -> [String] {
    Set(run.output.split(separator: "\n").compactMap { $0.split(separator: ":").first })
      .map(String.init).sorted()
  }
}
