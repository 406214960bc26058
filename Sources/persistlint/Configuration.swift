import PersistIndex
import PersistPages
import PersistReport
import PersistRules

/// What a project has decided: which files, which rules, what fails, where it goes.
struct Configuration: Sendable {
  static let fileName = ".persistlint.json"

  /// What is to become of a rule's findings.
  enum RuleSetting: Sendable, Equatable {
    case off, on
    case severity(Severity)

    /// Every word for one in a configuration.
    static let words = ["off", "on"] + Severity.allCases.map(\.rawValue)

    init?(_ word: String) {
      switch word {
      case "off": self = .off
      case "on": self = .on
      default:
        guard let severity = Severity(rawValue: word) else { return nil }
        self = .severity(severity)
      }
    }
  }

  /// Other settings for some of the files.
  struct Override: Sendable {
    let patterns: [String]
    let paths: PathPatterns
    let rules: [RuleID: RuleSetting]
  }

  /// The resolved folder that all paths are relative to.
  var folder: String
  /// The file it was read from; nil where there is none.
  var file: String?
  /// What the file says.
  var text = ""
  /// The keys that stand in the file itself.
  var keys: Set<String> = []
  /// The file that it goes on from, as it is written.
  var extended: String?
  /// The configuration that it goes on from, if there is one.
  var bases: [Configuration] = []
  /// Those of folders further in, each of which holds for the files there.
  var nested: [Configuration] = []
  /// Files near by that look like configurations, and that nobody reads.
  var strangers: [Notice] = []
  var include: [String] = []
  var exclude: [String] = []
  /// The only rules to judge by; nil for all that are on.
  var selected: Set<RuleID>?
  /// The rules to leave out.
  var ignored: Set<RuleID> = []
  var rules: [RuleID: RuleSetting] = [:]
  var overrides: [Override] = []
  var requiresReason = true
  var baseline: String?
  var lock: String?
  /// What holds for the project, though its sources don't tell.
  var project = ProjectFacts()
  var formats: [FormatRequest] = []
  var failOn: Severity?

  init(folder: String) { self.folder = folder }

  /// Takes the rules that the arguments choose, and else those that the file does.
  mutating func choose(_ options: Options) {
    if let only = options.only {
      overrides = []
      rules = [:]
      for page in RulePage.all where !only.contains(page.id) { rules[page.id] = .off }
      for page in RulePage.all where only.contains(page.id) && page.severity == nil {
        rules[page.id] = .on
      }
    }
    let isOwn = options.only == nil
    let left = (options.selected ?? (isOwn ? selected : nil)).map { selected in
      Set(RulePage.all.map(\.id)).subtracting(selected)
    }
    let ignored = isOwn ? ignored.subtracting(options.selected ?? []) : []
    for rule in options.ignored.union(ignored).union(left ?? []) {
      rules[rule] = .off
      overrides = overrides.map { override in
        Override(
          patterns: override.patterns, paths: override.paths,
          rules: override.rules.filter { $0.key != rule })
      }
    }
    for index in nested.indices { nested[index].choose(options) }
  }

  /// A path of the configuration as seen from the current folder.
  func placed(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = System.resolve("."), folder != current else {
      return path
    }
    let inner = current == "/" ? current : current + "/"
    return (folder.hasPrefix(inner) ? String(folder.dropFirst(inner.count)) : folder) + "/" + path
  }

  /// The files that are wanted.
  func filter(respectsGitIgnore: Bool) -> FileWalk.Filter {
    FileWalk.Filter(
      respectsGitIgnore: respectsGitIgnore,
      included: include.isEmpty ? nil : PathPatterns(include, in: folder),
      excluded: exclude.isEmpty ? nil : PathPatterns(exclude, in: folder),
      bases: bases.map { $0.filter(respectsGitIgnore: respectsGitIgnore) })
  }

  /// What holds for a rule in a file; the last override that names both decides.
  func setting(of rule: RuleID, inFile path: String) -> RuleSetting? {
    if let holder = nestedHolder(of: path) { return holder.setting(of: rule, inFile: path) }
    let override = overrides.last { $0.rules[rule] != nil && $0.paths.coversFile(path) }
    return override?.rules[rule] ?? rules[rule]
  }

  /// The rules that judge at least one file; nil where the pages alone decide.
  var judgingRules: Set<RuleID>? {
    let all = [self] + nested
    guard all.contains(where: { !$0.rules.isEmpty || !$0.overrides.isEmpty }) else { return nil }
    return Set(
      RulePage.all.filter { page in all.contains { $0.judges(page) } }.map(\.id))
  }

  private func judges(_ page: RulePage) -> Bool {
    let isOn = rules[page.id].map { $0 != .off } ?? (page.severity != nil)
    return isOn || overrides.contains { $0.rules[page.id].map { $0 != .off } ?? false }
  }

  /// The finding as the project wants it; nothing where its rule is off.
  func judge(_ finding: Finding, inFile path: String) -> Finding? {
    let holder = nestedHolder(of: path) ?? self
    if !holder.requiresReason, InvalidSuppression.asksForReason(finding) { return nil }
    switch setting(of: finding.rule, inFile: path) {
    case .off: return nil
    case .severity(let severity): return finding.with(severity)
    case .on: return finding
    case nil:
      let page = RulePage.all.first { $0.id == finding.rule }
      // On elsewhere by an override, but not here.
      return page != nil && page?.severity == nil ? nil : finding
    }
  }
}

extension Finding {
  /// The same finding with another severity.
  func with(_ severity: Severity) -> Finding {
    Finding(
      rule: rule, severity: severity, message: message, location: location, related: related,
      symbol: symbol, flow: flow, fix: fix, cause: cause)
  }
}
