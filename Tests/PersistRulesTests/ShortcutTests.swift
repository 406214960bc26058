import Foundation
import PersistIndex
import PersistRules
import PersistSyntax
import Testing

/// Leaving out what seems not to matter changes no finding.
@Suite struct ShortcutTests {
  @Test(arguments: Page.all) func findingsOfPagesAreTheSame(page: Page) {
    for sample in page.samples {
      let files = sample.files.filter { !$0.isShipped }.map { ($0.path, $0.code) }
      #expect(findings(files, true) == findings(files, false), "\(page.name):\(sample.line)")
    }
  }

  /// Each page by itself is small, so nearly all of it matters; together most of it does not.
  @Test func findingsOfAllPagesTogetherAreTheSame() {
    let files = Page.all.enumerated().flatMap { number, page in
      page.samples.enumerated().flatMap { index, sample in
        sample.files.filter { !$0.isShipped }.map { file in
          ("Sources/Page\(number)/\(index)/\(file.path)", file.code)
        }
      }
    }
    let fast = findings(files, true)
    #expect(fast == findings(files, false))
    #expect(fast.count > 100)
  }

  @Test func findingsOfTheExamplesAreTheSame() throws {
    let files = try Self.examples()
    let fast = findings(files, true)
    #expect(fast == findings(files, false))
    #expect(!fast.isEmpty)
  }

  /// A file that says nothing of stores is looked at when its functions or types are asked for.
  @Test func filesWithoutAWordOfStoresAreFoundByName() {
    let files = [
      (
        "Sources/App/Store.swift",
        """
        import SwiftData
        func open() throws -> ModelContainer { try ModelContainer(for: Item.self) }
        @Model final class Item { var name = "" }
        """
      ),
      ("Sources/App/Launch.swift", "func launch() { do { _ = try open() } catch { stop() } }"),
      ("Sources/App/End.swift", "func stop() -> Never { fatalError() }"),
    ]
    let found = findings(files, true)
    #expect(found.contains { $0.contains("Launch.swift") && $0.contains("fatal-error") })
    #expect(found == findings(files, false))
  }

  private func findings(_ files: [(String, String)], _ takesShortcuts: Bool) -> [String] {
    let program = Program(
      SourceIndex(
        files.map { SourceFile(path: $0.0, outline: Outline(SourceText($0.1))) },
        takesShortcuts: takesShortcuts))
    return program.judge(Registry.check(program)).findings.map { finding in
      String(reflecting: finding)
    }
  }

  private static func examples() throws -> [(String, String)] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.sorted().map {
      ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
    }
  }
}
