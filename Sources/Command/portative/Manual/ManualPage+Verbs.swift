import Options

extension ManualPage {
  /// The page of the program: all verbs, exit codes, variables and files.
  static func program(_ verbs: [Verb]) -> ManualPage {
    var page = ManualPage(
      "portative", summary: "play and render MIDI with SoundFonts, each note on its exact frame")
    page.add(
      "SYNOPSIS",
      """
      .Nm portative
      .Ar verb
      .Op Ar options
      .Op Ar arguments
      .Nm portative
      .Ar verb
      .Fl \\-help
      .Nm portative
      .Fl \\-version Op Fl \\-json
      """)
    page.add(
      "DESCRIPTION",
      Mdoc.paragraphs(
        """
        Portative plays notes with the instruments of a SoundFont, a file of sampled sounds: notes from a MIDI keyboard, \
        from another program, or from a MIDI file, which it renders to an audio file. It starts every note on its exact \
        audio frame.

        A node, such as portative serve, publishes ports: instruments, effects, music effects and generators. A host, such \
        as portative play or a program with an LV2 plugin, plays them in its own cycle. Keyboards play the same ports.

        The verbs are:
        """) + "\n"
        + Mdoc.tagged(
          verbs.map { verb in
            ("Xr portative\\-\(verb.name) 1", Mdoc.sentences(verb.summary.sentence))
          }))
    page.add(
      "OPTIONS",
      list(
        [
          OptionEntry(
            names: ["-h", "--help"], value: nil,
            help: "list the verbs, or show the options of a verb",
            repeats: false, completion: .nothing),
          OptionEntry(
            names: ["-V", "--version"], value: nil,
            help:
              "show the version, and those of the libraries in use; with --json, as a line of JSON",
            repeats: false, completion: .nothing),
        ], placeholders: [])
        + "\n.Pp\n"
        + Mdoc.sentences(
          "Options may be anywhere after the verb: --name VALUE or --name=VALUE, -n VALUE or -nVALUE. After -- there are no options."
        ))
    page.add("ENVIRONMENT", ManualPlace.list(ManualPlace.variables, macro: "Ev", of: nil))
    page.add("FILES", ManualPlace.list(ManualPlace.files, macro: "Pa", of: nil))
    page.add("EXIT STATUS", list(ExitStatus.all))
    page.add(
      "EXAMPLES",
      Mdoc.literal([
        "portative render song.mid           # writes song.wav",
        "portative serve                     # plays keyboards",
        "portative doctor                    # what prevents playing",
      ]))
    page.add(
      "SEE ALSO",
      references(
        verbs.map { ("portative-\($0.name)", 1) }.sorted { $0.0 < $1.0 }
          + [("portative.conf", 5), ("portative-protocol", 7)]))
    return page
  }

  /// The page of a verb.
  static func verb(_ verb: Verb) -> ManualPage {
    let help = verb.help()
    var page = ManualPage("portative-\(verb.name)", summary: verb.summary)
    let placeholders = Set(help.usage.flatMap(\.placeholders) + help.options.compactMap(\.value))
    page.add("SYNOPSIS", help.usage.map(synopsis).joined(separator: "\n"))
    page.add("DESCRIPTION", Mdoc.paragraphs(help.description, placeholders: placeholders))
    page.add(
      "OPTIONS",
      list(help.options, placeholders: placeholders)
        + (help.remarks.isEmpty
          ? "" : "\n.Pp\n" + Mdoc.paragraphs(help.remarks, placeholders: placeholders)))
    page.add(
      "ENVIRONMENT", ManualPlace.list(ManualPlace.variables, macro: "Ev", of: verb.name))
    page.add("FILES", ManualPlace.list(ManualPlace.files, macro: "Pa", of: verb.name))
    page.add(
      "EXIT STATUS",
      help.exitCodes.isEmpty
        ? "0 on success; otherwise as in\n.Xr portative 1 ." : list(help.exitCodes))
    let examples = Mdoc.literal(
      help.examples.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    page.add(
      "EXAMPLES",
      help.examples.isEmpty
        ? "" : (help.exampleTitle.map { Mdoc.sentences("\($0):") + "\n" } ?? "") + examples)
    let verbs = verb.seeAlso.sorted().map { (name: "portative-\($0)", section: 1) }
    page.add(
      "SEE ALSO", references([("portative", 1)] + verbs + [("portative.conf", 5)]))
    return page
  }

  /// A form of the command.
  private static func synopsis(_ usage: String) -> String {
    let words = usage.split(separator: " ").map(String.init)
    let text = words.dropFirst(2).joined(separator: " ")
    guard !text.isEmpty else { return ".Nm \(words.joined(separator: " "))" }
    return ".Nm \(words.prefix(2).joined(separator: " "))\n" + parts(of: text)
  }

  /// Options and words in bold, what stands for a value in italics.
  private static func parts(of text: String) -> String {
    var result = ""
    var word = ""
    func flush() {
      if !word.isEmpty {
        let isValue = word.first!.isUppercase
        result += "\\f\(isValue ? "I" : "B")\(Mdoc.escaped(word))\\fP"
        word = ""
      }
    }
    for character in text {
      if character.isLetter || character.isNumber || "-.".contains(character) {
        word.append(character)
      } else {
        flush()
        result += Mdoc.escaped(String(character))
      }
    }
    flush()
    return result
  }
}

extension String {
  /// The words in capitals.
  fileprivate var placeholders: [String] {
    split { !$0.isLetter && $0 != "." && $0 != ":" }.map(String.init)
      .filter { $0.count > 1 && $0.prefix(2).allSatisfy(\.isUppercase) }
  }
}
