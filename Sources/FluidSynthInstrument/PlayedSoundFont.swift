/// What an instrument holds of a SoundFont as long as it plays.
final class PlayedSoundFont: Sendable {
  let tables: PresetTables
  private let soundFont: SoundFont

  /// Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  init(_ soundFont: SoundFont, ownsPresets: Bool) throws(InstrumentError) {
    self.soundFont = soundFont
    tables = try ownsPresets ? soundFont.makeOwnTables() : soundFont.sharedTables()
  }

  deinit {
    if !tables.isShared { SoundFont.free(tables) }
  }
}
