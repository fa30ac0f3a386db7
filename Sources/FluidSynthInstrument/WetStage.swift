import CFluidSynth
import RenderCore

/// One FluidSynth reverb and chorus for all lanes, fed with their sends.
///
/// The library has no door for audio that is not its own, but a voice that loops a 64-frame sample
/// plays whatever is written there before each block. Two such voices, one sending to the reverb
/// only and one to the chorus only, carry the sends in. A voice has a gain and a gentle low-pass
/// that it cannot be without; ``WetStage/init(rate:effects:)`` measures both and the stage undoes
/// them. What is left of the difference to the effect within one synth is below −60 dB.
///
/// Realtime: yes, but for making and destroying it.
struct WetStage {
  let synth: OpaquePointer
  let samples: (reverb: OpaquePointer, chorus: OpaquePointer)
  /// The two looped samples, reverb first: 16 upper bits, then the 8 lower ones.
  let upper: UnsafeMutablePointer<Int16>
  let lower: UnsafeMutablePointer<UInt8>
  /// One per sample.
  let filters: UnsafeMutablePointer<SendFilter>
  /// What the effects hand out: 4 channels of a block each.
  let wet: UnsafeMutablePointer<Float>
  let wetPointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// Which effects run.
  var running: Effects
  /// Samples of the sends that were too loud for the door.
  var clippedSamples = 0

  /// Sends up to this are carried, +18 dBFS; beyond it they are clipped, and counted.
  static var headroom: Double { @_noLocks get { 8 } }

  /// Runs one block of sends through the effects and writes what comes back.
  ///
  /// - Parameters:
  ///   - reverbSend: 64 samples, mono.
  ///   - chorusSend: 64 samples, mono.
  ///   - left: Gets 64 samples.
  ///   - right: Gets 64 samples.
  @_noLocks mutating func process(
    reverbSend: UnsafePointer<Float>, chorusSend: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    write(reverbSend, chorusSend)
    renderWet()
    for i in 0..<Lane.blockFrames {
      left[i] = wet[i] + wet[2 * Lane.blockFrames + i]
      right[i] = wet[Lane.blockFrames + i] + wet[3 * Lane.blockFrames + i]
    }
  }

  /// Makes an effect run that does not yet.
  @_noLocks mutating func run(_ effects: Effects) {
    if effects.reverb, !running.reverb {
      fluid_synth_reverb_on(synth, -1, 1)
      running.reverb = true
    }
    if effects.chorus, !running.chorus {
      fluid_synth_chorus_on(synth, -1, 1)
      running.chorus = true
    }
  }

  /// Clears the effects' tails, as a system reset does. It ends the two voices too.
  @_noLocks func reset() {
    fluid_synth_system_reset(synth)
    startVoices()
  }

  /// Starts the two voices that loop the samples for ever.
  @_noLocks func startVoices() {
    // Without interpolation a voice at its root key plays frame after frame.
    fluid_synth_set_interp_method(synth, -1, Int32(FLUID_INTERP_NONE.rawValue))
    // Volume and expression full, pan in the middle: the voice as loud as its sample.
    fluid_synth_cc(synth, 0, 7, 127)
    fluid_synth_cc(synth, 0, 11, 127)
    fluid_synth_cc(synth, 0, 10, 64)
    startVoice(samples.reverb, sendingTo: GEN_REVERBSEND, not: GEN_CHORUSSEND)
    startVoice(samples.chorus, sendingTo: GEN_CHORUSSEND, not: GEN_REVERBSEND)
  }

  @_noLocks private func startVoice(
    _ sample: OpaquePointer, sendingTo send: fluid_gen_type, not other: fluid_gen_type
  ) {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else { return }
    fluid_voice_gen_set(voice, Int32(GEN_SAMPLEMODE.rawValue), 1)
    fluid_voice_gen_set(voice, Int32(GEN_FILTERFC.rawValue), 20_000)
    fluid_voice_gen_set(voice, Int32(send.rawValue), 4000)
    fluid_voice_gen_set(voice, Int32(other.rawValue), -4000)
    fluid_synth_start_voice(synth, voice)
  }

  @_noLocks func renderWet() {
    wet.update(repeating: 0, count: 4 * Lane.blockFrames)
    fluid_synth_process(synth, Int32(Lane.blockFrames), 4, wetPointers, 0, nil)
  }

  /// Puts a block of sends where the voices will find it.
  @_noLocks mutating func write(
    _ reverbSend: UnsafePointer<Float>, _ chorusSend: UnsafePointer<Float>
  ) {
    // Side by side, for each filter waits for its last output.
    var (reverb, chorus) = (filters[0], filters[1])
    for i in 0..<Lane.blockFrames {
      put(reverb.next(Double(reverbSend[i])), at: i)
      put(chorus.next(Double(chorusSend[i])), at: Self.sampleFrames + i)
    }
    filters[0] = reverb
    filters[1] = chorus
  }

  @_noLocks private mutating func put(_ value: Double, at place: Int) {
    let limit = 8_388_607.0
    let clipped = max(-limit, min(limit, value))
    if clipped != value { clippedSamples += 1 }
    // Half a step up, then cut down to whole steps: rounds without a call into libm.
    let steps = Int32(clipped + (clipped < 0 ? -0.5 : 0.5))
    upper[place] = Int16(truncatingIfNeeded: steps >> 8)
    lower[place] = UInt8(truncatingIfNeeded: steps)
  }

  /// A block, and as much again that the library may read but never plays.
  static var sampleFrames: Int { @_noLocks get { 2 * Lane.blockFrames } }
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
