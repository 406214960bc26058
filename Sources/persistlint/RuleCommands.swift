import PersistReport
import PersistRules

/// Prints one line a rule: its name, severity and title.
@Sendable func runRules(_ options: Options) throws(CommandError) -> ExitCode {
  if let operand = options.operands.first {
    throw CommandError.usage("rules takes no '\(operand)'")
  }
  let width = (RulePage.all.map(\.id.text.count).max() ?? 0) + 2
  let lines = RulePage.all.map { page in
    let severity = page.severity?.rawValue ?? "off"
    return page.id.text.filled(to: width) + severity.filled(to: 9) + page.title + "\n"
  }
  return try show(lines.joined())
}

/// Prints the page of the rule that is named.
@Sendable func runExplain(_ options: Options) throws(CommandError) -> ExitCode {
  guard let name = options.operands.first, options.operands.count == 1 else {
    throw CommandError.usage("explain needs the name of one rule")
  }
  guard let page = RulePage.all.first(where: { $0.id.text == name }) else {
    let near = suggestion(for: name, in: RulePage.all.map(\.id.text))
    throw CommandError.usage(
      "no rule is called '\(name)'\(near.isEmpty ? "; persistlint rules lists them" : near)"
    )
  }
  let facts = "\(page.id) (\(page.severity?.rawValue ?? "off by default"), since \(page.since))\n"
  return try show("\(facts)\(page.body.hasPrefix("\n") ? "" : "\n")\(page.body)")
}

extension String {
  func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
