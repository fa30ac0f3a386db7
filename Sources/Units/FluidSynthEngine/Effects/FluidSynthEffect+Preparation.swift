import CFluidSynth

extension FluidSynthEffect {
  /// Makes the effect and measures the door into it. Realtime: no.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - isRunning: Whether it runs from the beginning.
  ///   - engine: Which reverb; `nil` is the library's default.
  /// - Throws: ``InstrumentError/outOfMemory``; ``InstrumentError/unusableLibrary(_:)`` when the
  ///   measurement fails, as it might with a FluidSynth whose voices work otherwise.
  init(
    _ kind: Kind, rate: Int, isRunning: Bool, engine: String? = nil
  ) throws(InstrumentError) {
    self.kind = kind
    self.isRunning = isRunning
    var effects = Effects.none
    switch kind {
    case .reverb: effects.reverb = isRunning
    case .chorus: effects.chorus = isRunning
    }
    synth = try makeSynth(
      SynthSettings(
        rate: rate, polyphony: 8, gain: Self.headroom, effects: effects,
        reverbEngine: ReverbEngines.index(of: engine)),
      mayRunReverb: kind == .reverb)
    upper = .allocate(capacity: Self.sampleFrames)
    upper.initialize(repeating: 0, count: Self.sampleFrames)
    lower = .allocate(capacity: Self.sampleFrames)
    lower.initialize(repeating: 0, count: Self.sampleFrames)
    wet = .allocate(capacity: 2 * Self.loopFrames)
    wet.initialize(repeating: 0, count: 2 * Self.loopFrames)
    // The library hands out left and right of the reverb, then of the chorus.
    wetPointers = .allocate(capacity: 4)
    wetPointers.initialize(repeating: nil, count: 4)
    let first = kind == .reverb ? 0 : 2
    wetPointers[first] = wet
    wetPointers[first + 1] = wet + Self.loopFrames
    sample = try Self.makeSample(upper: upper, lower: lower, rate: rate)
    startVoice()
    try calibrate()
  }

  /// Frees all. Realtime: no.
  func destroy() {
    // The synth first: its voice holds the sample.
    delete(synth)
    delete_fluid_sample(sample)
    upper.deallocate()
    lower.deallocate()
    wet.deallocate()
    wetPointers.deallocate()
  }

  /// A sample that loops at `upper` and `lower`, which may be rewritten at any time.
  private static func makeSample(
    upper: UnsafeMutablePointer<Int16>, lower: UnsafeMutablePointer<UInt8>, rate: Int
  ) throws(InstrumentError) -> OpaquePointer {
    guard let sample = new_fluid_sample() else { throw .outOfMemory }
    let status = lower.withMemoryRebound(to: CChar.self, capacity: sampleFrames) { low in
      fluid_sample_set_sound_data(sample, upper, low, UInt32(loopFrames), UInt32(rate), 0)
    }
    guard status == FLUID_OK,
      fluid_sample_set_loop(sample, 0, UInt32(loopFrames)) == FLUID_OK,
      fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK
    else { throw .outOfMemory }
    return sample
  }

  /// Sends one impulse through the voice and reads gain, low-pass and delay off the raw send.
  private mutating func calibrate() throws(InstrumentError) {
    let full = 8_388_607.0
    enableRawSends(of: synth, Effects(reverb: true, chorus: true))
    filter.scale = full
    // The envelope and the gains settle first; the impulse then meets a steady voice.
    for _ in 0..<20 { renderBlock() }
    renderBlock(beginningWith: 0.5)
    var missed = 0
    while wet[0] == 0, missed < Self.mostBlocks - 1 {
      missed += 1
      renderBlock()
    }
    delay = missed * Lane.blockFrames
    let response = (0..<Lane.blockFrames).map { Double(wet[$0]) / 0.5 }
    // Until nothing is left of it anywhere.
    for _ in 0..<Self.mostBlocks { renderBlock() }

    let first = response[0]
    let gain = response.reduce(0, +)
    guard first > 0, gain > 0, abs(response[63]) < 1e-4 * first else {
      throw .unusableLibrary("a looped voice does not carry audio to the effects")
    }
    // The response of b₀ (1 + z)² / (1 + a₁z + a₂z²): its first three values give a₁ and a₂.
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
    turn(on: isRunning)
    reset()
    for _ in 0..<20 { renderBlock() }
    // The voice that was reset takes 11 blocks to end at 48 kHz, and 23 at 96 kHz, where it reads a block
    // later than the new one: what is written for the next blocks must not be heard through it.
    var blocks = 0
    while fluid_synth_get_active_voice_count(synth) > 1 {
      guard blocks < Self.mostSettlingBlocks else {
        throw .unusableLibrary("a voice that was ended plays on")
      }
      blocks += 1
      renderBlock()
    }
  }

  private static var mostSettlingBlocks: Int { 1000 }

  private mutating func renderBlock(beginningWith first: Double = 0) {
    for place in 0..<Lane.blockFrames { put(filter.next(place == 0 ? first : 0), at: place) }
    render(1)
  }
}
