import PersistIndex
import PersistPages
import PersistReport
import PersistRules
import PersistVersions

/// Prints what holds for the project, or for one of its files.
@Sendable func runConfig(_ options: Options) throws(CommandError) -> ExitCode {
  if options.wantsSchema { return try show(ConfigurationKey.schema.text) }
  guard options.operands.count <= 1 else {
    throw .usage("config takes one FILE at most")
  }
  let path = options.operands.first.map { System.resolve($0) ?? $0 }
  // As a run from here sees the file.
  var configuration = try Configuration.load(named: options.configuration, forPaths: [])
  if let path, options.configuration == nil, !path.hasPrefix(configuration.folder.inner("")) {
    configuration = try Configuration.load(named: nil, forPaths: options.operands)
  }
  configuration.choose(options)
  if let path { try configuration.findNested(for: [path], options) }
  let holder = path.flatMap(configuration.nestedHolder) ?? configuration
  var effective: JSON = [:]
  effective.add("file", holder.file.map { .string($0) })
  effective.add("extends", holder.bases.first?.file.map { .string($0) })
  effective.add("include", .array(holder.include.map { .string($0) }))
  effective.add("exclude", .array(holder.exclude.map { .string($0) }))
  if let path {
    let filters = [configuration, holder].map { $0.filter(respectsGitIgnore: false) }
    effective.add("linted", .boolean(filters.allSatisfy { $0.wants(path) }))
  }
  effective.add(
    "select", holder.selected.map { .array($0.map(\.text).sorted().map { .string($0) }) })
  effective.add(
    "ignore",
    holder.ignored.isEmpty ? nil : .array(holder.ignored.map(\.text).sorted().map { .string($0) }))
  let rules = RulePage.all.map { page in
    let setting =
      path.map { configuration.setting(of: page.id, inFile: $0) } ?? configuration.rules[page.id]
    return (key: page.id.text, value: JSON.string(page.effectiveWord(setting)))
  }
  effective.add("rules", .object(rules))
  effective.add("requireReason", .boolean(holder.requiresReason))
  effective.add("baseline", configuration.baseline.map { .string($0) })
  effective.add("lock", configuration.lock.map { .string($0) })
  add(configuration.project, to: &effective)
  let formats = configuration.formats.map { request in
    JSON.string(request.format.rawValue + (request.file.map { ":\($0)" } ?? ""))
  }
  effective.add("formats", .array(formats))
  effective.add("failOn", .string((configuration.failOn ?? .error).rawValue))
  return try show(effective.text)
}

private func add(_ project: ProjectFacts, to effective: inout JSON) {
  effective.add("released", project.released.map { .array($0.sorted().map { .string($0) }) })
  effective.add("sync", project.syncs.map { .boolean($0) })
  effective.add("appGroup", project.isInAppGroup.map { .boolean($0) })
  let names = [
    ("openers", project.openers), ("backups", project.backups), ("locks", project.locks),
    ("assertions", project.assertions),
  ]
  let given = names.filter { !$1.texts.isEmpty }.map { key, names in
    (key: key, value: JSON.array(names.texts.map { .string($0) }))
  }
  effective.add("names", given.isEmpty ? nil : .object(given))
}

extension RulePage {
  /// The severity by which the rule judges, or `off`.
  fileprivate func effectiveWord(_ setting: Configuration.RuleSetting?) -> String {
    switch setting {
    case .off: "off"
    case .severity(let severity): severity.rawValue
    case .on: (severity ?? .warning).rawValue
    case nil: severity?.rawValue ?? "off"
    }
  }
}
