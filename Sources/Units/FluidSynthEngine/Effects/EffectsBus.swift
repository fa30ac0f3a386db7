import RenderCore

/// The reverb and the chorus that all lanes share, fed with the sums of their sends. Each is suspended while it is silent.
///
/// Realtime: yes, except for creation.
struct EffectsBus {
  private var reverb: FluidSynthEffect
  private var chorus: FluidSynthEffect
  private var values = EffectControls()

  /// Creates the effects. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - engine: The name of the reverb engine; `nil` is the library's default.
  /// - Throws: ``InstrumentError``; see ``FluidSynthEffect/init(_:rate:engine:in:)``.
  init(rate: Int, engine: String? = nil, in memory: RenderMemory) throws(InstrumentError) {
    reverb = try FluidSynthEffect(.reverb, rate: rate, engine: engine, in: memory)
    chorus = try FluidSynthEffect(.chorus, rate: rate, in: memory)
  }

  /// The effects that are not suspended.
  var active: Effects {
    @_noLocks get { Effects(reverb: !reverb.isSuspended, chorus: !chorus.isSuspended) }
  }

  /// The number of samples of the sends that were clipped.
  var clippedSamples: Int { @_noLocks get { reverb.clippedSamples + chorus.clippedSamples } }

  /// Runs blocks of sends through the effects and writes their output.
  ///
  /// - Parameters:
  ///   - blocks: 1 to ``FluidSynthEffect/maximumBlocks``. The output does not depend on the number of
  ///     blocks per call.
  ///   - reverbSend: 64 samples for each block, mono.
  ///   - chorusSend: 64 samples for each block, mono.
  ///   - left: Receives 64 samples for each block.
  ///   - right: Receives 64 samples for each block.
  @_noLocks mutating func process(
    blocks: Int, reverbSend: UnsafePointer<Float>, chorusSend: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    left.update(repeating: 0, count: blocks * Lane.blockFrames)
    right.update(repeating: 0, count: blocks * Lane.blockFrames)
    reverb.process(blocks: blocks, send: reverbSend, addingTo: left, right)
    chorus.process(blocks: blocks, send: chorusSend, addingTo: left, right)
  }

  /// Multiplies the values of the effects by those that System Exclusive has set.
  @_noLocks mutating func setFactors(_ factors: ModuleSettings.EffectFactors) {
    values.setFactors(factors, reverb: reverb.synth, chorus: chorus.synth)
  }

  /// Sets values of the reverb, before those of System Exclusive are applied.
  @_noLocks mutating func setReverb(_ reverb: ReverbValues) {
    values.setReverb(reverb, in: self.reverb.synth)
  }

  /// The same for the chorus.
  @_noLocks mutating func setChorus(_ chorus: ChorusValues) {
    values.setChorus(chorus, in: self.chorus.synth)
  }

  /// Clears the tails of the effects, as a system reset does.
  @_noLocks func reset() {
    reverb.reset()
    chorus.reset()
  }
}
