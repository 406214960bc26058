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
  let input = try Input.gather(options, configuration, jobs: jobs)
  for notice in input.notices { warn(notice.message) }
  let settings = LintSettings(rules: configuration.judgingRules)
  var result = lint(input.files, settings: settings, jobs: jobs)
  result.findings = result.findings.compactMap { finding in
    configuration.judge(finding, inFile: input.absolutePath(of: finding.location.path))
  }
  if try applyBaseline(options, to: &result) { return .clean }
  let report = Report(
    findings: result.findings, suppressed: result.suppressed, notices: input.notices,
    pages: RulePage.all, sources: input.sources(of: result),
    statistics: Statistics(
      files: input.files.count { $0.kind == .swift }, schemaVersions: result.schemaVersions,
      containers: result.containers, seconds: System.clock - start),
    version: Persistlint.version)
  let output = ReportOutput(report: report, options: options)
  try output.write(requests)
  var remarks = options.showsStatistics ? output.statistics : ""
  if !options.isQuiet { remarks += report.summary + "\n" }
  try? System.write(remarks, to: System.standardError)
  let fails = result.findings.contains { $0.severity >= options.failingSeverity }
  return fails && !options.exitsZero ? .found : .clean
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
    try? System.write(
      "\(file.path) accepts \(count) \(noun); lint with --baseline \(file.path)\n",
      to: System.standardError)
    return true
  }
  if options.baseline != nil || options.prunesBaseline {
    try file.apply(to: &result, prunes: options.prunesBaseline)
  }
  return false
}

/// The files to lint and what is to be said of the others.
private struct Input {
  /// The resolved path of the current folder.
  let root: String
  var files: [InputFile] = []
  var notices: [Notice] = []

  static func gather(
    _ options: Options, _ configuration: Configuration, jobs: Int
  ) throws(CommandError) -> Input {
    guard let root = System.resolve(".") else {
      throw CommandError.refusal("the current folder can't be read: \(SystemError.last.reason)")
    }
    let filter = configuration.filter(respectsGitIgnore: options.respectsGitIgnore)
    var walk = FileWalk(root: root, filter: filter)
    for path in options.operands.isEmpty ? ["."] : options.operands where path != "-" {
      do {
        try walk.add(path)
      } catch {
        throw CommandError.refusal("\(path): \(error.reason)")
      }
    }
    let read = InputFile.read(walk.files, jobs: jobs)
    var input = Input(root: root, files: read.files, notices: walk.notices + read.notices)
    if options.operands.contains("-") { try input.addStandardInput(as: options.standardInputName) }
    input.files.sort { $0.path < $1.path }
    return input
  }

  /// Takes the place of the file with the same name.
  private mutating func addStandardInput(as name: String) throws(CommandError) {
    do {
      let bytes = try System.read(System.standardInput)
      switch InputFile.make(path: name, kind: .swift, bytes: bytes) {
      case .success(let file):
        files.removeAll { $0.path == name }
        files.append(file)
      case .failure(let failure): notices.append(failure.notice)
      }
    } catch {
      throw CommandError.refusal("standard input: \(error.reason)")
    }
  }

  func absolutePath(of path: String) -> String {
    path.hasPrefix("/") ? path : (root == "/" ? "" : root) + "/" + path
  }

  /// The bytes of the files that the findings name.
  func sources(of result: LintResult) -> [String: [UInt8]] {
    var named: Set<String> = []
    for finding in result.findings + result.suppressed.map(\.finding) {
      named.insert(finding.location.path)
      for related in finding.related + finding.flow { named.insert(related.location.path) }
    }
    return Dictionary(
      files.filter { named.contains($0.path) }.map { ($0.path, $0.bytes) },
      uniquingKeysWith: { first, _ in first })
  }
}
