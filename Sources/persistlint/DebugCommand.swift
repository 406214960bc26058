import PersistFlow
import PersistIndex
import PersistSchema
import PersistSyntax

/// Shows what the analysis makes of files or folders: `debug bodies PATH…`, `debug facts PATH…`,
/// `debug calls PATH…`, `debug texts PATH…`.
@Sendable func runDebug(_ options: Options) throws(CommandError) -> ExitCode {
  guard let what = options.operands.first, options.operands.count > 1 else {
    throw .usage("debug needs what to show and files, such as debug bodies Sources/Store.swift")
  }
  var options = options
  options.operands.removeFirst()
  let configuration = try Configuration.load(for: options)
  let jobs = options.jobs ?? System.processorCount
  let input = try LintInput.gather(options, configuration, jobs: jobs)
  let index = sourceIndex(
    of: input.files, dataModels: input.files.dataModels,
    settings: LintSettings(project: input.configuration.project),
    jobs: jobs)
  let program = Program(index)
  switch what {
  case "bodies":
    let text = BodyText(Bodies(of: program), of: program)
    return try show(program.files.indices.map { text.text(ofFile: $0) }.joined(separator: "\n"))
  case "facts": return try show(FactsText(Facts(of: program), of: program).text)
  case "calls": return try show(CallReport(of: program).text)
  case "texts": return try show(TextReport(of: program).text)
  default: throw .usage("debug shows bodies, facts, calls or texts, not '\(what)'")
  }
}
