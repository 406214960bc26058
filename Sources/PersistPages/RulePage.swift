/// What the page of a rule says of it; `Rules/<id>.md` is the source.
package struct RulePage: Sendable {
  package let id: RuleID
  /// The group by which options and the configuration name the rule with its like: `store`,
  /// `schema`, `concurrency`, `context`, `lifetime`, `core-data`, `grdb`, `realm`, `suppressions`.
  package let group: String
  package let title: String
  /// `CRITICAL`, `HIGH`, `MEDIUM` or `LOW`, as the page's front matter has it.
  package let impact: String
  package let impactDescription: String
  /// The severity by default; nil for a rule that is off by default.
  package let severity: Severity?
  package let tags: [String]
  /// The version of persistlint that brought the rule, such as `0.1.0`.
  package let since: String
  /// How seldom the rule is wrong.
  package let precision: Precision
  /// The page's Markdown after its front matter.
  package let body: String

  package init(
    id: RuleID, group: String, title: String, impact: String, impactDescription: String,
    severity: Severity?,
    tags: [String], since: String, precision: Precision? = nil, body: String
  ) {
    self.id = id
    self.group = group
    self.title = title
    self.impact = impact
    self.impactDescription = impactDescription
    self.severity = severity
    self.tags = tags
    self.since = since
    self.precision = precision ?? Precision(by: severity)
    self.body = body
  }
}

extension RulePage {
  /// The names of all groups, sorted.
  package static let groups = Set(all.map(\.group)).sorted()

  /// The rules that a rule's id or a group's name means; nil for a name of neither.
  package static func rules(named name: String) -> Set<RuleID>? { rulesByName[name] }

  private static let rulesByName: [String: Set<RuleID>] = {
    var rules = Dictionary(grouping: all, by: \.group).mapValues { Set($0.map(\.id)) }
    for page in all { rules[page.id.text] = [page.id] }
    return rules
  }()

  /// Whether a rule is off by default.
  package static func isOff(_ rule: RuleID) -> Bool { offByDefault.contains(rule) }

  private static let offByDefault = Set(all.filter { $0.severity == nil }.map(\.id))

  /// The ids of all rules and the names of all groups.
  package static let names = all.map(\.id.text) + groups
}

/// How seldom a rule is wrong, in the words of SARIF.
package enum Precision: String, Sendable, CaseIterable {
  case low, medium, high
  case veryHigh = "very-high"

  /// What holds for a page that says nothing: a rule that is sure of itself is an error or warning.
  fileprivate init(by severity: Severity?) {
    switch severity {
    case .error?, .warning?: self = .high
    case .note?, nil: self = .medium
    }
  }
}
