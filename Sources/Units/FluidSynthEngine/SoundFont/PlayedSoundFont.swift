import Synchronization

/// A SoundFont as one instrument uses it: the preset tables that it plays from.
final class PlayedSoundFont: Sendable {
  let tables: PresetTables
  private let soundFont: SoundFont
  private let preset: PresetSelection?
  /// The instrument's own tables, if it has any; freed with this object.
  private let own: Mutex<PresetTables?>

  /// Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  init(_ soundFont: SoundFont, _ settings: InstrumentSettings) throws(InstrumentError) {
    self.soundFont = soundFont
    preset = settings.preset
    let ownsPresets = settings.ownsPresets
    let all = try ownsPresets ? soundFont.makeOwnTables() : soundFont.sharedTables()
    do throws(InstrumentError) {
      tables = try all.playing(settings.preset, path: soundFont.path)
    } catch {
      if ownsPresets { SoundFont.free(all) }
      throw error
    }
    own = Mutex(ownsPresets ? tables : nil)
  }

  deinit {
    if let own = own.withLock({ $0 }) { SoundFont.free(own) }
  }

  /// Returns tables that belong to this instrument alone, and loads them if necessary. Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  func makeOwnTables() throws(InstrumentError) -> PresetTables {
    try own.withLock { own throws(InstrumentError) in
      if let own { return own }
      // Cannot throw `noSuchPreset`, which would leak: the same file has the same presets.
      let tables = try soundFont.makeOwnTables().playing(preset, path: soundFont.path)
      own = tables
      return tables
    }
  }

  /// Loads samples that render threads have requested: about 16 MiB per call, to keep the call short.
  /// Realtime: no.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  func loadRequestedSamples() throws(InstrumentError) {
    try soundFont.memory?.loadRequested(upTo: 16 << 20)
  }

  /// Loads the samples of a note. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  func load(_ preset: PresetNumber, key: UInt8, velocity: UInt8) throws(InstrumentError) {
    try soundFont.memory?.load(preset, key: key, velocity: velocity)
  }
}
