import PersistReport
import PersistRules

/// Lints the operands and prints the report.
@Sendable func runLint(_ options: Options) throws(CommandError) -> ExitCode {
  let start = System.clock
  let configuration = try Configuration.load(
    named: options.configuration, forPaths: options.operands.filter { $0 != "-" })
  var options = options
  options.fill(from: configuration)
  let requests = try options.formatRequests()
  let jobs = options.jobs ?? System.processorCount
  var (input, result) = try analyse(options, configuration, jobs: jobs)
  for notice in input.notices { warn(notice.message) }
  if try applyBaseline(options, to: &result) { return .clean }
  input.filter(&result)
  let report = Report(
    findings: result.findings, suppressed: result.suppressed, notices: input.notices,
    pages: RulePage.all, sources: input.sources(of: result),
    statistics: Statistics(
      files: input.files.count { $0.kind == .swift }, schemaVersions: result.schemaVersions,
      containers: result.containers, seconds: System.clock - start),
    version: Persistlint.version)
  let output = ReportOutput(report: report, options: options)
  try Timings.measure(.print) { () throws(CommandError) in try output.write(requests) }
  if let stamp = options.stamp {
    try? System.replace(stamp, with: Array("// Linted by persistlint.\n".utf8))
  }
  var remarks = options.showsStatistics ? output.statistics : ""
  if !options.isQuiet { remarks += report.summary + "\n" }
  try? System.write(remarks, to: System.standardError)
  if let timings = Timings.shared {
    let bytes = input.files.reduce(0) { $0 + $1.text.count }
    try? System.write(timings.report(bytes: bytes), to: System.standardError)
  }
  let fails = result.findings.contains { $0.severity >= options.failingSeverity }
  return fails && !options.exitsZero ? .found : .clean
}

/// Reads the files and judges them; all that takes time happens here.
private func analyse(
  _ options: Options, _ configuration: Configuration, jobs: Int
) throws(CommandError) -> (LintInput, LintResult) {
  let progress = Progress(isQuiet: options.isQuiet)
  defer { progress?.end() }
  progress?.begin("reading the sources")
  var input = try LintInput.gather(options, configuration, jobs: jobs)
  input.notices += input.files.dataModelNotices
  let base = try SchemaSources(options, configuration, jobs: jobs).base(for: input)
  progress?.begin("looking at \(input.files.count) files")
  let settings = LintSettings(rules: configuration.judgingRules, base: base)
  var result = lint(input.files, settings: settings, jobs: jobs)
  result.findings = result.findings.compactMap { finding in
    configuration.judge(finding, inFile: input.absolutePath(of: finding.location.path))
  }
  return (input, result)
}

/// Whether the run is over, for it was to write the baseline.
private func applyBaseline(
  _ options: Options, to result: inout LintResult
) throws(CommandError) -> Bool {
  let file = BaselineFile(path: options.baseline ?? BaselineFile.standardName)
  if options.writesBaseline {
    try file.accept(result.findings)
    let count = result.findings.count
    let noun = count == 1 ? "finding" : "findings"
    say("\(file.path) accepts \(count) \(noun); lint with --baseline \(file.path)")
    return true
  }
  if options.baseline != nil || options.prunesBaseline {
    try file.apply(to: &result, prunes: options.prunesBaseline)
  }
  return false
}
