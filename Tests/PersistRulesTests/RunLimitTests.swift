import Testing

/// Programs in which more code runs for one value than the limit of runs lets through.
@Suite struct RunLimitTests {
  @Test func aPathBeyondTheLimitOfRunsIsUnknown() {
    let numbers = 0..<230
    let code = """
      import GRDB

      final class OldPlaces {
        private let folder: URL
        init(folder: URL) { self.folder = folder }
        func open() -> DatabasePool? {
          do { return try DatabasePool(path: folder.appendingPathComponent("a.sqlite").path) }
          catch { fatalError("no") }
        }
      }

      func longName() -> String {
        var name = ""
        \(numbers.map { "name += part\($0)()" }.joined(separator: "\n  "))
        return name
      }
      func first() { _ = OldPlaces(folder: URL.documentsDirectory.appendingPathComponent(longName())).open() }
      func second() { _ = OldPlaces(folder: URL.documentsDirectory.appendingPathComponent(longName() + "b")).open() }
      \(numbers.map { "func part\($0)() -> String { \"p\($0)\" }" }.joined(separator: "\n"))
      """
    let file = Page.File(path: "Sources/App/Places.swift", code: code, isShipped: false)
    let found = Outcome([file], rule: "fatal-error-on-store-open").findings.map(\.description)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("Sources/App/Places.swift:8:13") == true, "\(found)")
  }
}
