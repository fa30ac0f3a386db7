public import RenderCore
import Synchronization

/// Creates stereo delays, synchronized to the host's tempo or with a time in milliseconds.
///
/// The format is mono, stereo, or mono to stereo.
///
/// | parameter | unit | range, default | description |
/// |---|---|---|---|
/// | `time.sync` | toggle | on | uses `time.beats` while the host provides a tempo, otherwise `time.ms` |
/// | `time.beats` | beats | 1/16…8, 1/2; logarithmic | delay time in quarter notes |
/// | `time.ms` | ms | 1…4000, 350; logarithmic | delay time in milliseconds |
/// | `feedback` | % | 0…98, 40 | level of an echo relative to the previous one |
/// | `tone` | Hz | 200…20000, 6000; logarithmic | cutoff frequency of a one-pole low-pass in the feedback, which filters each echo but the first; off at 20000 |
/// | `ping-pong` | toggle | off | sends the mono sum of the input to the left first, then alternates sides; no effect in mono |
/// | `width` | % | 0…100, 100 | stereo width of the echoes; 0 is mono |
/// | `mix` | % | 0…100, 35 | out = in · (1 − mix) + echoes · mix |
///
/// **Time.** The tempo is limited to 10…1000 beats per minute. A time longer than 10 s is halved until it is not, so
/// that it stays in rhythm; the minimum is 1 ms. A constant time is rounded to whole frames, so an echo has exactly
/// the samples of the input; a time that is changed by a ramp or by a tempo slope is not rounded. When the time
/// changes, the read head glides: per frame it moves by the remaining distance divided by the number of frames in
/// 50 ms, at least 1/1024 frame and at most half a frame. The pitch of an echo therefore never rises by more than a
/// fifth or falls by more than an octave, and there are no clicks. Between two frames, four samples are interpolated
/// by a cubic. Switching ping-pong crossfades over 20 ms. All other changes take effect on their frames.
///
/// **Latency** is 0. At mix 0 the output is bit-identical to the input. **Tail:** until the echoes are 60 dB below the
/// first. NaN, infinity and samples above +200 dBFS are not echoed.
///
/// **As a music effect** it responds to these controllers on every channel. Values ramp over 10 ms, except steps and
/// toggles:
///
/// | controller | parameter | range for 0…127 |
/// |---|---|---|
/// | 1, modulation | `feedback` | 0…98 |
/// | 12, effect control 1 | `time.beats` | 1/16…8 in 22 steps: each note value, the triplet of the next, the dotted value |
/// | 13, effect control 2 | `time.ms` | 1…4000, logarithmic |
/// | 14 | `width` | 0…100 |
/// | 74, brightness | `tone` | 200…20000, logarithmic |
/// | 80, 81 | `time.sync`, `ping-pong` | off below 64, otherwise on |
/// | 94, delay depth | `mix` | 0…100 |
public struct DelaySource: RenderUnitSource {
  /// Whether the delays receive MIDI.
  public let isMusicEffect: Bool

  public init(musicEffect isMusicEffect: Bool = false) { self.isMusicEffect = isMusicEffect }

  /// Creates a delay.
  ///
  /// - Throws: ``FormatError`` unless `format` is mono, stereo, or mono to stereo.
  public func makeUnit(_ format: Format) throws -> any RenderUnit {
    try format.checkStereo()
    return DelayUnit(format, followsControllers: isMusicEffect)
  }
}

/// A delay; created and destroyed off the render thread.
///
/// `@unchecked Sendable`: the state belongs to the render thread; the delay time is atomic.
final class DelayUnit: RenderUnit, @unchecked Sendable {
  private let store = ParameterStore(DelayParameter.tree)
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<DelayState>

  init(_ format: Format, followsControllers: Bool) {
    state = memory.make(
      DelayState(format, store.values, followsControllers: followsControllers, in: memory))
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderDelay) }
  var parameters: ParameterStore? { store }
  var presets: [Preset] { Self.factoryPresets }

  /// The time until the echoes are 60 dB below the first, ignoring the attenuation by `tone`; 0 before the first cycle.
  var tail: Int? {
    let time = state.pointee.time.load(ordering: .relaxed)
    let feedback = Double(store.value(DelayParameter.feedback.index)) / 100
    var (echoes, level) = (1, feedback)
    while level > 0.001 {
      echoes += 1
      level *= feedback
    }
    return echoes * time
  }
}

/// The render thread's entry point. The compiler verifies that it neither allocates nor locks.
@_noLocks private func renderDelay(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: DelayState.self).pointee.render(cycle.renderCycle)
  return false
}
