import LiveMIDI
import LocalSystem
import RenderCore

/// The render thread's state of a port in the mix.
///
/// Realtime: yes.
///
/// `@unchecked Sendable`: it belongs to the render thread, except the atomics.
struct MixPortState: @unchecked Sendable, BitwiseCopyable {
  private let renderer: Renderer
  private let events: UnsafeMutablePointer<LiveEventMerger>
  /// The sound of a zone; 0: the port's own unit.
  private let sound: UInt8
  private let panorama: Panorama
  /// Not 0 while the port is part of the mix. Written by other threads.
  let enabled: SharedWord
  /// Not 0 while the port is audible. Written by the render thread.
  let audible: SharedWord
  /// Not 0 while no zone plays the sound. Written by other threads.
  let resting: SharedWord
  /// A ``FreewheelStart/Step`` from ``request(_:)`` until ``MixPort/performDeferredWork()`` has made it; else 0.
  let renewal: SharedWord
  private let counters: RenderCounters
  private let sampleRate: Int64
  private let levels: MixLevels
  private var gain: Float
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
    renderer: Renderer, events: UnsafeMutablePointer<LiveEventMerger>, sound: UInt8,
    panorama: Panorama, enabled: SharedWord, audible: SharedWord, resting: SharedWord,
    renewal: SharedWord, counters: RenderCounters, levels: MixLevels, sampleRate: Int, tap: TakeTap
  ) {
    self.renderer = renderer
    self.events = events
    self.sound = sound
    self.panorama = panorama
    self.enabled = enabled
    self.audible = audible
    self.resting = resting
    self.renewal = renewal
    self.counters = counters
    self.levels = levels
    self.tap = tap
    self.sampleRate = Int64(sampleRate)
    // The sound of a zone is silent before its first note, which must not fade in.
    gain = sound == 0 ? 0 : 1
    step = 1 / (0.01 * Float(sampleRate))
    // Two seconds, so that long echoes are not cut.
    silenceLimit = 2 * sampleRate
  }

  /// Requests a step. A song without a deadline has a new unit with the settings of the present one, so that it does not
  /// depend on what was played before it. Its first cycle waits for that.
  @_noLocks func request(_ step: FreewheelStart.Step) { renewal.store(step.word) }

  /// Renders a cycle and adds it to the mix.
  ///
  /// - Parameters:
  ///   - cycle: A cycle whose output is scratch memory that the ports share.
  ///   - channels: The number of channels of the cycle's output and of `mix`.
  ///   - now: The time of ``MonotonicClock``.
  ///   - signal: With it, the unit does its deferred work before the cycle, because the cycle has no deadline.
  ///   - mix: The channels to which the audio is added.
  /// - Returns: Whether ``RenderUnit/performDeferredWork()`` should be called soon.
  @_noLocks mutating func render(
    _ cycle: RenderCycle, channels: Int, now: Int64, waiting signal: DeferredWorkSignal?,
    into mix: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> Bool {
    let isEnabled = enabled.value != 0
    var cycle = cycle
    cycle.midi =
      sound == 0
      ? events.pointee.merge(into: cycle, now: now)
      : events.pointee.events(for: sound, frames: cycle.frames)
    // A disabled port and a resting sound are rendered until their notes have ended; then they cost no time.
    let isNeeded = isEnabled ? resting.value == 0 : gain > 0
    if !isNeeded, silence >= silenceLimit, cycle.events.isEmpty { return false }
    counters.begin()
    let begin = MonotonicClock.now
    let needsCollection = tap.record(cycle.midi, at: cycle.position)
    if let signal { waitUntilReady(for: &cycle, signal) }
    let needsDeferredWork = renderer.render(&cycle)
    counters.add(frames: cycle.frames)
    let nanoseconds = MonotonicClock.now - begin
    // Without a deadline, no cycle is late.
    let isLate = signal == nil && nanoseconds * sampleRate > Int64(cycle.frames) * 1_000_000_000
    counters.add(nanoseconds: nanoseconds, isLate: isLate)
    let frames = cycle.frames
    silenceInvalid(cycle.output, channels: channels, frames: frames)
    panorama.apply(to: cycle.output, channels: channels, frames: frames)
    let peaks = peaks(of: cycle.output, channels: channels, frames: frames)
    updateSilence(peaks.highest, frames: frames)
    let isFading = isEnabled ? gain < 1 : gain > 0
    if isEnabled || isFading { levels.follow(peaks) }
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

  /// Replaces samples that are infinite or NaN, because they would spread to the other ports of the mix.
  @_noLocks private func silenceInvalid(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int
  ) {
    for channel in 0..<channels {
      let count = Sample.silenceInvalid(output[channel], count: frames)
      if count > 0 { counters.add(invalidSamples: count) }
    }
  }

  /// Waits for a requested unit, and until the unit is ready for a cycle, so that all of its notes start on their frames.
  @_noLocks private func waitUntilReady(
    for cycle: inout RenderCycle, _ signal: DeferredWorkSignal
  ) {
    let limit = MonotonicClock.now + RenderCycle.longestWait
    if renewal.value != 0 { waitForRenewal(signal, until: limit) }
    if renderer.isReady(for: &cycle) { return }
    renderer.waitUntilReady(for: &cycle, signal, until: limit)
  }

  @_noLocks private func waitForRenewal(_ signal: DeferredWorkSignal, until limit: Int64) {
    RealtimeSection.end()
    while MonotonicClock.now < limit {
      let passes = signal.passCount
      if renewal.value == 0 { break }
      signal.wake()
      signal.waitForPass(after: passes, until: limit)
    }
    RealtimeSection.begin()
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

  /// Returns the peaks of the channels, of which even numbers are left and odd ones right. A single channel is both.
  @_noLocks private func peaks(
    of output: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int
  ) -> StereoPeaks {
    var peaks = StereoPeaks()
    for channel in 0..<channels {
      var peak: Float = 0
      for i in 0..<frames { peak = max(peak, abs(output[channel][i])) }
      if channel % 2 == 0 { peaks.left = max(peaks.left, peak) }
      if channel % 2 == 1 || channels == 1 { peaks.right = max(peaks.right, peak) }
    }
    return peaks
  }

  @_noLocks private mutating func updateSilence(_ peak: Float, frames: Int) {
    silence = peak > Self.threshold ? 0 : min(silence + frames, silenceLimit)
  }
}
