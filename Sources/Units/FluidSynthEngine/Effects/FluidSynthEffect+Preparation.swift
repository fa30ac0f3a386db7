import CFluidSynth
import RenderCore

extension FluidSynthEffect {
  /// Creates the effect and calibrates its input. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - isRunning: Whether the effect runs initially.
  ///   - engine: The name of the reverb engine; `nil` is the library's default.
  /// - Throws: ``InstrumentError/outOfMemory``; ``InstrumentError/unusableLibrary(_:)`` if the calibration
  ///   fails, which can happen with a FluidSynth whose voices work differently.
  init(
    _ kind: Kind, rate: Int, isRunning: Bool, engine: String? = nil, in memory: RenderMemory
  ) throws(InstrumentError) {
    self.kind = kind
    self.isRunning = isRunning
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
        effects: Effects(
          reverb: isRunning && kind == .reverb, chorus: isRunning && kind == .chorus),
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
    setActive(isRunning)
    reset()
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
