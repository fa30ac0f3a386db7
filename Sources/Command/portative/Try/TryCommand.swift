import BatchRenderer
import Configuration
import FluidSynthEngine
import JACKAudio
import LocalSystem
import PortativeServer
import RenderCore

/// The verb `try`: plays a phrase with presets of a SoundFont.
enum TryCommand {
  /// - Parameter arguments: The arguments after `try`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    var options = try TryOptions(arguments: arguments)
    if options.play.display.wantsHelp { return try Command.write(Help.try) }
    PipeWireProperties.allowConcurrentCallbacks()
    Terminal.silenceGLib()
    let soundFonts = PlayedSoundFonts()
    let search = PresetSearch(
      presets: try soundFonts.font(options.play.song.soundFont).presets().map { Preset($0) })
    let found = try presets(search, options)
    for preset in found {
      guard let number = preset.number else { continue }
      options.play.render.inputs = ["\(preset.name).mid"]
      let phrase = Phrase(bank: number.bank, program: number.program, keys: options.keys)
      var playback = try SongPlayback(
        options.play, song: phrase.song, with: soundFonts,
        preset: PresetSelection(bank: number.bank, program: number.program))
      if options.play.display.showsMessages { Terminal.note("\(number)  \(preset.name)") }
      let ending = try playback.run { _ in "\(number)  \(preset.name)" }
      if ending == .quit { return .done }
    }
    return .done
  }

  private static func presets(
    _ search: PresetSearch, _ options: TryOptions
  ) throws(Failure) -> [Preset] {
    let text = options.words.joined(separator: " ")
    let named = search.presets.first { $0.name.lowercased() == text.lowercased() }
    if let named { return [named] }
    let found = search.indices(matching: options.words).map { search.presets[$0] }
    if found.isEmpty {
      // Its message has the nearest name.
      return [search.presets[try search.index(of: text)]]
    }
    if options.play.render.output != "/dev/null", found.count > 1 {
      throw .usage(
        "--output names one file, but \(found.count) presets match '\(text)': use "
          + alternatives(found.map(\.label)))
    }
    return found
  }
}

/// The options of `portative try`.
struct TryOptions {
  var play = PlayOptions()
  /// The words that select presets.
  var words: [String] = []
  var keys: [UInt8] = []

  /// Reads the arguments after `try`.
  init(arguments: [String]) throws(Failure) {
    words = try Self.table.parse(arguments, into: &self)
    if play.display.wantsHelp { return }
    if let first = words.first, SoundFontFile.isNamed(first) {
      if play.render.song.soundFont != nil {
        throw .usage("--soundfont and '\(first)' are two SoundFonts: keep one")
      }
      play.render.song.soundFont = words.removeFirst()
    } else if words.isEmpty {
      throw .usage("no preset was given: portative try \"church organ\"")
    }
    if let last = words.last, let keys = NoteName.keys(last) {
      self.keys = keys
      words.removeLast()
    }
    play.render.inputs = ["preset.mid"]
    try play.validate()
  }

  static let table = OptionTable<TryOptions>(
    rows: OptionTable(PlayOptions.table, at: \.play).rows.filter {
      [
        "--audio", "--output", "--format", "--bits", "--rate", "--soundfont", "--gain", "--timing",
        "--reverb", "--reverb-engine", "--chorus", "--transpose", "--tempo", "--velocity",
        "--quiet", "--help",
      ].contains($0.name)
    })
}

extension Help {
  static let `try` = HelpText(
    usage: [
      "portative try [OPTIONS] PRESET [KEYS]",
      "portative try [OPTIONS] SOUNDFONT.sf2 [PRESET] [KEYS]",
    ],
    description: """
      Plays a phrase with a preset of a SoundFont: a melody, chords, a bass line or a
      drum beat. PRESET is its name, words of names, or a bank and program as 0:40; if
      several presets match, each is played. KEYS such as C4,E4,G4 are played instead.
      On a terminal, n goes to the next preset, and q ends.
      """,
    options: TryOptions.table.entries,
    exitCodes: ExitStatus.of(0, 1, 2, 4, 5),
    examples: """
      portative try "church organ"
      portative try violin G3,D4,A4,E5
      portative try ~/Grand.sf2
      portative try 128:0 --output kit.wav
      """)
}
