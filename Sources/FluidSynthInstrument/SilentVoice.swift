import CFluidSynth

/// Starts silent voices in a lane, through a preset of our own; the only way the public interface
/// offers to reach a voice slot.
///
/// Two things need it. **Scrubbing**: FluidSynth fades a new note in from the pan and send gains of the
/// note that had its voice slot before, so equal notes are not equal; a silent voice with all four
/// gains at zero leaves the slot as a new synth has it. **Choking**: a silent voice of an exclusive
/// class makes FluidSynth end the others of that class by its own rules.
///
/// One per lane pool: it holds reference counts that are not atomic.
struct SilentVoice {
  /// What the preset's callback needs to know; at a fixed address.
  struct Request {
    var sample: OpaquePointer
    var exclusiveClass: Float
  }

  let request: UnsafeMutablePointer<Request>
  private let preset: OpaquePointer
  private let font: OpaquePointer
  private let samples: UnsafeMutablePointer<Int16>

  private static var sampleFrames: Int { 64 }
  /// Voice ids from here on never meet those of notes, which count from 0.
  static var firstID: UInt32 { @_noLocks get { 0x4000_0000 } }

  /// Makes the sample, the preset and the font that holds it. Realtime: no, it allocates.
  ///
  /// - Returns: `nil` when the library refuses, which means it is out of memory.
  init?() {
    guard let sample = new_fluid_sample(),
      let font = new_fluid_sfont(
        silentFontName, silentFontPreset, nil, nil, silentFontFree),
      let preset = new_fluid_preset(
        font, silentPresetName, silentPresetNumber, silentPresetNumber, silentPresetNoteOn,
        silentPresetFree)
    else { return nil }
    samples = .allocate(capacity: Self.sampleFrames)
    samples.initialize(repeating: 0, count: Self.sampleFrames)
    let status = fluid_sample_set_sound_data(
      sample, samples, nil, UInt32(Self.sampleFrames), 48_000, 0)
    guard status == FLUID_OK else { return nil }
    fluid_sample_set_pitch(sample, 60, 0)
    request = .allocate(capacity: 1)
    request.initialize(to: Request(sample: sample, exclusiveClass: 0))
    fluid_preset_set_data(preset, request)
    self.preset = preset
    self.font = font
  }

  /// Starts `count` silent voices in `synth`, which fill its free voice slots from the lowest.
  @_noLocks func start(_ count: Int32, in synth: OpaquePointer, exclusiveClass: Int32 = 0) {
    request.pointee.exclusiveClass = Float(exclusiveClass)
    for i in 0..<UInt32(count) {
      _ = fluid_synth_start(synth, Self.firstID + i, preset, 0, 0, 60, 127)
    }
  }

  /// Frees everything. No lane that used it may be left. Realtime: no.
  func destroy() {
    delete_fluid_preset(preset)
    delete_fluid_sfont(font)
    delete_fluid_sample(request.pointee.sample)
    request.deallocate()
    samples.deallocate()
  }
}

// Callbacks of the preset and its font. Named functions: a closure would inherit its surroundings'
// actor, and the check for it would trap on the render thread.

@_noLocks @c private func silentPresetNoteOn(
  _ preset: OpaquePointer?, _ synth: OpaquePointer?, _ channel: Int32, _ key: Int32,
  _ velocity: Int32
) -> Int32 {
  guard let preset, let synth, let data = fluid_preset_get_data(preset) else { return FLUID_FAILED }
  let request = data.assumingMemoryBound(to: SilentVoice.Request.self)
  guard
    let voice = fluid_synth_alloc_voice(synth, request.pointee.sample, channel, key, velocity)
  else { return FLUID_FAILED }
  // Three octaves up, 64 frames of silence are over within one block.
  fluid_voice_gen_set(voice, Int32(GEN_COARSETUNE.rawValue), 36)
  fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), -4000)
  fluid_voice_gen_set(voice, Int32(GEN_CUSTOM_BALANCE.rawValue), 4000)
  fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), -4000)
  fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), -4000)
  fluid_voice_gen_set(
    voice, Int32(GEN_EXCLUSIVECLASS.rawValue), request.pointee.exclusiveClass)
  fluid_synth_start_voice(synth, voice)
  return FLUID_OK
}

@c private func silentPresetName(_ preset: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(silentName.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c private func silentPresetNumber(_ preset: OpaquePointer?) -> Int32 { 0 }

@c private func silentPresetFree(_ preset: OpaquePointer?) { delete_fluid_preset(preset) }

@c private func silentFontName(_ font: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(silentName.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c private func silentFontPreset(
  _ font: OpaquePointer?, _ bank: Int32, _ program: Int32
) -> OpaquePointer? { nil }

@c private func silentFontFree(_ font: OpaquePointer?) -> Int32 { delete_fluid_sfont(font) }

private let silentName: StaticString = "silent"
