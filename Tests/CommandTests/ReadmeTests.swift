import Foundation
import Testing

@testable import persistlint

/// What the README shows is what the command prints.
@Suite struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func shownFindingsAreThoseOfTheExamples() throws {
    let readme = try String(
      contentsOf: ReadmeTests.root.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = readme.split(separator: "\n").filter {
      $0.hasPrefix("Examples/") && $0.contains(#/:\d+:\d+: (error|warning|note): /#)
    }
    let folder = try Folder()
    try folder.link("Examples", to: ReadmeTests.root.appendingPathComponent("Examples").path)
    let printed = Set(
      try persistlint("Examples", in: folder).output.split(separator: "\n").map {
        // The link leads out of the folder, so the paths are absolute there.
        String($0).replacing(ReadmeTests.root.path + "/", with: "")
      })
    for line in shown { #expect(printed.contains(String(line))) }
  }

  @Test func shownConfigurationIsAcceptedAndHasEveryKey() throws {
    let readme = try String(
      contentsOf: ReadmeTests.root.appendingPathComponent("README.md"), encoding: .utf8)
    let block = try #require(
      readme.split(separator: "```js\n").dropFirst().first?.split(separator: "```").first)
    let folder = try Folder()
    try folder.write(".persistlint.json", String(block))
    try folder.write("Shared.json", "{}")
    let run = try persistlint("config", in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.output.contains("\"TripKit.open\"") && run.output.contains("\"requireReason\": true"))
    func check(_ keys: [ConfigurationKey]) {
      for key in keys {
        #expect(block.contains("\"\(key.name)\":"), "\(key.name)")
        if case .record(let inner) = key.shape { check(inner) }
      }
    }
    check(ConfigurationKey.all)
  }
}
