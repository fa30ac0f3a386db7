/// Portative's own SoundFont: the 128 programs and the drum kit of General MIDI level 1.
public enum GeneralMIDI {
  /// The 16 families of 8, in the order of General MIDI.
  static var programs: [Program] {
    [
      Pianos.programs, ChromaticPercussion.programs, Organs.programs, Guitars.programs,
      Basses.programs, Strings.programs, Ensembles.programs, Brass.programs, Reeds.programs,
      Pipes.programs, Leads.programs, Pads.programs, SynthEffects.programs, Ethnic.programs,
      Percussive.programs, SoundEffects.programs,
    ].flatMap { $0 }
  }

  /// The whole file, `Portative.sf2`. The same bytes on every machine.
  ///
  /// Realtime: no; it takes some seconds.
  public static func soundFont() -> [UInt8] { SoundFontWriter(assemble()).bytes() }

  static func assemble() -> SoundFont {
    var font = SoundFont(
      name: "Portative", engineer: "The Portative authors", copyright: "CC0 1.0",
      comment: "General MIDI level 1. Every sound is computed; none is recorded.")
    var samples = SampleTable()
    for (number, program) in programs.enumerated() {
      font.presets.append(
        .init(name: program.name, bank: 0, program: number, instrument: font.instruments.count))
      font.instruments.append(
        .init(name: program.name, zones: program.layers.flatMap { zones(of: $0, &samples) }))
    }
    font.presets.append(
      .init(name: "Standard Kit", bank: 128, program: 0, instrument: font.instruments.count))
    font.instruments.append(
      .init(name: "Standard Kit", zones: Drums.pieces.map { zone(of: $0, &samples) }))
    font.samples = samples.recordings
    return font
  }

  private static func zones(of layer: Layer, _ samples: inout SampleTable) -> [SoundFont.Zone] {
    zip(layer.recordings, layer.keyRanges()).map { recording, keys in
      var generators = layer.articulation.generators(decay: recording.decay, key: recording.key)
      if recording.loop != nil { generators[.sampleModes] = 1 }
      // A recording may be shared with the kit under another key.
      generators[.overridingRootKey] = recording.key
      return SoundFont.Zone(
        keys: keys, generators: generators, modulators: layer.articulation.modulators,
        sample: samples.index(of: recording))
    }
  }

  private static func zone(
    of piece: Drums.Piece, _ samples: inout SampleTable
  ) -> SoundFont.Zone {
    // A drum rings on when its key is let go; only its own class may cut it short.
    let recorded = piece.decay ?? piece.recording.decay
    let articulation = Articulation(
      decay: piece.decay, release: recorded ?? 5, softness: 1_800, pan: piece.pan,
      reverb: piece.reverb, attenuation: piece.attenuation, detune: piece.detune)
    var generators = articulation.generators(decay: recorded, key: 60)
    if piece.recording.loop != nil { generators[.sampleModes] = 1 }
    if piece.exclusiveClass > 0 { generators[.exclusiveClass] = piece.exclusiveClass }
    generators[.overridingRootKey] = piece.key
    return SoundFont.Zone(
      keys: piece.key...piece.key, generators: generators, modulators: articulation.modulators,
      sample: samples.index(of: piece.recording))
  }
}

/// Every recording once, however many programs use it.
private struct SampleTable {
  private(set) var recordings: [Recording] = []
  private var indices: [String: Int] = [:]

  mutating func index(of recording: Recording) -> Int {
    if let index = indices[recording.name] { return index }
    indices[recording.name] = recordings.count
    recordings.append(recording)
    return recordings.count - 1
  }
}
