import PersistPages
import PersistRules
import Testing

extension Page: CustomTestStringConvertible {
  var testDescription: String { name }
}

@Suite struct PageTests {
  @Test(arguments: Page.all) func incorrectCodeIsReportedWhereTheCaretsStand(page: Page) {
    for sample in page.samples where !sample.isCorrect {
      expect(sample.files, in: page, sample, as: "as it stands")
    }
  }

  @Test(arguments: Page.all) func correctCodeIsSilentForEveryRule(page: Page) {
    for sample in page.samples where sample.isCorrect {
      let found = Outcome(sample.files, rule: page.id).findings
      #expect(found.isEmpty, "\(page.name):\(sample.line): \(found.map(\.description))")
    }
  }

  @Test(arguments: Page.all) func nearTwinsAreReportedWhereTheySay(page: Page) {
    for twin in page.twins {
      #expect(twin.mistake == nil, "\(page.name):\(twin.line)")
      let found = twin.found(rule: page.id)
      #expect(found == twin.places, "\(page.name):\(twin.line)")
    }
  }

  @Test(arguments: Page.all, Disguise.visible)
  func incorrectCodeIsReportedInDisguise(page: Page, disguise: Disguise) {
    for sample in page.samples where !sample.isCorrect {
      expect(sample.files.map(disguise.apply), in: page, sample, as: disguise.rawValue) {
        disguise.move($0, in: sample.files)
      }
    }
  }

  @Test(arguments: Page.all, Disguise.hidden)
  func codeThatIsNoCodeIsSilent(page: Page, disguise: Disguise) {
    for sample in page.samples where !sample.isCorrect {
      let found = Outcome(sample.files.map(disguise.apply), rule: page.id).findings
      #expect(found.isEmpty, "\(page.name):\(sample.line): \(found.map(\.description))")
    }
  }

  @Test(arguments: Page.all.filter { $0.id != "invalid-suppression" })
  func suppressedCodeIsSilentAndTheSuppressionCounts(page: Page) {
    for sample in page.samples where !sample.isCorrect {
      let files = sample.files.map { suppress($0, rule: page.id) }
      let outcome = Outcome(files, rule: page.id)
      let left = outcome.findings.filter {
        ["invalid-suppression", page.id].contains($0.rule.text)
      }
      #expect(left.isEmpty, "\(page.name):\(sample.line): \(left.map(\.description))")
      #expect(outcome.suppressed >= 1, "\(page.name):\(sample.line)")
    }
  }

  private func suppress(_ file: Page.File, rule: String) -> Page.File {
    let lines = Set(Expectation.expectations(in: file, rule: rule).map(\.line))
    var code = ""
    for (index, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if lines.contains(index + 1) { code += "// persistlint:ignore[\(rule)] the page shows it\n" }
      code += line + "\n"
    }
    return Page.File(path: file.path, code: code, isShipped: file.isShipped)
  }

  private func expect(
    _ files: [Page.File], in page: Page, _ sample: Page.Sample, as form: String,
    move: (Expectation) -> Expectation = { $0 }
  ) {
    let found = Outcome(files, rule: page.id).findings.filter { $0.rule.text == page.id }
    let expected = sample.files.filter { !$0.isShipped }.flatMap {
      Expectation.expectations(in: $0, rule: page.id).map(move)
    }
    #expect(!expected.isEmpty, "\(page.name):\(sample.line): no carets under Incorrect code")
    var rest = found
    for expectation in expected {
      let match = rest.firstIndex { $0.meets(expectation) }
      #expect(
        match != nil,
        "\(page.name):\(sample.line) \(form): missing \(expectation); found \(found.map(\.description))"
      )
      if let match { rest.remove(at: match) }
    }
    #expect(rest.isEmpty, "\(page.name):\(sample.line) \(form): also \(rest.map(\.description))")
    #expect(
      found.allSatisfy { finding in
        !finding.related.contains { $0.location == finding.location && $0.message == "and here" }
      }, "\(page.name):\(sample.line) \(form): a finding names its own place once more")
  }
}
