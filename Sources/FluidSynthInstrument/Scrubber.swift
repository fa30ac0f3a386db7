import CFluidSynth

/// Wipes from a synth's voice slots what earlier notes left there.
///
/// FluidSynth fades a new note in from the pan and send gains of the note that had its voice slot
/// before (`fluid_rvoice_reset` leaves them, in 2.3 as in 2.6), so equal notes are not equal. A silent
/// voice with all four gains at zero, played for a block, leaves the slot as a new synth has it.
///
/// One per lane pool: its sample's reference count is not atomic.
struct Scrubber {
  private let sample: OpaquePointer
  private let silence: UnsafeMutablePointer<Int16>
  private static var sampleFrames: Int { 64 }

  /// Realtime: no, it allocates.
  init() throws(InstrumentError) {
    guard let sample = new_fluid_sample() else { throw .outOfMemory }
    self.sample = sample
    silence = .allocate(capacity: Self.sampleFrames)
    silence.initialize(repeating: 0, count: Self.sampleFrames)
    guard
      fluid_sample_set_sound_data(sample, silence, nil, UInt32(Self.sampleFrames), 48_000, 0)
        == FLUID_OK, fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK
    else { throw .outOfMemory }
  }

  /// Starts silent voices in the `slots` lowest slots of `synth`, in which nothing may sound. They
  /// end within the next block.
  @_noLocks func scrub(_ slots: Int32, of synth: OpaquePointer) {
    for _ in 0..<slots {
      guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else { return }
      // Three octaves up, 64 frames of silence are over within one block.
      fluid_voice_gen_set(voice, Int32(GEN_COARSETUNE.rawValue), 36)
      fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), -4000)
      fluid_voice_gen_set(voice, Int32(GEN_CUSTOM_BALANCE.rawValue), 4000)
      fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), -4000)
      fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), -4000)
      fluid_synth_start_voice(synth, voice)
    }
  }

  /// Frees the sample. No lane that used it may be left. Realtime: no.
  func destroy() {
    delete_fluid_sample(sample)
    silence.deallocate()
  }
}
