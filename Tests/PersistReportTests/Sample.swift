import PersistPages
import PersistReport
import PersistRules

/// A small run to print: one file, its findings made by the words they stand on.
struct Sample {
  static let path = "App/Store.swift"

  static let source = """
    import SwiftData
    func open() {
    \tlet name = "🗻 Trips"; fatalError(name)
    }

    """

  static let page = RulePage(
    id: "fatal-error-on-store-open", group: "store", title: "A failed open ends the app",
    impact: "CRITICAL",
    impactDescription: "the app dies at every launch", severity: .error,
    tags: ["swiftdata", "store"], since: "0.1.0",
    body: "## A failed open ends the app\n\nThe app dies.\nIt dies again.\n\nMore.\n")

  static let offPage = RulePage(
    id: "disk-space-unchecked", group: "store", title: "No look at the free space", impact: "LOW",
    impactDescription: "", severity: nil, tags: [], since: "0.1.0", body: "Why.\n")

  static func location(of word: String, in source: String = source, path: String = path) -> Location
  {
    let bytes = Array(source.utf8)
    let needle = Array(word.utf8)
    let offset =
      bytes.indices.first { bytes[$0...].starts(with: needle) } ?? 0
    return Location(
      path: path, start: position(offset, in: bytes),
      end: position(offset + needle.count, in: bytes))
  }

  static func finding(
    _ message: String = "the app ends here", on word: String = "fatalError",
    severity: Severity = .error, rule: RuleID = "fatal-error-on-store-open",
    path: String = path, symbol: String = "Store.open", related: [RelatedLocation] = [],
    flow: [RelatedLocation] = []
  ) -> Finding {
    Finding(
      rule: rule, severity: severity, message: message, location: location(of: word, path: path),
      related: related, symbol: symbol, flow: flow)
  }

  static func report(
    _ findings: [Finding], suppressed: [SuppressedFinding] = [], notices: [Notice] = []
  ) -> Report {
    Report(
      findings: findings, suppressed: suppressed, notices: notices, pages: [page, offPage],
      sources: [path: Array(source.utf8)],
      statistics: Statistics(files: 1, schemaVersions: 0, containers: 2, seconds: 0.0349),
      version: "0.1.0")
  }

  private static func position(_ offset: Int, in bytes: [UInt8]) -> Position {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Position(
      offset: offset, line: before.count { $0 == 0x0A } + 1, column: offset - lineStart + 1)
  }
}
