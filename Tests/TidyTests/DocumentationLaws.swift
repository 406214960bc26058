import Foundation
import Testing

/// Links of the documentation lead somewhere.
@Suite struct DocumentationLaws {
  private static let pages: [Tree.File] = {
    let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].compactMap { path in
      (try? String(contentsOf: Tree.root.appendingPathComponent(path), encoding: .utf8))
        .map { Tree.File(path: path, text: $0) }
    }
    return top + Tree.files(in: "docs", ending: ".md")
  }()

  @Test(arguments: pages) func linksLeadToFilesAndHeadings(page: Tree.File) {
    for target in links(of: page) where !target.contains("://") {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = Tree.root.appendingPathComponent(page.path).deletingLastPathComponent()
      let file =
        parts[0].isEmpty
        ? Tree.root.appendingPathComponent(page.path)
        : folder.appendingPathComponent(String(parts[0]))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(target)")
      guard parts.count == 2 else { continue }
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      #expect(anchors(of: text).contains(String(parts[1])), "\(page.path): \(target)")
    }
  }

  @Test func theReadmeLinksToEveryPageOfTheDocumentation() throws {
    let readme = try #require(DocumentationLaws.pages.first { $0.path == "README.md" })
    let linked = Set(links(of: readme))
    for page in Tree.files(in: "docs", ending: ".md") { #expect(linked.contains(page.path)) }
  }

  @Test(arguments: pages) func pagesOfTheDocumentationCloseTheirFences(page: Tree.File) {
    #expect(page.lines.filter { $0.hasPrefix("```") }.count.isMultiple(of: 2))
  }

  @Test func theTableOfRulesIsFresh() throws {
    #expect(try Tree.run("scripts/readme-rules", "--check") == 0)
  }

  /// The targets of the links outside of fences.
  private func links(of page: Tree.File) -> [String] {
    prose(page.text).flatMap { line in
      line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }
  }

  /// The names under which a browser finds the headings.
  private func anchors(of text: String) -> Set<String> {
    Set(
      prose(text).filter { $0.hasPrefix("#") }.map { line in
        String(
          line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
            .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .map { $0 == " " ? "-" : $0 })
      })
  }

  private func prose(_ text: String) -> [Substring] {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
  }
}
