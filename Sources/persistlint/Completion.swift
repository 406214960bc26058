import PersistRules

/// Makes the scripts by which shells complete a command line, from the table of options.
enum Completion: String, CaseIterable {
  case bash, zsh, fish

  /// The whole script.
  var script: String {
    switch self {
    case .bash: Completion.bashScript
    case .zsh: Completion.zshScript
    case .fish: Completion.fishScript
    }
  }

  // MARK: - bash

  private static var bashScript: String {
    let values = uniqueOptions.filter { $0.value != nil }.map { option in
      let choices = option.value?.choices ?? []
      let words = choices.isEmpty ? "-f --" : "-W '\(choices.joined(separator: " "))' --"
      return "    --\(option.name)) COMPREPLY=($(compgen \(words) \"$word\")); return ;;"
    }
    let commands = Command.all.map { command in
      let names = command.visibleOptions.map { "--\($0.name)" }.joined(separator: " ")
      let operands = command.operandWords.joined(separator: " ")
      return "    \(command.name)) options='\(names)' operands='\(operands)' ;;"
    }
    return """
      # bash completion of persistlint: source <(persistlint completion bash)
      _persistlint() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command=\(Command.all[0].name) options operands name
        for name in \(Command.all.map(\.name).joined(separator: " ")); do
          if [[ ${COMP_WORDS[1]} == "$name" && $COMP_CWORD -gt 1 ]]; then command=$name; fi
        done
        case $before in
      \(values.joined(separator: "\n"))
        esac
        case $command in
      \(commands.joined(separator: "\n"))
        esac
        if [[ $COMP_CWORD -eq 1 ]]; then
          operands="$operands \(Command.all.map(\.name).joined(separator: " "))"
        fi
        if [[ $word == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        else
          COMPREPLY=($(compgen -W "$operands" -- "$word") $(compgen -f -- "$word"))
        fi
      }
      complete -o filenames -F _persistlint persistlint

      """
  }

  // MARK: - zsh

  private static var zshScript: String {
    let commands = Command.all.map { "    '\($0.name):\($0.summary.inSingleQuotes)'" }
    let cases = Command.all.map { command in
      let options = command.visibleOptions.map { "      \($0.zshArgument) \\" }
      let words = command.operandWords
      let operands =
        words.isEmpty ? "      '*:file:_files'" : "      '*:word:(\(words.joined(separator: " ")))'"
      return "    \(command.name)) _arguments -s \\\n"
        + (options + [operands]).joined(separator: "\n") + " ;;"
    }
    return """
      #compdef persistlint
      # zsh completion of persistlint: persistlint completion zsh > "${fpath[1]}/_persistlint"
      _persistlint() {
        local command=\(Command.all[0].name)
        local -a commands=(
      \(commands.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _describe -t commands command commands
        elif (( ${#commands[(r)$words[2]:*]} )); then
          command=$words[2]
          shift words
          (( CURRENT-- ))
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [[ $funcstack[1] == _persistlint ]]; then _persistlint "$@"; else
        compdef _persistlint persistlint
      fi

      """
  }

  // MARK: - fish

  private static var fishScript: String {
    let names = Command.all.map(\.name).joined(separator: " ")
    var lines = [
      "# fish completion of persistlint: persistlint completion fish | source"
    ]
    for command in Command.all {
      lines.append(
        "complete -c persistlint -n 'not __fish_seen_subcommand_from \(names)' -a \(command.name) "
          + "-d '\(command.summary.inSingleQuotes)'")
    }
    for command in Command.all {
      let seen = "__fish_seen_subcommand_from \(command.name)"
      let condition =
        command.isDefault ? "not __fish_seen_subcommand_from \(names); or \(seen)" : seen
      for option in command.visibleOptions {
        lines.append("complete -c persistlint -n '\(condition)' \(option.fishArguments)")
      }
      if !command.operandWords.isEmpty {
        let words = command.operandWords.joined(separator: " ")
        lines.append("complete -c persistlint -f -n '\(condition)' -a '\(words)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The options of all commands, each name once.
  private static var uniqueOptions: [Option] {
    var seen: Set<String> = []
    return Command.all.flatMap(\.visibleOptions).filter { seen.insert($0.name).inserted }
  }
}

/// Prints the completion script of a shell.
@Sendable func runCompletion(_ options: Options) throws(CommandError) -> ExitCode {
  let shells = Completion.allCases.map(\.rawValue)
  guard options.operands.count == 1, let shell = Completion(rawValue: options.operands[0]) else {
    throw .usage("completion needs one of \(shells.joined(separator: ", "))")
  }
  return try show(shell.script)
}

extension Command {
  var visibleOptions: [Option] { allOptions.filter { !$0.isHidden } }

  /// The words that may stand as operands; none where files do.
  fileprivate var operandWords: [String] {
    switch name {
    case "explain": RulePage.all.map(\.id.text)
    case "completion": Completion.allCases.map(\.rawValue)
    default: []
    }
  }
}

extension Option {
  fileprivate var zshArgument: String {
    let head = "'--\(name)[\(summary.inSingleQuotes.replacing(":", with: "\\:"))]"
    guard let value else { return head + "'" }
    let action = value.choices.isEmpty ? "_files" : "(\(value.choices.joined(separator: " ")))"
    return "\(head):\(value.name):\(action)'"
  }

  fileprivate var fishArguments: String {
    let head = "-l \(name) -d '\(summary.inSingleQuotes)'"
    guard let value else { return head }
    return value.choices.isEmpty
      ? "\(head) -r" : "\(head) -x -a '\(value.choices.joined(separator: " "))'"
  }
}

extension String {
  fileprivate var inSingleQuotes: String { replacing("'", with: "'\\''") }
}
