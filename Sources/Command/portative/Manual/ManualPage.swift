import Configuration
import LocalSystem

/// A manual page, in the language of `mdoc(7)`.
struct ManualPage {
  /// The name, such as `portative-render`.
  let name: String
  let section: Int
  /// A description in a few words.
  let summary: String
  /// The parts after NAME.
  private(set) var sections: [(title: String, body: String)] = []

  init(_ name: String, section: Int = 1, summary: String) {
    self.name = name
    self.section = section
    self.summary = summary
  }

  /// Adds a section, unless it is empty.
  mutating func add(_ title: String, _ body: String) {
    if !body.isEmpty { sections.append((title, body)) }
  }

  /// The name of the file.
  var file: String { "\(name).\(section)" }

  var text: String {
    let head = """
      .\\" Written by portative, from its table of options.
      .Dd \(portativeVersionDate)
      .Dt \(Mdoc.escaped(name.uppercased())) \(section)
      .Os Portative \(portativeVersion)
      .Sh NAME
      .Nm \(Mdoc.escaped(name))
      .Nd \(Mdoc.sentences(summary))

      """
    return head + sections.map { ".Sh \($0.title)\n\($0.body)\n" }.joined()
  }
}

extension ManualPage {
  /// Options with their values and texts.
  static func list(_ options: [OptionEntry], placeholders: Set<String>) -> String {
    let items = options.map { option -> (String, String) in
      let argument = option.value.map { "Ar \(Mdoc.argument($0))" }
      let value = argument.map { option.isValueOptional ? " Oo \($0) Oc" : " \($0)" } ?? ""
      let names = option.names.map { name in
        // The macro adds one hyphen.
        let flag = Mdoc.escaped(name.dropFirst())
        return "Fl \(flag)\(name == option.names.last ? value : "")"
      }
      let text = Mdoc.sentences(option.help.sentence, placeholders: placeholders)
      return (names.joined(separator: " , "), text)
    }
    return Mdoc.tagged(items)
  }

  static func list(_ codes: [ExitStatus]) -> String {
    Mdoc.list(codes.map { ("\($0.code)", $0.meaning.sentence) })
  }

  /// References to pages, such as `portative-render(1)`.
  static func references(_ pages: [(name: String, section: Int)]) -> String {
    pages.enumerated().map { index, page in
      ".Xr \(Mdoc.escaped(page.name)) \(page.section)" + (index < pages.count - 1 ? " ," : "")
    }.joined(separator: "\n")
  }
}

extension String {
  /// The text, which begins in lower case, as a sentence.
  var sentence: String {
    let isWord = first?.isLowercase == true && !hasPrefix("portative")
    let text = isWord ? first!.uppercased() + dropFirst() : self
    return text.hasSuffix(".") ? text : "\(text)."
  }
}

extension ManualPage {
  /// The page of the configuration file.
  static var configuration: ManualPage {
    var page = ManualPage(
      "portative.conf", section: 5, summary: "configuration of portative")
    page.add(
      "SYNOPSIS",
      """
      .Bl -tag -width Ds
      .It Pa ~/.config/portative/config.json
      The user's file, in
      .Ev XDG_CONFIG_HOME
      if that is set.
      .It Pa /etc/xdg/portative/config.json
      The system's file.
      .El
      """)
    page.add(
      "DESCRIPTION",
      Mdoc.paragraphs(
        """
        Both files are optional. A field of the user's file replaces that of the system's file; of midi and takes, each \
        field by itself. With --config FILE, portative serve reads FILE instead of both.

        A file is in JSON5: JSON with comments, trailing commas, and names without quotes. A relative path is relative to the \
        folder of the file, and ~/ is the home folder. An unknown field causes a warning that names similar ones.

        portative serve --check reports faults as FILE:LINE:COLUMN. On SIGHUP, a running server reads the files again: ports \
        that have not changed continue to play, and an unusable file has no effect. portative config shows what is in force, \
        and where each value comes from.
        """, placeholders: ["FILE", "FILE:LINE:COLUMN"]))
    for section in SettingsReference.sections {
      let items = section.fields.map { field in
        (
          "Cm \(Mdoc.argument(field.name)) : Ar \(Mdoc.escaped(field.value))",
          Mdoc.sentences(field.text)
        )
      }
      page.add(section.title, Mdoc.sentences(section.introduction) + "\n" + Mdoc.tagged(items))
    }
    page.add("EXAMPLES", Mdoc.literal(example))
    page.add(
      "SEE ALSO",
      references([
        ("portative-config", 1), ("portative-scene", 1), ("portative-serve", 1),
        ("portative-set", 1),
      ]))
    return page
  }

  static let example = """
    // Two pianos in a split, and an echo.
    {
      soundfont: "~/Grand.sf2",
      ports: [
        { name: "Portative: Stage", subtype: "stag", keyboards: ["Nord*"],
          zones: [
            { keys: "..B3", preset: "Fretless Bass", mode: "mono" },
            { keys: "C4..", preset: "Grand Piano", velocity: "soft" },
          ] },
        { name: "Portative: Echo", subtype: "echo", unit: "delay",
          parameters: { feedback: 60 } },
      ],
      scenes: [
        { name: "Chorus", ports: { "Portative: Stage": { preset: "Slow Strings" } } },
      ],
      controls: [{ controller: 80, does: "nextScene" }],
    }
    """.split(separator: "\n").map(String.init)
}

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
          }) + "\n.Pp\n"
        + Mdoc.sentences(
          "portative completion bash, zsh or fish writes the completions of a shell, which make install installs."
        )
    )
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
      list(help.exitCodes) + "\n.Pp\nAll exit codes are in\n.Xr portative 1 .")
    let examples = Mdoc.literal(
      help.examples.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    page.add("EXAMPLES", examples)
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
