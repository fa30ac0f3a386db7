import CFluidSynth
import CRender

/// The longest time for which the voices of a note may sound after its release: that of the volume envelope, which falls to zero in
/// the time of its release phase, from whatever level (*SoundFont Technical Specification 2.04*, section 8.1.2, generator 38).
///
/// Realtime: yes.
struct ReleaseLimit: BitwiseCopyable {
  /// Frames; no limit is known if it is `max`.
  private var frames = Int64.max
  /// The end of the first cycle at which nothing held the note; `max`: it is held.
  private var released = Int64.max

  @_noLocks init() {}

  /// Reads the limit of a note that has just begun.
  ///
  /// - Parameter offset: What the channel adds to the generator, in timecents.
  @_noLocks init(of synth: OpaquePointer, _ voices: VoiceList, offset: Float, rate: Int) {
    var longest = -Float.infinity
    voices.forEach(of: synth) { voice in
      longest = max(longest, fluid_voice_gen_get(voice, Int32(GEN_VOLENVRELEASE.rawValue)))
    }
    let timecents = min(max(longest + offset, longest), Self.mostTimecents)
    let seconds = maths_exp2(Double(timecents) / 1200)
    frames = Int64((seconds + Self.margin) * Double(rate))
  }

  /// FluidSynth's limit of the generator: 102 s.
  private static var mostTimecents: Float { @_noLocks get { 8000 } }
  /// Seconds: more than the shortest note, before whose end FluidSynth releases no voice.
  private static var margin: Double { @_noLocks get { 0.5 } }

  /// Forgets the limit before an action that may change it.
  @_noLocks mutating func update(for action: LaneCommand.Action) {
    switch action {
    case .legato: frames = .max
    case .generator(let generator, _) where generator == Int32(GEN_VOLENVRELEASE.rawValue):
      frames = .max
    default: break
    }
  }

  /// Returns whether a note that nothing holds must be silent. Called at the end of each cycle from its release on.
  @_noLocks mutating func hasPassed(at end: Int64) -> Bool {
    released = min(released, end)
    return frames < end - released
  }
}
