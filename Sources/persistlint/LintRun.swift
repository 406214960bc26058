import PersistReport
import PersistRules
import PersistSchema

/// The files of a run and what is found in them.
struct LintRun {
  private(set) var input: LintInput
  private(set) var result: LintResult
  private let options: Options
  private let configuration: Configuration
  private let settings: LintSettings
  private let jobs: Int
  private let dataModels: [DataModel]
  private var fixing: Fixing?
  /// Nothing where no build system asks.
  let traces: BuildTraces?
  /// Whether a build system asks for what it has got already, so that nothing is judged.
  let isKnown: Bool

  /// Reads the files and judges them; all that takes time happens here.
  init(
    _ options: Options, _ configuration: Configuration, jobs: Int
  ) throws(CommandError) {
    fixing = try Fixing(options)
    let progress = Progress(isQuiet: options.isQuiet)
    defer { progress?.end() }
    progress?.begin("reading the sources")
    var input = try LintInput.gather(options, configuration, jobs: jobs)
    // No fix changes them, so they are read once.
    dataModels = input.files.dataModels
    input.notices += dataModels.notices
    let sources = SchemaSources(options, configuration, jobs: jobs)
    traces = BuildTraces(input, options, lock: sources.lockPath)
    let base = try sources.base(for: input)
    self.input = input
    self.options = options
    let configuration = input.configuration
    self.configuration = configuration
    self.jobs = jobs
    settings = LintSettings(
      rules: configuration.judgingRules, base: base, project: configuration.project,
      requiresReason: configuration.requiresReason,
      isPart: options.looksAtPart && options.looksAtFilesAlone, session: options.session)
    result = LintResult()
    isKnown = traces?.isKnown ?? false
    if isKnown { return }
    result = judge(input, progress)
    self.input.notices += result.notices
    if configuration.isWhole(options.operands) {
      self.input.notices += try configuration.check(result, base, lockPath: sources.lockPath)
    }
  }

  /// Writes the findings into the baseline.
  func acceptFindings() throws(CommandError) {
    let count = try baseline.accept(result.findings)
    let noun = count == 1 ? "finding" : "findings"
    let isKnown = configuration.baseline.map(configuration.placed) == baseline.path
    let place = baseline.scope.isWhole ? "" : " of \(baseline.scope.shown)"
    let next =
      isKnown
      ? ""
      : "; lint with --baseline \(baseline.path), or let `persistlint init` enter it into "
        + Configuration.fileName
    say("\(baseline.path) accepts \(count) \(noun)\(place)\(next)")
  }

  /// Takes out what the baseline accepts, and what the report isn't about.
  mutating func leaveOutWhatIsAccepted(reportsFixed: Bool) throws(CommandError) {
    if options.baseline != nil || options.prunesBaseline {
      try baseline.apply(
        to: &result, prunes: options.prunesBaseline && reportsFixed,
        reports: reportsFixed && !options.looksAtPart)
    }
    input.filter(&result)
    guard let scope = options.baselineScope else { return }
    result.findings.removeAll { !scope.holds(input.absolutePath(of: $0.location.path)) }
    result.suppressed.removeAll { !scope.holds(input.absolutePath(of: $0.finding.location.path)) }
  }

  /// Lets no finding be more than a warning.
  mutating func makeWarningsOfErrors() {
    result.findings = result.findings.map { $0.severity == .error ? $0.with(.warning) : $0 }
  }

  /// Puts in the fixes or suppressions that are wanted; gives whether a file changed, or would.
  mutating func fix() throws(CommandError) -> Bool {
    if let reason = options.suppressionReason {
      let comments = SuppressionComments(reason: reason).fixes(for: result.findings, in: input)
      guard let changed = fixing?.put(comments, into: input) else { return false }
      input = changed
      result = judge(changed)
      try leaveOutWhatIsAccepted(reportsFixed: false)
      return try fixing?.finish(input, result.findings) ?? false
    }
    while let changed = fixing?.round(on: input, result.findings) {
      input = changed
      result = judge(changed)
      try leaveOutWhatIsAccepted(reportsFixed: false)
    }
    return try fixing?.finish(input, result.findings) ?? false
  }

  private var baseline: BaselineFile {
    let path = options.baselinePath(configuration)
    var scope = options.baselineScope ?? BaselineScope(options, configuration, baseline: path)
    scope.unread = input.unread.map(input.absolutePath)
    return BaselineFile(
      path: path,
      naming: options.namesBaseline
        ? .argument : .project(ProjectRoot(around: configuration.folder, configuration)),
      scope: scope, absolutePath: input.absolutePath)
  }

  private func judge(_ input: LintInput, _ progress: Progress? = nil) -> LintResult {
    var result = lint(
      input.files, dataModels: dataModels, settings: settings, jobs: jobs, progress: progress)
    result.findings = result.findings.compactMap { finding in
      configuration.judge(finding, inFile: input.absolutePath(of: finding.location.path))
    }
    return result
  }
}
