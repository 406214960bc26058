import PersistVersions

/// One thing the tool does: its name, its options, and the function that does it.
struct Command: Sendable {
  let name: String
  let summary: String
  /// As the help shows them, such as `[PATH…]`.
  let operands: String
  let options: [Option]
  /// Gives the exit code.
  let run: @Sendable (Options) throws(CommandError) -> ExitCode
}

/// What the process tells the one who started it.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case found = 1
  case wrongUsage = 2
  /// A defect of persistlint itself.
  case defect = 70
}

extension Command {
  /// The first one is meant when no command is named.
  static let all = [
    Command(
      name: "lint", summary: "Find persistence bugs in Swift sources.", operands: "[PATH…]",
      options: Option.lint + Option.base, run: runLint),
    Command(
      name: "schema", summary: "Show the schema versions, or the difference between two.",
      operands: "[show | diff A B]", options: Option.schema, run: runSchema),
    Command(
      name: "freeze", summary: "Record the versions that have shipped in the lock file.",
      operands: "[VERSION…]", options: Option.freeze, run: runFreeze),
    Command(
      name: "store", summary: "Show what a store file holds, and which version wrote it.",
      operands: "FILE [PATH…]", options: Option.store, run: runStore),
    Command(
      name: "mcp", summary: "Serve agents by the Model Context Protocol.", operands: "",
      options: [], run: runAgentServer),
    Command(
      name: "lsp", summary: "Serve editors by the Language Server Protocol.", operands: "",
      options: [.stdio], run: runLanguageServer),
    Command(
      name: "rules", summary: "List all rules, or those of a group.", operands: "[GROUP…]",
      options: Option.rules, run: runRules),
    Command(
      name: "explain", summary: "Show the page of a rule.", operands: "RULE",
      options: [.color], run: runExplain),
    Command(
      name: "init", summary: "Set up persistlint in this folder: write a configuration.",
      operands: "", options: Option.start, run: runInit),
    Command(
      name: "config", summary: "Show the configuration that is used.", operands: "[FILE]",
      options: Option.config, run: runConfig),
    Command(
      name: "completion", summary: "Print the completion script of a shell.", operands: "SHELL",
      options: [], run: runCompletion),
    Command(
      name: "manual", summary: "Print the manual page.", operands: "", options: [], run: runManual),
  ]

  /// Commands for the development of persistlint, which no help shows.
  static let hidden = [
    Command(
      name: "replay", summary: "Lint each commit of a history against its parent.",
      operands: "[REF]", options: [], run: runReplay),
    Command(
      name: "debug", summary: "Show what the analysis makes of files.", operands: "bodies FILE…",
      options: [], run: runDebug),
  ]

  /// Every option that the command takes.
  var allOptions: [Option] { options + [.help, .version] }

  /// What the arguments say; the command's name is no longer among them.
  func parse(_ arguments: [String]) throws(CommandError) -> Options {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        options.operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        options.operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try option(named: String(parts[0]))
      var value = parts.count == 2 ? String(parts[1]) : nil
      if option.value == nil, value != nil {
        throw CommandError.usage("--\(option.name) takes no value")
      }
      if let name = option.value?.name, value == nil {
        value = rest.popFirst()
        if value == nil { throw CommandError.usage("--\(option.name) needs its \(name)") }
      }
      try option.set(&options, value ?? "")
    }
    return options
  }

  private func option(named argument: String) throws(CommandError) -> Option {
    if let long = Option.short[argument], let option = allOptions.first(where: { $0.name == long })
    {
      return option
    }
    if let option = allOptions.first(where: { "--" + $0.name == argument }) { return option }
    let names = allOptions.filter { !$0.isHidden }.map(\.name)
    let word = String(argument.drop { $0 == "-" })
    throw CommandError.usage(
      "unknown option '\(argument)'\(suggestion(for: word, in: names, prefix: "--"))")
  }
}
