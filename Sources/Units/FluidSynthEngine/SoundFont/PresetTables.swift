import CFluidSynth
import LocalSystem

/// A SoundFont's presets as FluidSynth has read them, with the samples they play.
///
/// Several threads may play from the same tables, each in synths of its own and without locks. What
/// FluidSynth 2.3 has in them is only read once the file is loaded (with
/// `synth.dynamic-sample-loading` = 0), but for three things:
///
/// - **Counts of samples in use** go up with a note and down when its voice is taken back, by plain
///   arithmetic: threads may lose counts. They are looked at in one place only,
///   `delete_fluid_defsfont`, which keeps a font whose samples are in use. We free tables only after
///   every synth that played from them; then the true count is 0. A wrong one, which threads
///   that play the same samples for long do leave behind, can keep memory that should be freed, once
///   for each free; it never frees any early.
/// - **The count of presets in use** is lost in the same way. Only `fluid_synth_sfunload` looks at
///   it, which is never called: when it is refused, it tries again on a thread of its own for ever.
/// - **`ignore`, of a zone's range**, would be heard. A legato note marks the zones whose voices go on,
///   and then starts voices in all that are not marked, taking the marks away. A note-on of another
///   thread in between would miss a zone, and may be silent. Only the legato mode
///   `MULTI_RETRIGGER`, FluidSynth's default, marks. So whoever plays from shared tables is kept in
///   the mode `RETRIGGER`, which strikes the note anew, and legato as it should be needs tables of
///   one's own; of one instrument, all notes begin on one thread.
///
/// `Sendable`: what it points to is as said above.
struct PresetTables: @unchecked Sendable, BitwiseCopyable {
  /// The synth that loaded the file, and does nothing else.
  private let owner: OpaquePointer
  /// FluidSynth's SoundFont.
  let font: OpaquePointer
  let isShared: Bool
  /// Where its samples come from, if they are not all in memory; it outlives the tables.
  private let memory: Unmanaged<SampleMemory>?
  /// Which samples are in memory; `nil`: all.
  let samples: SampleTable?
  /// The one preset that is played, whichever is asked for; `nil`: the one that is asked for.
  private(set) var only: OpaquePointer?

  /// Loads a file; one thread at a time. Realtime: no.
  ///
  /// - Throws: ``InstrumentError/notASoundFont(path:reason:)``, ``InstrumentError/outOfMemory``.
  init(loading path: String, isShared: Bool) throws(InstrumentError) {
    quietLibrary()
    let owner = try makeSynth(
      SynthSettings(
        rate: 48_000, polyphony: 1, gain: 1, effects: Effects(reverb: false, chorus: false)))
    let (font, isShort) = MemoryShortage.watch {
      fluid_synth_sfload(owner, path.platformString, 0) == FLUID_FAILED
        ? nil : fluid_synth_get_sfont(owner, 0)
    }
    guard let font else {
      delete(owner)
      if isShort { throw .noMemoryForSoundFont(path: path) }
      throw .notASoundFont(path: path, reason: "FluidSynth cannot load it: damaged or truncated")
    }
    self.owner = owner
    self.font = font
    self.isShared = isShared
    (memory, samples) = (nil, nil)
  }

  /// Loads a file without its samples; one thread at a time. Realtime: no.
  ///
  /// - Returns: `nil` where it must be loaded as a whole.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init?(
    loading memory: SampleMemory, name: String, isShared: Bool
  ) throws(InstrumentError) {
    quietLibrary()
    let owner = try makeSynth(
      SynthSettings(
        rate: 48_000, polyphony: 1, gain: 1, effects: Effects(reverb: false, chorus: false)),
      locksSamples: false)
    guard SampleStream.load(memory, name: name, into: owner),
      let font = fluid_synth_get_sfont(owner, 0)
    else {
      memory.forget(owner)
      delete(owner)
      return nil
    }
    self.owner = owner
    self.font = font
    self.isShared = isShared
    self.memory = .passUnretained(memory)
    samples = memory.board
    // A preset that the board does not know would be silent.
    guard list().allSatisfy({ memory.board.has(PresetNumber($0.selection)) }) else {
      free()
      return nil
    }
  }

  /// The same tables, for an instrument that plays one preset of them.
  ///
  /// - Throws: ``InstrumentError/noSuchPreset(_:path:)``.
  func playing(_ preset: PresetSelection?, path: String) throws(InstrumentError) -> PresetTables {
    guard let preset else { return self }
    var tables = self
    tables.only = fluid_sfont_get_preset(font, Int32(preset.bank), Int32(preset.program))
    if tables.only == nil { throw .noSuchPreset(preset, path: path) }
    return tables
  }

  /// One thread at a time, and none while another loads. Realtime: no.
  func free() {
    memory?.takeUnretainedValue().forget(owner)
    delete(owner)
  }

  /// How synths that play from these tables must play legato.
  var legatoMode: Int32 {
    @_noLocks get {
      let mode =
        isShared ? FLUID_CHANNEL_LEGATO_MODE_RETRIGGER : FLUID_CHANNEL_LEGATO_MODE_MULTI_RETRIGGER
      return Int32(mode.rawValue)
    }
  }
}

/// Keeps the library's log off stderr: what matters in it reaches the user as an error or in the
/// report.
func quietLibrary() {
  for level in [FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG] {
    fluid_set_log_function(Int32(level.rawValue), nil, nil)
  }
}
