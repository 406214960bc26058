import PersistIndex
import PersistPages

/// A comment meant to silence a finding names no rule or gives no reason, or silences nothing.
package struct InvalidSuppression: Rule {
  package static let id: RuleID = "invalid-suppression"
  package static let mends = true

  package init() {}

  /// Reports comments that lack their rule, reason or other end, or name an unknown rule.
  package func check(_ program: Program, into findings: inout Findings) {
    for suppression in program.suppressions {
      switch suppression.flaw {
      case .endsNothing:
        findings.report(.endsNothing, at: suppression.location)
        continue
      case .unknownWord(let word):
        findings.report(.isNone(word), at: suppression.location)
        continue
      case .neverEnds: findings.report(.neverEnds, at: suppression.location)
      case nil: break
      }
      if suppression.rules.isEmpty {
        findings.report(.namesNoRule, at: suppression.location)
      }
      for rule in suppression.rules where RulePage.rules(named: rule.text) == nil {
        guard rule.text != "*" else {
          findings.report(.namesAllRules, at: suppression.location)
          continue
        }
        findings.report(.unknown(rule, nearest: rule.nearestKnown), at: suppression.location)
      }
      if suppression.reason.isEmpty {
        findings.report(.givesNoReason, at: suppression.location)
      }
    }
  }

  /// Whether the finding asks for a reason, which a project may do without.
  package static func asksForReason(_ finding: Finding) -> Bool {
    finding.rule == id && finding.message == Finding.Message.givesNoReason.text
  }

  /// The finding for the rules of a suppression that no finding met; nil where there are none, or
  /// `check` has spoken already.
  static func unused(_ suppression: Suppression, _ idle: [RuleID]) -> Finding? {
    guard !idle.isEmpty,
      suppression.rules.allSatisfy({ RulePage.rules(named: $0.text) != nil })
    else { return nil }
    let names = idle.map(\.text).joined(separator: ", ")
    guard idle.count < suppression.rules.count else {
      let edits = suppression.removal.map { Fix.Edit(range: $0, replacement: "") }
      return Finding(
        rule: id, severity: .warning, message: Finding.Message.suppressesNothing(names).text,
        location: suppression.location,
        fix: Fix(title: "Delete the comment", isSafe: true, edits: edits))
    }
    let rest = suppression.rules.filter { !idle.contains($0) }.map(\.text).joined(separator: ", ")
    let fix = suppression.list.map { list in
      Fix(
        title: "Remove \(names)", isSafe: true,
        edits: [Fix.Edit(range: list, replacement: rest)])
    }
    return Finding(
      rule: id, severity: .warning, message: Finding.Message.namesTooMany(names).text,
      location: suppression.location, fix: fix)
  }
}

extension RuleID {
  /// The known id with the longest common beginning.
  fileprivate var nearestKnown: RuleID? {
    Registry.ids.max { left, right in
      (left.text.commonPrefix(with: text), right.text) < (
        right.text.commonPrefix(with: text), left.text
      )
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}

extension Finding.Message {
  fileprivate static func isNone(_ word: String) -> Self {
    """
    this comment silences nothing, because there is no `persistlint:\(word)`; write \
    `persistlint:ignore[rule-id] reason`
    """
  }

  fileprivate static let namesNoRule: Self =
    "this comment silences nothing; name the rule, as in `persistlint:ignore[rule-id] reason`"

  fileprivate static let namesAllRules: Self =
    "`*` silences nothing, because it would hide future findings too; name the rules that you mean"

  fileprivate static func unknown(_ rule: RuleID, nearest: RuleID?) -> Self {
    "there is no rule `\(rule)`\(nearest.map { "; did you mean `\($0)`?" } ?? "")"
  }

  fileprivate static let givesNoReason: Self =
    "the next reader can't tell why this is safe; write the reason after the bracket"

  fileprivate static let neverEnds: Self =
    "everything below is silenced too; write `persistlint:ignore-end` after the code that is meant"

  fileprivate static let endsNothing: Self =
    "there is no `persistlint:ignore-begin` with these rules above; delete the comment"

  fileprivate static func namesTooMany(_ rules: String) -> Self {
    "there is no finding of \(rules) here; remove it from the brackets"
  }

  fileprivate static func suppressesNothing(_ rules: String) -> Self {
    "there is no finding of \(rules) here; delete the comment"
  }
}
