public import RenderCore
import Synchronization

/// Makes stereo delays: echoes in time with the host's song, or by the clock.
///
/// The format is mono, stereo, or mono that comes out as stereo.
///
/// | parameter | unit | range, and what it is at first | what |
/// |---|---|---|---|
/// | `time.sync` | toggle | on | echoes by `time.beats` wherever the host says its tempo, else by `time.ms` |
/// | `time.beats` | beats | 1/16…8, 1/2; logarithmic | from a sound to its echo, in quarter notes |
/// | `time.ms` | ms | 1…4000, 350; logarithmic | the same by the clock |
/// | `feedback` | % | 0…98, 40 | how loud an echo is, against the one before it |
/// | `tone` | Hz | 200…20000, 6000; logarithmic | each echo but the first is duller, as by a one-pole low-pass of this frequency; at 20000 none is |
/// | `ping-pong` | toggle | off | the middle of what comes in is heard on the left first, then by turns; does nothing in mono |
/// | `width` | % | 0…100, 100 | how far apart the echoes are; 0 is mono |
/// | `mix` | % | 0…100, 35 | out = in · (1 − mix) + echoes · mix |
///
/// **Time.** A tempo counts as 10…1000. What would take longer than 10 s is halved until it does not, so that it
/// stays in the measure; 1 ms is the least. A time that stands is rounded to whole frames, so that an echo is the
/// very samples that came in; one that a ramp or a tempo's slope moves is not. When it changes, the place at which the past is read glides: in each frame by a
/// twentieth of a second's share of its way, at least 1/1024 frame, and at most half a frame; so an echo is never
/// bent by more than a fifth up or an octave down, and never clicks. In between two frames a cubic is laid through
/// four samples. Switching ping-pong fades over 20 ms. Everything else acts on its frame.
///
/// **Latency** is 0. At mix 0 what comes in goes out bit for bit. **Tail:** until the echoes are 60 dB below the first.
/// What comes in as NaN or infinity, or above +200 dBFS, is not echoed.
///
/// **As a music effect** it follows these controllers, on every channel; all but the steps and toggles take 10 ms to
/// get there:
///
/// | controller | sets | from 0 to 127 |
/// |---|---|---|
/// | 1, modulation | `feedback` | 0…98 |
/// | 12, effect control 1 | `time.beats` | 1/16…8 in 22 steps: each note value, its next's triplet, its dotted |
/// | 13, effect control 2 | `time.ms` | 1…4000, logarithmic |
/// | 14 | `width` | 0…100 |
/// | 74, brightness | `tone` | 200…20000, logarithmic |
/// | 80, 81 | `time.sync`, `ping-pong` | off below 64, else on |
/// | 94, delay depth | `mix` | 0…100 |
public struct DelaySource: RenderUnitSource {
  /// Whether MIDI plays on it.
  public let isMusicEffect: Bool

  public init(musicEffect isMusicEffect: Bool = false) { self.isMusicEffect = isMusicEffect }

  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try format.checkStereo()
    return DelayUnit(format, followsControllers: isMusicEffect)
  }
}

/// What is made and freed off the render thread.
final class DelayUnit: RenderUnit, @unchecked Sendable {
  private let board = ParameterStore(DelayParameter.tree)
  private let state: UnsafeMutablePointer<DelayState>
  private let time: UnsafeMutablePointer<Atomic<Int>>

  init(_ format: Format, followsControllers: Bool) {
    time = .allocate(capacity: 1)
    time.initialize(to: Atomic(0))
    state = .allocate(capacity: 1)
    state.initialize(
      to: DelayState(
        format, board.values, followsControllers: followsControllers, publishedTime: time))
  }

  deinit {
    state.pointee.destroy()
    state.deallocate()
    time.deallocate()
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderDelay) }
  var parameters: ParameterStore? { board }
  var presets: [Preset] { Self.factoryPresets }

  /// Counted as if `tone` took nothing away. Before the first cycle nothing sounds.
  var tail: Int? {
    let time = time.pointee.load(ordering: .relaxed)
    let feedback = Double(board.value(DelayParameter.feedback.index)) / 100
    var (echoes, level) = (1, feedback)
    while level > 0.001 {
      echoes += 1
      level *= feedback
    }
    return echoes * time
  }
}

/// What the render thread calls; the compiler proves that it neither allocates nor locks.
@_noLocks @c private func renderDelay(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: DelayState.self).pointee.render(cycle.renderCycle)
  return false
}
