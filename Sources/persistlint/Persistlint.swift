import PersistReport

/// The command: it names the task, runs it, and turns its outcome into the exit code.
@main
enum Persistlint {
  static let version = "0.2.0"
  /// The tag of the release; nil before there is one. `scripts/release --tag` sets both.
  static let tag: String? = nil
  /// The version, and the commit where it is known.
  static var title: String {
    "persistlint \(version)" + (Commit.id.map { " (\($0.prefix(12)))" } ?? "")
  }

  static func main() {
    System.ignoreClosedPipes()
    System.occupyStandardStreams()
    Defects.begin()
    Drafts.removeWhenStopped()
    let given = Array(CommandLine.arguments.dropFirst())
    let arguments = given.first == "help" ? given.dropFirst().prefix(1) + ["--help"] : given
    let mask = Drafts.blockStops()
    let code = onLargeStack {
      // Signals come to the thread that writes.
      Drafts.restore(mask)
      return run(arguments)
    }
    System.exit(code.rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    let named = (Command.all + Command.hidden).first { $0.name == arguments.first }
    let command = named ?? Command.all[0]
    do {
      let options = try command.parse(Array(arguments.dropFirst(named == nil ? 0 : 1)))
      if options.wantsHelp { return try show(command.help) }
      if options.wantsVersion { return try show(Persistlint.title + "\n") }
      let code = try command.run(options)
      guard Defects.isPartial else { return code }
      Defects.report()
      return .defect
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
