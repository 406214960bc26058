import PersistIndex
import PersistRules
import PersistSchema
import PersistVersions

/// Takes the shape of a version from a store that it wrote, instead of from the sources.
func freezeFromStore(
  _ path: String, _ sources: SchemaSources, _ options: Options, _ configuration: Configuration
) throws(CommandError) -> ExitCode {
  let input = try StoreInput(path)
  guard let shape = input.file.shape, let metadata = input.file.metadata else {
    throw .refusal("\(path): the store doesn't contain its model, so there is nothing to freeze")
  }
  let program = try sources.current().program
  let diagnosis = StoreDiagnosis(shape, identifiers: metadata.versionIdentifiers, in: program)
  let comparison = try version(of: path, diagnosis, named: options.operands)
  var existing = options
  if (try? System.status(of: sources.lockPath)) == nil { existing.lock = nil }
  var lock = try SchemaSources(existing, configuration, jobs: 1).lock() ?? LockFile()
  let old = lock
  if let frozen = lock.versions[comparison.key], frozen.facts != comparison.store.facts,
    !options.freezesAgain
  {
    throw .refusal(
      "\(comparison.key) is already frozen and differs from the store; rewrite it with --again")
  }
  lock.versions[comparison.key] = comparison.store
  lock.plans = lock.plans.merging(program.planStates) { $1 }
  lock.format = LockFile.newestFormat
  lock.note(
    store: metadata.checksum, hashes: metadata.entityHashes.mapValues(\.hex),
    of: comparison.key)
  if lock != old { try sources.write(lock, options, configuration) }
  if !comparison.isExact {
    warn("\(comparison.name) differs from the store: \(comparison.reason)")
  }
  say("\(sources.lockPath): froze \(comparison.key) as \(path) holds it")
  return .clean
}

/// The version that wrote the store: the one that is named, else the only one that matches.
private func version(
  of path: String, _ diagnosis: StoreDiagnosis, named names: [String]
) throws(CommandError) -> StoreComparison {
  guard names.count < 2 else {
    throw .usage("a store has one version; name one, not \(names.joined(separator: ", "))")
  }
  if let name = names.first {
    let known = diagnosis.comparisons.filter {
      $0.key == name || SchemaProgram.lastPart(of: $0.key) == name
    }
    if let match = known.first { return match }
    throw .usage(
      "no version is called '\(name)'"
        + suggestion(for: name, in: diagnosis.comparisons.map(\.key).sorted()))
  }
  if let exact = diagnosis.exact.first { return exact }
  guard let nearest = diagnosis.comparisons.first else {
    throw .refusal("the sources declare no schema version that the store could be of")
  }
  throw .refusal(
    "no version of the sources wrote \(path): \(nearest.reason); name the version that did, as "
      + "`persistlint freeze \(nearest.key.asShellWord) --from-store \(path.asShellWord)`")
}

extension String {
  /// The text as a shell takes it for one word.
  var asShellWord: String {
    let isPlain =
      !isEmpty
      && allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+@%:,=".contains($0))
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

extension LockFile {
  /// Keeps what a store says of a version: its checksum, and the version hash of each entity.
  fileprivate mutating func note(store checksum: String?, hashes: [String: String], of key: String)
  {
    var lines = (sections[.stores]?.lines ?? []).filter { $0.first != key }
    if let checksum { lines.append([key, "checksum", checksum]) }
    lines += hashes.map { [key, "entity", $0.key, $0.value] }
    sections[.stores] = LockSection(
      .stores, lines: lines.sorted { $0.lexicographicallyPrecedes($1) })
  }
}

/// Says which of the stores that are kept in the repository match no version.
func warnOfStrangeStores(in program: SchemaProgram) {
  for path in System.storesOfRepository {
    guard let input = try? StoreInput(path), let shape = input.file.shape else { continue }
    let identifiers = input.file.metadata?.versionIdentifiers ?? []
    let diagnosis = StoreDiagnosis(shape, identifiers: identifiers, in: program)
    guard diagnosis.exact.isEmpty, let nearest = diagnosis.comparisons.first else { continue }
    warn("\(path) matches no version: \(nearest.reason)")
  }
}
