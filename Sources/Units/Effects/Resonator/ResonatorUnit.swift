public import RenderCore
import Synchronization

/// Makes resonators: every key that is held is a string, which the host's audio sets ringing.
///
/// The format is mono, stereo, or mono that comes out as stereo; each output channel has strings of its own.
///
/// | parameter | unit | range, and what it is at first | what |
/// |---|---|---|---|
/// | `decay` | s | 0.05…20, 2; logarithmic | until a string has fallen by 60 dB, but for what `damping` takes |
/// | `damping` | Hz | 200…20000, 6000; logarithmic | a string loses its overtones as by a one-pole low-pass of this frequency; at 20000 there is none |
/// | `gain` | dB | −24…24, 0 | of the strings |
/// | `mix` | % | 0…100, 50 | out = in · (1 − mix) + strings · gain · mix |
///
/// **A string** is a comb filter: s = d · x + g · lowpass(s, one period ago). x is the input less its direct current (a
/// high-pass of 10 Hz), g is 10^(−3 · period / decay), and d = √(1 − g²) times the note's level, so that noise rings
/// as loud as it came, and a tone that stays on the string's pitch grows louder, the more the longer the decay. A4 is 440 Hz. Keys are in tune within a cent up to a twelfth of the sample rate, whatever
/// the damping; one that is too high for the rate rings an octave lower, or two. Overtones are made duller
/// by the way periods between two frames are read, a cubic.
///
/// **Notes.** From its note-on's frame a string lets the input in, within 5 ms; its level is the velocity's square. From
/// its note-off's frame it lets nothing in any more, again within 5 ms, and rings out. A key that is struck again
/// goes on with its string. There are 16; one more takes the place of the one that was struck first, which fades within 5 ms.
/// On the note's channel: pedal (64) holds, pitch bend goes two semitones either way within 5 ms,
/// reset of controllers (121) ends both, all sounds off (120) fades every string within 5 ms, all notes off and the modes
/// (123…127) lift all keys; and so does a GM, GS or XG system on, pedals too, on every channel.
///
/// **Latency** is 0. At mix 0 what comes in goes out bit for bit. **Tail:** one decay. NaN, infinity and what is above
/// +200 dBFS set nothing ringing. Parameters act on their frame. **State:** besides the parameters, each channel's pitch
/// bend and pedal; notes that sound hear what changes.
public struct ResonatorSource: RenderUnitSource {
  public init() {}

  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try format.checkStereo()
    return ResonatorUnit(format)
  }
}

/// What is made and freed off the render thread.
final class ResonatorUnit: RenderUnit, @unchecked Sendable {
  private let board = ParameterStore(ResonatorParameter.tree)
  private let state: UnsafeMutablePointer<ResonatorState>
  private let channels = ResonatorChannels()
  private let voices: UnsafeMutablePointer<Atomic<Int>>
  private let sampleRate: Double
  /// One thread at a time puts a state down.
  private let restoring = Mutex(())

  init(_ format: Format) {
    sampleRate = Double(format.sampleRate)
    voices = .allocate(capacity: 1)
    voices.initialize(to: Atomic(0))
    state = .allocate(capacity: 1)
    state.initialize(to: ResonatorState(format, board.values, channels, publishedVoices: voices))
  }

  deinit {
    state.pointee.destroy()
    state.deallocate()
    voices.deallocate()
    channels.destroy()
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderResonator) }
  var parameters: ParameterStore? { board }
  var presets: [Preset] { Self.factoryPresets }

  /// From where nothing comes in any more, though keys may be down.
  var tail: Int? {
    Int(Double(board.value(ResonatorParameter.decay.index)) * sampleRate) + 1
  }

  func save() -> [UInt8] { SavedResonatorChannels.encode(channels.all) }

  /// - Throws: ``ResonatorStateError``; nothing has changed then.
  func restore(_ data: [UInt8]) throws {
    let told = try SavedResonatorChannels.decode(data)
    restoring.withLock { _ in channels.put(told) }
  }

  var status: [UnitStatus] {
    [UnitStatus("voices", voices.pointee.load(ordering: .relaxed))]
  }
}

/// What the render thread calls; the compiler proves that it neither allocates nor locks.
@_noLocks @c private func renderResonator(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ResonatorState.self).pointee.render(cycle.renderCycle)
  return false
}
