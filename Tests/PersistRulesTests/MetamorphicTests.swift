import PersistPages
import PersistRules
import Testing

/// What doesn't matter changes no finding; `scripts/metamorphic` shows the same of whole trees.
@Suite struct MetamorphicTests {
  /// The first incorrect and the first correct sample of a page; all of them would take too long.
  private func samples(of page: Page) -> [Page.Sample] {
    let whole = page.samples.filter { !$0.files.contains(where: \.isShipped) }
    return [whole.first { !$0.isCorrect }, whole.first(where: \.isCorrect)].compactMap { $0 }
  }

  @Test(arguments: Page.all) func whatDoesNotMatterChangesNoFinding(page: Page) {
    for sample in samples(of: page) {
      let files = sample.files.map(Expectation.withoutCarets).map {
        Reshape.File(path: $0.path, code: $0.code)
      }
      let before = Outcome.said(files, rule: page.id)
      for reshape in Reshape.allCases {
        let after = Outcome.said(reshape.apply(files), rule: page.id)
        #expect(before == after, "\(page.name):\(sample.line) \(reshape.rawValue)")
      }
    }
  }

  @Test(arguments: Page.all) func aRuleFindsTheSameAlone(page: Page) {
    for sample in samples(of: page) {
      let files = sample.files.map(Expectation.withoutCarets)
      let rule = RuleID(page.id)
      let all = Outcome(files, rule: page.id).findings.filter { $0.rule == rule }
      #expect(Outcome(files, rules: [rule]).findings.filter { $0.rule == rule } == all)
    }
  }
}
