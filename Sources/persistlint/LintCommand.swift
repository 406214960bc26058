import PersistPages
import PersistReport
import PersistRules

/// Lints the operands and prints the report.
@Sendable func runLint(_ options: Options) throws(CommandError) -> ExitCode {
  let start = System.clock
  var configuration = try Configuration.load(for: options)
  configuration.choose(options)
  var options = options
  try options.expandPatterns(configuration)
  try options.checkCombinations()
  options.fill(from: configuration)
  try options.widen(configuration)
  let destinations = try options.formatRequests().map {
    ReportDestination($0, options, configuration)
  }
  for destination in destinations { try destination.file?.check() }
  let jobs = options.jobs ?? System.processorCount
  var run = try LintRun(options, configuration, jobs: jobs)
  if run.isKnown {
    try run.traces?.leave(.clean)
    return .clean
  }
  for notice in run.input.notices { warn(notice.message) }
  if options.writesBaseline {
    try run.acceptFindings()
    return .clean
  }
  try run.leaveOutWhatIsAccepted(reportsFixed: true)
  let hasDifference = try run.fix()
  // A plugin breaks a build only when the project says so.
  if options.stamp != nil, options.failOn == nil { run.makeWarningsOfErrors() }
  let (input, result) = (run.input, run.result)
  if options.showsDifference { return hasDifference && !options.exitsZero ? .found : .clean }
  let report = run.report(seconds: System.clock - start)
  let output = ReportOutput(
    report: report, destinations: destinations, options: options, limitCount: result.limits.count)
  try Timings.measure(.print) { () throws(CommandError) in try output.write() }
  var remarks = options.showsStatistics ? output.statistics : ""
  if !options.isQuiet {
    remarks += report.fixable.map { $0 + "\n" } ?? ""
    remarks += report.summary + "\n"
  }
  try? Console.write(remarks, to: .errors)
  if let timings = Timings.shared {
    let bytes = input.files.reduce(0) { $0 + $1.text.count }
    try? Console.write(timings.report(bytes: bytes), to: .errors)
  }
  if options.suppressionReason != nil, !result.findings.isEmpty {
    warn("what is left can't be silenced by a comment on a line of its own")
  }
  let fails = result.findings.contains { $0.severity >= options.failingSeverity }
  let code: ExitCode = fails && !options.exitsZero ? .found : .clean
  try run.traces?.leave(code)
  return code
}
