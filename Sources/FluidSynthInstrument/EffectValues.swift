import CFluidSynth

/// How FluidSynth's reverb sounds.
struct ReverbValues: BitwiseCopyable {
  /// 0…1.
  var room: Float
  /// 0…1.
  var damping: Float
  /// 0…100.
  var width: Float
  /// 0…1.
  var level: Float

  @_noLocks static func == (a: Self, b: Self) -> Bool {
    a.room == b.room && a.damping == b.damping && a.width == b.width && a.level == b.level
  }

  /// Acts from the synth's next block on. What is in the reverb already rings on.
  @_noLocks func set(in synth: OpaquePointer) {
    set_reverb(synth, Double(room), Double(damping), Double(width), Double(level))
    handOver(synth)
  }
}

/// How FluidSynth's chorus sounds.
struct ChorusValues: BitwiseCopyable {
  /// 0…99.
  var voices: Int32
  /// 0…10.
  var level: Float
  /// Hertz: 0.1…5.
  var speed: Float
  /// Milliseconds: 0…21 at every rate.
  var depth: Float

  @_noLocks static func == (a: Self, b: Self) -> Bool {
    a.voices == b.voices && a.level == b.level && a.speed == b.speed && a.depth == b.depth
  }

  /// Acts from the synth's next block on. FluidSynth begins the modulation anew each time.
  @_noLocks func set(in synth: OpaquePointer) {
    set_chorus(
      synth, voices, Double(level), Double(speed), Double(depth),
      Int32(FLUID_CHORUS_MOD_SINE.rawValue))
    handOver(synth)
  }
}

/// The setters of all values at once, other than the rest of FluidSynth's functions, leave them lying until the
/// next call of such a function.
@_noLocks private func handOver(_ synth: OpaquePointer) {
  _ = fluid_synth_get_active_voice_count(synth)
}
