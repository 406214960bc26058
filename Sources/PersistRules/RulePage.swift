/// What the page of a rule says of it; `Rules/<id>.md` is the source.
package struct RulePage: Sendable {
  package let id: RuleID
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
    id: RuleID, title: String, impact: String, impactDescription: String, severity: Severity?,
    tags: [String], since: String, precision: Precision? = nil, body: String
  ) {
    self.id = id
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
