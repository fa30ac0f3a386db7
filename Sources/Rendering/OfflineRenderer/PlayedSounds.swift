package import FluidSynthEngine

/// What plays the channels of a song, for the names in its picture and of its stems.
package struct PlayedSounds: Sendable {
  private let readPresets: @Sendable () -> [SoundFontPreset]
  private let instruments: [String]
  private let instrument: @Sendable (_ channel: UInt8, _ port: Int) -> Int?

  /// - Parameters:
  ///   - presets: The presets of the SoundFont that plays the channels without another instrument. They are read when names are
  ///     needed: the SoundFont has been loaded then.
  ///   - instruments: The names of other instruments.
  ///   - instrument: Returns the index in `instruments` of what plays a channel, 0…15, of a port; `nil`: the SoundFont.
  package init(
    presets: @escaping @autoclosure @Sendable () -> [SoundFontPreset], instruments: [String] = [],
    instrument: @escaping @Sendable (_ channel: UInt8, _ port: Int) -> Int? = { _, _ in nil }
  ) {
    (readPresets, self.instruments, self.instrument) = (presets, instruments, instrument)
  }

  var presets: [SoundFontPreset] { readPresets() }

  /// Returns the index of the instrument of a channel, counted through all ports; `nil` for the SoundFont.
  func instrument(ofPlace place: Int) -> Int? { instrument(UInt8(place % 16), place / 16) }

  func name(ofInstrument index: Int) -> String { instruments[index] }
}
