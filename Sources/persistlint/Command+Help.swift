extension Command {
  private static let width = 80
  private static let leftWidth = 26

  /// The command that is meant when none is named.
  var isDefault: Bool { name == Command.all[0].name }

  /// What `--help` prints.
  var help: String {
    var usage = "persistlint \(isDefault ? "[\(name)]" : name) [OPTION…]"
    if !operands.isEmpty { usage += " \(operands)" }
    var text = "\(summary)\n\nUSAGE: \(usage)\n"
    if isDefault {
      text +=
        "\nPATH is a file, a folder, a pattern in quotes such as 'App/**/*.swift', or -"
        + "\nfor standard input; the default is this folder.\n"
      text += "\nCOMMANDS\n"
      for command in Command.all { text += Command.row(command.name, command.summary) }
    }
    text += "\nOPTIONS\n"
    for option in visibleOptions {
      text += Command.row(option.usage, option.fullSummary)
    }
    if isDefault {
      text += "\nEXIT CODES\n"
      for (code, meaning) in Command.exitCodes { text += Command.row(code, meaning) }
    }
    return text
  }

  /// What each exit code says.
  static let exitCodes = [
    ("0", "nothing at or above --fail-on"),
    ("1", "findings at or above --fail-on"),
    ("2", "wrong usage or configuration, or input that can't be read"),
    ("70", "a defect of persistlint"),
  ]

  /// Two columns; the right one begins on a line of its own where the left one is long.
  private static func row(_ left: String, _ right: String) -> String {
    let margin = String(repeating: " ", count: leftWidth)
    var text = "  \(left)"
    text +=
      left.count + 4 > leftWidth
      ? "\n\(margin)" : String(repeating: " ", count: leftWidth - left.count - 2)
    var column = leftWidth
    for word in right.split(separator: " ") {
      if column > leftWidth, column + 1 + word.count > width {
        text += "\n\(margin)"
        column = leftWidth
      }
      if column > leftWidth {
        text += " "
        column += 1
      }
      text += word
      column += word.count
    }
    return text + "\n"
  }
}

extension Option {
  /// `--format FORMAT`
  var usage: String {
    let short = Option.short.first { $0.value == name }.map { "\($0.key), " } ?? ""
    return value.map { "\(short)--\(name) \($0.name)" } ?? "\(short)--\(name)"
  }

  /// The summary with the words that the option takes.
  var fullSummary: String {
    guard let value, !value.choices.isEmpty else { return summary }
    return "\(summary) \(value.name) is one of \(value.choices.joined(separator: ", "))."
  }
}
