import Configuration
import LocalSystem
import OfflineRenderer

// Instruments and effects that are not the SoundFont of the options: LV2 plugins, ports of nodes, and other SoundFonts.
extension SongOptions {
  static let nodeRows: [OptionTable<SongOptions>.Row] = [
    .init(
      names: ["--instrument"], value: "NAME",
      help:
        "play with an LV2 plugin, lv2:URI, lv2:URI#PRESET or\n"
        + "lv2:URI?NAME=FILE, with a port of portative list,\n"
        + "or with a SoundFont, sf2:FILE; only channels as\n1=NAME or 1,2=NAME, which may be repeated",
      repeats: true
    ) { options, text in
      if let instrument = try ChannelInstrument(text) {
        options.channelInstruments.append(instrument)
      } else {
        options.instrument = try InstrumentChoice(text)
      }
    }.completing(.ports).clearing { options in
      options.instrument = .soundFont(nil)
      options.channelInstruments = []
    },
    .init(
      names: ["--effect"], value: "NAME",
      help: "an effect after each instrument, named likewise;\nrepeat for a chain", repeats: true
    ) { $0.effects.append($1) }.completing(.ports).clearing { $0.effects = [] },
    .flag(
      "--align",
      help:
        "measure how late the notes of an LV2 plugin sound,\nand play them as much earlier, if it is constant",
      \.alignsPlugins),
  ]

  /// Whether nodes render the song, or a part of it.
  var usesNodes: Bool {
    instrument != .soundFont(nil) || !channelInstruments.isEmpty || !effects.isEmpty
  }

  /// All instruments that may play.
  package var instruments: [InstrumentChoice] { [instrument] + channelInstruments.map(\.choice) }

  /// The names of the ports and plugins that may play.
  package var portNames: [String] {
    instruments.compactMap { if case .port(let name) = $0 { name } else { nil } } + effects
  }

  /// Whether an LV2 plugin may play.
  private var usesPlugin: Bool {
    instruments.contains { if case .port(let name) = $0 { name.hasPrefix("lv2:") } else { false } }
  }

  /// Whether nothing plays but LV2 plugins and the SoundFont player of this program.
  package var usesNoForeignNode: Bool { portNames.allSatisfy { $0.hasPrefix("lv2:") } }

  /// Whether the SoundFont of the options may play.
  var usesSoundFont: Bool { instruments.contains(.soundFont(nil)) }

  /// The names of the SoundFonts that may play, each once, first that of the options; `nil` is the name of the one that is found.
  package var soundFonts: [String?] {
    var names: [String?] = usesSoundFont ? [soundFont] : []
    for case .soundFont(let name?) in instruments where !names.contains(name) { names.append(name) }
    return names
  }

  /// Returns the index in ``instruments`` of what plays a channel, 0…15, of a port.
  package func instrument(ofChannel channel: UInt8, port: Int) -> Int {
    channelInstruments.firstIndex { $0.plays(channel, ofPort: port) }.map { $0 + 1 } ?? 0
  }

  /// Checks that no option asks for what nodes do not do.
  func validateNodes() throws(Failure) {
    if alignsPlugins, !usesPlugin {
      throw .usage("--align is for LV2 plugins, but no --instrument is one: leave it out")
    }
    if !usesNodes { return }
    try validateChannels()
    if stems == .note {
      throw .usage(
        "--stems note needs the sound of each note, which --instrument and --effect do not tell: use "
          + "--stems channel")
    }
    if !usesSoundFont, soundFont != nil {
      throw .usage(
        "--soundfont names a SoundFont, but --instrument names what plays instead: leave one out")
    }
    if !soundFonts.isEmpty { return }
    let others = [
      ("--bank-style", bankStyle != SongOptions().bankStyle), ("--set", !parameters.isEmpty),
    ]
    if let option = soundFontOption ?? others.first(where: \.1)?.0 {
      throw .usage(
        "\(option) is for SoundFonts, but --instrument names another instrument: leave one out")
    }
  }

  private func validateChannels() throws(Failure) {
    var known: [PartChannel] = []
    for channel in channelInstruments.flatMap(\.channels) {
      if known.contains(channel) {
        let port = channel.port.map { " of port \($0 + 1)" } ?? ""
        throw .usage(
          "--instrument names two instruments for channel \(channel.channel + 1)\(port): leave one "
            + "out")
      }
      known.append(channel)
    }
  }

  /// The first given option for the sound of a SoundFont, which other instruments do not have; `nil` if none is given.
  package var soundFontOption: String? {
    let usual = SongOptions()
    return [
      ("--soundfont", soundFont != nil), ("--gain", gain != usual.gain),
      ("--timing", timing != usual.timing), ("--polyphony", polyphony != nil),
      ("--reverb", reverb != usual.reverb), ("--chorus", chorus != usual.chorus),
      ("--reverb-engine", reverbEngine != nil), ("--no-embedded", ignoresEmbeddedSoundFont),
      ("--lead", lead != nil),
    ].first(where: \.1)?.0
  }
}
