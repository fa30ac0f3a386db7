import CFluidSynth

/// FluidSynth's reverb or chorus, fed with external audio.
///
/// The library cannot process external audio, but a voice that loops a sample of a few blocks plays what is written
/// there before the voice reads it. Such a voice, which sends to the one effect only, carries the audio. A voice always
/// has a gain and a gentle low-pass filter; ``init(_:rate:isRunning:engine:in:)`` measures both, and ``filter`` inverts
/// them. The remaining difference to the effect within one synth is below −60 dB.
///
/// Realtime: yes, except for creation.
struct FluidSynthEffect {
  enum Kind: UInt8 {
    case reverb
    case chorus

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  }

  let kind: Kind
  let synth: OpaquePointer
  let sample: OpaquePointer
  /// The looped sample: 16 upper bits, and 8 lower bits.
  let upper: UnsafeMutablePointer<Int16>
  let lower: UnsafeMutablePointer<UInt8>
  var filter = SendFilter()
  /// The frame of the loop at which the next block begins.
  private var position = 0
  /// The number of frames, a multiple of a block, that a started voice waits before it begins to read.
  var delay = 0
  /// The output of the effect: ``loopFrames`` samples each of left and right.
  let wet: UnsafeMutablePointer<Float>
  let wetPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  var isRunning: Bool
  /// The number of samples that were clipped.
  var clippedSamples = 0
  /// While the effect fades after it was switched off: the number of successive quiet blocks.
  private(set) var quietBlocks: Int?

  /// The maximum level of the input, +18 dBFS. Louder samples are clipped and counted.
  static var headroom: Double { @_noLocks get { 8 } }
  /// The maximum number of blocks per call. A block alone takes a third longer.
  static var maximumBlocks: Int { @_noLocks get { 8 } }
  static var loopFrames: Int { @_noLocks get { maximumBlocks * Lane.blockFrames } }
  /// The loop, and one more block that the library may read but never plays.
  static var sampleFrames: Int { @_noLocks get { loopFrames + Lane.blockFrames } }

  private var isReverb: Bool { @_noLocks get { kind == .reverb } }

  /// Starts the effect, if it does not run.
  @_noLocks mutating func run() {
    quietBlocks = nil
    if isRunning { return }
    isRunning = true
    setActive(true)
  }

  /// Lets the effect fade out and then stops it; see ``silenceQuietBlock()``.
  @_noLocks mutating func fade() {
    if isRunning, quietBlocks == nil { quietBlocks = 0 }
  }

  /// Whether the effect fades after it was switched off. Blocks must then be rendered one at a time.
  var isFading: Bool { @_noLocks get { quietBlocks != nil } }

  /// For an effect that fades: replaces a block below ``quiet`` by exact silence, and stops the effect
  /// after as many such blocks as its longest delay line has.
  ///
  /// FluidSynth's reverb adds an offset of 10⁻⁸ to its input, so it never becomes silent by itself.
  @_noLocks mutating func silenceQuietBlock() {
    guard let quietBlocks else { return }
    var peak: Float = 0
    for i in 0..<Lane.blockFrames {
      peak = max(peak, max(abs(wet[i]), abs(wet[Self.loopFrames + i])))
    }
    guard peak < Self.quiet else {
      self.quietBlocks = 0
      return
    }
    wet.update(repeating: 0, count: 2 * Self.loopFrames)
    self.quietBlocks = quietBlocks + 1
    guard quietBlocks + 1 >= Self.maximumQuietBlocks else { return }
    self.quietBlocks = nil
    isRunning = false
    setActive(false)
  }

  /// −120 dBFS.
  private static var quiet: Float { @_noLocks get { 1e-6 } }
  /// 8192 frames: more than the reverb's longest delay line at 96 kHz.
  private static var maximumQuietBlocks: Int { @_noLocks get { 128 } }

  @_noLocks func setActive(_ isActive: Bool) {
    if isReverb {
      fluid_synth_reverb_on(synth, -1, isActive ? 1 : 0)
    } else {
      fluid_synth_chorus_on(synth, -1, isActive ? 1 : 0)
    }
  }

  /// Clears the tail of the effect, as a system reset does. Also ends the voice and starts a new one.
  @_noLocks func reset() {
    fluid_synth_system_reset(synth)
    startVoice()
  }

  /// Starts the voice that loops the sample.
  ///
  /// A reset voice takes some blocks to fade. The new voice must read the same position, because the old
  /// one would otherwise play outdated samples.
  @_noLocks func startVoice() {
    // Without interpolation a voice at its root key plays the sample frame by frame.
    fluid_synth_set_interp_method(synth, -1, Int32(FLUID_INTERP_NONE.rawValue))
    // Full volume and expression and centered pan play the sample at its own level.
    fluid_synth_cc(synth, 0, 7, 127)
    fluid_synth_cc(synth, 0, 11, 127)
    fluid_synth_cc(synth, 0, 10, 64)
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else { return }
    fluid_voice_gen_set(voice, Int32(GEN_SAMPLEMODE.rawValue), 1)
    fluid_voice_gen_set(voice, Int32(GEN_FILTERFC.rawValue), 20_000)
    fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), isReverb ? 4000 : -4000)
    fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), isReverb ? -4000 : 4000)
    fluid_voice_gen_set(
      voice, Int32(GEN_STARTADDROFS.rawValue), Float((position + delay) % Self.loopFrames))
    fluid_synth_start_voice(synth, voice)
  }

  /// Runs the input through the effect, into ``wet``.
  @_noLocks mutating func render(_ blocks: Int) {
    let frames = blocks * Lane.blockFrames
    wet.update(repeating: 0, count: frames)
    (wet + Self.loopFrames).update(repeating: 0, count: frames)
    fluid_synth_process(synth, Int32(frames), 4, wetPointers, 0, nil)
    position = (position + frames) % Self.loopFrames
  }

  /// Writes up to ``maximumBlocks`` blocks to the input.
  @_noLocks mutating func write(_ send: UnsafePointer<Float>, blocks: Int) {
    var filter = filter
    for i in 0..<(blocks * Lane.blockFrames) { writeSample(filter.next(Double(send[i])), at: i) }
    self.filter = filter
  }

  @_noLocks mutating func writeSilence(blocks: Int) {
    for i in 0..<(blocks * Lane.blockFrames) { writeSample(filter.next(0), at: i) }
  }

  /// Writes a filtered sample to the loop.
  ///
  /// - Parameter offset: The frame, counted from the start of the next block.
  @_noLocks mutating func writeSample(_ value: Double, at offset: Int) {
    let limit = 8_388_607.0
    let clipped = max(-limit, min(limit, value))
    if clipped != value { clippedSamples += 1 }
    // Adds half a step and truncates: rounds without a call to libm.
    let steps = Int32(clipped + (clipped < 0 ? -0.5 : 0.5))
    let frame = (position + offset) % Self.loopFrames
    upper[frame] = Int16(truncatingIfNeeded: steps >> 8)
    lower[frame] = UInt8(truncatingIfNeeded: steps)
  }
}
