import BatchRenderer
import Configuration
import LiveAudio
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import OfflineRenderer
import PortativeServer

/// The options of `portative play`.
struct PlayOptions {
  /// The song, the output file and its format: the options shared with `render`.
  var render = RenderOptions()
  var display = DisplayOptions()
  /// The chains, which play in parallel.
  var chains: [Chain] = []
  /// The sound device; `nil` to write to a file. Without either option, it is the default device.
  var audio: SoundChoice.Device?
  /// The length of each cycle in frames; `nil` for 1024, or 256 for a device.
  var cycle: CycleLengths.Choice?
  var isShuffled = false
  var hasMetronome = false
  /// The number of bars counted in before the song.
  var countIn = 0
  var isLooping = false
  /// The bars to loop, counted from 1; `nil` for all.
  private var loopBars: ClosedRange<Int>?
  /// Whether the song follows the Link session of the local network, and leads it.
  var followsLink = false
  var leadsLink = false
  /// How the song leads JACK's transport; `nil` if it does not.
  var timebase: Timebase?
  /// The path of the first recording, which starts with the song; `nil` to record only on request.
  var recording: String?
  /// The seconds for which a node or a sound device may be absent; `nil` for 10 when writing a file, 60 when playing
  /// live.
  var timeout: Double?

  /// An instrument and the effects after it, by the names of their ports.
  struct Chain: Equatable {
    var instrument = Instrument.own
    var effects: [String] = []
    /// The settings of the instrument.
    var settings: [Assignment] = []
    /// The part of a take that the chain plays; `nil`: the whole song. No option sets it.
    var take: TakePart?
  }

  enum Instrument: Equatable {
    /// One of this process, with the options of the song.
    case own
    /// The port that was used last.
    case lastUsed
    case port(named: String)

    /// - Parameter text: The value of `--node`.
    init(_ text: String) { self = text == "last" ? .lastUsed : .port(named: text) }

    /// The arguments that select it.
    var arguments: [String] {
      switch self {
      case .own: []
      case .lastUsed: ["--node", "last"]
      case .port(let name): ["--node", name]
      }
    }
  }

  /// Whether a chain has an instrument of this process.
  var hasOwnInstrument: Bool { chains.contains { $0.instrument == .own } }

  var absenceLimit: Duration { .seconds(timeout ?? (isLive ? 60 : 10)) }

  var song: SongOptions { render.song }
  /// Whether the song is played in real time instead of being written to a file.
  var isLive: Bool { audio != nil }

  init() {
    // No length limit: the user has chosen the song.
    render.song.maximumLength = nil
  }

  /// Reads the arguments after `play`.
  init(arguments: [String]) throws(Failure) {
    self.init()
    render.inputs = try Self.table.parse(arguments, into: &self)
    if !display.wantsHelp { try validate() }
  }

  /// Checks that no options contradict each other, and sets those that follow from others.
  mutating func validate() throws(Failure) {
    render.measuresLoudness = display.isJSON
    if render.inputs.isEmpty { throw .usage("no song was given: portative play SONG.mid") }
    if render.output != nil, audio != nil {
      throw .usage("--output and --audio contradict each other: keep one")
    }
    if render.output == nil, audio == nil { audio = SoundChoice().device }
    try validateNumber()
    if !isLive {
      let given = [
        ("--loop", isLooping), ("--record", recording != nil), ("--count-in", countIn > 0),
        ("--link", followsLink),
      ]
      for (name, isGiven) in given where isGiven {
        throw .usage("\(name) needs --audio DEVICE instead of --output")
      }
    }
    if isLive, chains.contains(where: { !$0.settings.isEmpty }) {
      throw .usage("--set needs --output: use portative set for a port that plays")
    }
    if leadsLink, !followsLink {
      throw .usage("--lead needs --link: it leads the Link session that --link joins")
    }
    if timebase != nil {
      guard audio == .jack else {
        throw .usage("--timebase needs --audio jack: it leads JACK's transport")
      }
      if followsLink { throw .usage("--timebase and --link contradict each other: keep one") }
      if countIn > 0 {
        throw .usage(
          "--timebase and --count-in contradict each other, because JACK's transport begins at 0: "
            + "keep one")
      }
    }
    if countIn > 0, song.start != .seconds(0) {
      throw .usage("--count-in and --from contradict each other: keep one")
    }
    if isLive, song.fadeIn > 0 || song.fadeOut > 0 {
      throw .usage("--fade-in and --fade-out need --output FILE instead of --audio")
    }
    if isLive, cycle == .random {
      throw .usage("--cycle random needs --output: the cycles of a device have one length")
    }
    if chains.isEmpty { chains = [Chain()] }
    try validateInstruments()
    try Terminal.refuseAudio(render.output)
    // No audio file is written, so no output name must be derived from the song.
    if audio != nil { render.output = "/dev/null" }
    // Each song is one of its own.
    var one = render
    one.inputs = [render.inputs[0]]
    try one.validate(isJSON: display.isJSON)
  }

  private func validateNumber() throws(Failure) {
    let isOne = render.inputs.count == 1 && FileIdentity(render.inputs[0])?.isFolder != true
    let given = [("--output", render.output != nil), ("--record", recording != nil)]
    for (name, isGiven) in given where isGiven && !isOne {
      throw .usage("\(name) names one file, so play one song with it")
    }
    if isShuffled, isOne { throw .usage("--shuffle needs several songs, or a folder of songs") }
    if isLooping, !isOne {
      throw .usage("--loop repeats one song until stopped: play one song with it")
    }
  }

  /// Checks that options for the instrument have one to apply to.
  private func validateInstruments() throws(Failure) {
    if let option = song.soundFontOption, !hasOwnInstrument {
      throw .usage(
        "\(option) and --node contradict each other, because a port has its own sound: keep one")
    }
  }

  static let table = OptionTable<PlayOptions>(
    rows: [
      .init(
        names: ["-n", "--node"], value: "NAME",
        help: "play through a port: its name as in portative list,\n"
          + "the part after the colon, or its node; last is the\n"
          + "one used last; lv2:URI, lv2:URI#PRESET or\nlv2:URI?NAME=FILE for an LV2 plugin; repeat for\nseveral in parallel",
        repeats: true
      ) { options, text in
        options.chains.append(Chain(instrument: Instrument(text)))
      }.completing(.ports),
      .init(
        names: ["-e", "--effect"], value: "NAME",
        help: "effect after the instrument, also lv2:URI;\nrepeat for a chain", repeats: true
      ) { options, text in
        if options.chains.isEmpty { options.chains = [Chain()] }
        options.chains[options.chains.count - 1].effects.append(text)
      }.completing(.ports),
      .init(
        names: ["--set"], value: "NAME=VALUE",
        help: "a setting of the instrument for the file, as for\nportative set; repeat for others",
        repeats: true
      ) { options, text in
        if options.chains.isEmpty { options.chains = [Chain()] }
        options.chains[options.chains.count - 1].settings.append(try Assignment(reading: text))
      },
      .init(
        names: ["--audio"], value: "DEVICE",
        help: "the sound device: an ALSA name (default), jack, or\n"
          + "none for no sound"
      ) { options, text in options.audio = SoundChoice.Device(text) }.completing(
        .words(["default", "jack", "none"])),
      .flag("--shuffle", help: "play the songs in random order", \.isShuffled),
      .flag("--metronome", help: "play clicks on the beats", \.hasMetronome),
      .init(
        names: ["--count-in"], value: "BARS",
        help: "bars to count in before the song, with --audio (0)"
      ) { options, text in
        options.countIn = try OptionValue.whole(text, of: "--count-in", in: 0...16)
      },
      .flag("--loop", help: "repeat the song until stopped", \.isLooping),
      .init(
        names: ["--loop-bars"], value: "A-B", help: "repeat bars A to B, counted from 1 (all)"
      ) { options, text in
        options.loopBars = try bars(text)
        options.isLooping = true
      },
      .path(
        "--record", value: "FILE",
        help: "record the output to a file, and what keyboards play\n"
          + "to a MIDI file beside it; key r does the same", \.recording),
      .flag(
        "--link",
        help: "play in the tempo and bars of the Link session of\nthe local network",
        \.followsLink),
      .flag(
        "--lead",
        help: "with --link: give the session the song's tempo, and\nstart and stop it", \.leadsLink),
      .init(
        names: ["--timeout"], value: "SECONDS",
        help: "end when a node or device is absent for this time\n"
          + "(60), or with --output makes no progress (10)"
      ) { options, text in
        options.timeout = try OptionValue.number(text, of: "--timeout", in: 0.1...86_400)
      },
      .init(
        names: ["--cycle"], value: "FRAMES",
        help: "frames in each cycle, 1 to 8192 (1024; 256 for a\ndevice), or random"
      ) { options, text in
        options.cycle =
          text == "random"
          ? .random
          : .frames(try OptionValue.whole(text, of: "--cycle", in: 1...CycleLengths.longest))
      },
    ]
      + [timebaseRow]
      + shared([
        "--output", "--format", "--raw", "--bits", "--rate", "--soundfont", "--no-embedded",
        "--gain",
        "--timing", "--polyphony", "--reverb", "--reverb-engine", "--chorus", "--bank-style",
        "--transpose", "--tempo", "--only",
        "--mute", "--program", "--pan", "--velocity", "--drop", "--jitter", "--seed", "--from",
        "--to",
        "--fade-in", "--fade-out", "--tail",
        "--max-tail", "--strict",
      ])
      + OptionTable(DisplayOptions.table, at: \.display).rows.filter { $0.name != "--verbose" })

  private static let timebaseRow = OptionTable<PlayOptions>.Row(
    names: ["--timebase"], value: "HOW",
    help: "with --audio jack, lead JACK's transport with the\n"
      + "song's bars and tempo, and follow it: free, unless\n"
      + "another program gives bars and tempo, or take"
  ) { options, text in
    guard let timebase = Timebase(rawValue: text) else {
      throw Failure.usage("--timebase must be free or take, but was '\(text)'")
    }
    options.timebase = timebase
  }

  private static func bars(_ text: String) throws(Failure) -> ClosedRange<Int> {
    let parts = text.split(separator: "-", maxSplits: 1).map { Int($0) }
    guard parts.count == 2, let first = parts[0], let last = parts[1], first >= 1, last >= first
    else {
      throw .usage("--loop-bars must be a first and a last bar such as 5-8, but was '\(text)'")
    }
    return first...last
  }

  /// Returns the rows that have the same meaning as for `render`.
  private static func shared(_ names: [String]) -> [OptionTable<PlayOptions>.Row] {
    OptionTable(RenderOptions.table, at: \PlayOptions.render).rows
      .filter { names.contains($0.name) }
  }
}

extension PlayOptions {
  /// The settings of a player of a live song.
  var playerSettings: LivePlayerSettings {
    get throws(Failure) {
      var settings = LivePlayerSettings(
        song: render.inputs[0], range: song.settings, openDevice: try deviceOpener)
      settings.hasMetronome = hasMetronome
      settings.countIn = countIn
      settings.isLooping = isLooping
      settings.loopBars = loopBars
      settings.recording = recording
      settings.timebase = timebase
      settings.absenceLimit = absenceLimit
      return settings
    }
  }

  private var deviceOpener: DeviceKeeper.Opening {
    get throws(Failure) {
      let device = audio ?? .none
      var period = device == .none ? 1024 : 256
      if case .frames(let frames)? = cycle { period = frames }
      let choice = SoundChoice(device: device, rate: song.sampleRate, period: period)
      if device == .none {
        return { () throws(SoundDeviceError) in
          PacedDevice(rate: choice.rate, period: choice.period)
        }
      }
      guard SoundChoice.periods.contains(period) else {
        throw .usage(
          "--cycle must be \(SoundChoice.periods.lowerBound) to \(SoundChoice.periods.upperBound) frames "
            + "for a sound device, but is \(period)")
      }
      return { () throws(SoundDeviceError) in try choice.open() }
    }
  }

  /// Connects to the ports of the chains, each chain from its instrument to its last effect.
  ///
  /// - Parameter songPorts: The number of the song's ports. Each has instruments of its own.
  func connect(_ connector: NodeConnector, songPorts: Int) throws -> [[Connection]] {
    let isTake = chains.contains { $0.take != nil }
    let all = Array(repeating: chains, count: isTake ? 1 : songPorts)
    return try all.joined().map { chain in
      let instrument = try connect(connector, to: chain.instrument)
      instrument.takeUnit = chain.take?.unit
      return try [instrument]
        + chain.effects.map { try connector.connect(toPort: $0, .effect) }
    }
  }

  private func connect(
    _ connector: NodeConnector, to instrument: Instrument
  ) throws -> Connection {
    switch instrument {
    case .own: try connector.connectToOwnInstrument()
    case .lastUsed: try connector.connect(to: NodeFinder().find(nil))
    case .port(let name): try connector.connect(toPort: name, .instrument)
    }
  }
}
