import Configuration
import LocalSystem

// Instruments and effects that are no SoundFonts: LV2 plugins, and ports of nodes.
extension SongOptions {
  static let nodeRows: [OptionTable<SongOptions>.Row] = [
    .init(
      names: ["--instrument"], value: "NAME",
      help:
        "play with an LV2 plugin, lv2:URI or lv2:URI#PRESET,\nor with a port of portative list, instead of a\nSoundFont"
    ) { $0.instrument = $1 }.completing(.ports),
    .init(
      names: ["--effect"], value: "NAME",
      help: "an effect after the instrument, named likewise;\nrepeat for a chain", repeats: true
    ) { $0.effects.append($1) }.completing(.ports),
  ]

  /// Whether nodes render the song, or a part of it.
  var usesNodes: Bool { instrument != nil || !effects.isEmpty }

  /// Checks that no option asks for what nodes do not do.
  func validateNodes() throws(Failure) {
    if !usesNodes { return }
    for (option, isGiven) in [("--stems", stems != nil), ("--labels", labels != nil)] where isGiven
    {
      throw .usage(
        "\(option) needs the notes of a SoundFont, which --instrument and --effect do not tell: leave one out"
      )
    }
    if instrument == nil { return }
    let others = [
      ("--bank-style", bankStyle != SongOptions().bankStyle), ("--set", !parameters.isEmpty),
    ]
    if let option = soundFontOption ?? others.first(where: \.1)?.0 {
      throw .usage(
        "\(option) is for SoundFonts, but --instrument names another instrument: leave one out")
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
    ].first(where: \.1)?.0
  }
}
