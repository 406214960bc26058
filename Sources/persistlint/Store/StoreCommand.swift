import PersistIndex
import PersistSchema
import PersistStore

/// Shows what a store file says of itself, and which version of the sources wrote it.
@Sendable func runStore(_ options: Options) throws(CommandError) -> ExitCode {
  var operands = options.operands
  if let text = options.errorText {
    return try explainError(text, options)
  }
  guard !operands.isEmpty else {
    throw .usage("store needs the FILE of a store, such as default.store, or --error TEXT")
  }
  let input = try StoreInput(operands.removeFirst())
  let diagnosis = try operands.isEmpty ? nil : diagnose(input, options, paths: operands)
  switch options.storeFormat {
  case .json: return try show(StoreJSON(input: input, diagnosis: diagnosis).text)
  case .text: return try show(StoreText(input).text + (diagnosis?.text ?? ""))
  }
}

/// How `store` prints.
enum StoreFormat: String, CaseIterable, Sendable { case text, json }

/// What the sources at the paths say of a store.
func diagnose(
  _ input: StoreInput, _ options: Options, paths: [String]
) throws(CommandError) -> (any StoreVerdict)? {
  var options = options
  options.operands = paths
  let configuration = try Configuration.load(named: options.configuration, forPaths: paths)
  let sources = SchemaSources(
    options, configuration, jobs: options.jobs ?? System.processorCount)
  let file = input.file
  switch file.maker {
  case .grdb, .sqlite:
    let snapshot = try sources.current(paths: paths)
    return MigrationsDiagnosis(ran: file.migrations, snapshot, lock: try sources.lock())
  case .coreData, .swiftData:
    guard let shape = file.shape else {
      warn("\(input.path): without a model in the store there is nothing to compare")
      return nil
    }
    return StoreDiagnosis(
      shape, identifiers: file.metadata?.versionIdentifiers ?? [],
      in: try sources.current(paths: paths).program)
  }
}
