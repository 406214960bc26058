import PersistIndex
import PersistProject
import PersistReport
import PersistRules
import PersistSchema
import PersistSyntax

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
  /// What the bounds of the analysis cut short, and how often.
  var limits: [(subject: String, hits: Int)] = []
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
  /// Whether somebody will see the fixes, or use them.
  var makesFixes = false
  /// False to look at every file, whether it matters or not; the findings are the same.
  var takesShortcuts = true
}

/// Judges the files; the same for any number of threads.
func lint(
  _ files: [InputFile], dataModels: [DataModel], settings: LintSettings, jobs: Int
) -> LintResult {
  let sources = files.filter { $0.kind == .swift }
  let rootDepth = SourceFile.rootDepth(of: sources.map(\.path))
  // Versions and models are looked for in all files, once SwiftData is there.
  let wantsAll =
    !settings.takesShortcuts || sources.contains { $0.scan?.words.mayUseSwiftData ?? true }
    // Where a file matters, questions lead to most of the others; several threads outline those
    // before the one that asks comes to them.
    || jobs > 1 && sources.contains { $0.scan?.words.mayMatter ?? true }
  let written = parallelMap(Array(sources.enumerated()), jobs: jobs) { index, file in
    let scan = file.scan ?? InputFile.Scan(file.text)
    let source = SourceFile(
      path: file.path, text: file.text, words: scan.words, tokens: scan.tokens,
      outline: scan.outline, rootDepth: rootDepth)
    if wantsAll || scan.words.mayMatter { prepare(source, at: index) }
    return source
  }
  let parsed = written + generatedSources(of: dataModels, files, rootDepth, from: written.count)
  let input = SchemaInput(
    dataModels: dataModels,
    hasMappingModels: files.contains { $0.kind == .mappingModel }, base: settings.base,
    projectFiles: files.compactMap { file in
      file.kind == .project ? ProjectFile(path: file.path) { file.bytes } : nil
    },
    project: settings.project)
  return onLargeStack { judge(parsed, input, settings) }
}

/// The classes that Xcode generates from Core Data models, which come behind as many files
/// as `index` says.
private func generatedSources(
  of models: [DataModel], _ files: [InputFile], _ rootDepth: Int, from index: Int
) -> [SourceFile] {
  let sources = models.compactMap { model in
    files.first { $0.path == model.current?.path }.flatMap {
      SourceFile(generatedFrom: model, bytes: $0.bytes, rootDepth: rootDepth)
    }
  }
  for (place, source) in sources.enumerated() { source.prepare(at: index + place) }
  return sources
}

private func prepare(_ source: SourceFile, at index: Int) {
  Timings.measure(.outline) {
    Defects.watch("the reading of \(source.path)") { _ = source.outline }
  }
  Timings.measure(.facts) {
    Defects.watch("the reading of \(source.path)") { source.prepare(at: index) }
  }
}

private func judge(
  _ files: [SourceFile], _ input: SchemaInput, _ settings: LintSettings
) -> LintResult {
  let program = Timings.measure(.join) {
    Program(files, takesShortcuts: settings.takesShortcuts)
  }
  // The process ends soon; freeing a million nodes would take as long as making them.
  _ = Unmanaged.passRetained(program)
  program.schemaInput = input
  let judgement = Timings.measure(.rules) {
    program.judge(
      Registry.check(
        program, ids: settings.rules, makesFixes: settings.makesFixes, watch: Defects.watch),
      by: settings.rules, isPart: settings.isPart,
      requiresReason: settings.requiresReason)
  }
  var result = LintResult()
  result.schemaVersions = program.schema.versionCount
  result.containers = Set(program.storeFlow.openings.map(\.root)).count
  result.notices = program.schemaNotices
  result.unjudged = Registry.ids.subtracting(Registry.judging(program, ids: settings.rules))
  result.limits = program.limitHits.map { (subject: $0.subject, hits: $1) }
    .sorted { $0.subject < $1.subject }
  result.versionKeys = Set(program.schema.frozenShapes(includingNewest: true).keys)
  let unused = program.unusedNames
  let spelled = unused.isEmpty ? [] : program.spelledNames
  result.unusedNames = unused.map { (name: $0, nearest: suggestion(for: $0, in: spelled)) }
  result.hasShippedVersions = !program.schema.frozenShapes(includingNewest: false).isEmpty
  result.findings = judgement.findings
  result.suppressed = judgement.suppressed.map {
    SuppressedFinding(finding: $0.finding, kind: .inSource, justification: $0.reason)
  }
  return result
}
