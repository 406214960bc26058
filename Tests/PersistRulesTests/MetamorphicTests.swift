import PersistRules
import Testing

/// What doesn't matter changes no finding.
@Suite struct MetamorphicTests {
  /// A finding without its place.
  private struct Said: Hashable {
    let rule: RuleID
    let severity: Severity
    let symbol: String
    let message: String
  }

  private static func said(_ files: [Reshape.File], rule: String) -> [Said: Int] {
    let pages = files.map { Page.File(path: $0.path, code: $0.code, isShipped: false) }
    let new = Set(files.filter(\.isNew).map(\.path))
    var counts: [Said: Int] = [:]
    for finding in Outcome(pages, rule: rule).findings where !new.contains(finding.location.path) {
      counts[
        Said(
          rule: finding.rule, severity: finding.severity, symbol: finding.symbol,
          message: finding.message), default: 0] += 1
    }
    return counts
  }

  @Test(arguments: Page.all, Reshape.allCases)
  func whatDoesNotMatterChangesNoFinding(page: Page, reshape: Reshape) {
    for sample in page.samples where !sample.files.contains(where: \.isShipped) {
      let files = sample.files.map(Expectation.withoutCarets).map {
        Reshape.File(path: $0.path, code: $0.code)
      }
      let before = Self.said(files, rule: page.id)
      let after = Self.said(reshape.apply(files), rule: page.id)
      #expect(before == after, "\(page.name):\(sample.line) \(reshape.rawValue)")
    }
  }

  @Test(arguments: Page.all) func aRuleFindsTheSameAlone(page: Page) {
    for sample in page.samples where !sample.files.contains(where: \.isShipped) {
      let files = sample.files.map(Expectation.withoutCarets)
      let rule = RuleID(page.id)
      let all = Outcome(files, rule: page.id).findings.filter { $0.rule == rule }
      #expect(Outcome(files, rules: [rule]).findings.filter { $0.rule == rule } == all)
    }
  }
}
