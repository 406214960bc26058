import PersistReport

/// The command: it names the task, runs it, and turns its outcome into the exit code.
@main
enum Persistlint {
  static let version = "0.1.0"

  static func main() {
    System.ignoreClosedPipes()
    System.occupyStandardStreams()
    Defects.watch()
    Drafts.removeWhenStopped()
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
        complain(
          reason, advice: "see persistlint \(named.map { $0.name + " " } ?? "")--help")
      }
      return .wrongUsage
    }
  }
}
