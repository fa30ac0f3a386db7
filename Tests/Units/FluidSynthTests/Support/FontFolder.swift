import FluidSynthEngine
import Foundation
import TestSupport

/// A temporary folder for SoundFonts, deleted on deinitialization.
struct FontFolder: ~Copyable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a new file.
  func path(_ bytes: some DataProtocol) throws -> String {
    try folder.put(Data(bytes), "\(UUID()).sf2")
  }

  /// Opens a font in a new file, to be loaded on demand.
  func piecewise(_ bytes: some DataProtocol) throws -> SoundFont {
    try SoundFont.open(path(bytes), smallest: 0)
  }

  /// Opens a font in a new file, to be loaded as a whole.
  func whole(_ bytes: some DataProtocol) throws -> SoundFont {
    try SoundFont.open(path(bytes), smallest: .max)
  }
}

extension SoundFont {
  func play(
    _ performance: Performance, _ timing: Timing, frames: Int = 40_000
  ) throws -> RenderedSound {
    let settings = InstrumentSettings(timing: timing, ownsPresets: false)
    return try Instrument.make(soundFont: self, settings: settings)
      .play(performance, frames: frames)
  }
}
