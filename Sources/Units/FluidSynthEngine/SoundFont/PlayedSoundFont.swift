import RenderCore
import Synchronization

/// A SoundFont as one instrument uses it: the preset tables that it plays from.
///
/// `@unchecked Sendable`: ``PresetRequests`` says which thread writes each of its fields.
final class PlayedSoundFont: @unchecked Sendable {
  let tables: PresetTables
  let requests: SupplyRequests
  private let soundFont: SoundFont
  private let preset: PresetSelection?
  /// The instrument's own tables, if it has any; freed with this object.
  private let own: Mutex<PresetTables?>
  /// `nil` if all samples are in memory.
  let upcomingNotes: UpcomingNotes?
  private let memory = RenderMemory()

  /// Realtime: no.
  init(_ soundFont: SoundFont, _ settings: InstrumentSettings) throws(InstrumentError) {
    self.soundFont = soundFont
    preset = settings.preset
    let ownsPresets = settings.ownsPresets
    let all = try ownsPresets ? soundFont.makeOwnTables() : soundFont.sharedTables()
    do throws(InstrumentError) {
      tables = try all.playing(settings.preset, path: soundFont.path)
      upcomingNotes = tables.samples == nil ? nil : try UpcomingNotes(for: tables, in: memory)
    } catch {
      memory.release()
      if ownsPresets { SoundFont.free(all) }
      throw error
    }
    own = Mutex(ownsPresets ? tables : nil)
    requests = SupplyRequests(
      presets: memory.make(PresetRequests(in: memory)), samples: tables.samples)
  }

  deinit {
    // Before the presets that its synth uses.
    memory.release()
    if let own = own.withLock({ $0 }) { SoundFont.free(own) }
  }

  /// Loads the presets and samples that the render thread has requested: about 16 MiB of samples per call,
  /// to keep the call short. Realtime: no.
  ///
  /// - Throws: ``InstrumentError``; an error of loading presets once.
  func supply() throws(InstrumentError) {
    try own.withLock { own throws(InstrumentError) in
      try requests.presets.pointee.load { () throws(InstrumentError) in
        // Cannot throw `noSuchPreset`, which would leak: the same file has the same presets.
        if let own { return own }
        let tables = try soundFont.makeOwnTables().playing(preset, path: soundFont.path)
        own = tables
        return tables
      }
    }
    try soundFont.memory?.loadRequested(upTo: 16 << 20)
  }

  /// Loads the samples that the notes of a cycle need, if they are not in memory. Realtime: no.
  ///
  /// - Parameter engine: It has received all messages before the cycle.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  func loadSamples(
    for cycle: MIDICycle, after engine: Engine
  ) throws(InstrumentError) {
    guard var notes = upcomingNotes?.notes(in: cycle, after: engine) else { return }
    while let note = notes.next() {
      try soundFont.memory?.load(note.preset, key: note.key, velocity: note.velocity)
    }
  }
}
