package import LiveMIDI
package import RenderCore
import Threads

/// A port in the mix: its unit, its live input, and its gain.
///
/// Realtime: no, except its ``state``.
///
/// `@unchecked Sendable`: the state belongs to the render thread, except the atomics in it.
package final class MixPort: @unchecked Sendable {
  package let unit: any RenderUnit
  let state: UnsafeMutablePointer<MixPortState>
  private let input: LiveInput
  private let consumer: LiveInputConsumer
  private let format: Format
  private let counters = RenderCounters()
  private let words = SharedWords(count: 2)

  /// - Parameters:
  ///   - unit: A unit for the mix's format.
  ///   - input: The live input that plays the unit while no host has the port.
  ///   - format: The mix's format.
  ///   - tap: Records what the unit plays.
  package init(
    _ unit: any RenderUnit, _ input: LiveInput, _ format: Format, tap: TakeTap = .none
  ) {
    self.unit = unit
    self.input = input
    self.format = format
    consumer = LiveInputConsumer(to: input, as: .device, of: unit, sampleRate: format.sampleRate)
    state = .allocate(capacity: 1)
    state.initialize(
      to: MixPortState(
        renderer: unit.renderer, events: consumer.events, enabled: words[0],
        audible: words[1], counters: counters, sampleRate: format.sampleRate, tap: tap))
  }

  /// No thread may render the port any more.
  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    words.destroy()
    counters.destroy()
  }

  /// Starts receiving the live input.
  package func begin() {
    consumer.begin()
    input.setPlaybackStatistics { [weak self] in self?.statistics }
  }

  /// Stops receiving the live input.
  package func end() {
    input.setPlaybackStatistics(nil)
    consumer.end()
  }

  private var statistics: PlaybackStatistics? {
    PlaybackStatistics(
      format: format, cycles: counters.cycles, load: counters.load(sampleRate: format.sampleRate),
      unit: unit.status)
  }

  /// Whether the port is part of the mix. A change fades the port in or out within 10 ms, without a click.
  package var isEnabled: Bool {
    get { state.pointee.enabled.value != 0 }
    set { state.pointee.enabled.store(newValue ? 1 : 0) }
  }

  /// Whether the port is audible in the mix.
  package var isAudible: Bool { state.pointee.audible.value != 0 }
}

/// The render thread's state of a port in the mix.
///
/// Realtime: yes.
///
/// `@unchecked Sendable`: it belongs to the render thread, except the atomics.
struct MixPortState: @unchecked Sendable, BitwiseCopyable {
  private let renderer: Renderer
  private let events: UnsafeMutablePointer<LiveEventMerger>
  /// Not 0 while the port is part of the mix. Written by other threads.
  let enabled: SharedWord
  /// Not 0 while the port is audible. Written by the render thread.
  let audible: SharedWord
  private let counters: RenderCounters
  private var gain: Float = 0
  /// The change of the gain from each frame to the next during a fade.
  private let step: Float
  /// The number of frames for which the port has been silent, up to ``silenceLimit``.
  private var silence = 0
  /// The number of silent frames after which the port has ended.
  private let silenceLimit: Int
  private var tap: TakeTap

  /// The peak level at or below which a cycle is silent: −100 dBFS.
  private static var threshold: Float { @_noLocks get { 1e-5 } }

  init(
    renderer: Renderer, events: UnsafeMutablePointer<LiveEventMerger>, enabled: SharedWord,
    audible: SharedWord, counters: RenderCounters, sampleRate: Int, tap: TakeTap
  ) {
    self.renderer = renderer
    self.events = events
    self.enabled = enabled
    self.audible = audible
    self.counters = counters
    self.tap = tap
    step = 1 / (0.01 * Float(sampleRate))
    // Two seconds, so that long echoes are not cut.
    silenceLimit = 2 * sampleRate
  }

  /// Renders a cycle and adds it to the mix.
  ///
  /// - Parameters:
  ///   - cycle: A cycle whose output is scratch memory that the ports share.
  ///   - channels: The number of channels of the cycle's output and of `mix`.
  ///   - now: The time of ``MonotonicClock``.
  ///   - mix: The channels to which the audio is added.
  /// - Returns: Whether ``RenderUnit/performDeferredWork()`` should be called soon.
  @_noLocks mutating func render(
    _ cycle: RenderCycle, channels: Int, now: Int64,
    into mix: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> Bool {
    let isEnabled = enabled.value != 0
    var cycle = cycle
    cycle.midi = events.pointee.merge(into: cycle, now: now)
    // A disabled port is rendered until its notes have ended; then it costs no time.
    if !isEnabled, gain == 0, silence >= silenceLimit, cycle.events.isEmpty { return false }
    counters.begin()
    let begin = MonotonicClock.now
    let needsCollection = tap.record(cycle.midi, at: cycle.position)
    let needsDeferredWork = renderer.render(&cycle)
    counters.add(frames: cycle.frames)
    counters.add(nanoseconds: MonotonicClock.now - begin)
    let frames = cycle.frames
    updateSilence(peak(of: cycle.output, channels: channels, frames: frames), frames: frames)
    let isFading = isEnabled ? gain < 1 : gain > 0
    for channel in 0..<channels {
      let (source, target) = (cycle.output[channel], mix[channel])
      if isFading {
        fade(source, into: target, frames: frames, rising: isEnabled)
      } else if isEnabled {
        for i in 0..<frames { target[i] += source[i] }
      }
    }
    if isFading {
      let change = step * Float(frames)
      gain = isEnabled ? min(1, gain + change) : max(0, gain - change)
    }
    audible.store(gain > 0 && silence < silenceLimit ? 1 : 0)
    return needsCollection ? true : needsDeferredWork
  }

  @_noLocks private func fade(
    _ source: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>, frames: Int,
    rising: Bool
  ) {
    let step = rising ? step : -step
    for i in 0..<frames {
      target[i] += source[i] * max(0, min(1, gain + step * Float(i + 1)))
    }
  }

  @_noLocks private func peak(
    of output: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int
  ) -> Float {
    var peak: Float = 0
    for channel in 0..<channels {
      for i in 0..<frames { peak = max(peak, abs(output[channel][i])) }
    }
    return peak
  }

  @_noLocks private mutating func updateSilence(_ peak: Float, frames: Int) {
    silence = peak > Self.threshold ? 0 : min(silence + frames, silenceLimit)
  }
}
