public import RenderCore
import Synchronization

/// Creates resonators: every held key is a string that the host's audio excites.
///
/// The format is mono, stereo, or mono to stereo. Each output channel has its own strings.
///
/// | parameter | unit | range, default | description |
/// |---|---|---|---|
/// | `decay` | s | 0.05…20, 2; logarithmic | time in which a string decays by 60 dB, in addition to the loss by `damping` |
/// | `damping` | Hz | 200…20000, 6000; logarithmic | cutoff frequency of a one-pole low-pass that attenuates a string's overtones; off at 20000 |
/// | `gain` | dB | −24…24, 0 | gain of the strings |
/// | `mix` | % | 0…100, 50 | out = in · (1 − mix) + strings · gain · mix |
///
/// **A string** is a comb filter: s = d · x + g · lowpass(s, one period ago). x is the input without its direct current
/// (a high-pass at 10 Hz), g is 10^(−3 · period / decay), and d is √(1 − g²) times the note's level. Noise therefore
/// keeps its level, and a sustained tone at the string's pitch is amplified, more so with a longer decay. A4 is 440 Hz.
/// Keys are in tune within a cent up to a twelfth of the sample rate, at any damping; keys that are too high for the
/// sample rate sound one or two octaves lower. The cubic interpolation of fractional periods attenuates overtones.
///
/// **Notes.** From the frame of the note-on, the input fades in to the string within 5 ms; its level is the square of
/// the velocity. From the frame of the note-off, the input fades out within 5 ms, and the string rings out. A repeated
/// key continues with the same string. There are 16 strings; one more note replaces the string that was struck first,
/// which fades out within 5 ms. On the note's channel: sustain pedal (64) holds notes; pitch bend covers ±2 semitones
/// and glides within 5 ms; reset all controllers (121) resets both; all sound off (120) fades out every string within
/// 5 ms; all notes off and the mode messages (123…127) release all keys. GM, GS or XG system on releases all keys and
/// resets pedals and pitch bends on every channel.
///
/// **Latency** is 0. At mix 0 the output is bit-identical to the input. **Tail:** one decay time. NaN, infinity and
/// samples above +200 dBFS do not excite strings. Parameters take effect on their frames. **State:** in addition to the
/// parameters, each channel's pitch bend and pedal. Restoring it affects sounding notes.
public struct ResonatorSource: RenderUnitSource {
  public init() {}

  /// Creates a resonator.
  ///
  /// - Throws: ``FormatError`` unless `format` is mono, stereo, or mono to stereo.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try format.checkStereo()
    return ResonatorUnit(format)
  }
}

/// A resonator; created and destroyed off the render thread.
///
/// `@unchecked Sendable`: the state belongs to the render thread; the channels and the voice count are atomic.
final class ResonatorUnit: RenderUnit, @unchecked Sendable {
  private let store = ParameterStore(ResonatorParameter.tree)
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<ResonatorState>
  private let channels: ResonatorChannels
  private let sampleRate: Double
  /// Only one thread at a time may set the pending channels.
  private let restoring = Mutex(())

  init(_ format: Format) {
    sampleRate = Double(format.sampleRate)
    channels = ResonatorChannels(in: memory)
    state = memory.make(ResonatorState(format, store.values, channels, in: memory))
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderResonator) }
  var parameters: ParameterStore? { store }
  var presets: [Preset] { Self.factoryPresets }

  /// The tail after the end of the input, even while keys are held: one decay time.
  var tail: Int? {
    Int(Double(store.value(ResonatorParameter.decay.index)) * sampleRate) + 1
  }

  func save() -> [UInt8] { SavedResonatorChannels.encode(channels.all) }

  /// - Throws: ``ResonatorStateError``; the state is then unchanged.
  func restore(_ data: [UInt8]) throws {
    let pending = try SavedResonatorChannels.decode(data)
    restoring.withLock { _ in channels.setPending(pending) }
  }

  var status: [UnitStatus] {
    [UnitStatus("voices", state.pointee.publishedVoices.load(ordering: .relaxed))]
  }
}

/// The render thread's entry point. The compiler verifies that it neither allocates nor locks.
@_noLocks private func renderResonator(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ResonatorState.self).pointee.render(cycle.renderCycle)
  return false
}

/// The saved form of a resonator's channels: one version byte, then two bytes per channel, big-endian.
enum SavedResonatorChannels {
  static let version: UInt8 = 1

  static func encode(_ channels: [UInt32]) -> [UInt8] {
    [version] + channels.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  /// Decodes 16 channels.
  ///
  /// - Parameter data: A saved state; empty for the state of a new unit.
  static func decode(_ data: [UInt8]) throws(ResonatorStateError) -> [UInt32] {
    if data.isEmpty { return Array(repeating: ResonatorChannels.initial, count: 16) }
    if data[0] != version { throw .unknownVersion(Int(data[0])) }
    if data.count != 33 { throw .broken }
    let channels = (0..<16).map { UInt32(data[1 + 2 * $0]) << 8 | UInt32(data[2 + 2 * $0]) }
    if channels.contains(where: { $0 >= 2 * ResonatorChannels.pedal }) { throw .broken }
    return channels
  }
}

/// The reason why a state cannot be restored.
enum ResonatorStateError: Error, Equatable, CustomStringConvertible {
  case unknownVersion(Int)
  case broken

  var description: String {
    switch self {
    case .unknownVersion(let version):
      "the state has version \(version), but this resonator supports only version "
        + "\(SavedResonatorChannels.version): restore it with the version of Portative that saved it, or a later one"
    case .broken: "the data are not a resonator state: restore a state exactly as it was saved"
    }
  }
}
