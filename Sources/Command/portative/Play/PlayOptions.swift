import BatchRenderer
import LivePlayer
import LocalSystem
import OfflineRenderer
import Options

/// The options of `portative play`.
struct PlayOptions {
  /// The song, the output file and its format: the options shared with `render`.
  var render = RenderOptions()
  var display = DisplayOptions()
  /// The chains, which play in parallel.
  var chains: [Chain] = []
  /// The sound device; `nil` to write to a file.
  var audio: SoundChoice.Device?
  /// The length of each cycle in frames; `nil` for 1024, or 256 for a device.
  var cycle: CycleLengths.Wish?
  var hasMetronome = false
  /// The number of bars counted in before the song.
  var countIn = 0
  var loops = false
  /// The bars to loop, counted from 1; `nil` for all.
  var loopBars: ClosedRange<Int>?
  /// The path of the first recording, which starts with the song; `nil` to record only on request.
  var record: String?
  /// The seconds for which a node or a sound device may be absent; `nil` for 10 when writing a file, 60 when playing
  /// live.
  var patience: Double?

  /// An instrument and the effects after it, by the names of their ports.
  struct Chain: Equatable {
    /// The instrument; `nil` for the last used one.
    var instrument: String?
    var effects: [String] = []
  }

  var patienceLimit: Duration { .seconds(patience ?? (isLive ? 60 : 10)) }

  var song: SongOptions { render.song }
  /// Whether the song is played in real time instead of being written to a file.
  var isLive: Bool { audio != nil }
  /// Whether messages for users are written.
  var speaks: Bool { display.showsMessages }

  /// Reads the arguments after `play`.
  init(arguments: [String]) throws(Failure) {
    // No length limit: the user has chosen this one song.
    render.song.maximumLength = nil
    render.inputs = try Self.table.parse(arguments, into: &self)
    if display.wantsHelp { return }
    render.measuresLoudness = display.isJSON
    if render.inputs.count != 1 {
      throw .usage("play takes one song, but got \(render.inputs.count): portative play SONG.mid")
    }
    if render.output != nil, audio != nil {
      throw .usage("--output and --audio contradict each other: leave one out")
    }
    if render.output == nil, audio == nil {
      throw .usage(
        "say where the sound goes: --audio default to hear it, or --output FILE to keep it")
    }
    if !isLive {
      let given = [
        ("--loop", loops), ("--record", record != nil), ("--count-in", countIn > 0),
      ]
      for (name, isGiven) in given where isGiven {
        throw .usage("\(name) is for a song that is heard: give --audio DEVICE instead of --output")
      }
    }
    if countIn > 0, song.settings.start > 0 {
      throw .usage(
        "--count-in counts in the song's beginning, and --from begins later: leave one out")
    }
    if isLive, cycle == .random {
      throw .usage("--cycle random is for files: a device has cycles of one length")
    }
    if chains.isEmpty { chains = [Chain()] }
    try Terminal.refuseAudio(render.output)
    // No audio file is written, so no output name must be derived from the song.
    if audio != nil { render.output = "/dev/null" }
    try render.validate(isJSON: display.isJSON)
  }

  static let table = OptionTable<PlayOptions>(
    rows: [
      .init(
        names: ["-n", "--node"], value: "NAME",
        help:
          "the instrument: as portative list names it, or\nwhat is after the colon, or its node (the last used);\nagain for another one beside it",
        repeats: true
      ) { options, text throws(Failure) in options.chains.append(Chain(instrument: text)) },
      .init(
        names: ["-e", "--effect"], value: "NAME",
        help: "an effect behind it; again for one behind that", repeats: true
      ) { options, text throws(Failure) in
        if options.chains.isEmpty { options.chains = [Chain()] }
        options.chains[options.chains.count - 1].effects.append(text)
      },
      .init(
        names: ["--audio"], value: "DEVICE",
        help:
          "play it: to a device of ALSA's, such as default, to\njack, or to none, at its pace and unheard"
      ) { options, text throws(Failure) in options.audio = SoundChoice.Device(text) },
      .init(
        names: ["--metronome"], value: nil, help: "with clicks on the beats"
      ) { options, _ throws(Failure) in options.hasMetronome = true },
      .init(
        names: ["--count-in"], value: "BARS", help: "bars before the song, when it is heard (0)"
      ) { options, text throws(Failure) in
        options.countIn = try OptionValue.whole(text, of: "--count-in", in: 0...16)
      },
      .init(
        names: ["--loop"], value: nil, help: "over and over, until it is stopped"
      ) { options, _ throws(Failure) in options.loops = true },
      .init(
        names: ["--loop-bars"], value: "A-B", help: "what is looped: bars A to B, from 1 (all)"
      ) { options, text throws(Failure) in
        options.loopBars = try bars(text)
        options.loops = true
      },
      .init(
        names: ["--record"], value: "FILE",
        help:
          "record what is heard, and beside it in a MIDI file\nwhat keyboards play; key r does so, too"
      ) { options, text throws(Failure) in options.record = text },
      .init(
        names: ["--patience"], value: "SECONDS",
        help:
          "give up when a node makes no progress for this (10);\nheard: when a node or the sound is gone for this (60)"
      ) { options, text throws(Failure) in
        options.patience = try OptionValue.number(text, of: "--patience", in: 0.1...86_400)
      },
      .init(
        names: ["--cycle"], value: "FRAMES",
        help: "frames of each cycle, 1 to 8192 (1024; 256 for a\ndevice), or random"
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
        "--strict",
      ])
      + OptionTable(DisplayOptions.table, at: \.display).rows.filter { $0.name != "--verbose" })

  private static func bars(_ text: String) throws(Failure) -> ClosedRange<Int> {
    let parts = text.split(separator: "-", maxSplits: 1).map { Int($0) }
    guard parts.count == 2, let first = parts[0], let last = parts[1], first >= 1, last >= first
    else {
      throw .usage("--loop-bars takes the first and the last bar, as in 5-8, but got '\(text)'")
    }
    return first...last
  }

  /// Returns the rows that have the same meaning as for `render`.
  private static func shared(_ names: [String]) -> [OptionTable<PlayOptions>.Row] {
    OptionTable(RenderOptions.table, at: \PlayOptions.render).rows
      .filter { names.contains($0.name) }
  }
}
