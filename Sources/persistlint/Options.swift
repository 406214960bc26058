import PersistPages
import PersistReport
import PersistRules

/// What the arguments say.
struct Options: Sendable {
  var operands: [String] = []
  var formats: [FormatRequest] = []
  var output: String?
  /// Error, unless told otherwise here or in the configuration.
  var failOn: Severity?
  /// Rules and groups: to judge by these alone, to leave out, and to judge by whatever holds.
  var selected: Set<RuleID>?
  var ignored: Set<RuleID> = []
  var only: Set<RuleID>?
  /// Patterns of files and folders to leave out, relative to the current folder.
  var excluded: [String] = []
  /// Whether files that are named are judged without the rest of their project.
  var looksAtFilesAlone = false
  /// Whether `filesFrom` ends each name with a NUL.
  var separatesByNull = false
  var isStrict = false
  var exitsZero = false
  var isQuiet = false
  var colours = ColourChoice.auto
  var showsStatistics = false
  var explainsFlow = false
  /// Whether findings show their source wherever they are printed.
  var showsContext = false
  var baseline: String?
  var writesBaseline = false
  var prunesBaseline = false
  /// What of the baseline is to be changed, where that is a part of the project.
  var baselineScope: BaselineScope?
  var configuration: String?
  var wantsSchema = false
  var respectsGitIgnore = true
  var changedSince: String?
  var isStaged = false
  var filesFrom: String?
  var reportUnder: String?
  /// A source file without code that build systems take for the output of a run.
  var stamp: String?
  /// The folder whose configuration holds, whatever the paths are.
  var project: String?
  /// Where the last run that a build system asked for is remembered.
  var runs: String?
  var fixes = false
  var fixesUnsafely = false
  var showsDifference = false
  /// Why the findings of today are silenced by comments.
  var suppressionReason: String?
  var wantsHook = false
  var wantsWorkflow = false
  var tellsAgents = false
  var lock: String?
  var against: String?
  var againstRelease: String?
  var freezesAll = false
  var freezesAgain = false
  /// The store that a version is frozen from.
  var fromStore: String?
  /// Where the tests of the versions that shipped are written.
  var testsFile: String?
  var testsModule: String?
  var checksTests = false
  var schemaFormat = SchemaFormat.text
  /// The versions that a diagram shows; empty for all.
  var diagramVersions: [String] = []
  var storeFormat = StoreFormat.text
  /// A log line or crash text whose cause is looked for.
  var errorText: String?
  /// What standard input is linted as; nil where no argument says.
  var givenInputName: String?
  var standardInputName: String { givenInputName ?? "stdin.swift" }
  var sarifCategory: String?
  var includesSuppressed = false
  /// How many threads; nil for as many as there are processors.
  var jobs: Int?
  /// What a server keeps between its runs; nil where the process makes only one.
  var session: ServerSession?
  /// In bytes.
  var largestFile = FileReader.Limit.source
  /// Whether the arguments, and not the configuration, name the baseline.
  private(set) var namesBaseline = false
  /// Whether the arguments, and not the configuration, name the files of reports.
  private(set) var namesReports = false
  var listsAsJSON = false
  var wantsHelp = false
  var wantsVersion = false

  /// The least severity that makes the run fail.
  var failingSeverity: Severity {
    let severity = failOn ?? .error
    return isStrict ? min(severity, .warning) : severity
  }

  /// Whether only single files are named, and not a folder.
  var looksAtPart: Bool {
    !operands.isEmpty
      && operands.allSatisfy { $0 == "-" || (try? System.status(of: $0))?.kind != .folder }
  }

  /// Whether only an editor or agent has the file that an operand names.
  func isNewFile(_ operand: String) -> Bool {
    guard let session, !System.hasEntry(operand) else { return false }
    return operand.resolvedOrPlanned.map(session.edits) ?? false
  }

  /// Refuses arguments that contradict each other, or that would lose something.
  func checkCombinations() throws(CommandError) {
    if givenInputName != nil, !operands.contains("-") {
      throw .usage("--stdin-filename names standard input: write - among the PATHs")
    }
    if separatesByNull, filesFrom == nil { throw .usage("--null goes with --files-from") }
    if only != nil, selected != nil { throw .usage("--only and --select can't be combined") }
    let changes = [("--fix", fixes), ("--unsafe-fixes", fixesUnsafely)].first { $0.1 }
    if writesBaseline || prunesBaseline, looksAtPart {
      throw .usage(
        "\(writesBaseline ? "--write-baseline" : "--prune-baseline") looks at the whole project: "
          + "name no single files")
    }
    if writesBaseline, let changes {
      throw .usage("\(changes.0) and --write-baseline can't be combined: fix first, then accept")
    }
    let suppresses = suppressionReason == nil ? nil : "--add-ignore"
    if let suppresses, let other = changes?.0 ?? (writesBaseline ? "--write-baseline" : nil) {
      throw .usage("\(suppresses) and \(other) can't be combined")
    }
    if writesBaseline, selected != nil || only != nil || !ignored.isEmpty {
      throw .usage("--write-baseline accepts the findings of all rules: don't select rules")
    }
  }

  /// Fills what the arguments leave open.
  mutating func fill(from configuration: Configuration) {
    failOn = failOn ?? configuration.failOn
    namesBaseline = baseline != nil
    namesReports = !formats.isEmpty || output != nil
    baseline = baseline ?? configuration.baseline.map(configuration.placed)
    if formats.isEmpty, output == nil {
      formats = configuration.formats.map {
        FormatRequest(format: $0.format, file: $0.file.map(configuration.placed))
      }
    }
  }
}

/// Why a run ends before its report, with exit code 2.
enum CommandError: Error {
  /// Arguments or a configuration that make no sense; the text says which and what would.
  case usage(String)
  /// Something in the world that refuses, such as a path that isn't there.
  case refusal(String)
}

/// One option of the command line: parsing, help, completion and man page are made from these.
struct Option: Sendable {
  /// What comes after the option's name.
  struct Value: Sendable {
    let name: String
    var choices: [String] = []
  }

  /// Without the two dashes.
  let name: String
  var value: Value?
  let summary: String
  var isHidden = false
  let set: @Sendable (inout Options, String) throws(CommandError) -> Void
}

extension Option {
  static let configuration = Option(
    name: "config", value: Value(name: "FILE"),
    summary: "Use this configuration instead of the nearest \(Configuration.fileName)."
  ) { options, value in options.configuration = value }

  static let config: [Option] = [
    configuration,
    Option(
      name: "effective", summary: "Show the settings for FILE, or for the project (the default)."
    ) { _, _ in },
    Option(name: "schema", summary: "Show the JSON schema of configurations.") { options, _ in
      options.wantsSchema = true
    },
  ]

  static let rules: [Option] = [
    Option(
      name: "format", value: Value(name: "FORMAT", choices: ["text", "json"]),
      summary: "Print the rules in this format (default: text)."
    ) { options, value throws(CommandError) in
      guard ["text", "json"].contains(value) else {
        throw .usage("'\(value)' is not a value of --format; it takes text, json")
      }
      options.listsAsJSON = value == "json"
    }
  ]

  static let start: [Option] = [
    Option(name: "hook", summary: "Write \(ProjectStart.hookFile) too.") { options, _ in
      options.wantsHook = true
    },
    Option(name: "workflow", summary: "Write \(ProjectStart.workflowFile) too.") { options, _ in
      options.wantsWorkflow = true
    },
    Option(
      name: "agents", summary: "Tell agents in \(AgentInstructions.file) when to run persistlint."
    ) { options, _ in options.tellsAgents = true },
  ]

  /// What editors give to say which of the ways to speak they mean; there is but this one.
  static let stdio = Option(
    name: "stdio", summary: "Speak on standard input and output, as it does anyway.",
    isHidden: true
  ) { _, _ in }

  static let color = Option(
    name: "color", value: Value(name: "WHEN", choices: ColourChoice.allCases.map(\.rawValue)),
    summary: "Use colors (default: auto, at a terminal)."
  ) { options, value throws(CommandError) in
    options.colours = try choose(value, of: "color")
  }

  static let help = Option(name: "help", summary: "Show this help.") { options, _ in
    options.wantsHelp = true
  }

  static let version = Option(name: "version", summary: "Show the version.") { options, _ in
    options.wantsVersion = true
  }

  /// The short forms of options, where a command has them.
  static let short = ["-h": "help", "-q": "quiet", "-o": "output", "-f": "format", "-V": "version"]

  static let lint: [Option] = [
    configuration,
    Option(
      name: "format",
      value: Value(name: "FORMAT", choices: OutputFormat.allCases.map(\.rawValue)),
      summary:
        "Print findings in this format (default: text); FORMAT:FILE writes a file, and several "
        + "may be given."
    ) { options, value throws(CommandError) in
      if let request = FormatRequest(value) { return options.formats.append(request) }
      let name = value.prefix { $0 != ":" }
      let _: OutputFormat = try choose(String(name), of: "format")
    },
    Option(
      name: "output", value: Value(name: "FILE"),
      summary: "Write the findings to this file instead of standard output."
    ) { options, value in options.output = value },
    Option(
      name: "fail-on", value: Value(name: "SEVERITY", choices: Severity.allCases.map(\.rawValue)),
      summary: "Exit with 1 at this severity or above (default: error)."
    ) { options, value throws(CommandError) in
      options.failOn = try choose(value, of: "fail-on")
    },
    Option(
      name: "select", value: Value(name: "RULES"),
      summary: "Use only these rules and groups, separated by commas."
    ) { options, value throws(CommandError) in
      options.selected = try (options.selected ?? []).union(rules(value, of: "select"))
    },
    Option(
      name: "ignore", value: Value(name: "RULES"),
      summary: "Leave out these rules and groups."
    ) { options, value throws(CommandError) in
      options.ignored.formUnion(try rules(value, of: "ignore"))
    },
    Option(
      name: "only", value: Value(name: "RULES"),
      summary: "Use only these rules, whatever the configuration says."
    ) { options, value throws(CommandError) in
      options.only = try (options.only ?? []).union(rules(value, of: "only"))
    },
    Option(
      name: "exclude", value: Value(name: "PATTERN"),
      summary:
        "Leave out these files and folders, as a .gitignore here would; several may be given."
    ) { options, value in options.excluded.append(value) },
    Option(
      name: "alone", summary: "Judge the named files without the rest of their project."
    ) { options, _ in options.looksAtFilesAlone = true },
    Option(name: "strict", summary: "Exit with 1 for warnings too.") { options, _ in
      options.isStrict = true
    },
    Option(name: "exit-zero", summary: "Exit with 0 whatever is found.") { options, _ in
      options.exitsZero = true
    },
    Option(name: "quiet", summary: "Leave out the summary line.") { options, _ in
      options.isQuiet = true
    },
    color,
    Option(
      name: "baseline", value: Value(name: "FILE"),
      summary: "Leave out the findings that this file accepts."
    ) { options, value in options.baseline = value },
    Option(
      name: "write-baseline",
      summary: "Accept all of today's findings: write them to the baseline "
        + "(default: \(BaselineFile.standardName))."
    ) { options, _ in options.writesBaseline = true },
    Option(
      name: "prune-baseline", summary: "Remove findings from the baseline that no longer exist."
    ) { options, _ in options.prunesBaseline = true },
    Option(name: "no-ignore", summary: "Lint files that .gitignore excludes too.") { options, _ in
      options.respectsGitIgnore = false
    },
    Option(
      name: "changed-since", value: Value(name: "COMMIT"),
      summary: "Read all files, but report only on those that changed since this commit."
    ) { options, value in options.changedSince = value },
    Option(
      name: "staged",
      summary: "Read all files as they will be committed, but report only on staged ones."
    ) { options, _ in options.isStaged = true },
    Option(
      name: "files-from", value: Value(name: "FILE"),
      summary:
        "Read all files, but report only on those that FILE names, one per line; - is standard "
        + "input."
    ) { options, value in options.filesFrom = value },
    Option(
      name: "max-file-size", value: Value(name: "MB"),
      summary: "Skip larger files, with a warning (default: \(FileReader.Limit.source >> 20))."
    ) { options, value throws(CommandError) in
      guard let megabytes = Int(value), (1...2000).contains(megabytes) else {
        throw CommandError.usage("'\(value)' is not a size from 1 to 2000 MB")
      }
      options.largestFile = megabytes << 20
    },
    Option(
      name: "null", summary: "Names for --files-from end with NUL, as git prints them with -z."
    ) { options, _ in options.separatesByNull = true },
    Option(name: "fix", summary: "Make the safe fixes.") { options, _ in
      options.fixes = true
    },
    Option(
      name: "unsafe-fixes", summary: "Also make fixes that can change what the program does."
    ) { options, _ in options.fixesUnsafely = true },
    Option(
      name: "add-ignore", value: Value(name: "REASON"),
      summary: "Suppress today's findings with comments that give this reason."
    ) { options, value throws(CommandError) in
      let words = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty else { throw .usage("--add-ignore needs a reason in words") }
      options.suppressionReason = words
    },
    Option(name: "diff", summary: "Show what the fixes would change, but change nothing.") {
      options, _ in options.showsDifference = true
    },
    Option(name: "statistics", summary: "Count the findings of each rule.") { options, _ in
      options.showsStatistics = true
    },
    Option(
      name: "explain-flow",
      summary: "Show the steps by which each error reaches the reported place."
    ) { options, _ in options.explainsFlow = true },
    Option(
      name: "context",
      summary: "Show the source of each finding, as at a terminal and where CI is set."
    ) { options, _ in options.showsContext = true },
    Option(
      name: "stdin-filename", value: Value(name: "NAME"),
      summary: "The path to use for standard input when a PATH is -."
    ) { options, value in options.givenInputName = value },
    Option(
      name: "sarif-category", value: Value(name: "NAME"),
      summary: "Keep this run apart from other runs in the same repository."
    ) { options, value in options.sarifCategory = value },
    Option(
      name: "sarif-suppressed", summary: "Include suppressed findings in the SARIF log."
    ) { options, _ in options.includesSuppressed = true },
    Option(
      name: "report-under", value: Value(name: "FOLDER"),
      summary: "Read all files, but report only on those in this folder.", isHidden: true
    ) { options, value in options.reportUnder = value },
    Option(
      name: "stamp", value: Value(name: "FILE"),
      summary: "Leave a Swift file without code there.", isHidden: true
    ) { options, value in options.stamp = value },
    Option(
      name: "project", value: Value(name: "FOLDER"),
      summary: "Take the configuration of this folder, or none.", isHidden: true
    ) { options, value in options.project = value },
    Option(
      name: "runs", value: Value(name: "FILE"),
      summary: "Do nothing where nothing has changed since the run that this file remembers.",
      isHidden: true
    ) { options, value in options.runs = value },
    Option(
      name: "jobs", value: Value(name: "N"), summary: "Use this many threads.", isHidden: true
    ) { options, value throws(CommandError) in
      guard let jobs = Int(value), jobs > 0 else {
        throw CommandError.usage("'\(value)' is not a number of threads")
      }
      options.jobs = jobs
    },
  ]

  /// The rules that ids and names of groups mean.
  private static func rules(_ value: String, of option: String) throws(CommandError) -> Set<RuleID>
  {
    var rules: Set<RuleID> = []
    for name in value.split(separator: ",").map({ $0.filter { $0 != " " } }) {
      guard let named = RulePage.rules(named: String(name)) else {
        throw CommandError.usage(
          "--\(option): no rule or group is called '\(name)'"
            + suggestion(for: String(name), in: RulePage.names))
      }
      rules.formUnion(named)
    }
    return rules
  }

  private static func choose<Choice: RawRepresentable & CaseIterable>(
    _ value: String, of option: String
  ) throws(CommandError) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: value) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    throw CommandError.usage(
      "'\(value)' is not a value of --\(option)\(persistlint.choice(for: value, in: words))")
  }
}
