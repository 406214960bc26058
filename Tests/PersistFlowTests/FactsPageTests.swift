import Foundation
import PersistIndex
import Testing

@testable import PersistFlow

/// What the carets of the pages in `Facts/` say of contexts, realms and their objects.
@Suite struct FactsPageTests {
  @Test(arguments: FactsPage.samples)
  func caretsSayWhoseIsUsedWhere(sample: FactsPage.Sample) {
    let (said, told) = sample.uses()
    #expect(!said.isEmpty)
    for (said, told) in zip(said, told) { #expect(told == said) }
  }

  /// Rows that no caret can show, with the reason.
  private static let hidden: [String: String] = [:]

  @Test func eachRowStandsInThePageOfItsArea() {
    let areas: [(rows: [API], pages: [String])] = [
      (API.coreData, ["CoreData.md"]), (API.swiftData, ["SwiftData.md"]),
      (API.realm, ["Realm.md"]), (API.collections, ["Collections.md"]),
      (API.publishers, ["Publishers.md"]),
      (API.concurrency, ["Callbacks.md", "Dispatch.md", "Operations.md", "Tasks.md"]),
      (API.databases, ["Databases.md"]), (API.handlers, ["Handlers.md"]),
    ]
    var missing: [String] = []
    for (rows, pages) in areas {
      let code = FactsPage.samples.filter { pages.contains($0.page) }.map { $0.shared + $0.code }
      let words = Set(
        code.joined().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Name(String($0)) })
      for row in rows {
        let name = row.name == "init" ? row.type : row.name
        guard !words.contains(name) else { continue }
        missing.append("\(Self.texts[row.type] ?? "").\(Self.texts[row.name] ?? "")")
      }
    }
    #expect(missing.sorted() == Self.hidden.keys.sorted())
  }

  /// The words in the sources of the rows, by their names.
  private static let texts: [Name: String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/PersistFlow/APIs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let words = names.flatMap { name in
      let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return (text ?? "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
    return Dictionary(words.map { (Name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }()
}
