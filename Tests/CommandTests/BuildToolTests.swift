import Foundation
import Testing

/// The command that the build tool plugin has each build run: it sees the settings, also those that
/// come and go, and judges nothing twice.
@Suite struct BuildToolTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "Package/Sources/Open.swift",
      """
      import SwiftData
      func open() -> ModelContainer {
        do { return try ModelContainer(for: Trip.self) } catch { fatalError("\\(error)") }
      }

      """)
    try folder.write("work/Runs.txt", "")
  }

  private func build() throws -> Outcome {
    try persistlint(
      "--quiet", "--format", "xcode", "--stamp", "work/Linted.swift", "--project", "Package",
      "--runs", "work/Runs.txt", "--report-under", "Package/Sources", "Package/Sources",
      in: folder)
  }

  private func time(_ path: String) throws -> Date? {
    let file = folder.url.appendingPathComponent(path).path
    return try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
  }

  @Test func settingsThatComeChangeAndGoAreSeen() throws {
    let advice = try build()
    #expect(advice.exitCode == 0 && advice.output.contains(": warning: "))
    #expect(try folder.read("work/Runs.txt").isEmpty, "nothing but the folder needs to be watched")
    try folder.write("Package/.persistlint.json", "{failOn: \"error\"}")
    let demand = try build()
    #expect(demand.exitCode == 1 && demand.output.contains(": error: "))
    try folder.write("Package/Shared.json", "{rules: {store: \"off\"}}")
    try folder.write("Package/.persistlint.json", "{extends: \"Shared.json\", failOn: \"error\"}")
    #expect(try build().exitCode == 0)
    try folder.write("Package/Shared.json", "{}")
    #expect(try build().exitCode == 1)
    try FileManager.default.removeItem(
      at: folder.url.appendingPathComponent("Package/.persistlint.json"))
    #expect(try build().output.contains(": warning: "))
    #expect(try folder.read("work/Runs.txt").isEmpty)
  }

  @Test func anUnchangedTargetIsNotJudgedAgain() throws {
    try folder.write("Package/.persistlint.json", "{}")
    #expect(try build().output.contains(": warning: "))
    let stamp = try time("work/Linted.swift")
    let remembered = try time("work/Runs.txt")
    let again = try build()
    #expect(again.exitCode == 0 && again.output.isEmpty)
    #expect(try time("work/Linted.swift") == stamp, "a new stamp would be compiled")
    #expect(try time("work/Runs.txt") != remembered, "the next build has to ask again")
    let source = try folder.read("Package/Sources/Open.swift")
    try folder.write("Package/Sources/Open.swift", source + "// More.\n")
    #expect(try build().output.contains(": warning: "))
  }

  @Test func settingsAboveTheProjectDoNotHold() throws {
    try folder.write(".persistlint.json", "{rules: {store: \"off\"}}")
    #expect(try build().output.contains("[fatal-error-on-store-open]"))
  }
}
