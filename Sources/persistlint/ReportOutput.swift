import PersistReport
import PersistRules

/// A form that was asked for, and the file that it goes to; standard output when there is none.
struct ReportDestination {
  let format: OutputFormat
  let file: Destination?

  init(_ request: FormatRequest, _ options: Options, _ configuration: Configuration) {
    format = request.format
    file = request.file.map { path in
      Destination(
        path: path,
        naming: options.namesReports
          ? .argument : .project(ProjectRoot(around: configuration.folder, configuration)),
        content: .report(request.format))
    }
  }
}

/// Prints a report in all forms that were asked for.
struct ReportOutput {
  let report: Report
  let destinations: [ReportDestination]
  let options: Options
  /// How many bounds of the analysis cut something short.
  var limitCount = 0

  func write() throws(CommandError) {
    for destination in destinations {
      if let file = destination.file {
        let text = render(
          destination.format, isTerminal: false, showsSource: options.showsContext)
        try file.write(Array(text.utf8))
      } else {
        let isTerminal = System.isTerminal(System.standardOutput)
        let isText = destination.format == .text
        let isColoured =
          isText && Terminal.isColoured(System.standardOutput, options.colours)
        // In the log of a job nobody opens the file.
        let showsSource =
          options.showsContext || isTerminal || System.environment("CI") != nil
        _ = try show(
          render(
            destination.format, isTerminal: isTerminal, isColoured: isColoured,
            showsSource: showsSource),
          as: destination.format == .github ? .commands : isColoured ? .coloured : .plain)
      }
      if destination.format == .github { appendStepSummary() }
    }
  }

  /// How many findings each rule has, the most first, and what was cut short, for standard error.
  var statistics: String {
    var counts: [RuleID: Int] = [:]
    for finding in report.findings { counts[finding.rule, default: 0] += 1 }
    let ranked = counts.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
    let width = String(ranked.first?.value ?? 0).count
    return ranked.map { rule, count in
      let digits = String(count)
      return String(repeating: " ", count: width - digits.count) + "\(digits)  \(rule)\n"
    }.joined() + ReportOutput.remark(onLimits: limitCount)
  }

  /// What bounds of the analysis mean for people; nothing where none was reached.
  static func remark(onLimits count: Int) -> String {
    guard count > 0 else { return "" }
    return "some code is too complex to follow to its end, so findings may be missing there\n"
  }

  private func render(
    _ format: OutputFormat, isTerminal: Bool, isColoured: Bool = false, showsSource: Bool
  ) -> String {
    switch format {
    case .text:
      text(
        isTerminal: isTerminal, isColoured: isColoured, showsSource: showsSource,
        isForXcode: ReportOutput.isInXcode)
    case .xcode: text(isTerminal: false, isForXcode: true)
    case .json: JSONFormat(report).text
    case .sarif:
      SARIFFormat(
        report, category: options.sarifCategory, includesSuppressed: options.includesSuppressed
      ).text
    case .github: GitHubFormat(report).text
    case .gitlab: GitLabFormat(report).text
    case .checkstyle: CheckstyleFormat(report).text
    case .junit: JUnitFormat(report, failingFrom: options.failingSeverity).text
    case .markdown: MarkdownFormat(report).text
    case .html: HTMLFormat(report).text
    case .azure: AzureFormat(report).text
    case .teamcity: TeamCityFormat(report).text
    }
  }

  private func text(
    isTerminal: Bool, isColoured: Bool = false, showsSource: Bool = false, isForXcode: Bool
  ) -> String {
    let style = TextFormat.Style(
      isColoured: isColoured, showsSource: showsSource, showsFlow: options.explainsFlow,
      root: isForXcode ? System.resolve(".") : nil,
      width: isTerminal ? Terminal(System.standardOutput)?.width : nil)
    return TextFormat(report, style: style).text
  }

  private static var isInXcode: Bool {
    ["XCODE_VERSION_ACTUAL", "BUILT_PRODUCTS_DIR"].contains { System.environment($0) != nil }
  }

  /// A summary that can't be written is not worth a failed run.
  private func appendStepSummary() {
    guard let file = System.environment("GITHUB_STEP_SUMMARY") else { return }
    do {
      try FileWriter.append(Array(GitHubFormat(report).stepSummary.utf8), to: file)
    } catch {
      warn("\(file): \(error.reason)")
    }
  }
}
