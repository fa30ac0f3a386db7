import CFluidSynth
import Synchronization

/// Whether the FluidSynth at hand does what the exact engine rests on and no manual promises.
///
/// Tested with a sound of our own, once for each rate and gain.
public struct LibraryCapabilities: Equatable, Sendable {
  /// Voices hand out their effect sends while no effect runs. If not, each lane runs effects of its
  /// own: it sounds alike, but costs much more and the sends are not exact.
  public var carriesSends = true
  /// A silent voice wipes from a voice slot what the last note left there. If not, a note's first 64
  /// frames may depend on the one before it, as they do in stock timing.
  public var scrubs = true
  /// The silent voices that wipe a voice slot end, and leave it free. If not, slots are not wiped.
  public var freesSlots = true

  /// What to tell the user; empty when all is well.
  public var warnings: [String] {
    var warnings: [String] = []
    if !carriesSends {
      warnings.append(
        "this FluidSynth keeps its effect sends to itself: every note runs effects of its own, "
          + "which is slow and not exact")
    }
    if !freesSlots || !scrubs {
      warnings.append(
        "this FluidSynth cannot be made to forget a note's pan: first milliseconds may differ")
    }
    return warnings
  }

  init() {}

  private struct Conditions: Hashable {
    var rate: Int
    var gain: Double
    var presumesSends: Bool
  }
  private static let known = Mutex<[Conditions: LibraryCapabilities]>([:])

  /// What the library does with these settings; it is tested when they are new. Realtime: no.
  static func found(
    tables: PresetTables, settings: InstrumentSettings
  ) throws(InstrumentError) -> LibraryCapabilities {
    let conditions = Conditions(
      rate: settings.rate, gain: settings.gain, presumesSends: settings.presumesSends)
    if let capabilities = known.withLock({ $0[conditions] }) { return capabilities }
    let capabilities = try LibraryCapabilities(testing: tables, settings: settings)
    known.withLock { $0[conditions] = capabilities }
    return capabilities
  }

  /// Tests the library with two lanes, which are gone afterwards. Realtime: no.
  init(
    testing tables: PresetTables, settings: InstrumentSettings
  ) throws(InstrumentError) {
    let maker = try LaneMaker(
      capacity: 2,
      settings: SynthSettings(
        rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain, effects: .none),
      sends: Effects(reverb: true, chorus: true), tables: tables)
    defer { maker.destroy() }
    try maker.make(pool: 0)
    try maker.make(pool: 0)
    let (fresh, used) = (maker.lanes[0], maker.lanes[1])
    let probe = try Probe()
    defer { probe.destroy() }

    let reference = try probe.play(in: fresh.synth, pan: 300)
    carriesSends =
      settings.presumesSends && reference[2].contains { $0 != 0 }
      && reference[4].contains { $0 != 0 }
      && !reference[3].contains { $0 != 0 } && !reference[5].contains { $0 != 0 }

    _ = try probe.play(in: used.synth, pan: -500)
    freesSlots = used.voiceReset.resetVoices(Lane.polyphony, of: used.synth)
    scrubs = try probe.play(in: used.synth, pan: 300) == reference
  }
}

/// A short sound of our own, for testing a synth without a SoundFont.
private struct Probe {
  private static let frames = 4 * Lane.blockFrames
  private let sample: OpaquePointer
  private let samples: UnsafeMutablePointer<Int16>
  private let output: UnsafeMutablePointer<Float>

  init() throws(InstrumentError) {
    guard let sample = new_fluid_sample() else { throw .outOfMemory }
    self.sample = sample
    samples = .allocate(capacity: Self.frames)
    for i in 0..<Self.frames { samples[i] = Int16(truncatingIfNeeded: (i % 50) * 600 - 15_000) }
    output = .allocate(capacity: 6 * Self.frames)
    guard
      fluid_sample_set_sound_data(sample, samples, nil, UInt32(Self.frames), 48_000, 0)
        == FLUID_OK
    else { throw .outOfMemory }
    fluid_sample_set_pitch(sample, 60, 0)
  }

  func destroy() {
    delete_fluid_sample(sample)
    samples.deallocate()
    output.deallocate()
  }

  /// Plays the sound to its end: left, right, and the effects' four channels.
  func play(in synth: OpaquePointer, pan: Float) throws(InstrumentError) -> [[Float]] {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else {
      throw .outOfMemory
    }
    fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), pan)
    fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), 500)
    fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), 500)
    fluid_synth_start_voice(synth, voice)
    render(synth)
    let heard = (0..<6).map { channel in
      (0..<Self.frames).map { output[channel * Self.frames + $0] }
    }
    render(synth)
    render(synth)
    _ = fluid_synth_get_active_voice_count(synth)
    return heard
  }

  func render(_ synth: OpaquePointer) {
    output.update(repeating: 0, count: 6 * Self.frames)
    var dry: [UnsafeMutablePointer<Float>?] = [output, output + Self.frames]
    var sends = (2..<6).map { Optional(output + $0 * Self.frames) }
    fluid_synth_process(synth, Int32(Self.frames), 4, &sends, 2, &dry)
  }
}
