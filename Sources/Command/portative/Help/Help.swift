/// The help texts. Those of the verbs are in extensions.
enum Help {
  static let short = """
    portative render SONG.mid …  renders MIDI files to audio files
    portative serve              plays USB keyboards, and publishes instruments
    See portative --help.

    """

  static let summary = "portative plays SoundFonts, each note on its exact frame."

  /// - Parameter verbs: The verbs in the order in which they are listed.
  static func overview(_ verbs: [Verb]) -> String {
    let rows = verbs.map { verb in
      let head = verb.arguments.isEmpty ? verb.name : "\(verb.name) \(verb.arguments)"
      let gap = String(repeating: " ", count: max(1, 30 - head.count))
      return "  portative \(head)\(gap)\(verb.summary)"
    }
    return """
      \(summary)

      Usage:
      \(rows.joined(separator: "\n"))
        portative VERB --help                   show all options of a verb
        portative --version [--json]            show the version and the libraries

      Exit codes:
      \(ExitStatus.all.help)

      """
  }
}
