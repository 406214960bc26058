import Foundation
import Testing

/// The project's files, as the laws see them.
enum Tree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file with its path from the root.
  struct File: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var isGenerated: Bool { text.hasPrefix("// swift-format-ignore-file\n") }
    var testDescription: String { path }

    /// The name of the target in which the file lies.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  }

  /// All files of a folder with one of these endings, sorted.
  static func files(in folder: String, ending: String) -> [File] {
    let start = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().compactMap { path in
      guard
        let text = try? String(contentsOf: start.appendingPathComponent(path), encoding: .utf8)
      else { return nil }
      return File(path: "\(folder)/\(path)", text: text)
    }
  }

  static let sources = files(in: "Sources", ending: ".swift")
  static let tests = files(in: "Tests", ending: ".swift")
  static let pages = files(in: "Rules", ending: ".md")
  static let cases = files(in: "Tests/PersistRulesTests/Cases", ending: ".md")

  /// Runs a script of the project and gives its exit code.
  static func run(_ script: String, _ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = root.appendingPathComponent(script)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
