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
}

extension Command {
  /// The first one is meant when no command is named.
  static let all = [
    Command(
      name: "lint", summary: "Find persistence bugs in Swift sources.", operands: "[PATH…]",
      options: Option.lint, run: runLint),
    Command(
      name: "rules", summary: "List all rules.", operands: "", options: [], run: runRules),
    Command(
      name: "explain", summary: "Show the page of a rule.", operands: "RULE", options: [],
      run: runExplain),
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
    if argument == "-h" { return .help }
    if let option = allOptions.first(where: { "--" + $0.name == argument }) { return option }
    let names = allOptions.filter { !$0.isHidden }.map(\.name)
    let word = String(argument.drop { $0 == "-" })
    throw CommandError.usage(
      "unknown option '\(argument)'\(suggestion(for: word, in: names, prefix: "--"))")
  }

  /// What `--help` prints.
  var help: String {
    let isFirst = name == Command.all[0].name
    let shownName = isFirst ? "[\(name)]" : name
    var usage = "persistlint \(shownName) [OPTION…]"
    if !operands.isEmpty { usage += " \(operands)" }
    var text = "\(summary)\n\nUSAGE: \(usage)\n"
    if isFirst {
      let commands = Command.all.map { (left: $0.name, right: $0.summary) }
      text += "\nCOMMANDS\n" + twoColumns(commands)
      text += "\nPATH is a file, a folder, or - for standard input; the default is this folder.\n"
    }
    let shown = allOptions.filter { !$0.isHidden }.map { option in
      (left: option.usage, right: option.summary)
    }
    text += "\nOPTIONS\n" + twoColumns(shown)
    if isFirst {
      text += """

        EXIT CODES
          0   nothing at or above --fail-on
          1   findings at or above --fail-on
          2   wrong usage, or input that can't be read
          70  a defect of persistlint

        """
    }
    return text
  }

  private func twoColumns(_ rows: [(left: String, right: String)]) -> String {
    let width = (rows.map(\.left.count).max() ?? 0) + 2
    return rows.map { row in
      "  \(row.left)\(String(repeating: " ", count: width - row.left.count))\(row.right)\n"
    }.joined()
  }
}

extension Option {
  /// `--format text|sarif`
  var usage: String {
    guard let value else { return "--\(name)" }
    let shown = value.choices.isEmpty ? value.name : value.choices.joined(separator: "|")
    return "--\(name) \(shown)"
  }
}
