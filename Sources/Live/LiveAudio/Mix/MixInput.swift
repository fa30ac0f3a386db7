import Glibc
import LocalSystem
import RenderCore
import Synchronization

/// An input of a mix for audio that is no port's, such as that of a song: a renderer that is called in the cycles of the
/// mix.
///
/// Realtime: no, except its ``state``. Threads: any.
///
/// `@unchecked Sendable`: the state belongs to the render thread, except while its gate is closed.
final class MixInput: @unchecked Sendable {
  let state: UnsafeMutablePointer<MixInputState>
  private let memory = RenderMemory()
  private let isTaken = Mutex(false)

  private static let slotSize = 16

  init(_ format: Format) {
    let memory = memory
    let words = SharedWords(count: 4)
    memory.onRelease(words.destroy)
    let gate = CallbackGate(words[0])
    gate.close()
    state = memory.make(
      MixInputState(
        gate: gate, enabled: words[1], audible: words[2], level: words[3],
        events: memory.make(
          OutputEventBuffer(slots: MixInputState.slots, slotSize: Self.slotSize, in: memory)),
        output: memory.makeEach(2) { _ in memory.reserve(format.maximumFrames) },
        sampleRate: format.sampleRate))
  }

  /// The factor of the samples. A change is reached within 10 ms, without a click.
  var level: Float {
    get { Float(bitPattern: state.pointee.level.value) }
    set { state.pointee.level.store(newValue.bitPattern) }
  }

  /// Begins to call a renderer.
  ///
  /// - Returns: `false` if another renderer has the input.
  func begin(_ renderer: Renderer, _ tap: TakeTap, level: Float) -> Bool {
    let isFree = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isFree else { return false }
    self.level = level
    state.pointee.begin(renderer, tap)
    state.pointee.gate.open()
    return true
  }

  /// Ends the calls. What sounds fades out, if the mix still plays.
  ///
  /// - Parameter isPlayed: Whether cycles are requested; the call then waits for at most 300 ms for the end.
  func end(isPlayed: Bool) {
    state.pointee.enabled.store(0)
    let limit = MonotonicClock.now + 300_000_000
    while isPlayed, state.pointee.audible.value != 0, MonotonicClock.now < limit { usleep(1000) }
    state.pointee.gate.close()
    isTaken.withLock { $0 = false }
  }
}

/// The render thread's state of an input of a mix.
///
/// Realtime: yes.
///
/// `@unchecked Sendable`: it belongs to the render thread, except the atomics.
struct MixInputState: @unchecked Sendable, BitwiseCopyable {
  let gate: CallbackGate
  /// Not 0 until the renderer's audio shall fade out. Written by other threads.
  let enabled: SharedWord
  /// Not 0 while the renderer's audio is heard. Written by the render thread, and at the beginning.
  let audible: SharedWord
  /// The bits of the factor of the samples. Written by other threads.
  let level: SharedWord
  private var renderer: Renderer?
  private var tap = TakeTap.none
  /// The factor of the samples now.
  private var gain: Float = 0
  /// The greatest change of the factor from each frame to the next.
  private let step: Float
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// What the renderer sends in a cycle, for takes.
  private let events: UnsafeMutablePointer<OutputEventBuffer>

  init(
    gate: CallbackGate, enabled: SharedWord, audible: SharedWord, level: SharedWord,
    events: UnsafeMutablePointer<OutputEventBuffer>,
    output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, sampleRate: Int
  ) {
    self.events = events
    (self.gate, self.enabled, self.audible, self.level) = (gate, enabled, audible, level)
    self.output = output
    step = 1 / (0.01 * Float(sampleRate))
  }

  /// The room for what the renderer sends in a cycle: an event takes a slot, and System Exclusive as many more as its
  /// bytes need.
  fileprivate static var slots: Int { @_noLocks get { 4096 } }

  /// Sets the renderer. The gate must be closed.
  fileprivate mutating func begin(_ renderer: Renderer, _ tap: TakeTap) {
    (self.renderer, self.tap) = (renderer, tap)
    // It begins in silence, so that nothing has to fade in.
    gain = Float(bitPattern: level.value)
    enabled.store(1)
    audible.store(1)
  }

  /// Renders a cycle and adds it to the mix. One channel gets the mean of both; channels after the second get nothing.
  ///
  /// - Returns: Whether ``RenderUnit/performDeferredWork()`` should be called soon.
  @_noLocks mutating func render(
    _ cycle: RenderCycle, frames: Int, channels: Int,
    into mix: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> Bool {
    guard gate.acquire() else { return false }
    defer { gate.release() }
    guard let renderer else { return false }
    var own = cycle
    own.output = UnsafePointer(output)
    own.midi = MIDICycle(frames: frames)
    events.pointee.begin(frames: frames, room: Self.slots)
    own.midiOutput = MIDIOutput(events)
    _ = renderer.render(&own)
    let target = enabled.value == 0 ? 0 : Float(bitPattern: level.value)
    let begin = gain
    for channel in 0..<2 {
      gain = ramp(
        output[channel], from: begin, to: target, frames: frames,
        into: mix[channels > 1 ? channel : 0], scale: channels > 1 ? 1 : 0.5)
    }
    audible.store(gain == 0 && target == 0 ? 0 : 1)
    return tap.record(events.pointee.inOrder(), at: cycle.position)
  }

  /// Adds samples to a channel of the mix.
  ///
  /// - Returns: The factor of the last sample.
  @_noLocks private func ramp(
    _ samples: UnsafeMutablePointer<Float>, from begin: Float, to target: Float, frames: Int,
    into mix: UnsafeMutablePointer<Float>, scale: Float
  ) -> Float {
    if begin == target {
      let factor = target * scale
      if factor == 1 {
        for frame in 0..<frames { mix[frame] += samples[frame] }
      } else {
        for frame in 0..<frames { mix[frame] += samples[frame] * factor }
      }
      return target
    }
    var gain = begin
    for frame in 0..<frames {
      gain = gain < target ? min(target, gain + step) : max(target, gain - step)
      mix[frame] += samples[frame] * (gain * scale)
    }
    return gain
  }
}
