import PersistReport
import PersistRules

/// Says what a log line or crash text means, and prints the findings that lead there.
func explainError(_ text: String, _ options: Options) throws(CommandError) -> ExitCode {
  let errors = KnownError.found(in: text)
  guard !errors.isEmpty else {
    warn(
      "nothing in this text is recognized; paste the line with the error's code or message, such as "
        + "134504 or \"could not fulfill a fault\"")
    return .clean
  }
  var output = ""
  let rules = Set(errors.flatMap(\.rules)).intersection(Registry.ids)
  for error in errors { output += "\(error.meaning)\n" }
  let configuration = try Configuration.load(
    named: options.configuration, forPaths: options.operands)
  let jobs = options.jobs ?? System.processorCount
  let input = try LintInput.gather(options, configuration, jobs: jobs)
  let base = try SchemaSources(options, configuration, jobs: jobs).base(for: input)
  let result = lint(
    input.files, dataModels: input.files.dataModels,
    settings: LintSettings(
      rules: rules, base: base, project: configuration.project,
      requiresReason: configuration.requiresReason, isPart: options.looksAtPart),
    jobs: jobs)
  let known = result.findings.sorted { left, right in
    (right.severity, left.location.path, left.location.start.offset)
      < (left.severity, right.location.path, right.location.start.offset)
  }
  for finding in known {
    let place = finding.location
    output +=
      "\(place.path):\(place.start.line):\(place.start.column): \(finding.severity.rawValue): "
      + "\(finding.message) [\(finding.rule)]\n"
  }
  if known.isEmpty {
    let names = rules.map(\.text).sorted().joined(separator: ", ")
    output += "no code found that leads there (looked for \(names))\n"
    let comparing =
      rules.intersection(Registry.comparing).isEmpty
      ? ""
      : "; compare with what "
        + "shipped by --against or a lock file to see more"
    if base == nil, !comparing.isEmpty {
      output += "there is no record of what has shipped\(comparing)\n"
    }
  }
  return try show(output)
}
