import Synchronization

/// What an instrument holds of a SoundFont as long as it plays.
final class PlayedSoundFont: Sendable {
  let tables: PresetTables
  private let soundFont: SoundFont
  private let own: Mutex<PresetTables?>

  /// Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  init(_ soundFont: SoundFont, ownsPresets: Bool) throws(InstrumentError) {
    self.soundFont = soundFont
    tables = try ownsPresets ? soundFont.makeOwnTables() : soundFont.sharedTables()
    own = Mutex(ownsPresets ? tables : nil)
  }

  deinit {
    if let own = own.withLock({ $0 }) { SoundFont.free(own) }
  }

  /// Tables of the instrument's own, where it began with shared ones. Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  func makeOwnTables() throws(InstrumentError) -> PresetTables {
    try own.withLock { own throws(InstrumentError) in
      if let own { return own }
      let tables = try soundFont.makeOwnTables()
      own = tables
      return tables
    }
  }
}
