/// The help texts. Those of the verbs are in extensions.
enum Help {
  static let short = """
    portative play SONG.mid …    plays MIDI files
    portative render SONG.mid …  renders MIDI files to audio files
    portative serve              plays USB keyboards, and publishes instruments
    See portative --help.

    """

  static let summary = "portative plays SoundFonts, each note on its exact frame."

  /// - Parameter groups: The verbs, in the order in which they are listed.
  static func overview(_ groups: [Verbs.Group]) -> String {
    let sections = groups.map { group in
      let rows = group.verbs.map { verb in
        row(verb.arguments.isEmpty ? verb.name : "\(verb.name) \(verb.arguments)", verb.summary)
      }
      return "\(group.title):\n\(rows.joined())"
    }
    return """
      \(summary)

      Usage: portative VERB [OPTIONS] …

      \(sections.joined(separator: "\n"))
      Help:
      \(row("help VERB", "show examples, options and exit codes of a verb"))\
      \(row("completion bash|zsh|fish", "write the completions of a shell"))\
      \(row("--version [--json]", "show the version and the libraries"))
      Exit codes:
      \(ExitStatus.all.help)

      """
  }

  private static func row(_ head: String, _ summary: String) -> String {
    let gap = String(repeating: " ", count: max(2, 29 - head.count))
    return "  \(head)\(gap)\(summary)\n"
  }
}
