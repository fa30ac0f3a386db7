import Configuration

/// The completions of fish.
///
/// Source: complete(1) of fish.
enum FishCompletion {
  static func text(_ verbs: [Verb]) -> String {
    """
    # fish completion for portative, written by 'portative completion fish'

    # Whether the verb is $argv[1], and $argv[2] operands come before the cursor; without $argv[2], any number.
    function __portative_at
        set -l words (commandline -opc)
        test (count $words) -ge 2; and test "$words[2]" = $argv[1]; or return 1
        set -q argv[2]; or return 0
        set -l operands 0
        for index in (seq 3 (count $words))
            string match -q -- '-*' $words[$index]; and continue
            set -l before $words[(math $index - 1)]
            contains -- "$argv[1] $before" $__portative_valued; and continue
            set operands (math $operands + 1)
        end
        test $operands $argv[2] $argv[3]
    end

    # Folders, and files with one of the extensions, in any case.
    function __portative_files
        set -l extensions (string join '|' $argv)
        __fish_complete_path (commandline -ct) | string match -ri "^.*(?:/|\\\\.(?:$extensions))(?:\\t.*)?\\$"
    end

    # Options that take the word after them.
    set -g __portative_valued \(verbs.flatMap { verb in verb.valued.flatMap(\.names).map { Shell.quoted("\(verb.name) \($0)") } }.joined(separator: " "))

    complete -c portative -f
    complete -c portative -n '__fish_is_first_arg' -s h -l help -d 'list the verbs'
    complete -c portative -n '__fish_is_first_arg' -s V -l version -d 'show the version'

    """ + verbs.map(lines).joined(separator: "\n")
  }

  private static func lines(_ verb: Verb) -> String {
    var lines = [
      "complete -c portative -n '__fish_is_first_arg' -a \(verb.name) -d \(Shell.quoted(verb.summary))"
    ]
    for option in verb.help().options {
      let names = option.names.map { name in
        name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
      }
      let value = option.neededValue.map { _ in " \(values(option.completion))" } ?? ""
      lines.append(
        "complete -c portative -n '__portative_at \(verb.name)' \(names.joined(separator: " "))\(value) -d \(Shell.quoted(option.brief))"
      )
    }
    for (index, operand) in verb.operands.enumerated() where operand != .nothing {
      let comparison = index == verb.operands.count - 1 ? "-ge" : "-eq"
      lines.append(
        "complete -c portative -n '__portative_at \(verb.name) \(comparison) \(index)' \(candidates(operand))"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func values(_ completion: OptionCompletion) -> String {
    completion == .files([]) ? "-r -F" : "-x \(candidates(completion))"
  }

  private static func candidates(_ completion: OptionCompletion) -> String {
    switch completion {
    case .nothing: ""
    case .words(let words): "-a \(Shell.quoted(words.joined(separator: " ")))"
    case .files([]): "-F"
    case .files(let extensions):
      "-a \(Shell.quoted("(__portative_files \(extensions.joined(separator: " ")))"))"
    case .folders: "-a '(__fish_complete_directories)'"
    case .ports: "-a '(portative list --names 2>/dev/null)'"
    }
  }
}
