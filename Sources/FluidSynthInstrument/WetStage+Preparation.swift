import CFluidSynth

extension WetStage {
  /// Makes the effects and measures the door into them. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - effects: Which of the two run from the beginning.
  /// - Throws: ``InstrumentError/outOfMemory``; ``InstrumentError/unusableLibrary(_:)`` when the
  ///   measurement fails, as it might with a FluidSynth whose voices work otherwise.
  init(rate: Int, effects: Effects) throws(InstrumentError) {
    running = effects
    synth = try makeSynth(
      SynthSettings(rate: rate, polyphony: 8, gain: Self.headroom, effects: effects))
    upper = .allocate(capacity: 2 * Self.sampleFrames)
    upper.initialize(repeating: 0, count: 2 * Self.sampleFrames)
    lower = .allocate(capacity: 2 * Self.sampleFrames)
    lower.initialize(repeating: 0, count: 2 * Self.sampleFrames)
    wet = .allocate(capacity: 4 * Lane.blockFrames)
    wet.initialize(repeating: 0, count: 4 * Lane.blockFrames)
    wetPointers = .allocate(capacity: 4)
    for i in 0..<4 { (wetPointers + i).initialize(to: wet + i * Lane.blockFrames) }
    filters = .allocate(capacity: 2)
    filters.initialize(repeating: SendFilter(), count: 2)

    samples = (
      reverb: try Self.makeSample(upper: upper, lower: lower, rate: rate),
      chorus: try Self.makeSample(
        upper: upper + Self.sampleFrames, lower: lower + Self.sampleFrames, rate: rate)
    )
    startVoices()
    try calibrate(effects: effects)
  }

  /// Frees all. Realtime: no.
  func destroy() {
    // The synth first: its voices hold the samples.
    delete(synth)
    delete_fluid_sample(samples.reverb)
    delete_fluid_sample(samples.chorus)
    upper.deallocate()
    lower.deallocate()
    wet.deallocate()
    wetPointers.deallocate()
    filters.deallocate()
  }

  /// A sample that loops a block at `upper` and `lower`, which may be rewritten at any time.
  private static func makeSample(
    upper: UnsafeMutablePointer<Int16>, lower: UnsafeMutablePointer<UInt8>, rate: Int
  ) throws(InstrumentError) -> OpaquePointer {
    guard let sample = new_fluid_sample() else { throw .outOfMemory }
    let status = lower.withMemoryRebound(to: CChar.self, capacity: sampleFrames) { low in
      fluid_sample_set_sound_data(sample, upper, low, UInt32(Lane.blockFrames), UInt32(rate), 0)
    }
    guard status == FLUID_OK,
      fluid_sample_set_loop(sample, 0, UInt32(Lane.blockFrames)) == FLUID_OK,
      fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK
    else { throw .outOfMemory }
    return sample
  }

  /// Sends one impulse through the reverb voice and reads gain and low-pass off the raw send.
  private mutating func calibrate(effects: Effects) throws(InstrumentError) {
    let full = 8_388_607.0
    enableRawSends(of: synth, Effects(reverb: true, chorus: true))
    let block = UnsafeMutablePointer<Float>.allocate(capacity: Lane.blockFrames)
    defer { block.deallocate() }
    block.initialize(repeating: 0, count: Lane.blockFrames)

    filters[0].scale = full
    // The envelope and the gains settle first; the impulse then meets a steady voice.
    for _ in 0..<20 { renderBlock(block) }
    block[0] = 0.5
    renderBlock(block)
    let response = (0..<Lane.blockFrames).map { Double(wet[$0]) / 0.5 }
    block[0] = 0
    for _ in 0..<4 { renderBlock(block) }

    let first = response[0]
    let gain = response.reduce(0, +)
    guard first > 0, gain > 0, abs(response[63]) < 1e-4 * first else {
      throw .unusableLibrary("a looped voice does not carry audio to the effects")
    }
    // The response of b₀ (1 + z)² / (1 + a₁z + a₂z²): its first three values give a₁ and a₂.
    let a1 = 2 - response[1] / first
    let a2 = 1 - a1 * response[1] / first - response[2] / first
    let pole = 0.995
    var filter = SendFilter()
    filter.a1 = a1
    filter.a2 = a2
    filter.pole = pole
    filter.scale = full / gain * (1 + pole) * (1 + pole) / (1 + a1 + a2)
    filters.update(repeating: filter, count: 2)
    clippedSamples = 0

    fluid_synth_reverb_on(synth, -1, effects.reverb ? 1 : 0)
    fluid_synth_chorus_on(synth, -1, effects.chorus ? 1 : 0)
    reset()
    for _ in 0..<20 { renderBlock(block) }
  }

  private mutating func renderBlock(_ block: UnsafePointer<Float>) {
    write(block, block)
    renderWet()
  }
}
