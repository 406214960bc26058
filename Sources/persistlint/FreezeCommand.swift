import PersistIndex
import PersistSchema
import PersistVersions

/// Writes versions into the lock file.
@Sendable func runFreeze(_ options: Options) throws(CommandError) -> ExitCode {
  let configuration = try Configuration.load(named: options.configuration, forPaths: [])
  let sources = SchemaSources(
    options, configuration, jobs: options.jobs ?? System.processorCount)
  if let file = options.testsFile { return try writeTests(file, sources, options) }
  if let store = options.fromStore {
    return try freezeFromStore(store, sources, options, configuration)
  }
  guard !options.checksTests, options.testsModule == nil else {
    throw .usage("--check and --module go with --tests FILE")
  }
  let plan = try FreezePlan(sources, options, configuration)
  if plan.isEmpty {
    say(
      configuration.project.released == nil
        ? "nothing to freeze: there is only the newest version; --all freezes it too"
        : "nothing to freeze: the configuration names no released version")
  } else {
    if plan.changes { try sources.write(plan.lock, options, configuration) }
    say(
      plan.written.isEmpty
        ? "\(sources.lockPath) holds \(plan.wanted.joined(separator: ", ")) already"
        : "\(sources.lockPath): froze \(plan.written.joined(separator: ", "))")
  }
  for line in plan.leftOut { say("  \(line)") }
  return .clean
}

/// What a freeze would write.
struct FreezePlan {
  /// The lock as it is, and as it would be.
  let old: LockFile
  private(set) var lock: LockFile
  /// Whether there is no lock yet.
  let isNew: Bool
  /// What is to be frozen, by name.
  let wanted: [String]
  /// What is new in the lock or differs from it, for people.
  private(set) var written: [String] = []
  /// The versions that aren't frozen, each with the reason.
  let leftOut: [String]

  /// Whether there is nothing to freeze.
  var isEmpty: Bool { wanted.isEmpty }
  /// Whether the lock has to be written.
  var changes: Bool { !isEmpty && (lock != old || old.versions.isEmpty) }

  /// Throws where a frozen version has changed and isn't to be frozen again.
  init(
    _ sources: SchemaSources, _ options: Options, _ configuration: Configuration
  ) throws(CommandError) {
    isNew = (try? System.status(of: sources.lockPath)) == nil
    var existing = options
    if isNew { existing.lock = nil }
    old = try SchemaSources(existing, configuration, jobs: 1).lock() ?? LockFile()
    let snapshot = try sources.current()
    let program = snapshot.program
    warnOfStrangeStores(in: program)
    let named = Set(options.operands)
    let migrators = snapshot.migrators.filter { named.isEmpty || named.contains($0.name) }
    let realms = named.isEmpty ? snapshot.realms : []
    var operands = options
    operands.operands.removeAll { name in migrators.contains { $0.name == name } }
    let shapes =
      operands.operands.isEmpty && !named.isEmpty
      ? [:] : try wantedShapes(in: program, operands, configuration, frozen: old)
    leftOut = named.isEmpty ? versionsLeftOut(of: program, shapes, old, configuration) : []
    wanted = DataModel.sorted(shapes.keys) + migrators.map(\.name) + realms.map(\.name)
    lock = old
    guard !wanted.isEmpty else { return }
    written = try freeze(shapes, into: &lock, again: options.freezesAgain)
    lock.plans = lock.plans.merging(program.planStates) { $1 }
    written += try lock.freeze(migrators, again: options.freezesAgain)
    written += try lock.freeze(realms, again: options.freezesAgain)
    if options.freezesAgain || !written.isEmpty { lock.format = LockFile.newestFormat }
  }
}

/// The versions that aren't frozen, each with the reason.
private func versionsLeftOut(
  of program: SchemaProgram, _ wanted: [String: SchemaShape], _ lock: LockFile,
  _ configuration: Configuration
) -> [String] {
  let all = program.frozenShapes(includingNewest: true)
  let rest = DataModel.sorted(
    all.keys.filter { wanted[$0] == nil && lock.versions[$0] == nil })
  return rest.map { key in
    let reason: String
    if key == SchemaProgram.unversioned {
      reason = "the models have no version yet; --all freezes them as they are"
    } else if configuration.project.released != nil {
      reason = "`released` in the configuration doesn't name it"
    } else if key.contains(".xcdatamodel") {
      reason = "it is the model's current version; --all freezes it at a release"
    } else {
      reason = "it is the newest and may still change; --all freezes it at a release"
    }
    return "left out \(key): \(reason)"
  }
}

/// Puts the shapes of versions into the lock; returns the names of those that are new or differ.
private func freeze(
  _ wanted: [String: SchemaShape], into lock: inout LockFile, again: Bool
) throws(CommandError) -> [String] {
  var written: [String] = []
  for (key, shape) in wanted.sorted(by: { DataModel.naturallyPrecedes($0.key, $1.key) }) {
    if let frozen = lock.versions[key] {
      if frozen.facts == shape.facts { continue }
      guard again else {
        throw .refusal(
          "\(key) is frozen and has changed: \(difference(from: frozen, to: shape)); restore it, "
            + "or rewrite it with --again if nobody has it")
      }
    }
    for gap in shape.gaps { warn("\(key): \(gap.reason); it is not frozen") }
    lock.versions[key] = shape
    written.append(key)
  }
  return written
}

extension SchemaSources {
  /// Writes the lock file where the argument or the project wants it.
  func write(
    _ lock: LockFile, _ options: Options, _ configuration: Configuration
  ) throws(CommandError) {
    let destination = Destination(
      path: lockPath,
      naming: options.lock != nil
        ? .argument : .project(ProjectRoot(around: configuration.folder, configuration)),
      content: .lock)
    try destination.write(Array(lock.text.utf8))
  }
}

private func wantedShapes(
  in program: SchemaProgram, _ options: Options, _ configuration: Configuration, frozen: LockFile
) throws(CommandError) -> [String: SchemaShape] {
  let all = program.frozenShapes(includingNewest: true)
  if options.operands.isEmpty, options.freezesAll { return all }
  if !options.operands.isEmpty { return try shapes(named: options.operands, in: all) }
  guard let released = configuration.project.released else {
    return program.frozenShapes(includingNewest: false)
  }
  // A version that went stays as it is in the lock.
  let gone = Set(frozen.versions.keys).subtracting(all.keys)
  let names = released.filter { name in
    !gone.contains { $0 == name || SchemaProgram.lastPart(of: $0) == name }
  }
  return try shapes(named: names.sorted(), in: all)
}

private func shapes(
  named names: [String], in all: [String: SchemaShape]
) throws(CommandError) -> [String: SchemaShape] {
  var wanted: [String: SchemaShape] = [:]
  for name in names {
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
