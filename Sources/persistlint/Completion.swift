import PersistPages
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
    let values = Command.all.flatMap { command in
      command.visibleOptions.filter { $0.value != nil }.map { option in
        "    \(command.name):--\(option.name)) \(option.bashAction); return ;;"
      }
    }
    let commands = Command.all.map { command in
      let names = command.visibleOptions.map { "--\($0.name)" }.joined(separator: " ")
      let operands = command.operandWords.joined(separator: " ")
      let files = command.takesFiles ? "-f" : ""
      return "    \(command.name)) options='\(names)' operands='\(operands)' files='\(files)' ;;"
    }
    return """
      # bash completion of persistlint: source <(persistlint completion bash)
      _persistlint() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command=\(Command.all[0].name) options operands files name list
        local groups='\(RulePage.names.joined(separator: " "))'
        if [[ $word == = ]]; then word=; fi
        if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
        for name in \(Command.all.map(\.name).joined(separator: " ")); do
          if [[ ${COMP_WORDS[1]} == "$name" && $COMP_CWORD -gt 1 ]]; then command=$name; fi
        done
        case $before in
          -f) before=--format ;;
          -o) before=--output ;;
        esac
        case $command:$before in
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
          COMPREPLY=($(compgen -W "$operands" -- "$word"))
          if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi
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
      let choice = "(\(words.joined(separator: " ")))"
      let operands =
        command.takesFiles
        ? "      '*:file:_files'" : words.isEmpty ? "      '*: :'" : "      '*:word:\(choice)'"
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
      if !command.takesFiles {
        let words = command.operandWords.joined(separator: " ")
        lines.append(
          "complete -c persistlint -f -n '\(condition)'" + (words.isEmpty ? "" : " -a '\(words)'"))
      }
    }
    return lines.joined(separator: "\n") + "\n"
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

  /// The words that may stand as operands.
  fileprivate var operandWords: [String] {
    switch name {
    case "explain": RulePage.all.map(\.id.text)
    case "rules": RulePage.groups + RulePage.all.map(\.id.text)
    case "schema": ["show", "diff"]
    case "completion": Completion.allCases.map(\.rawValue)
    default: []
    }
  }

  /// Whether files and folders may stand as operands.
  fileprivate var takesFiles: Bool {
    ["PATH", "FILE"].contains { operands.contains($0) }
  }
}

extension Option.Value {
  /// What a shell offers.
  fileprivate enum Offer {
    case words([String])
    /// Several rules and groups, with commas between.
    case rules
    case files, folders, commits
    /// Nothing that a shell knows.
    case nothing
  }

  fileprivate var offer: Offer {
    if !choices.isEmpty { return .words(choices) }
    return switch name {
    case "FILE": .files
    case "FOLDER": .folders
    case "RULES": .rules
    case "COMMIT", "REF": .commits
    default: .nothing
    }
  }
}

extension Option {
  private static let commits =
    "$(git for-each-ref --format=\"%(refname:short)\" 2> /dev/null)"

  fileprivate var bashAction: String {
    switch value?.offer ?? .nothing {
    case .words(let words):
      "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
    case .rules:
      "list=${word%\"${word##*,}\"}; "
        + "COMPREPLY=($(compgen -P \"$list\" -W \"$groups\" -- \"${word##*,}\"))"
    case .files: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .folders: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .commits: "COMPREPLY=($(compgen -W '\(Option.commits)' -- \"$word\"))"
    case .nothing: "COMPREPLY=()"
    }
  }

  fileprivate var zshArgument: String {
    let head = "'--\(name)[\(summary.inSingleQuotes.replacing(":", with: "\\:"))]"
    guard let value else { return head + "'" }
    let action =
      switch value.offer {
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .rules: "_values -s , rule \(RulePage.names.joined(separator: " "))"
      case .files: "_files"
      case .folders: "_files -/"
      case .commits: "(HEAD $(git tag 2> /dev/null))"
      case .nothing: ""
      }
    return "\(head):\(value.name):\(action)'"
  }

  fileprivate var fishArguments: String {
    let head = "-l \(name) -d '\(summary.inSingleQuotes)'"
    guard let value else { return head }
    return switch value.offer {
    case .words(let words): "\(head) -x -a '\(words.joined(separator: " "))'"
    case .rules: "\(head) -x -a '(__fish_append , \(RulePage.names.joined(separator: " ")))'"
    case .files: "\(head) -r"
    case .folders: "\(head) -x -a '(__fish_complete_directories)'"
    case .commits: "\(head) -x -a '\(Option.commits.dropFirst())'"
    case .nothing: "\(head) -x"
    }
  }
}

extension String {
  fileprivate var inSingleQuotes: String { replacing("'", with: "'\\''") }
}
