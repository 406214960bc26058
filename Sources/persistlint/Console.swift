import PersistReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The one way to standard output and standard error: what controls a terminal, or reads as a
/// command to a runner of jobs, is shown as characters and does nothing.
enum Console {
  enum Stream {
    case output, errors

    fileprivate var descriptor: Int32 {
      self == .output ? System.standardOutput : System.standardError
    }
  }

  /// What a text may hold besides plain characters.
  enum Content {
    case plain
    /// The colours of `TextFormat`.
    case coloured
    /// Commands for GitHub's runner, each on a line of its own.
    case commands
  }

  /// Writes a text with its line breaks.
  static func write(
    _ text: String, to stream: Stream, as content: Content = .plain
  ) throws(SystemError) {
    var shown = content == .coloured ? text.visibleButForColours : text.visible
    if content != .commands, Options.isInGitHubActions {
      shown = GitHubFormat.withoutCommands(shown)
    }
    try Glue.write(Array(shown.utf8), to: stream.descriptor)
  }

  /// Writes a message of a server, in which nothing can control a terminal.
  static func send(_ message: [UInt8]) throws(SystemError) {
    try Glue.write(message, to: System.standardOutput)
  }

  /// Hands a text to the user's pager; false where there is none.
  static func page(_ text: String, isColoured: Bool) -> Bool {
    guard System.environment("TERM") != "dumb" else { return false }
    let pager = System.environment("PAGER") ?? "less"
    guard pager != "cat" else { return false }
    // As git has it: leave when the text fits, let colours through, leave the text there.
    if System.environment("LESS") == nil { setenv("LESS", "FRX", 1) }
    guard let stream = popen(pager, "w") else { return false }
    fputs(isColoured ? text.visibleButForColours : text.visible, stream)
    return pclose(stream) >> 8 != 127
  }

  /// Shows what is being done in the terminal's last line; nil takes it away.
  static func showProgress(_ phase: String?) {
    let line = phase.map { "persistlint: \($0.onOneLine)…" } ?? ""
    try? Glue.write(Array("\r\u{1B}[K\(line)".utf8), to: System.standardError)
  }
}

/// Prints on standard output.
func show(_ text: String, as content: Console.Content = .plain) throws(CommandError) -> ExitCode {
  do {
    try Console.write(text, to: .output, as: content)
    return .clean
  } catch {
    throw CommandError.refusal("standard output: \(error.reason)")
  }
}

/// Prints an error that ends the run on standard error; what stands behind a line break comes from
/// persistlint itself.
func complain(_ text: String, advice: String? = nil) {
  let error = fitted("persistlint: error: \(text.onOneLine)", to: System.standardError)
  let lines = [error] + [advice].compactMap { $0?.onOneLine }
  try? Console.write(lines.joined(separator: "\n") + "\n", to: .errors)
}

/// Prints a warning about the run itself on standard error.
func warn(_ text: String) {
  let line = fitted("persistlint: warning: \(text.onOneLine)", to: System.standardError)
  try? Console.write(line + "\n", to: .errors)
}

/// Says on standard error what was done.
func say(_ text: String) {
  try? Console.write(text + "\n", to: .errors)
}
