import Configuration

/// The completions of zsh.
///
/// Source: zshcompsys(1), `_arguments`.
enum ZshCompletion {
  static func text(_ verbs: [Verb]) -> String {
    """
    #compdef portative
    # zsh completion for portative, written by 'portative completion zsh'

    # Offers the names of ports, in any case.
    _portative_ports() {
      local -a names
      names=(${(f)"$(_call_program ports portative list --names 2> /dev/null)"})
      _wanted ports expl port compadd -M 'm:{[:lower:]}={[:upper:]}' -a names
    }

    _portative() {
      local context state state_descr line expl
      typeset -A opt_args
      _arguments -C '(- *)'{-h,--help}'[list the verbs]' '(- *)'{-V,--version}'[show the version]' \\
        '1:verb:->verb' '*::argument:->argument'
      case $state in
        verb)
          local -a verbs
          verbs=(
    \(verbs.map { "        \(Shell.quoted("\($0.name):\($0.summary)"))\n" }.joined())\
          )
          _describe -t verbs verb verbs
          ;;
        argument)
          case $words[1] in
    \(verbs.map(arguments).joined())\
          esac
          ;;
      esac
    }

    _portative "$@"

    """
  }

  private static func arguments(_ verb: Verb) -> String {
    let options = verb.help().options.map(specification)
    let operands = verb.operands.enumerated().map { index, operand in
      let place = index == verb.operands.count - 1 ? "*" : "\(index + 1)"
      return Shell.quoted("\(place):argument:\(action(operand))")
    }
    let lines = (["_arguments -s -S"] + options + operands).joined(separator: " \\\n            ")
    return "        \(verb.name))\n          \(lines)\n          ;;\n"
  }

  private static func specification(_ option: OptionEntry) -> String {
    let others =
      option.repeats
      ? "'*'" : option.names.count > 1 ? "'(\(option.names.joined(separator: " ")))'" : ""
    let names = option.names.map { name in
      option.neededValue == nil ? name : name.hasPrefix("--") ? "\(name)=" : "\(name)+"
    }
    let text = escaped(option.brief)
    let value = option.neededValue.map { ":\(escaped($0)):\(action(option.completion))" } ?? ""
    let list = names.count > 1 ? "{\(names.joined(separator: ","))}" : names[0]
    return others + list + Shell.quoted("[\(text)]\(value)")
  }

  private static func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func action(_ completion: OptionCompletion) -> String {
    switch completion {
    case .nothing: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files([]): "_files"
    case .files(let extensions): "_files -g \"*.(#i)(\(extensions.joined(separator: "|")))(-.)\""
    case .folders: "_files -/"
    case .ports: "_portative_ports"
    }
  }
}
