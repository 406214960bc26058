// swift-format-ignore-file
// Made from Rules/*.md by scripts/rule-pages; edit the pages and run it again.

extension RulePage {
  /// The pages of all rules in the order of their names.
  package static let all: [RulePage] = [
  ]
}
