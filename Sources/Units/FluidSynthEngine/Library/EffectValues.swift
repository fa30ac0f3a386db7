import CFluidSynth

/// The parameters of FluidSynth's reverb.
package struct ReverbValues: BitwiseCopyable {
  /// 0…1.
  package var room: Float
  /// 0…1.
  package var damping: Float
  /// 0…100.
  package var width: Float
  /// 0…1.
  package var level: Float

  @_noLocks package init(room: Float, damping: Float, width: Float, level: Float) {
    self.room = room
    self.damping = damping
    self.width = width
    self.level = level
  }

  @_noLocks package static func == (a: Self, b: Self) -> Bool {
    a.room == b.room && a.damping == b.damping && a.width == b.width && a.level == b.level
  }

  /// Sets the values from the synth's next block on. The existing tail continues.
  ///
  /// - Parameter defaults: A value that equals its default is set with the library's full precision.
  @_noLocks package func set(in synth: OpaquePointer, _ defaults: EffectDefaults) {
    set_reverb(
      synth, exact(room, defaults.room), exact(damping, defaults.damping),
      exact(width, defaults.width), exact(level, defaults.reverbLevel))
    flushSettings(synth)
  }
}

/// The parameters of FluidSynth's chorus.
package struct ChorusValues: BitwiseCopyable {
  /// 0…99.
  package var voices: Int32
  /// 0…10.
  package var level: Float
  /// Hertz: 0.1…5.
  package var speed: Float
  /// Milliseconds: 0…21 at every rate.
  package var depth: Float

  @_noLocks package init(voices: Int32, level: Float, speed: Float, depth: Float) {
    self.voices = voices
    self.level = level
    self.speed = speed
    self.depth = depth
  }

  @_noLocks package static func == (a: Self, b: Self) -> Bool {
    a.voices == b.voices && a.level == b.level && a.speed == b.speed && a.depth == b.depth
  }

  /// Sets the values from the synth's next block on. FluidSynth restarts the modulation each time.
  ///
  /// - Parameter defaults: A value that equals its default is set with the library's full precision.
  @_noLocks package func set(in synth: OpaquePointer, _ defaults: EffectDefaults) {
    set_chorus(
      synth, voices, exact(level, defaults.chorusLevel), exact(speed, defaults.speed),
      exact(depth, defaults.depth),
      Int32(FLUID_CHORUS_MOD_SINE.rawValue))
    flushSettings(synth)
  }
}

/// Returns a default in the precision of the library, which is higher than that of a parameter.
@_noLocks private func exact(_ value: Float, _ standard: Double) -> Double {
  value == Float(standard) ? standard : Double(value)
}

/// Makes the synth apply new effect values. FluidSynth's setters of all values at once only store them
/// until the next call of another function.
@_noLocks private func flushSettings(_ synth: OpaquePointer) {
  _ = fluid_synth_get_active_voice_count(synth)
}
