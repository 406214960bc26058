import PersistPages
import PersistReport
import PersistRules
import Testing

@Suite struct HTMLFormatTests {
  @Test func aPageStandsByItself() {
    let page = HTMLFormat(Sample.report([Sample.finding()])).text
    #expect(page.hasPrefix(HTMLPage.beginning))
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("url("))
    #expect(page.contains("1 file, 0 schema versions, 2 containers: 1 error"))
  }

  @Test func aFindingHasItsCodeStepsAndPage() {
    let step = RelatedLocation(location: Sample.location(of: "open"), message: "it `starts` here")
    let page = HTMLFormat(
      Sample.report([Sample.finding("`open` & more", related: [step], flow: [step])])
    ).text
    #expect(page.contains("<code>open</code> &amp; more"))
    #expect(page.contains("<mark>fatalError</mark>(name)"))
    #expect(page.contains("<li>it <code>starts</code> here"))
    #expect(page.contains("<ol>") && page.contains("<ul>"))
    #expect(page.contains("<p>The app dies. It dies again.</p>"))
    #expect(page.contains("href=\"https://github.com/persistlint/persistlint/blob/main/Rules/"))
    #expect(page.contains("App/Store.swift:3:"))
  }

  @Test func aFixIsShownAsADifference() {
    let place = Sample.location(of: "fatalError(name)")
    let fix = Fix(
      title: "Throw", isSafe: false, edits: [Fix.Edit(range: place, replacement: "throw <E>")])
    let finding = Finding(
      rule: "fatal-error-on-store-open", severity: .error, message: "a", location: place, fix: fix)
    let page = HTMLFormat(Sample.report([finding])).text
    #expect(page.contains("Fix: Throw <span class=\"soft\">(to be reviewed)</span>"))
    #expect(page.contains("class=\"row added\">+\tlet name = &quot;🗻 Trips&quot;; throw &lt;E&gt;"))
  }

  @Test func hostileNamesAreText() {
    let evil = "</script><img src=x onerror=alert(1)>\"'\u{202E}\u{0}\n"
    let finding = Sample.finding(evil, path: evil, symbol: evil)
    let page = HTMLFormat(
      Sample.report([finding], notices: [Notice(path: evil, message: evil)])
    ).text
    #expect(!page.contains("<img") && !page.contains("\u{202E}") && !page.contains("\u{0}"))
    #expect(page.ranges(of: "</script>").count == 1)
    #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"))
  }

  @Test func nothingFoundIsSaid() {
    let page = HTMLFormat(Sample.report([])).text
    #expect(page.contains("Nothing was found.") && !page.contains("<article"))
  }

  @Test func everyPageOfARuleIsShown() {
    for page in RulePage.all {
      let finding = Finding(
        rule: page.id, severity: .note, message: "a", location: Sample.location(of: "open"))
      var report = Sample.report([finding])
      report.pages = [page]
      let html = HTMLFormat(report).text
      #expect(html.contains("<strong>Incorrect"), "\(page.id)")
      #expect(!html.contains("```") && !html.contains("**"), "\(page.id)")
      #expect(
        html.ranges(of: "<pre>").count == html.ranges(of: "</pre>").count, "\(page.id)")
    }
  }
}
