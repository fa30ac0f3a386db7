import CFluidSynth

/// FluidSynth's reverb, or its chorus, fed with audio of ours.
///
/// The library has no door for audio that is not its own, but a voice that loops a sample of some blocks
/// plays whatever is written there before it comes by. Such a voice, sending to the one effect only,
/// carries the audio in. A voice has a gain and a gentle low-pass that it cannot be without;
/// ``WetEffect/init(_:rate:isRunning:)`` measures both and ``filter`` undoes them. What is left of the
/// difference to the effect within one synth is below −60 dB.
///
/// Realtime: yes, but for making and destroying it.
struct FluidSynthEffect {
  enum Kind: BitwiseCopyable {
    case reverb
    case chorus
  }

  let kind: Kind
  let synth: OpaquePointer
  let sample: OpaquePointer
  /// The looped sample: 16 upper bits, then the 8 lower ones.
  let upper: UnsafeMutablePointer<Int16>
  let lower: UnsafeMutablePointer<UInt8>
  var filter = SendFilter()
  /// The frame of the loop that the next block begins with.
  private var position = 0
  /// Frames, whole blocks of them, that a started voice lets go by before it begins to read.
  var delay = 0
  /// What the effect hands out: ``loopFrames`` each, left and right.
  let wet: UnsafeMutablePointer<Float>
  let wetPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  var isRunning: Bool
  /// Samples that were too loud for the door.
  var clippedSamples = 0
  /// Where it was switched off and is not silent yet: how many blocks it has been quiet for.
  private(set) var quietBlocks: Int?

  /// Audio up to this is carried, +18 dBFS; beyond it it is clipped, and counted.
  static var headroom: Double { @_noLocks get { 8 } }
  /// The most blocks at a time: one takes a third more when it comes alone.
  static var mostBlocks: Int { @_noLocks get { 8 } }
  static var loopFrames: Int { @_noLocks get { mostBlocks * Lane.blockFrames } }
  /// The loop, and a block more that the library may read but never plays.
  static var sampleFrames: Int { @_noLocks get { loopFrames + Lane.blockFrames } }

  private var isReverb: Bool { @_noLocks get { if case .reverb = kind { true } else { false } } }

  /// Makes the effect run, if it does not yet.
  @_noLocks mutating func run() {
    quietBlocks = nil
    if isRunning { return }
    isRunning = true
    turn(on: true)
  }

  /// Lets what is in the effect fade, and then stops it: see ``silenceQuietBlock()``.
  @_noLocks mutating func fade() {
    if isRunning, quietBlocks == nil { quietBlocks = 0 }
  }

  /// Whether it was switched off and still fades. Blocks must then be rendered one by one.
  var isFading: Bool { @_noLocks get { quietBlocks != nil } }

  /// Of an effect that fades: gives exact silence for a block below ``quiet``, and stops the effect after as
  /// many such blocks as the longest of its lines holds.
  ///
  /// FluidSynth's reverb adds an offset of 10⁻⁸ to what it is sent, so it never falls silent by itself.
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
    guard quietBlocks + 1 >= Self.mostQuietBlocks else { return }
    self.quietBlocks = nil
    isRunning = false
    turn(on: false)
  }

  /// −120 dBFS.
  private static var quiet: Float { @_noLocks get { 1e-6 } }
  /// 8192 frames: more than the reverb's longest line has at 96 kHz.
  private static var mostQuietBlocks: Int { @_noLocks get { 128 } }

  @_noLocks func turn(on isOn: Bool) {
    if isReverb {
      fluid_synth_reverb_on(synth, -1, isOn ? 1 : 0)
    } else {
      fluid_synth_chorus_on(synth, -1, isOn ? 1 : 0)
    }
  }

  /// Clears the effect's tail, as a system reset does. It ends the voice too.
  @_noLocks func reset() {
    fluid_synth_system_reset(synth)
    startVoice()
  }

  /// Starts the voice that loops the sample for ever.
  ///
  /// One that was reset takes some blocks to fade: both read the same place, or the old one would play again what
  /// is long gone.
  @_noLocks func startVoice() {
    // Without interpolation a voice at its root key plays frame after frame.
    fluid_synth_set_interp_method(synth, -1, Int32(FLUID_INTERP_NONE.rawValue))
    // Volume and expression full, pan in the middle: the voice as loud as its sample.
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

  /// Runs what was put at the door through the effect, into ``wet``.
  @_noLocks mutating func render(_ blocks: Int) {
    let frames = blocks * Lane.blockFrames
    wet.update(repeating: 0, count: frames)
    (wet + Self.loopFrames).update(repeating: 0, count: frames)
    fluid_synth_process(synth, Int32(frames), 4, wetPointers, 0, nil)
    position = (position + frames) % Self.loopFrames
  }

  /// Puts up to ``mostBlocks`` at the door.
  @_noLocks mutating func write(_ send: UnsafePointer<Float>, blocks: Int) {
    var filter = filter
    for i in 0..<(blocks * Lane.blockFrames) { put(filter.next(Double(send[i])), at: i) }
    self.filter = filter
  }

  @_noLocks mutating func writeSilence(blocks: Int) {
    for i in 0..<(blocks * Lane.blockFrames) { put(filter.next(0), at: i) }
  }

  /// Puts a filtered sample where the voice will find it.
  ///
  /// - Parameter place: Counted from the next block's beginning.
  @_noLocks mutating func put(_ value: Double, at place: Int) {
    let limit = 8_388_607.0
    let clipped = max(-limit, min(limit, value))
    if clipped != value { clippedSamples += 1 }
    // Half a step up, then cut down to whole steps: rounds without a call into libm.
    let steps = Int32(clipped + (clipped < 0 ? -0.5 : 0.5))
    let frame = (position + place) % Self.loopFrames
    upper[frame] = Int16(truncatingIfNeeded: steps >> 8)
    lower[frame] = UInt8(truncatingIfNeeded: steps)
  }
}

/// Undoes the low-pass (1 + a₁z + a₂z²)⁻¹ of a voice, but for two poles near −1 that keep the result
/// bounded, and scales full scale to 24-bit steps.
struct SendFilter {
  var a1 = 0.0
  var a2 = 0.0
  /// How near to −1 the poles lie; 0 is no filter.
  var pole = 0.0
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
