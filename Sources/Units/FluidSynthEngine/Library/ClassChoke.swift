import CFluidSynth
import RenderCore

/// Ends the voices of an exclusive class in a synth that plays no further note of that class.
///
/// FluidSynth does so when a voice of the class begins, whatever holds the others, and has no other call for it. A silent
/// voice of the class therefore begins. It belongs to a note of its own, of another channel, because the voices of one note
/// do not end each other.
///
/// Realtime: yes, except for creation.
struct ClassChoke: BitwiseCopyable {
  /// The channel of the note whose preset starts the voice; the voice itself is on the first channel, as those of lanes are.
  private static var channel: Int32 { @_noLocks get { 14 } }
  /// A bank that no message selects.
  fileprivate static var bank: Int32 { @_noLocks get { 1 << 20 } }
  /// The greatest class that a note-on can name.
  private static var greatest: Int32 { @_noLocks get { 127 * 128 - 1 } }

  private let font: OpaquePointer

  /// Must be created before the synth, which must be deleted before the memory is released.
  ///
  /// - Parameter sample: Silence, of which no other synth starts voices.
  init(playing sample: OpaquePointer, in memory: RenderMemory) throws(InstrumentError) {
    guard let font = new_fluid_sfont(nameOfChoke, presetOfChoke, nil, nil, deleteFont),
      let preset = new_fluid_preset(
        font, nameOfChokePreset, zero, zero, startChoke, deleteNothing)
    else { throw .outOfMemory }
    memory.onRelease { delete_fluid_preset(preset) }
    fluid_preset_set_data(preset, UnsafeMutableRawPointer(sample))
    fluid_sfont_set_data(font, UnsafeMutableRawPointer(preset))
    self.font = font
  }

  /// Gives the SoundFont of the silent voice to a synth, which deletes it. Realtime: no.
  func add(to synth: OpaquePointer) { fluid_synth_add_sfont(synth, font) }

  /// Prepares the synth, at the start and after a system reset.
  @_noLocks func select(in synth: OpaquePointer) {
    fluid_synth_program_select(
      synth, Self.channel, fluid_sfont_get_id(font), Self.bank, 0)
  }

  /// Ends the voices of a class on the first channel. Takes one of the synth's voices for about a block.
  @_noLocks func end(_ exclusiveClass: Int32, in synth: OpaquePointer) {
    guard (1...Self.greatest).contains(exclusiveClass) else { return }
    fluid_synth_noteon(synth, Self.channel, exclusiveClass % 128, exclusiveClass / 128 + 1)
  }

  /// Starts the silent voice.
  @_noLocks fileprivate static func start(
    _ exclusiveClass: Int32, _ sample: OpaquePointer, in synth: OpaquePointer
  ) {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else { return }
    VoiceReset.makeSilent(voice)
    fluid_voice_gen_set(voice, Int32(GEN_EXCLUSIVECLASS.rawValue), Float(exclusiveClass))
    fluid_synth_start_voice(synth, voice)
  }
}

@_noLocks private func presetOfChoke(
  _ font: OpaquePointer?, bank: Int32, program: Int32
) -> OpaquePointer? {
  bank == ClassChoke.bank ? OpaquePointer(fluid_sfont_get_data(font)) : nil
}

@_noLocks private func startChoke(
  _ preset: OpaquePointer?, _ synth: OpaquePointer?, _: Int32, key: Int32, velocity: Int32
) -> Int32 {
  guard let synth, let sample = OpaquePointer(fluid_preset_get_data(preset)) else {
    return Int32(FLUID_FAILED)
  }
  ClassChoke.start((velocity - 1) * 128 + key, sample, in: synth)
  return Int32(FLUID_OK)
}

private func nameOfChoke(_: OpaquePointer?) -> UnsafePointer<CChar>? { UnsafePointer(noName) }

private func nameOfChokePreset(_: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafePointer(noName)
}

/// Never freed, because C code keeps the pointer.
nonisolated(unsafe) private let noName = {
  let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  text.initialize(to: 0)
  return text
}()

private func zero(_: OpaquePointer?) -> Int32 { 0 }

private func deleteFont(_ font: OpaquePointer?) -> Int32 { delete_fluid_sfont(font) }

private func deleteNothing(_: OpaquePointer?) {}
