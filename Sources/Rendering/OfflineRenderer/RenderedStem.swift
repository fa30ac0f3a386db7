import FluidSynthEngine

/// A stem of a song that is rendered into memory. Its numbers are those of the labels.
package struct RenderedStem: Encodable, Equatable, Sendable {
  package enum Kind: String, Encodable, Sendable {
    case channel, track
    /// All notes without effects, of which each has a sound of its own.
    case dry
    /// Reverb and chorus.
    case wet
    /// What belongs to no other stem.
    case rest
  }

  package let kind: Kind
  /// The channel, 0…15, or the index of the track; `nil` for others.
  package let number: Int?
  /// The index of the port of a channel; `nil` for others.
  package let port: Int?
  /// From the song or the SoundFont, or by its number from 1. Several stems can have the same.
  package let name: String
  /// The preset of the first note of a channel; `nil` for others.
  package let bank, program: Int?

  init(_ kind: Kind) {
    (self.kind, name) = (kind, kind.rawValue)
    (number, port, bank, program) = (nil, nil, nil, nil)
  }

  init(_ stem: StemPlan.Stem, by grouping: StemGrouping, name: String) {
    self.name = name
    (bank, program) = (stem.preset?.bank, stem.preset?.program)
    switch grouping {
    case .channel:
      (kind, number, port) = (.channel, stem.number - 1, stem.place.map { $0 / 16 })
    case .track: (kind, number, port) = (.track, stem.number - 1, nil)
    case .note: (kind, number, port) = (.dry, nil, nil)
    }
  }
}
