import CFluidSynth
import RenderCore

/// Finds out which notes a legato note continues, and clears marks that FluidSynth leaves in a SoundFont.
///
/// A legato note continues the voices whose zones include its key and velocity, and releases the others. It marks the zones
/// of the former, so that its note-on starts no second voice of them, which clears the mark. If the program has changed in
/// between, the note-on is of another preset, and the mark remains: a later note of the former preset would lack a zone, on
/// whatever channel it is.
///
/// It plays notes on a synth that is not heard. Realtime: yes, except for creation.
struct LegatoZones {
  private let synth: OpaquePointer
  private let proxy: SoundFontProxy
  private let voices: VoiceList
  private var font: OpaquePointer

  private static var polyphony: Int { 64 }

  init(in tables: PresetTables, _ memory: RenderMemory) throws(InstrumentError) {
    var settings = SynthSettings.silent
    settings.polyphony = Self.polyphony
    synth = try makeSynth(settings, mayRunReverb: false, in: memory)
    proxy = try SoundFontProxy(of: synth, to: tables)
    voices = VoiceList(polyphony: Self.polyphony, in: memory)
    font = tables.font
  }

  /// Returns whether a legato note continues a voice of a note of a preset.
  @_noLocks mutating func continues(
    _ preset: PresetNumber, key: UInt8, velocity: UInt8, by note: LegatoKeys.Key,
    of tables: PresetTables
  ) -> Bool {
    // Shared tables have no legato.
    if tables.isShared { return false }
    select(preset, of: tables)
    fluid_synth_cc(synth, 0, Int32(Controller.legato), 127)
    fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    let count = voices.update(from: synth)
    fluid_synth_noteon(synth, 0, Int32(note.key), Int32(note.velocity))
    var isContinued = false
    for index in 0..<count
    where fluid_voice_get_key(voices[index]) == Int32(note.key)
      && fluid_voice_is_on(voices[index]) != 0
    {
      isContinued = true
    }
    fluid_synth_noteoff(synth, 0, Int32(key))
    fluid_synth_noteoff(synth, 0, Int32(note.key))
    fluid_synth_cc(synth, 0, Int32(Controller.legato), 0)
    silence()
    return isContinued
  }

  /// Clears the marks of a preset that a legato note of another preset has left. A note-on looks at all zones that it may
  /// have marked.
  @_noLocks mutating func clear(
    _ preset: PresetNumber, by note: LegatoKeys.Key, of tables: PresetTables
  ) {
    if tables.isShared { return }
    select(preset, of: tables)
    fluid_synth_noteon(synth, 0, Int32(note.key), Int32(note.velocity))
    silence()
  }

  @_noLocks private mutating func select(_ preset: PresetNumber, of tables: PresetTables) {
    if font != tables.font {
      proxy.retarget(to: tables)
      font = tables.font
    }
    fluid_synth_program_select(synth, 0, 1, preset.bank, preset.program)
  }

  @_noLocks private func silence() {
    fluid_synth_all_sounds_off(synth, 0)
    fluid_synth_process(synth, Int32(Lane.blockFrames), 0, nil, 0, nil)
  }
}
