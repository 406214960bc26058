import PersistReport
import PersistRules
import Testing

@Suite struct TextFormatTests {
  @Test func findingsAreCompilerLines() {
    let related = RelatedLocation(location: Sample.location(of: "SwiftData"), message: "see here")
    let report = Sample.report([Sample.finding(related: [related])])
    #expect(
      TextFormat(report).text == """
        App/Store.swift:3:27: error: the app ends here [fatal-error-on-store-open]
        App/Store.swift:1:8: note: see here

        """)
  }

  @Test func nothingFoundIsNoText() {
    #expect(TextFormat(Sample.report([])).text == "")
  }

  @Test func sourceIsUnderlinedUnderTheSameCells() {
    let style = TextFormat.Style(showsSource: true)
    #expect(
      TextFormat(Sample.report([Sample.finding()]), style: style).text == """
        App/Store.swift:3:27: error: the app ends here [fatal-error-on-store-open]
            let name = "🗻 Trips"; fatalError(name)
                                   ^~~~~~~~~~

        """)
  }

  @Test func colourMarksPlaceSeverityAndRange() {
    let style = TextFormat.Style(isColoured: true, showsSource: true)
    let text = TextFormat(Sample.report([Sample.finding(severity: .warning)]), style: style).text
    #expect(text.hasPrefix("\u{1B}[1mApp/Store.swift:3:27:\u{1B}[0m \u{1B}[1;35mwarning:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;32m^~~~~~~~~~\u{1B}[0m"))
  }

  @Test func stepsOfAFailureAreShownWhenAskedFor() {
    let step = RelatedLocation(location: Sample.location(of: "open"), message: "throws on")
    let report = Sample.report([Sample.finding(flow: [step])])
    #expect(!TextFormat(report).text.contains("throws on"))
    let style = TextFormat.Style(showsFlow: true)
    #expect(
      TextFormat(report, style: style).text.contains("App/Store.swift:2:6: note: throws on\n"))
  }

  @Test func absolutePathsForXcode() {
    let style = TextFormat.Style(root: "/project")
    let text = TextFormat(Sample.report([Sample.finding()]), style: style).text
    #expect(text.hasPrefix("/project/App/Store.swift:3:27: error: "))
  }

  @Test func wordsAreWrappedAtTheWidthOfTheTerminal() {
    let style = TextFormat.Style(width: 50)
    let finding = Sample.finding("the app ends here and what was stored is lost")
    #expect(
      TextFormat(Sample.report([finding]), style: style).text == """
        App/Store.swift:3:27: error: the app ends here and
            what was stored is lost
            [fatal-error-on-store-open]

        """)
  }

  @Test func aPageIsRenderedForATerminal() {
    let page =
      "## A title\n\nSome `code` and **more** of it\n- an item\n\n```swift\nlet x = 1\n```\n"
    let plain = PageText(page, width: 16, isColoured: false).text
    #expect(
      plain == "A title\n\nSome `code` and\nmore of it\n- an item\n\n    let x = 1\n")
    let coloured = PageText(page, width: 80, isColoured: true).text
    #expect(coloured.contains("Some \u{1B}[36mcode\u{1B}[0m and \u{1B}[1mmore\u{1B}[0m of it"))
  }

  @Test func controlCharactersNeitherBreakLinesNorReachTheTerminal() {
    let finding = Sample.finding("a\nb\u{1B}[31m\u{9B}c\r\nd")
    let text = TextFormat(Sample.report([finding])).text
    #expect(text.split(separator: "\n").count == 1)
    #expect(text.contains("a b␛[31m\u{FFFD}c  d"))
  }

  @Test func longLinesAreCutAroundTheRange() {
    let source = String(repeating: "x", count: 5_000) + " fatalError()"
    var report = Sample.report([])
    report.sources = [Sample.path: Array(source.utf8)]
    report.findings = [
      Finding(
        rule: "a", severity: .error, message: "m",
        location: Sample.location(of: "fatalError", in: source))
    ]
    let lines = TextFormat(report, style: .init(showsSource: true)).text.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].count < 200)
    #expect(lines[1].hasPrefix("…xxx") && lines[1].hasSuffix(" fatalError()"))
    let column = lines[2].prefix { $0 == " " }.count
    #expect(lines[1].dropFirst(column).hasPrefix("fatalError"))
  }

  @Test(
    arguments: [
      ([], "no findings"), ([.error], "1 error"),
      ([.note, .warning, .error, .warning], "1 error, 2 warnings, 1 note"),
    ] as [([Severity], String)])
  func summaryCounts(severities: [Severity], found: String) {
    let report = Sample.report(severities.map { Sample.finding(severity: $0) })
    #expect(
      report.summary == "1 file, 0 schema versions, 2 containers: \(found) in 0.03 s")
  }

  @Test func atMostSixOtherPlacesAreShown() {
    let related = (1...9).map {
      RelatedLocation(location: Sample.location(of: "open"), message: "place \($0)")
    }
    let style = TextFormat.Style(showsSource: true)
    let text = TextFormat(Sample.report([Sample.finding(related: related)]), style: style).text
    #expect(text.contains("note: place 6\n") && !text.contains("place 7"))
    #expect(text.contains("App/Store.swift:3:27: note: and 3 more places\n"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix(" ") && $0.contains("^") } == 7)
  }

  @Test(arguments: ["##vso[task.setvariable variable=a]b", "##teamcity[buildProblem]"])
  func sourcesGiveNoCommandsToTheRunnersOfJobs(command: String) {
    let source = "let a = 1 // \(command)"
    var report = Sample.report([])
    report.sources = [Sample.path: Array(source.utf8)]
    report.findings = [
      Finding(
        rule: "a", severity: .error, message: "m", location: Sample.location(of: "1", in: source))
    ]
    let text = TextFormat(report, style: .init(showsSource: true)).text
    #expect(!text.contains("##"))
    #expect(text.contains("let a = 1 // #_\(command.dropFirst(2))\n"))
  }
}
