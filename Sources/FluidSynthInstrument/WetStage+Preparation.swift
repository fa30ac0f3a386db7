import CFluidSynth

extension WetStage {
  /// Makes the effects and measures the door into them. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - effects: Which of the two run; with neither there is no use for a stage.
  /// - Throws: ``InstrumentError/outOfMemory``; ``InstrumentError/unusableLibrary(_:)`` when the
  ///   measurement fails, as it might with a FluidSynth whose voices work otherwise.
  init(rate: Int, effects: Effects) throws(InstrumentError) {
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

    try startVoices(rate: rate)
    try calibrate(effects: effects)
  }

  /// Frees all. Realtime: no.
  func destroy() {
    // The synth first: its voices hold the samples.
    delete(synth)
    upper.deallocate()
    lower.deallocate()
    wet.deallocate()
    wetPointers.deallocate()
    filters.deallocate()
  }

  /// Starts the two voices that loop the samples for ever.
  private func startVoices(rate: Int) throws(InstrumentError) {
    // Without interpolation a voice at its root key plays frame after frame.
    fluid_synth_set_interp_method(synth, -1, Int32(FLUID_INTERP_NONE.rawValue))
    for (number, value) in [(7, 127), (11, 127), (10, 64)] as [(Int32, Int32)] {
      fluid_synth_cc(synth, 0, number, value)
    }
    for voiceIndex in 0..<2 {
      let first = voiceIndex * Self.sampleFrames
      guard let sample = new_fluid_sample() else { throw .outOfMemory }
      let status = (lower + first).withMemoryRebound(to: CChar.self, capacity: 1) { low in
        fluid_sample_set_sound_data(
          sample, upper + first, low, UInt32(Lane.blockFrames), UInt32(rate), 0)
      }
      guard status == FLUID_OK,
        fluid_sample_set_loop(sample, 0, UInt32(Lane.blockFrames)) == FLUID_OK,
        fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK,
        let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127)
      else { throw .outOfMemory }
      fluid_voice_gen_set(voice, Int32(GEN_SAMPLEMODE.rawValue), 1)
      fluid_voice_gen_set(voice, Int32(GEN_FILTERFC.rawValue), 20_000)
      fluid_voice_gen_set(
        voice, Int32(GEN_REVERBSEND.rawValue), voiceIndex == 0 ? 4000 : -4000)
      fluid_voice_gen_set(
        voice, Int32(GEN_CHORUSSEND.rawValue), voiceIndex == 1 ? 4000 : -4000)
      fluid_synth_start_voice(synth, voice)
    }
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
    fluid_synth_reset_reverb(synth)
    fluid_synth_reset_chorus(synth)
  }

  private mutating func renderBlock(_ block: UnsafePointer<Float>) {
    write(block, into: 0)
    renderWet()
  }
}
