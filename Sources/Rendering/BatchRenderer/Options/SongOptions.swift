package import AudioFile
import Configuration
package import FluidSynthEngine
import Glibc
import LocalSystem
package import OfflineRenderer

/// The options for rendering one song. Each value is valid by itself; ``validate()`` checks the combination.
package struct SongOptions: Equatable, Sendable {
  package var container: AudioFormat.Container?
  package var isRaw = false
  package var bits: AudioFormat.Bits?

  package var soundFont: String?
  /// What plays the channels that ``channelInstruments`` does not name.
  package var instrument = InstrumentChoice.soundFont(nil)
  package var channelInstruments: [ChannelInstrument] = []
  /// The effects after each instrument: names of ports, or `lv2:URI`.
  package var effects: [String] = []
  /// Whether plugins whose notes sound late by a constant number of frames play them earlier.
  package var alignsPlugins = false
  /// Frames per second.
  package var sampleRate = 48000
  /// Decibels above or below FluidSynth's default level.
  package var gain = 0.0
  /// The level that the song is normalized to; `nil`: it is not normalized.
  package var normalization: Normalization?
  package var timing = Timing.exact
  /// The greatest number of notes, or of voices in `stock`, that sound at once; `nil`: not given.
  package var polyphony: Int?
  package var reverb = true
  /// The name of one of the ``ReverbEngines``; `nil`: the library's default.
  package var reverbEngine: String?
  package var chorus = true
  /// Whether a SoundFont in the file of a song is not used.
  package var ignoresEmbeddedSoundFont = false
  package var bankStyle = BankStyle.auto
  /// Parameters of the instrument by identifier, without defaults and without those that have an option.
  package var parameters: [String: Float] = [:]
  package var tail = RenderSettings.Tail.silence
  /// The greatest length of the tail, in seconds after the end of the song; `nil`: not given.
  package var maximumTail: Double?
  /// What is played differently from the file.
  package var changes = SongChanges()
  /// The range to render; without `end`, to the end of the song.
  package var start = RenderSettings.Position.seconds(0)
  package var end: RenderSettings.Position?
  /// The seconds before `start` from which on the effects receive sound; `nil`: all of the song before it.
  package var lead: Double?
  /// Seconds.
  package var fadeIn = 0.0
  package var fadeOut = 0.0
  /// How often the loop of a song is played.
  package var loops = 1
  /// The length of a fade in seconds; `nil`: none.
  package var fade: Double?
  /// The greatest length of a song, in seconds; `nil`: any length.
  package var maximumLength: Double? = 7200
  /// The picture to draw; `nil`: none.
  package var image: ImageOption?
  package var imageStyle = PictureStyle.dark
  /// How notes are grouped into stems; `nil`: no stems are written.
  package var stems: StemGrouping?
  /// The labels to write; `nil`: none.
  package var labels: LabelOption?
  /// Whether labels include messages other than notes.
  package var labelsMessages = false

  package init() {}
}

extension SongOptions {
  /// The settings for the renderer.
  package var settings: RenderSettings {
    var settings = RenderSettings()
    settings.sampleRate = sampleRate
    settings.timing = timing
    settings.gain *= pow(10, gain / 20)
    settings.polyphony = polyphony ?? settings.polyphony
    settings.effects = Effects(reverb: reverb, chorus: chorus)
    settings.reverbEngine = reverbEngine
    settings.usesEmbeddedSoundFont = !ignoresEmbeddedSoundFont
    settings.bankStyle = bankStyle
    settings.parameters = parameters
    settings.tail = tail
    settings.maximumTail = maximumTail ?? settings.maximumTail
    settings.loops = loops
    settings.fade = fade
    settings.changes = changes
    settings.start = start
    settings.end = end
    settings.lead = lead
    settings.fadeIn = fadeIn
    settings.fadeOut = fadeOut
    settings.maximumLength = maximumLength
    settings.normalization = normalization
    return settings
  }
}

extension SongOptions {
  static let table = OptionTable<SongOptions>(rows: sound + nodeRows + changes + results)

  /// The format of the audio, and what plays.
  private static let sound: [OptionTable<SongOptions>.Row] = [
    .init(
      names: ["--format"], value: "NAME",
      help: "wav, flac, ogg, opus, mp3, aiff, au, w64, rf64, raw"
    ) { $0.container = try OptionValue.choice($1, of: "--format") }
    .completing(.words(AudioFormat.Container.allCases.map(\.rawValue))),
    .flag(
      "--raw", help: "samples without a header: little-endian,\nleft and right interleaved",
      \.isRaw),
    .init(
      names: ["--bits"], value: "16|24|32f",
      help: "bits per sample (16, which is dithered)"
    ) { $0.bits = try OptionValue.choice($1, of: "--bits") },
    .init(
      names: ["--rate"], value: "N", help: "frames per second, 8000 to 96000 (48000)"
    ) { $0.sampleRate = try OptionValue.whole($1, of: "--rate", in: 8000...96_000) },
    .init(
      names: ["-s", "--soundfont"], value: "FILE", help: "the SoundFont to play with"
    ) { $0.soundFont = $1 }.completing(.soundFonts),
    .flag(
      "--no-embedded", help: "do not play with the SoundFont in a file (RMID)",
      \.ignoresEmbeddedSoundFont),
    .init(
      names: ["--gain"], value: "DB",
      help: "louder or softer than FluidSynth's default, by\n-60 to 33.9 decibels (0)"
    ) {
      $0.gain = try OptionValue.number($1, of: "--gain", in: -60...InstrumentSettings.maximumGain)
    },
    .init(
      names: ["--normalize"], value: "LEVEL",
      help: "change the gain to reach a true peak, as in -1dBTP,\nor a loudness, as in -16LUFS"
    ) { $0.normalization = try Normalization($1) },
    .init(
      names: ["--timing"], value: "exact|stock",
      help:
        "start notes on their own frame (exact), or on\nFluidSynth's grid of 64 frames (stock): the bits of\na plain FluidSynth whose calls end at events and\nevery 4096 frames"
    ) { $0.timing = try OptionValue.choice($1, of: "--timing") },
    .init(
      names: ["--polyphony"], value: "N",
      help: "the greatest number of notes at once, or of voices\nin stock timing, 1 to 4096 (256)"
    ) { $0.polyphony = try OptionValue.whole($1, of: "--polyphony", in: 1...4096) },
    .init(names: ["--reverb"], value: "on|off", help: "reverb (on)") {
      $0.reverb = try OptionValue.onOff($1, of: "--reverb")
    },
    .init(
      names: ["--reverb-engine"], value: "NAME",
      help:
        "the reverb, where FluidSynth has several, as 2.6\nhas: dat (its default), fdn, free or lex"
    ) { options, text in
      do {
        try ReverbEngines.available.check(text)
      } catch {
        throw Failure.usage("--reverb-engine: \(error)")
      }
      options.reverbEngine = text
    }.completing(.words(["dat", "fdn", "free", "lex"])),
    .init(names: ["--chorus"], value: "on|off", help: "chorus (on)") {
      $0.chorus = try OptionValue.onOff($1, of: "--chorus")
    },
    .init(
      names: ["--bank-style"], value: "STYLE",
      help:
        "how banks choose presets: as the song's GM, GM2, GS\nor XG reset says (auto, the default); always gs, gm,\n"
        + "gm2, xg or mma; or as the FluidSynth at hand plays\nthe messages (library)"
    ) { $0.bankStyle = try OptionValue.choice($1, of: "--bank-style") }
    .completing(.words(BankStyle.allCases.map(\.rawValue))),
    parameterRow,
  ]

  /// How much is played, and what is written beside the audio.
  private static let results: [OptionTable<SongOptions>.Row] = [
    .init(
      names: ["--tail"], value: "WHEN",
      help: "end when the sound has faded after the song\n"
        + "(silence, the default), at its end of track\n"
        + "(exact), at the next bar line (bar), or after\nSECONDS"
    ) { $0.tail = try RenderSettings.Tail($1) }.completing(.words(["silence", "exact", "bar"])),
    .init(
      names: ["--max-tail"], value: "SECONDS", help: "the greatest length of the tail (30)"
    ) { $0.maximumTail = try OptionValue.number($1, of: "--max-tail", in: 0...3600) },
    .init(
      names: ["--loops"], value: "N",
      help: "play the loop that a song marks N times, 1 to 1000\n(1)"
    ) { $0.loops = try OptionValue.whole($1, of: "--loops", in: 1...1000) },
    .init(
      names: ["--fade"], value: "SECONDS",
      help: "after that, go on with the loop and fade in SECONDS,\ninstead of playing to the end"
    ) { $0.fade = try OptionValue.number($1, of: "--fade", in: 0...3600) },
    .init(
      names: ["--max-length"], value: "TIME",
      help: "refuse longer songs, which may be damaged (2:00:00)"
    ) { $0.maximumLength = try OptionValue.time($1, of: "--max-length") },
    .init(
      names: ["--image"], optional: "FILE", taking: ImageOption.takes,
      help:
        "draw a picture of notes, levels and spectrum over\ntime: FILE.png or .svg; png, the default, or svg\nalone: beside each song"
    ) { $0.image = try ImageOption($1) }.completing(.files(["png", "svg"])),
    .init(
      names: ["--image-style"], value: "STYLE", help: "dark, the default, or light, for print"
    ) { $0.imageStyle = try OptionValue.choice($1, of: "--image-style") }
    .completing(.words(PictureStyle.allCases.map(\.rawValue))),
    .init(
      names: ["--stems"], value: "KIND",
      help:
        "also write each channel, track or note, without\neffects, and the effects, to SONG.stems/"
    ) { $0.stems = try OptionValue.choice($1, of: "--stems") }
    .completing(.words(StemGrouping.allCases.map(\.rawValue))),
    .init(
      names: ["--labels"], value: "FILE",
      help:
        "also write when each note begins, is released and\nfalls silent, in frames: FILE.jsonl, .csv or .npz;\nor the notes as performed: FILE.mid; jsonl, csv, npz\nor mid alone: beside each song"
    ) { $0.labels = try LabelOption($1) }.completing(.files(["jsonl", "csv", "npz", "mid"])),
    .flag(
      "--label-messages", help: "label controllers, programs and bends as well",
      \.labelsMessages),
  ]
}

extension RenderSettings.Tail {
  init(_ text: String) throws(Failure) {
    switch text {
    case "exact": self = .exact
    case "silence": self = .silence
    case "bar": self = .bar
    default:
      guard let seconds = OptionValue.plainNumber(text), (0...3600).contains(seconds) else {
        throw .usage(
          "--tail must be exact, silence, bar or seconds from 0 to 3600, but was '\(text)'")
      }
      self = .seconds(seconds)
    }
  }
}

extension SongOptions {
  /// Checks that no options contradict each other.
  func validate() throws(Failure) {
    if isRaw, let container, container != .raw {
      throw .usage("--raw and --format \(container.rawValue) contradict each other: leave one out")
    }
    if let end, !end.isAfter(start) {
      throw .usage("--to \(end) is not after --from \(start): nothing would be rendered")
    }
    if fadeOut > 0, fade != nil {
      throw .usage("--fade and --fade-out contradict each other: keep one")
    }
    try validateNodes()
    if stems != nil, timing == .stock {
      throw .usage(
        "--stems needs --timing exact: with --timing stock, one synth mixes all notes")
    }
    if stems == .note, normalization != nil {
      throw .usage(
        "--stems note and --normalize contradict each other, because files of notes are complete before "
          + "the level of the song is known: use --gain, or --stems channel")
    }
    if labels != nil, timing == .stock {
      throw .usage(
        "--labels needs --timing exact: with --timing stock, notes begin up to 63 frames late")
    }
    if lead != nil, timing == .stock {
      throw .usage(
        "--lead needs --timing exact: with --timing stock, one synth renders the whole song")
    }
    if lead != nil, start == .seconds(0) {
      throw .usage("--lead needs --from: a song from its beginning has nothing before it")
    }
    if imageStyle != .dark, image == nil {
      throw .usage("--image-style needs --image: add --image, or --image FILE")
    }
    if labelsMessages, labels == nil {
      throw .usage("--label-messages needs --labels: name their file with --labels FILE")
    }
    if let maximumTail, case .seconds(let seconds) = tail, seconds > maximumTail {
      throw .usage(
        "--tail \(OptionValue.brief(seconds)) is longer than --max-tail "
          + "\(OptionValue.brief(maximumTail)): leave one out")
    }
  }

  /// Checks that the ending of an output file does not stand for another format than the requested one.
  func validateEnding(of output: String) throws(Failure) {
    if output != "-", let requested = isRaw ? AudioFormat.Container.raw : container,
      let ending = try? AudioFormat.Container(fileName: output), ending != requested
    {
      throw .usage(
        "'\(output)' has the ending of \(ending.rawValue), but \(isRaw ? "--raw" : "--format") requests "
          + "\(requested.rawValue): change one of them")
    }
  }

  /// Returns the format of an output file.
  ///
  /// - Parameter output: Its name; `-` is standard output, `nil`: not given.
  /// - Throws: If the format is unknown, or does not support the requested bits, rate or streaming.
  func format(of output: String?) throws(Failure) -> AudioFormat {
    if stems != nil, output == "-" {
      throw .usage("--stems needs a file for the mix, but --output is -: name a file")
    }
    do {
      let format = try AudioFormat(container(of: output), bits: bits)
      try format.check(sampleRate: sampleRate)
      if output == "-", !format.container.canStream {
        throw AudioFormatError.cannotStream(format.container)
      }
      return format
    } catch AudioFormatError.unknownExtension(let name) {
      throw .usage("\(AudioFormatError.unknownExtension(name)), or pass it with --format")
    } catch {
      throw Failure(error)
    }
  }

  private func container(of output: String?) throws(AudioFormatError) -> AudioFormat.Container {
    if isRaw { return .raw }
    if let container { return container }
    guard let output, output != "-" else { return .wav }
    // Devices and FIFOs have no ending that stands for a format.
    return SongPath.isDevice(output) ? .wav : try AudioFormat.Container(fileName: output)
  }
}

/// The value of `--image`: a file, or a format for a file beside each song.
package enum ImageOption: Equatable, Sendable {
  case file(String, PictureFormat)
  case beside(PictureFormat)

  package var format: PictureFormat {
    switch self {
    case .file(_, let format), .beside(let format): format
    }
  }

  /// - Parameter text: The value; empty if there is none.
  /// - Throws: ``Failure/Kind/usage`` for a name without a known ending.
  init(_ text: String) throws(Failure) {
    guard let format = Self.format(of: text) else {
      throw .usage("--image must be a file that ends in .png or .svg, but was '\(text)'")
    }
    self = text.isEmpty || text == format.rawValue ? .beside(format) : .file(text, format)
  }

  /// Whether a word is a value, not the next operand.
  static func takes(_ text: String) -> Bool { !text.isEmpty && format(of: text) != nil }

  private static func format(of text: String) -> PictureFormat? {
    if text.isEmpty { return .png }
    if let format = PictureFormat(rawValue: text) { return format }
    let name = SongPath.lastPart(text)
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
    return ending.flatMap { PictureFormat(rawValue: $0.lowercased()) }
  }
}

/// The value of `--labels`: a file, or a format for a file beside each song.
package enum LabelOption: Equatable, Sendable {
  case file(String, LabelFormat)
  case beside(LabelFormat)

  var format: LabelFormat {
    switch self {
    case .file(_, let format), .beside(let format): format
    }
  }

  /// - Throws: ``Failure/Kind/usage`` for a name without a known ending.
  init(_ text: String) throws(Failure) {
    if let format = LabelFormat(rawValue: text) {
      self = .beside(format)
      return
    }
    let name = SongPath.lastPart(text)
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
    guard let ending, let format = LabelFormat(rawValue: ending.lowercased()) else {
      throw .usage(
        "--labels must be a file that ends in .jsonl, .csv, .npz or .mid, but was '\(text)'")
    }
    self = .file(text, format)
  }
}
