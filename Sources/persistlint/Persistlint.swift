import PersistReport

/// The command: it names the task, runs it, and turns its outcome into the exit code.
@main
enum Persistlint {
  static let version = "0.1.0"

  static func main() {
    System.ignoreClosedPipes()
    System.reportDefects()
    let given = Array(CommandLine.arguments.dropFirst())
    let arguments = given.first == "help" ? given.dropFirst().prefix(1) + ["--help"] : given
    System.exit(onLargeStack { run(arguments) }.rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    let named = (Command.all + Command.hidden).first { $0.name == arguments.first }
    let command = named ?? Command.all[0]
    do {
      let options = try command.parse(Array(arguments.dropFirst(named == nil ? 0 : 1)))
      if options.wantsHelp { return try show(command.help) }
      if options.wantsVersion { return try show("persistlint \(version)\n") }
      return try command.run(options)
    } catch {
      switch error {
      case .refusal(let reason): complain(reason)
      case .usage(let reason):
        complain("\(reason)\nsee persistlint \(named.map { $0.name + " " } ?? "")--help")
      }
      return .wrongUsage
    }
  }
}

/// Prints on standard output.
func show(_ text: String) throws(CommandError) -> ExitCode {
  do {
    try System.write(text, to: System.standardOutput)
    return .clean
  } catch {
    throw CommandError.refusal("standard output: \(error.reason)")
  }
}

/// Prints an error that ends the run on standard error.
func complain(_ text: String) {
  try? System.write("persistlint: error: \(text)\n", to: System.standardError)
}

/// Prints a warning about the run itself on standard error.
func warn(_ text: String) {
  let line = "persistlint: warning: \(text.onOneLine)\n"
  let shown = Options.isInGitHubActions ? GitHubFormat.withoutCommands(line) : line
  try? System.write(shown, to: System.standardError)
}

/// Says on standard error what was done.
func say(_ text: String) {
  try? System.write(text + "\n", to: System.standardError)
}
