import PersistSchema

/// The manual page, made from the table of commands and options.
enum ManualPage {
  static var text: String {
    var text = """
      .TH PERSISTLINT 1 "" "persistlint \(Persistlint.version)" "User Commands"
      .SH NAME
      persistlint \\- \(Command.all[0].summary.asRoff)
      .SH SYNOPSIS

      """
    for command in Command.all {
      let name = command.isDefault ? "[\(command.name)]" : command.name
      text += ".B persistlint\n\(name) [OPTION...] \(command.operands.asRoff)\n.br\n"
    }
    text += """
      .SH DESCRIPTION
      Reads Swift sources and finds the mistakes with SwiftData, Core Data, GRDB and Realm that lose
      people's data or crash their apps. PATH is a file, a folder, or \\- for standard input; the
      default is the current folder.

      """
    for command in Command.all {
      text += ".SH \(command.name.uppercased())\n\(command.summary.asRoff)\n"
      for option in command.visibleOptions {
        text += ".TP\n\(option.roffHead)\n\(option.fullSummary.asRoff)\n"
      }
    }
    text +=
      ".SH CONFIGURATION\nThe keys of \(Configuration.fileName.asRoff), which is JSON, with comments.\n"
    for key in ConfigurationKey.all { text += key.roff(after: "") }
    text += ".SH EXIT STATUS\n"
    for (code, meaning) in Command.exitCodes {
      text += ".TP\n.B \(code)\n\(meaning.asRoff)\n"
    }
    text += ".SH FILES\n"
    for (file, meaning) in [
      (Configuration.fileName, "The configuration, at the root of the project or above the paths."),
      (BaselineFile.standardName, "The findings that the project accepts."),
      (LockFile.name, "The schema versions that have shipped."),
    ] {
      text += ".TP\n.I \(file.asRoff)\n\(meaning.asRoff)\n"
    }
    return text
  }
}

/// Prints the manual page for `man`.
@Sendable func runManual(_ options: Options) throws(CommandError) -> ExitCode {
  try show(ManualPage.text)
}

extension Option {
  fileprivate var roffHead: String {
    let name = ".B \\-\\-\(self.name.asRoff)"
    return value.map { ".BI \\-\\-\(self.name.asRoff) \" \($0.name)\"" } ?? name
  }
}

extension ConfigurationKey {
  /// The key, and those in its value, by the names that lead there.
  fileprivate func roff(after path: String) -> String {
    let name = path + self.name
    let own = ".TP\n.B \(name.asRoff)\n\(summary.asRoff)\n"
    guard case .record(let keys) = shape else { return own }
    return own + keys.map { $0.roff(after: name + ".") }.joined()
  }
}

extension String {
  /// The text with what roff would take for a command made harmless.
  fileprivate var asRoff: String {
    let text = replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
