import PersistIndex
import PersistSchema

/// Writes versions into the lock file.
@Sendable func runFreeze(_ options: Options) throws(CommandError) -> ExitCode {
  let configuration = try Configuration.load(named: options.configuration, forPaths: [])
  let sources = SchemaSources(
    options, configuration, jobs: options.jobs ?? System.processorCount)
  var existing = options
  if (try? System.status(of: sources.lockPath)) == nil { existing.lock = nil }
  let old =
    try SchemaSources(existing, configuration, jobs: 1).lock() ?? LockFile()
  let program = try sources.current().program
  let wanted = try wantedShapes(in: program, options)
  if wanted.isEmpty {
    say("nothing to freeze: there is no version but the newest; --all freezes it as well")
    return .clean
  }
  var lock = old
  var written: [String] = []
  for (key, shape) in wanted.sorted(by: { $0.key < $1.key }) {
    if let frozen = old.versions[key] {
      if frozen.facts == shape.facts { continue }
      guard options.freezesAgain else {
        throw .refusal(
          "\(key) is frozen and differs now: \(difference(from: frozen, to: shape)); put it back, "
            + "or rewrite it with --again when nobody has it")
      }
    }
    for gap in shape.gaps { warn("\(key): \(gap.reason); it is not frozen") }
    lock.versions[key] = shape
    written.append(key)
  }
  lock.plans = lock.plans.merging(program.planStates) { $1 }
  if lock != old || old.versions.isEmpty {
    do {
      try System.replace(sources.lockPath, with: Array(lock.text.utf8))
    } catch {
      throw .refusal("\(sources.lockPath): \(error.reason)")
    }
  }
  say(
    written.isEmpty
      ? "\(sources.lockPath) holds \(wanted.keys.sorted().joined(separator: ", ")) already"
      : "\(sources.lockPath): froze \(written.joined(separator: ", "))")
  return .clean
}

private func wantedShapes(
  in program: SchemaProgram, _ options: Options
) throws(CommandError) -> [String: SchemaShape] {
  let all = program.frozenShapes(includingNewest: true)
  guard !options.operands.isEmpty else {
    return options.freezesAll ? all : program.frozenShapes(includingNewest: false)
  }
  var wanted: [String: SchemaShape] = [:]
  for name in options.operands {
    let keys = all.keys.filter { $0 == name || $0.hasSuffix("/" + name) }.sorted()
    guard let key = keys.first else {
      throw .usage("no version is called '\(name)'\(suggestion(for: name, in: all.keys.sorted()))")
    }
    guard keys.count == 1 || all[name] != nil else {
      throw .usage("'\(name)' may be \(keys.joined(separator: " or "))")
    }
    wanted[all[name] == nil ? key : name] = all[all[name] == nil ? key : name]
  }
  return wanted
}

private func difference(from old: SchemaShape, to new: SchemaShape) -> String {
  let changes = old.changes(to: new)
  let names = changes.prefix(3).map(\.subject.name).joined(separator: ", ")
  return changes.count > 3 ? "\(names) and \(changes.count - 3) more" : names
}
