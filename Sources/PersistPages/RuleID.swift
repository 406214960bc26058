/// A rule's public and stable name, such as `fatal-error-on-store-open`.
package struct RuleID: Hashable, Sendable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral value: String) { text = value }
  package var description: String { text }
  package static func < (left: RuleID, right: RuleID) -> Bool { left.text < right.text }
}
