import PersistPages
import PersistReport

/// What a call of a tool asks for.
enum Asked {
  /// What the pages of the rules tell.
  case page(JSON)
  /// What only a look at the world tells.
  case call(ToolCall)

  init(_ tool: Tool, _ arguments: ToolArguments) throws(ToolArguments.Mistake) {
    switch tool.name {
    case "lint": self = .call(.lint(try LintCall(arguments)))
    case "explain": self = .page(try Asked.page(of: try arguments.text("rule") ?? ""))
    case "rules": self = .page(try Asked.rules(of: try arguments.text("group")))
    case "schema": self = .call(.schema(version: try arguments.text("version")))
    case "schema_diff":
      self = .call(
        .schemaDiff(from: try arguments.text("from") ?? "", to: try arguments.text("to") ?? ""))
    case "freeze": self = .call(.freeze(all: try arguments.boolean("all")))
    default:
      self = .call(
        .store(file: try arguments.text("file") ?? "", paths: try arguments.texts("paths")))
    }
  }

  private static func page(of rule: String) throws(ToolArguments.Mistake) -> JSON {
    guard let page = RulePage.all.first(where: { $0.id.text == rule }) else {
      throw .noRule(rule)
    }
    return [
      "rule": .string(page.id.text), "group": .string(page.group),
      "severity": .string(page.severityWord), "since": .string(page.since),
      "address": .string(page.address), "page": .string(page.body),
    ]
  }

  private static func rules(of group: String?) throws(ToolArguments.Mistake) -> JSON {
    guard group.map(RulePage.groups.contains) ?? true else { throw .noRule(group ?? "") }
    let pages = RulePage.all.filter { group == nil || $0.group == group }
    return [
      "rules": .array(
        pages.map { page in
          [
            "rule": .string(page.id.text), "group": .string(page.group),
            "severity": .string(page.severityWord), "title": .string(page.title),
          ]
        })
    ]
  }
}

extension RulePage {
  /// The severity by default, or `off`.
  var severityWord: String { severity?.rawValue ?? "off" }
}
