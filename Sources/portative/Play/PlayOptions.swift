/// What `portative play` was asked for.
struct PlayOptions {
  /// The song, the file and its format: what `render` has as well.
  var song = RenderOptions()
  /// The port's name, or a part of it; `nil`: the first instrument there is.
  var node: String?
  /// Where it is heard; `nil`: it is written to a file.
  var audio: Audio?
  var cycle = CycleLengths.Wish.frames(1024)

  enum Audio: String, CaseIterable {
    /// Nowhere, but at its pace.
    case none
  }

  /// Whether it keeps the pace of a listener.
  var isPaced: Bool { audio != nil }
  /// Whether people are told how it goes.
  var speaks: Bool { !song.isQuiet && !song.isJSON }

  /// Reads the arguments after `play`.
  init(arguments: [String]) throws(Failure) {
    song.inputs = try Self.table.parse(arguments, into: &self)
    if song.wantsHelp { return }
    if song.inputs.count != 1 {
      throw .usage("play takes one song, but got \(song.inputs.count): portative play SONG.mid")
    }
    if song.output != nil, audio != nil {
      throw .usage("--output and --audio contradict each other: leave one out")
    }
    if song.output == nil, audio == nil {
      throw .usage(
        "say where the sound goes: --output FILE, or --audio none to hear nothing and see how it does"
      )
    }
    if song.output == "-", Terminal.outputIsTerminal {
      throw .usage("audio cannot be shown on a terminal: send it to a file or a pipe")
    }
    // Nothing is written, so there is nothing to be named after the song.
    if audio != nil { song.output = "/dev/null" }
    try song.checkTogether()
  }

  static let table = OptionTable<PlayOptions>(
    rows: [
      .init(
        names: ["-n", "--node"], value: "NAME",
        help:
          "the port to play: as portative list names it, or\nwhat is after the colon, or its node (the last used)"
      ) { options, text throws(Failure) in options.node = text },
      .init(
        names: ["--audio"], value: "none", help: "play at its pace, without a file"
      ) { options, text throws(Failure) in
        options.audio = try OptionValue.choice(text, of: "--audio")
      },
      .init(
        names: ["--cycle"], value: "FRAMES",
        help: "frames of each cycle, 1 to 8192 (1024), or random"
      ) { options, text throws(Failure) in
        options.cycle =
          text == "random"
          ? .random
          : .frames(try OptionValue.whole(text, of: "--cycle", in: 1...CycleLengths.longest))
      },
    ]
      + shared([
        "--output", "--format", "--raw", "--bits", "--rate", "--tail", "--max-tail", "--from",
        "--to",
        "--strict", "--quiet", "--json", "--help",
      ]))

  /// Rows that mean the same as for `render`.
  private static func shared(_ names: [String]) -> [OptionTable<PlayOptions>.Row] {
    RenderOptions.table.rows.filter { names.contains($0.name) }.map { row in
      .init(names: row.names, value: row.value, help: row.help) { options, text throws(Failure) in
        try row.apply(&options.song, text)
      }
    }
  }
}
