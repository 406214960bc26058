import PersistIndex
import PersistPages
import PersistReport
import PersistRules
import PersistSchema
import PersistServer
import PersistVersions

/// Does what agents ask for, in the current folder; it writes nothing.
struct AgentTools: Sendable {
  private let session = ServerSession(forgivesBrokenSyntax: false)
  private let options: Options

  init(_ options: Options) {
    var options = options
    options.isQuiet = true
    options.session = session
    self.options = options
  }

  /// The outcome of a call.
  func perform(_ call: ToolCall, _ cancellation: Cancellation) -> ToolOutcome {
    do throws(CommandError) {
      switch call {
      case .lint(let call): return .findings(try lint(call, cancellation))
      case .schema(let version):
        begin(cancellation)
        let (_, sources) = try sources()
        let life = SchemaLife(try sources.current(), lock: try sources.lock())
        return .value(try life.json(showing: version))
      case .schemaDiff(let from, let to):
        begin(cancellation)
        let (_, sources) = try sources()
        return .value(try SchemaDifference(from: from, to: to, in: sources).members)
      case .freeze(let all):
        begin(cancellation)
        return .value(try freeze(all: all))
      case .store(let file, let paths):
        begin(cancellation)
        return .value(try StoreJSON(file, options, paths: paths).json)
      }
    } catch {
      switch error {
      case .usage(let reason), .refusal(let reason): return .failure(reason.onOneLine)
      }
    }
  }

  /// Frees what the last call has left.
  @Sendable func cleanUp() { session.freeSpent() }

  private func begin(_ cancellation: Cancellation) {
    session.begin(texts: [:], cancellation)
  }

  private func sources() throws(CommandError) -> (Configuration, SchemaSources) {
    let configuration = try Configuration.load(named: nil, forPaths: [])
    let sources = SchemaSources(
      options, configuration, jobs: options.jobs ?? System.processorCount)
    try sources.requireNamedLock()
    return (configuration, sources)
  }

  private func lint(_ call: LintCall, _ cancellation: Cancellation) throws(CommandError) -> Report {
    var options = options
    options.operands = call.paths
    options.only = call.rules
    if let text = call.text {
      let name = call.path ?? options.standardInputName
      guard InputFile.Kind(path: name) == .swift else {
        throw .usage("'\(name)' is not a Swift file; `text` is the code of one")
      }
      guard let path = name.resolvedOrPlanned else {
        throw .refusal("\(name): its folder isn't there")
      }
      options.operands = [name]
      session.begin(texts: [path: Array(text.utf8)], cancellation)
    } else {
      begin(cancellation)
    }
    return try LintRun.finished(options).report(seconds: 0)
  }

  private func freeze(all: Bool) throws(CommandError) -> JSON {
    var options = options
    options.freezesAll = all
    let (configuration, sources) = try sources()
    let plan = try FreezePlan(sources, options, configuration)
    let difference = UnifiedDifference(
      path: sources.lockPath, old: plan.isNew ? [] : Array(plan.old.text.utf8),
      new: plan.changes ? Array(plan.lock.text.utf8) : Array(plan.old.text.utf8))
    return [
      "lock": .string(sources.lockPath), "added": .array(plan.written.map { .string($0) }),
      "leftOut": .array(plan.leftOut.map { .string($0) }),
      "difference": .string(plan.changes ? difference.text : ""),
    ]
  }
}

extension LintRun {
  /// One run of a server, without what a baseline accepts.
  static func finished(_ options: Options) throws(CommandError) -> LintRun {
    var configuration = try Configuration.load(for: options)
    configuration.choose(options)
    var options = options
    try options.expandPatterns(configuration)
    options.fill(from: configuration)
    var run = try LintRun(options, configuration, jobs: options.jobs ?? System.processorCount)
    try run.leaveOutWhatIsAccepted(reportsFixed: false)
    return run
  }

  /// What was found, in so many seconds.
  func report(seconds: Double) -> Report {
    Report(
      findings: result.findings.joinedByCause, suppressed: result.suppressed,
      notices: input.notices,
      pages: RulePage.all, sources: input.sources(of: result),
      statistics: Statistics(
        files: input.files.count { $0.kind == .swift }, schemaVersions: result.schemaVersions,
        containers: result.containers, seconds: seconds),
      version: Persistlint.version)
  }
}
