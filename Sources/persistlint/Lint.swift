import PersistIndex
import PersistProject
import PersistReport
import PersistRules
import PersistSchema
import PersistSyntax
import PersistVersions

/// What the analysis says of a set of files.
struct LintResult: Sendable {
  /// Sorted by path, offset, rule.
  var findings: [Finding] = []
  var suppressed: [SuppressedFinding] = []
  var schemaVersions = 0
  var containers = 0
  /// What can't be judged in the schemas, and why.
  var notices: [Notice] = []
  /// The rules whose silence doesn't mean that there is nothing to find.
  var unjudged: Set<RuleID> = []
  /// Whether there are versions that a newer one follows.
  var hasShippedVersions = false
  /// The keys of all versions.
  var versionKeys: Set<String> = []
  /// The names of the configuration that nothing in the sources is called by.
  var unusedNames: [(name: String, nearest: String)] = []
  /// What bounds of the analysis cut short, sorted.
  var limits: [String] = []
}

/// What the configuration says to the analysis.
struct LintSettings: Sendable {
  /// The rules to judge by; nil for those that are on by default.
  var rules: Set<RuleID>?
  /// What has shipped.
  var base: SchemaBase?
  /// What the configuration says of the project.
  var project = ProjectFacts()
  /// Whether a suppression has to say why.
  var requiresReason = true
  /// Whether the files are only a part of the project, so that silence means nothing.
  var isPart = false
  /// What a server keeps between its runs; nil where the process ends with the run.
  var session: ServerSession?
}

/// Judges the files; the same for any number of threads.
func lint(
  _ files: [InputFile], dataModels: [DataModel], settings: LintSettings, jobs: Int,
  progress: Progress? = nil
) -> LintResult {
  let index = sourceIndex(
    of: files, dataModels: dataModels, settings: settings, jobs: jobs, progress: progress)
  return judge(index, settings, jobs: jobs, progress)
}

/// Reads the files and joins what they declare.
func sourceIndex(
  of files: [InputFile], dataModels: [DataModel], settings: LintSettings, jobs: Int,
  progress: Progress? = nil
) -> SourceIndex {
  let sources = files.filter { $0.kind == .swift }
  progress?.begin("", sources.count, "files")
  let rootDepth = SourceFile.rootDepth(of: sources.map(\.path))
  let written = parallelMap(sources, jobs: jobs) { file -> SourceFile? in
    if let known = settings.session?.source(of: file, rootDepth) { return known }
    let outline = file.outline ?? Outline(file.text)
    var source: SourceFile?
    Defects.watch("the reading of \(file.path)") {
      let tables = Timings.measure(.words) { FileTables(outline) }
      source = Timings.measure(.facts) {
        SourceFile(path: file.path, outline: outline, tables: tables, rootDepth: rootDepth)
      }
    }
    progress?.advance()
    if let source { settings.session?.keep(source, rootDepth) }
    return source
  }
  let known = written.compactMap { $0 }
  let parsed = known + generatedSources(of: dataModels, files, beside: known, rootDepth)
  let input = SchemaInput(
    dataModels: dataModels,
    hasMappingModels: files.contains { $0.kind == .mappingModel }, base: settings.base,
    projectFiles: files.compactMap { file in
      file.kind == .project ? ProjectFile(path: file.path) { file.bytes } : nil
    },
    project: settings.project)
  return Timings.measure(.join) { SourceIndex(parsed, input: input) }
}

/// The classes of Core Data models that the files don't declare.
private func generatedSources(
  of models: [DataModel], _ files: [InputFile], beside written: [SourceFile], _ rootDepth: Int
) -> [SourceFile] {
  models.compactMap { model in
    files.first { $0.path == model.current?.path }.flatMap {
      SourceFile(
        generatedFrom: model, beside: written, bytes: $0.bytes, rootDepth: rootDepth)
    }
  }
}

/// With more programs over one index, more is found out twice than is gained: the rules of one group
/// would be taken by two of them.
private let mostPrograms = 2

/// Has the rules run by so many threads, each with a program of its own over the one index.
///
/// Rules that ask for much the same stand together. So one half of the threads takes them from the
/// front and the other from the back, and little is found out twice.
private func judge(
  _ index: SourceIndex, _ settings: LintSettings, jobs: Int, _ progress: Progress?
) -> LintResult {
  let rules = Registry.asked(settings.rules)
  let files = index.files.count
  progress?.begin("\(Progress.grouped(files)) files", rules.count, "rules")
  let jobs = max(1, min(jobs, rules.count, mostPrograms))
  let pending = Guarded(rules[...])
  let parts = parallelMap(Array(0..<jobs), jobs: jobs) { thread in
    Timings.measure(.rules) {
      let program = Program(index)
      // The process ends soon; freeing a million nodes would take as long as making them.
      if let session = settings.session {
        session.keepUntilAnswered(program)
      } else {
        _ = Unmanaged.passRetained(program)
      }
      var part = LintResult()
      if thread == jobs - 1 { part.describe(program, settings) }
      while let rule = pending.whileHeld({ thread % 2 == 0 ? $0.popFirst() : $0.popLast() }) {
        if settings.session?.isCancelled ?? false { break }
        part.findings += Registry.check(
          program, by: rule, makesFixes: true, watch: Defects.watch)
        progress?.advance()
      }
      part.limits = program.limitHits.keys.map(\.subject)
      return part
    }
  }
  var result = parts.last ?? LintResult()
  result.limits = Set(parts.flatMap(\.limits) + index.limitsHit.map(\.subject)).sorted()
  let findings = parts.flatMap(\.findings).sortedForReport
  return onLargeStack { [result] in
    var result = result
    let judgement = Timings.measure(.rules) {
      Program(index).judge(
        findings, by: settings.rules, isPart: settings.isPart,
        requiresReason: settings.requiresReason)
    }
    result.findings = judgement.findings
    result.suppressed = judgement.suppressed.map {
      SuppressedFinding(finding: $0.finding, kind: .inSource, justification: $0.reason)
    }
    return result
  }
}

extension LintResult {
  /// Takes in what is to be said of the sources besides findings.
  fileprivate mutating func describe(_ program: Program, _ settings: LintSettings) {
    schemaVersions = program.schema.versionCount
    containers = Set(program.storeFlow.openings.map(\.root)).count
    notices = program.schemaNotices
    unjudged = Registry.ids.subtracting(Registry.judging(program, ids: settings.rules))
    versionKeys = Set(program.schema.frozenShapes(includingNewest: true).keys)
    hasShippedVersions = !program.schema.frozenShapes(includingNewest: false).isEmpty
    let unused = program.unusedNames
    let spelled = unused.isEmpty ? [] : program.spelledNames
    unusedNames = unused.map { (name: $0, nearest: suggestion(for: $0, in: spelled)) }
  }
}
