import Foundation
import Testing

/// `scripts/release --tag` sets version, changelog and tag together, or nothing.
@Suite struct ReleaseTests {
  private let folder: Folder
  private let clone: Folder

  init() throws {
    folder = try Folder()
    clone = folder.inner("clone")
    let checkout = folder.checkout("").url
    for path in [
      "scripts/release", "scripts/releasing/set-version.py", "CHANGELOG.md", "README.md",
      "pyproject.toml", "Sources/persistlint/Persistlint.swift", "Examples/CI/github.yml",
      "Examples/CI/gitlab.yml",
    ] {
      try clone.write(path, Data(contentsOf: checkout.appendingPathComponent(path)))
    }
    let script = clone.url.appendingPathComponent("scripts/release").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try clone.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- Something new.\n")
    try clone.git("init", "-q")
    try clone.git("add", ".")
    try clone.git("commit", "-qm", "first")
  }

  private func release(_ version: String) throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "scripts/release --tag \(version) 2>&1"]
    process.currentDirectoryURL = clone.url
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": clone.url.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
      "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    ]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test func versionChangelogAndTagAreSetTogether() throws {
    let run = try release("9.8.7")
    #expect(run.code == 0, "\(run.text)")
    #expect(try clone.git("tag", "--list") == "9.8.7\n")
    #expect(try clone.git("status", "--porcelain").isEmpty)
    #expect(try clone.git("log", "-1", "--format=%s 9.8.7") == "Release 9.8.7 9.8.7\n")
    let source = try clone.read("Sources/persistlint/Persistlint.swift")
    #expect(source.contains("static let version = \"9.8.7\""))
    #expect(source.contains("static let tag: String? = \"9.8.7\""))
    #expect(try clone.read("CHANGELOG.md").contains("## Unreleased\n\n## 9.8.7 (2"))
    #expect(try clone.read("Examples/CI/github.yml").contains("persistlint/persistlint@9.8.7\n"))
    #expect(try clone.read("Examples/CI/gitlab.yml").contains("PERSISTLINT_RELEASE: 9.8.7\n"))
    #expect(try clone.read("pyproject.toml").contains("persistlint==9.8.7"))
    let empty = try release("9.8.8")
    #expect(empty.code == 1 && empty.text.contains("says nothing under '## Unreleased'"))
    let again = try release("9.8.7")
    #expect(again.code == 1 && again.text.contains("there is a tag 9.8.7 already"))
    #expect(try clone.git("rev-list", "--count", "HEAD") == "2\n")
  }

  @Test(arguments: ["0.0.1", "1.2", "v1.2.3"]) func otherVersionsAreRefused(version: String) throws
  {
    #expect(try release(version).code == 1)
    #expect(try clone.git("tag", "--list").isEmpty)
    #expect(try clone.git("status", "--porcelain").isEmpty)
  }
}
