import CFluidSynth
import RenderCore
import Synchronization

/// Whether the loaded FluidSynth has the undocumented behavior that the exact engine relies on.
///
/// Tested with a generated sound, once for each sample rate and gain.
public struct LibraryCapabilities: Equatable, Sendable {
  /// Voices output their effect sends while no effect runs. If not, each lane runs its own effects: the
  /// sound is similar, but costs much more, and the sends are not exact.
  public var carriesSends = true
  /// A silent voice resets the state that the last note left in a voice slot. If not, the first 64 frames
  /// of a note may depend on the previous note, as in stock timing.
  public var resetsVoiceSlots = true
  /// The silent voices that reset a voice slot end and leave it free. If not, slots are not reset.
  public var freesSlots = true
  /// Synths can mix into buffers that they share; see ``MixBuffers``. If not, the sound is the same, but takes more
  /// processor time.
  public var sharesMixBuffers = true

  /// The warnings for the user; empty if the library has all capabilities.
  public var warnings: [String] {
    var warnings: [String] = []
    if !carriesSends {
      warnings.append(
        "this FluidSynth does not output its effect sends: every note runs its own effects, "
          + "which is slow and not exact")
    }
    if !freesSlots || !resetsVoiceSlots {
      warnings.append(
        "this FluidSynth does not reset the pan of its voices: "
          + "the first milliseconds of a note may differ")
    }
    return warnings
  }

  init() {}

  private struct Conditions: Hashable {
    var rate: Int
    var gain: Double
    var presumesSends: Bool
    var sharesMixBuffers: Bool
  }
  private static let cache = Mutex<[Conditions: LibraryCapabilities]>([:])

  /// Returns the capabilities for these settings, which are tested on the first call. Realtime: no.
  static func found(
    tables: PresetTables, settings: InstrumentSettings
  ) throws(InstrumentError) -> LibraryCapabilities {
    let conditions = Conditions(
      rate: settings.rate, gain: settings.gain, presumesSends: settings.presumesSends,
      sharesMixBuffers: settings.sharesMixBuffers)
    if let capabilities = cache.withLock({ $0[conditions] }) { return capabilities }
    let capabilities = try LibraryCapabilities(testing: tables, settings: settings)
    cache.withLock { $0[conditions] = capabilities }
    return capabilities
  }

  /// Tests the library with two temporary lanes. Realtime: no.
  init(
    testing tables: PresetTables, settings: InstrumentSettings
  ) throws(InstrumentError) {
    let memory = RenderMemory()
    defer { memory.release() }
    let synthSettings = SynthSettings(
      rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain, effects: .none)
    let maker = try LaneMaker(
      capacity: 2, settings: synthSettings, sends: Effects(), tables: tables, in: memory)
    try maker.make(group: 0)
    try maker.make(group: 0)
    let (fresh, used) = (maker.lanes[0], maker.lanes[1])
    let probe = try Probe(in: memory)

    let reference = try probe.play(in: fresh.synth, pan: 300)
    carriesSends =
      settings.presumesSends && reference[2].contains { $0 != 0 }
      && reference[4].contains { $0 != 0 }
      && !reference[3].contains { $0 != 0 } && !reference[5].contains { $0 != 0 }

    _ = try probe.play(in: used.synth, pan: -500)
    freesSlots = used.voiceReset.resetVoices(Lane.polyphony, of: used.synth)
    resetsVoiceSlots = try probe.play(in: used.synth, pan: 300) == reference
    if settings.sharesMixBuffers {
      sharesMixBuffers = try Self.sharesMixBuffers(probe, reference, synthSettings, tables)
    } else {
      sharesMixBuffers = false
    }
  }

  /// Whether two synths that are rendered in turn, block by block, into the buffers of two threads in turn, each have the
  /// output of a synth with buffers of its own.
  private static func sharesMixBuffers(
    _ probe: Probe, _ reference: [[Float]], _ settings: SynthSettings, _ tables: PresetTables
  ) throws(InstrumentError) -> Bool {
    let memory = RenderMemory()
    defer { memory.release() }
    let maker = try LaneMaker(
      capacity: 2, settings: settings, sends: Effects(), tables: tables, sharesMixBuffers: true,
      in: memory)
    try maker.make(group: 0)
    try maker.make(group: 0)
    let buffers = [0, 1].map { _ in MixBuffers(frames: Lane.blockFrames, in: memory) }
    let synths = [maker.lanes[0], maker.lanes[1]]
    for lane in synths { try probe.start(in: lane.synth, pan: 300) }
    for block in 0..<Probe.frames / Lane.blockFrames {
      for (index, lane) in synths.enumerated() {
        guard let pointers = lane.mixPointers else { return false }
        let mix = buffers[(block + index) % 2]
        pointers.set(mix)
        fluid_synth_process(lane.synth, Int32(Lane.blockFrames), 0, nil, 0, nil)
        let signals = [(mix.left, 0), (mix.right, 1), (mix.reverb, 2), (mix.chorus, 4)]
        for (samples, channel) in signals {
          for i in 0..<Lane.blockFrames
          where Float(samples[i]) != reference[channel][block * Lane.blockFrames + i] {
            return false
          }
        }
      }
    }
    return true
  }
}

/// A short generated sound, which tests a synth without a SoundFont.
private struct Probe {
  static let frames = 4 * Lane.blockFrames
  private let sample: OpaquePointer
  private let output: UnsafeMutablePointer<Float>

  init(in memory: RenderMemory) throws(InstrumentError) {
    let samples = memory.makeEach(Self.frames) { Int16($0 % 50 * 600 - 15_000) }
    sample = try makeSample(samples, frames: Self.frames, rate: 48_000, in: memory)
    output = memory.make(6 * Self.frames, of: 0)
  }

  /// Plays the sound to its end. Returns left, right, and the four channels of the effects.
  func play(in synth: OpaquePointer, pan: Float) throws(InstrumentError) -> [[Float]] {
    try start(in: synth, pan: pan)
    render(synth)
    let result = (0..<6).map { channel in
      (0..<Self.frames).map { output[channel * Self.frames + $0] }
    }
    render(synth)
    render(synth)
    _ = fluid_synth_get_active_voice_count(synth)
    return result
  }

  /// Starts the sound.
  func start(in synth: OpaquePointer, pan: Float) throws(InstrumentError) {
    guard let voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127) else {
      throw .outOfMemory
    }
    fluid_voice_gen_set(voice, Int32(GEN_PAN.rawValue), pan)
    fluid_voice_gen_set(voice, Int32(GEN_REVERBSEND.rawValue), 500)
    fluid_voice_gen_set(voice, Int32(GEN_CHORUSSEND.rawValue), 500)
    fluid_synth_start_voice(synth, voice)
  }

  func render(_ synth: OpaquePointer) {
    output.update(repeating: 0, count: 6 * Self.frames)
    var dry: [UnsafeMutablePointer<Float>?] = [output, output + Self.frames]
    var sends = (2..<6).map { Optional(output + $0 * Self.frames) }
    fluid_synth_process(synth, Int32(Self.frames), 4, &sends, 2, &dry)
  }
}
