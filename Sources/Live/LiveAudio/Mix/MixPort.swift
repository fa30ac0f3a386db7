package import LiveMIDI
package import RenderCore
import Threads

/// A port in the mix: its unit, what is played into it, and how loud it is just now.
///
/// Realtime: no; its ``state`` is.
///
/// `@unchecked Sendable`: the state belongs to the render thread, apart from the words in it.
package final class MixPort: @unchecked Sendable {
  package let unit: any RenderUnit
  let state: UnsafeMutablePointer<MixPortState>
  private let input: LiveInput
  private let listener: LiveInputConsumer
  private let format: Format
  private let counters = RenderCounters()
  private let words: UnsafeMutablePointer<UInt32>

  /// - Parameters:
  ///   - unit: Made for the mix's format.
  ///   - input: What is played to it while no host has the port.
  package init(_ unit: any RenderUnit, _ input: LiveInput, _ format: Format) {
    self.unit = unit
    self.input = input
    self.format = format
    listener = LiveInputConsumer(to: input, as: .device, sampleRate: format.sampleRate)
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: MixPortState(
        renderer: unit.renderer, events: listener.events, wanted: SharedWord(at: words),
        heard: SharedWord(at: words + 1), counters: counters, sampleRate: format.sampleRate))
  }

  /// To be called when no thread renders it any more.
  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    words.deallocate()
    counters.destroy()
  }

  /// Listens to what is played.
  package func begin() {
    listener.begin()
    input.setFigures { [weak self] in self?.figures }
  }

  package func end() {
    input.setFigures(nil)
    listener.end()
  }

  private var figures: PlayingFigures? {
    PlayingFigures(
      format: format, cycles: counters.cycles, load: counters.load(sampleRate: format.sampleRate),
      unit: unit.status)
  }

  /// Whether it is to be heard: it comes and goes within 10 ms, without a click.
  package var isWanted: Bool {
    get { state.pointee.wanted.value != 0 }
    set { state.pointee.wanted.store(newValue ? 1 : 0) }
  }

  /// Whether something of it is heard.
  package var isHeard: Bool { state.pointee.heard.value != 0 }
}

/// What the render thread knows of a port in the mix.
///
/// Realtime: yes.
struct MixPortState: @unchecked Sendable, BitwiseCopyable {
  private let renderer: Renderer
  private let events: UnsafeMutablePointer<LiveEventMerger>
  /// Not zero while it is to be heard.
  let wanted: SharedWord
  /// Not zero while something of it is heard.
  let heard: SharedWord
  private let counters: RenderCounters
  private var gain: Float = 0
  /// What the gain changes by with each frame.
  private let step: Float
  /// Frames for which it has been silent.
  private var silence = 0
  private let enough: Int

  /// Nobody hears what is below: −100 dBFS.
  private static var threshold: Float { @_noLocks get { 1e-5 } }

  init(
    renderer: Renderer, events: UnsafeMutablePointer<LiveEventMerger>, wanted: SharedWord,
    heard: SharedWord, counters: RenderCounters, sampleRate: Int
  ) {
    self.renderer = renderer
    self.events = events
    self.wanted = wanted
    self.heard = heard
    self.counters = counters
    step = 1 / (0.01 * Float(sampleRate))
    // An echo may pause for a while.
    enough = 2 * sampleRate
  }

  /// Renders a cycle, and adds it to the mix.
  ///
  /// - Parameters:
  ///   - cycle: Its output is memory of the mix's, for the port alone.
  ///   - mix: As many channels, to add to.
  /// - Returns: Whether the unit wants to be tended.
  @_noLocks mutating func render(
    _ cycle: RenderCycle, channels: Int, now: Int64,
    into mix: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> Bool {
    let isWanted = wanted.value != 0
    var cycle = cycle
    cycle.midi = events.pointee.merge(into: cycle, now: now)
    // What rings on unheard ends by itself; after that nothing is spent on it.
    if !isWanted, gain == 0, silence >= enough, cycle.events.isEmpty { return false }
    counters.begin()
    let begin = MonotonicClock.now
    let wish = renderer.render(&cycle)
    counters.add(frames: cycle.frames)
    counters.add(nanoseconds: MonotonicClock.now - begin)
    let frames = cycle.frames
    follow(peak(of: cycle.output, channels: channels, frames: frames), frames: frames)
    let isFading = isWanted ? gain < 1 : gain > 0
    for channel in 0..<channels {
      let (source, target) = (cycle.output[channel], mix[channel])
      if isFading {
        fade(source, into: target, frames: frames, rising: isWanted)
      } else if isWanted {
        for i in 0..<frames { target[i] += source[i] }
      }
    }
    if isFading {
      let change = step * Float(frames)
      gain = isWanted ? min(1, gain + change) : max(0, gain - change)
    }
    heard.store(gain > 0 && silence < enough ? 1 : 0)
    return wish
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

  @_noLocks private mutating func follow(_ peak: Float, frames: Int) {
    silence = peak > Self.threshold ? 0 : min(silence + frames, enough)
  }
}
