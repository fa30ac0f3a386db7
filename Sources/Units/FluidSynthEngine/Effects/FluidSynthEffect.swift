import CFluidSynth
import RenderCore

/// FluidSynth's reverb or chorus, fed with external audio.
///
/// The library cannot process external audio, but a voice that loops a sample of a few blocks plays what is written
/// there before the voice reads it. Such a voice, which sends to the one effect only, carries the audio. A voice always
/// has a gain and a gentle low-pass filter; ``init(_:rate:engine:in:)`` measures both, and ``filter`` inverts
/// them. The remaining difference to the effect within one synth is below −60 dB.
///
/// Realtime: yes, except for creation.
struct FluidSynthEffect {
  enum Kind: UInt8 {
    case reverb
    case chorus

    @_noLocks static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  }

  private let kind: Kind
  let synth: OpaquePointer
  private let sample: OpaquePointer
  /// The looped sample: 16 upper bits, and 8 lower bits.
  private let upper: UnsafeMutablePointer<Int16>
  private let lower: UnsafeMutablePointer<UInt8>
  private var filter = SendFilter()
  /// The frame of the loop at which the next block begins.
  private var position = 0
  /// The number of frames, a multiple of a block, that a started voice waits before it begins to read.
  private var delay = 0
  /// The output of the effect: ``loopFrames`` samples each of left and right.
  let wet: UnsafeMutablePointer<Float>
  private let wetPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The number of samples that were clipped.
  private(set) var clippedSamples = 0
  /// Whether the effect is not rendered, because it has received nothing for long and is silent. Its output is zero, and
  /// its state, that of the modulation included, stays as it is until it receives a signal again.
  private(set) var isSuspended = true
  /// The number of successive blocks without input whose output was below ``quiet``.
  private var quietBlocks = 0

  /// The maximum level of the input, +18 dBFS. Louder samples are clipped and counted.
  private static var headroom: Double { @_noLocks get { 8 } }
  /// The maximum number of blocks per call. A block alone takes a third longer.
  static var maximumBlocks: Int { @_noLocks get { 8 } }
  static var loopFrames: Int { @_noLocks get { maximumBlocks * Lane.blockFrames } }
  /// The loop, and one more block that the library may read but never plays.
  private static var sampleFrames: Int { @_noLocks get { loopFrames + Lane.blockFrames } }

  private var isReverb: Bool { @_noLocks get { kind == .reverb } }

  /// Runs blocks of a send through the effect, and adds its output to `left` and `right`. The output does not depend on the
  /// number of blocks per call.
  ///
  /// - Parameters:
  ///   - blocks: 1 to ``maximumBlocks``.
  ///   - send: 64 samples for each block, mono.
  @_noLocks mutating func process(
    blocks: Int, send: UnsafePointer<Float>, addingTo left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < blocks {
      let begin = done * Lane.blockFrames
      if isSuspended {
        if CompressedBlock.isSilent(send + begin) {
          done += 1
          continue
        }
        isSuspended = false
        quietBlocks = 0
      }
      // The effect may be suspended after the last of these blocks, at the earliest.
      let count = min(blocks - done, Self.quietBlocksUntilSuspended - quietBlocks)
      write(send + begin, blocks: count)
      render(count)
      for i in 0..<(count * Lane.blockFrames) {
        left[begin + i] += wet[i]
        right[begin + i] += wet[Self.loopFrames + i]
      }
      for block in 0..<count {
        let isQuiet = isQuiet(block, send: send + begin + block * Lane.blockFrames)
        quietBlocks = isQuiet ? quietBlocks + 1 : 0
      }
      isSuspended = quietBlocks == Self.quietBlocksUntilSuspended
      done += count
    }
  }

  /// Whether a rendered block has no input, and is below ``quiet``.
  @_noLocks private func isQuiet(_ block: Int, send: UnsafePointer<Float>) -> Bool {
    guard CompressedBlock.isSilent(send) else { return false }
    let wet = wet + block * Lane.blockFrames
    var peak: Float = 0
    for i in 0..<Lane.blockFrames {
      peak = max(peak, max(abs(wet[i]), abs(wet[Self.loopFrames + i])))
    }
    return peak < Self.quiet
  }

  /// −120 dBFS. FluidSynth's reverb adds an offset of 10⁻⁸ to its input, so it never becomes silent by itself.
  private static var quiet: Float { @_noLocks get { 1e-6 } }
  /// 32 768 frames: more than the longest delay lines, of 2048 frames (`fluid_chorus.c`) and of the reverb at 96 kHz, so that
  /// nothing is in them, nor in ``SendFilter``, whose poles attenuate a sample to 10⁻⁷⁰.
  private static var quietBlocksUntilSuspended: Int { @_noLocks get { 512 } }

  /// Clears the tail of the effect, as a system reset does. A suspended effect has none, and stays as it is.
  @_noLocks func reset() {
    if !isSuspended { restart() }
  }

  /// Resets the synth. This also ends the voice, so a new one is started.
  @_noLocks private func restart() {
    fluid_synth_system_reset(synth)
    startVoice()
  }

  /// Starts the voice that loops the sample.
  ///
  /// A reset voice takes some blocks to fade. The new voice must read the same position, because the old
  /// one would otherwise play outdated samples.
  @_noLocks private func startVoice() {
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

  /// Writes a filtered sample to the loop.
  ///
  /// - Parameter offset: The frame, counted from the start of the next block.
  @_noLocks private mutating func writeSample(_ value: Double, at offset: Int) {
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

extension FluidSynthEffect {
  /// Creates the effect and calibrates its input. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - engine: The name of the reverb engine; `nil` is the library's default.
  /// - Throws: ``InstrumentError/outOfMemory``; ``InstrumentError/unusableLibrary(_:)`` if the calibration
  ///   fails, which can happen with a FluidSynth whose voices work differently.
  init(
    _ kind: Kind, rate: Int, engine: String? = nil, in memory: RenderMemory
  ) throws(InstrumentError) {
    self.kind = kind
    upper = memory.make(Self.sampleFrames, of: 0)
    lower = memory.make(Self.sampleFrames, of: 0)
    sample = try makeSample(upper, lowBytes: lower, frames: Self.loopFrames, rate: rate, in: memory)
    guard fluid_sample_set_loop(sample, 0, UInt32(Self.loopFrames)) == FLUID_OK else {
      throw .outOfMemory
    }
    wet = memory.make(2 * Self.loopFrames, of: 0)
    // The library outputs left and right of the reverb, then of the chorus.
    wetPointers = memory.make(4, of: nil)
    let first = kind == .reverb ? 0 : 2
    wetPointers[first] = wet
    wetPointers[first + 1] = wet + Self.loopFrames
    synth = try makeSynth(
      SynthSettings(
        rate: rate, polyphony: 8, gain: Self.headroom,
        effects: Effects(reverb: kind == .reverb, chorus: kind == .chorus),
        reverbEngine: ReverbEngines.index(of: engine)),
      mayRunReverb: kind == .reverb, in: memory)
    startVoice()
    try calibrate()
  }

  /// Sends an impulse through the voice, and measures gain, low-pass and delay at the raw send.
  private mutating func calibrate() throws(InstrumentError) {
    let full = 8_388_607.0
    enableRawSends(of: synth, Effects(reverb: true, chorus: true))
    filter.scale = full
    // First let the envelope and the gains of the voice settle.
    for _ in 0..<20 { renderBlock() }
    renderBlock(beginningWith: 0.5)
    var missed = 0
    while wet[0] == 0, missed < Self.maximumBlocks - 1 {
      missed += 1
      renderBlock()
    }
    delay = missed * Lane.blockFrames
    let response = (0..<Lane.blockFrames).map { Double(wet[$0]) / 0.5 }
    // Render until the impulse has left the loop.
    for _ in 0..<Self.maximumBlocks { renderBlock() }

    let first = response[0]
    let gain = response.reduce(0, +)
    guard first > 0, gain > 0, abs(response[63]) < 1e-4 * first else {
      throw .unusableLibrary("a looped voice does not carry audio to the effects")
    }
    // The response of b₀ (1 + z)² / (1 + a₁z + a₂z²): its first three values determine a₁ and a₂.
    let a1 = 2 - response[1] / first
    let a2 = 1 - a1 * response[1] / first - response[2] / first
    let pole = 0.995
    filter = SendFilter()
    filter.a1 = a1
    filter.a2 = a2
    filter.pole = pole
    filter.scale = full / gain * (1 + pole) * (1 + pole) / (1 + a1 + a2)
    clippedSamples = 0

    fluid_synth_reverb_on(synth, -1, 0)
    fluid_synth_chorus_on(synth, -1, 0)
    if isReverb {
      fluid_synth_reverb_on(synth, -1, 1)
    } else {
      fluid_synth_chorus_on(synth, -1, 1)
    }
    restart()
    for _ in 0..<20 { renderBlock() }
    // The reset voice takes 11 blocks to end at 48 kHz, and 23 at 96 kHz, where it reads one block later than the new
    // voice. It must have ended before the next blocks are written, which it would otherwise play.
    var blocks = 0
    while fluid_synth_get_active_voice_count(synth) > 1 {
      guard blocks < Self.maximumSettlingBlocks else {
        throw .unusableLibrary("a reset voice does not end")
      }
      blocks += 1
      renderBlock()
    }
  }

  private static var maximumSettlingBlocks: Int { 1000 }

  private mutating func renderBlock(beginningWith first: Double = 0) {
    for offset in 0..<Lane.blockFrames {
      writeSample(filter.next(offset == 0 ? first : 0), at: offset)
    }
    render(1)
  }
}

/// Inverts the low-pass (1 + a₁z + a₂z²)⁻¹ of a voice, except for two poles near −1 that keep the result
/// bounded, and scales full scale to 24-bit steps.
struct SendFilter {
  fileprivate var a1 = 0.0
  fileprivate var a2 = 0.0
  /// The double pole is at −`pole`; 0 for none.
  fileprivate var pole = 0.0
  var scale = 1.0
  private var input1 = 0.0
  private var input2 = 0.0
  private var output1 = 0.0
  private var output2 = 0.0

  init() {}

  @_noLocks mutating func next(_ input: Double) -> Double {
    let zeros = input + a1 * input1 + a2 * input2
    let output = zeros - 2 * pole * output1 - pole * pole * output2
    input2 = input1
    input1 = input
    output2 = output1
    output1 = output
    return output * scale
  }
}
