import PersistPages
import PersistReport
import PersistRules

/// Prints one line a rule: its name, severity and title; of all rules, or of those that are named.
@Sendable func runRules(_ options: Options) throws(CommandError) -> ExitCode {
  var wanted: Set<RuleID>?
  for name in options.operands {
    guard let named = RulePage.rules(named: name) else {
      throw CommandError.usage(
        "no rule or group is called '\(name)'\(suggestion(for: name, in: RulePage.names))")
    }
    wanted = (wanted ?? []).union(named)
  }
  let pages = RulePage.all.filter { wanted?.contains($0.id) ?? true }
  if options.listsAsJSON {
    let list: JSON = ["version": 1, "rules": .array(pages.map(\.json))]
    return try show(list.text)
  }
  let width = (pages.map(\.id.text.count).max() ?? 0) + 2
  let lines = RulePage.groups.flatMap { group in
    let members = pages.filter { $0.group == group }
    return members.isEmpty
      ? []
      : ["\(group)\n"]
        + members.map { page in
          "  " + page.id.text.filled(to: width)
            + (page.severity?.rawValue ?? "off").filled(to: 9) + page.title + "\n"
        }
  }
  return try show(lines.joined())
}

extension RulePage {
  fileprivate var json: JSON {
    var json: JSON = ["id": .string(id.text), "group": .string(group), "title": .string(title)]
    json.add("severity", .string(severity?.rawValue ?? "off"))
    json.add("impact", .string(impactDescription))
    json.add("tags", .array(tags.map { .string($0) }))
    json.add("since", .string(since))
    json.add("fixable", .boolean(Registry.mending.contains(id)))
    return json
  }
}

/// Prints the page of the rule that is named.
@Sendable func runExplain(_ options: Options) throws(CommandError) -> ExitCode {
  guard let name = options.operands.first, options.operands.count == 1 else {
    throw CommandError.usage("explain needs the name of one rule")
  }
  guard let page = RulePage.all.first(where: { $0.id.text == name }) else {
    guard !RulePage.groups.contains(name) else {
      throw .usage("'\(name)' is a group; persistlint rules \(name) lists its rules")
    }
    let near = suggestion(for: name, in: RulePage.all.map(\.id.text))
    throw CommandError.usage(
      "no rule is called '\(name)'\(near.isEmpty ? "; persistlint rules lists them" : near)"
    )
  }
  let facts = "\(page.id) (\(page.severity?.rawValue ?? "off by default"), since \(page.since))\n"
  let text = "\(facts)\(page.body.hasPrefix("\n") ? "" : "\n")\(page.body)"
  let isColoured = Terminal.isColoured(System.standardOutput, options.colours)
  let terminal = Terminal(System.standardOutput)
  // Elsewhere it is Markdown, for whatever reads it.
  guard terminal != nil || isColoured else { return try show(text) }
  let shown = PageText(text, width: min(terminal?.width ?? 100, 100), isColoured: isColoured)
  if let terminal, shown.height >= terminal.height,
    Console.page(shown.text, isColoured: isColoured)
  {
    return .clean
  }
  return try show(shown.text, as: isColoured ? .coloured : .plain)
}

extension String {
  func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
