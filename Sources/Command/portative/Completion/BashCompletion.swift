import Configuration

/// The completions of bash.
///
/// Source: bash(1), "Programmable Completion"; the functions of bash-completion are used where they exist.
enum BashCompletion {
  static func text(_ verbs: [Verb]) -> String {
    """
    # bash completion for portative, written by 'portative completion bash'

    # Offers words.
    _portative_words() {
      local word
      for word in "$@"; do [[ $word != "$cur"* ]] || COMPREPLY+=("$word"); done
    }

    # Offers folders, and files with one of the extensions, or all files.
    _portative_files() {
      if declare -F _filedir > /dev/null; then
        local IFS='|'
        _filedir ${1:+"@($*)"}
      else
        local IFS=$'\\n' pattern
        compopt -o filenames
        COMPREPLY=($(compgen -d -- "$cur"))
        [ $# -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
        for pattern in "$@"; do COMPREPLY+=($(compgen -f -X "!*.$pattern" -- "$cur")); done
      fi
    }

    _portative_folders() {
      if declare -F _filedir > /dev/null; then _filedir -d; else compopt -o dirnames; fi
    }

    # Offers the names of ports, in any case, also after an opening quote.
    _portative_ports() {
      local name typed=${cur#[\\"\\']}
      typed=${typed//\\\\/}
      while IFS= read -r name; do
        [[ ${name,,} != "${typed,,}"* ]] || COMPREPLY+=("$name")
      done < <("${words[0]}" list --names 2> /dev/null)
      # Spaces are quoted as in names of files.
      compopt -o filenames
    }

    # Offers the values of the option $1 of a verb; fails if it takes none.
    _portative_value() {
      case "$verb $1" in
    \(verbs.map(values).joined())\
        *) return 1 ;;
      esac
    }

    # Offers options or operands of a verb; $1 is the number of operands before.
    _portative_argument() {
      local options operand=$1
      case "$verb" in
    \(verbs.map(arguments).joined())\
        *) return ;;
      esac
    }

    _portative() {
      local cur prev words cword verb operands=0 index
      if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n =: cur prev words cword
      else
        words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
        cur=${words[cword]} prev=${words[cword - 1]}
      fi
      COMPREPLY=()
      if [ "$cword" -eq 1 ]; then
        _portative_words \(verbs.map(\.name).joined(separator: " ")) --help --version
        return
      fi
      verb=${words[1]}
      if [[ $cur == --*=* ]]; then
        prev=${cur%%=*} cur=${cur#*=}
        _portative_value "$prev"
        return
      fi
      if _portative_value "$prev"; then return; fi
      for ((index = 2; index < cword; index++)); do
        case ${words[index]} in
          -*) ;;
          *) COMPREPLY=(); cur= _portative_value "${words[index - 1]}" || operands=$((operands + 1)) ;;
        esac
      done
      COMPREPLY=()
      _portative_argument "$operands"
    }

    complete -F _portative portative

    """
  }

  private static func values(_ verb: Verb) -> String {
    verb.valued.map { option in
      let names = option.names.map { "\"\(verb.name) \($0)\"" }.joined(separator: " | ")
      return "    \(names)) \(action(option.completion)) ;;\n"
    }.joined()
  }

  private static func arguments(_ verb: Verb) -> String {
    let options = verb.help().options.flatMap(\.names).joined(separator: " ")
    let operands = verb.operands.enumerated().map { index, operand in
      let isLast = index == verb.operands.count - 1
      return "          \(isLast ? "*" : "\(index)")) \(action(operand)) ;;\n"
    }.joined()
    let rest =
      operands.isEmpty
      ? ""
      : "\n        if [[ $cur != -* ]]; then\n          case $operand in\n\(operands)          esac\n        fi"
    return
      "    \(verb.name))\n        [[ $cur != -* ]] || _portative_words \(options)\(rest)\n        ;;\n"
  }

  private static func action(_ completion: OptionCompletion) -> String {
    switch completion {
    case .nothing: "true"
    case .words(let words): "_portative_words \(words.joined(separator: " "))"
    case .files(let extensions):
      (["_portative_files"] + extensions).joined(separator: " ")
    case .folders: "_portative_folders"
    case .ports: "_portative_ports"
    }
  }
}
