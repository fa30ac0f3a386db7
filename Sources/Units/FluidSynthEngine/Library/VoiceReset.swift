import CFluidSynth
import CFluidSynthOverrides
import RenderCore

/// Resets the voice slots of a synth after a note.
///
/// FluidSynth ramps a new note in from the pan and send gains of the last note in its voice slot
/// (`fluid_rvoice_reset` does not reset them, in 2.3 as in 2.6), so equal notes are not bit-identical. A
/// silent voice with all four gains at zero restores the slot to the state of a new synth.
///
/// Each lane has its own instance with its own sample. A voice therefore cannot outlive the sample that it
/// reads, and the sample's reference count, which is not atomic, is used by one thread only.
struct VoiceReset {
  let sample: OpaquePointer

  private static var sampleFrames: Int { 64 }
  /// The MIDI channel of the silent voices. Lanes play on the first channel only, so no controller,
  /// generator offset, tuning or pitch bend ever affects this one.
  private static var channel: Int32 { @_noLocks get { 15 } }
  /// The maximum number of blocks that silent voices may take. From 65,536 frames per second on they take
  /// two, because the shortest delay of a volume envelope, 0.98 ms, is then a whole block.
  private static var maximumBlocks: Int { @_noLocks get { 4 } }

  init(in memory: RenderMemory) throws(InstrumentError) {
    guard let sample = new_fluid_sample() else { throw .outOfMemory }
    self.sample = sample
    memory.onRelease { delete_fluid_sample(sample) }
    var silence = [Int16](repeating: 0, count: Self.sampleFrames)
    guard
      fluid_sample_set_sound_data(sample, &silence, nil, UInt32(silence.count), 48_000, 1)
        == FLUID_OK, fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK
    else { throw .outOfMemory }
  }

  /// Resets the first `slots` slots of `synth`, which must be silent.
  ///
  /// - Returns: Whether every slot of the synth is free afterwards. If not, the synth must not play another note.
  @_noLocks func resetVoices(_ slots: Int32, of synth: OpaquePointer) -> Bool {
    beginReset(slots, of: synth)
    for _ in 0..<Self.maximumBlocks where !renderBlock(of: synth) {}
    if isFree(synth) { return true }
    // Not reached with any known FluidSynth: ends voices that continue to play.
    fluid_synth_cc(synth, Self.channel, Int32(Controller.allSoundOff), 0)
    return renderBlock(of: synth)
  }

  /// Starts silent voices in the first free slots of `synth`, which are reset when these end, within some blocks. A note that
  /// begins now uses the slots after them.
  @_noLocks func beginReset(_ slots: Int32, of synth: OpaquePointer) {
    for _ in 0..<slots {
      guard let voice = fluid_synth_alloc_voice(synth, sample, Self.channel, 60, 127) else { break }
      Self.makeSilent(voice)
      fluid_synth_start_voice(synth, voice)
    }
  }

  /// Sets all four gains of a voice of the sample to zero.
  @_noLocks static func makeSilent(_ voice: OpaquePointer) {
    // Three octaves up, 64 frames of silence take less than a block at every rate.
    fluid_voice_gen_set(voice, Int32(GEN_COARSETUNE.rawValue), 36)
    fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), -4000)
    fluid_voice_gen_set(voice, Int32(GEN_CUSTOM_BALANCE.rawValue), 4000)
    fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), -4000)
    fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), -4000)
  }

  /// - Returns: Whether all slots are free after the block.
  @_noLocks private func renderBlock(of synth: OpaquePointer) -> Bool {
    if isFree(synth) { return true }
    mix_voices(UnsafeMutableRawPointer(synth), Int32(Lane.blockFrames))
    return isFree(synth)
  }

  /// The call also returns ended voices to the synth's pool.
  @_noLocks private func isFree(_ synth: OpaquePointer) -> Bool {
    fluid_synth_get_active_voice_count(synth) == 0
  }
}
