import Foundation
import Testing

/// Pages, rule files and registry tell of the same rules.
@Suite struct RuleLaws {
  private static let ruleFiles = Tree.files(
    in: "Sources/PersistRules/Rules", ending: ".swift")
  private static let pageNames = Set(
    Tree.pages.map { String($0.path.dropFirst("Rules/".count).dropLast(".md".count)) })

  @Test func generatedPagesAreFresh() throws {
    #expect(try Tree.run("scripts/rule-pages", "--check") == 0)
  }

  @Test func everyRuleHasItsPageAndEveryPageItsRule() {
    var ids: [String] = []
    for file in RuleLaws.ruleFiles { ids += file.text.matches(of: idPattern).map { String($0.1) } }
    #expect(ids.count == Set(ids).count, "two rules share an id")
    #expect(Set(ids) == RuleLaws.pageNames)
  }

  @Test func ruleFilesAreNamedAfterTheirTypes() {
    for file in RuleLaws.ruleFiles {
      guard let id = file.text.firstMatch(of: idPattern)?.1 else { continue }
      let type = id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined()
      #expect(file.path.hasSuffix("/\(type).swift"))
      #expect(file.text.contains("struct \(type): "), "\(file.path)")
    }
  }

  @Test func registryListsEveryRuleOnce() {
    guard let registry = Tree.sources.first(where: { $0.path.hasSuffix("/Registry.swift") }) else {
      #expect(RuleLaws.ruleFiles.isEmpty)
      return
    }
    for file in RuleLaws.ruleFiles where file.text.contains(idPattern) {
      let type =
        file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
      let mentions = registry.text.matches(of: /\w+/).filter { $0.0 == type[...] }
      #expect(mentions.count == 1, "\(type) in the registry")
    }
  }

  @Test(arguments: Tree.pages) func pagesHaveTheirParts(page: Tree.File) {
    for part in ["**Incorrect", "**Correct", "**When NOT to use", "Reference:", "\n## "] {
      #expect(page.text.contains(part), "\(page.path) lacks \(part)")
    }
  }

  /// A fence that stays open turns all that follow inside out, and no test looks at them.
  @Test(arguments: Tree.pages + Tree.cases) func fencesAreClosedAndLeadsHaveOne(page: Tree.File) {
    var opened: Int?
    var lead: Int?
    let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        let isClosed = opened == nil || line == "```"
        #expect(isClosed, "\(page.path):\(opened ?? 0): the fence isn't closed")
        opened = opened == nil ? index + 1 : nil
        lead = nil
      } else if opened == nil, line.hasPrefix("**") {
        #expect(lead == nil, "\(page.path):\(lead ?? 0): no code stands below")
        lead = line.hasPrefix("**Incorrect") || line.hasPrefix("**Correct") ? index + 1 : nil
      }
    }
    #expect(opened == nil, "\(page.path):\(opened ?? 0): the fence isn't closed")
  }

  private var idPattern: Regex<(Substring, Substring)> {
    /static let id: RuleID = "([a-z0-9-]+)"/
  }

  @Test func everyReferenceOfAPageHasALink() throws {
    for page in try Tree.files(in: "Rules", ending: ".md") {
      let references = page.text.split(separator: "\n").filter { $0.hasPrefix("Reference:") }
      #expect(references.count == 1, "\(page.path)")
      #expect(references.allSatisfy { $0.contains("https://") }, "\(page.path)")
    }
  }
}
