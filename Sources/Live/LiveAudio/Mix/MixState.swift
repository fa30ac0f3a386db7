import RenderCore
import Threads

/// All that a sound device's thread works on.
///
/// Made and freed off the thread, in ``Mixer``.
struct MixState {
  let format: Format
  /// Two lists of ports, in turn: the one in use, and the one that may be written.
  let lists: UnsafeMutablePointer<MixList>
  /// The number of the list to use, and of the one in use.
  let posted: SharedWord
  let seen: SharedWord
  /// Not 0 once the device has asked for a cycle.
  let hasPlayed: SharedWord
  /// Rung when a unit wants to be tended.
  let bell: DeferredWorkSignal
  /// One port's audio, before it is added.
  let port: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Silence, for units that work on audio.
  let input: AudioInput

  /// Renders a cycle of the device's.
  @_noLocks func render(_ cycle: RenderCycle) {
    let number = posted.value
    if seen.value != number { seen.store(number) }
    if hasPlayed.value == 0 { hasPlayed.store(1) }
    let frames = min(cycle.frames, format.maximumFrames)
    for channel in 0..<format.channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    var own = cycle
    own.output = UnsafePointer(port)
    own.input = input
    own.midi.frames = frames
    let now = MonotonicClock.now
    let list = lists[Int(number & 1)]
    var wish = false
    for i in 0..<list.count {
      let asks = list.ports[i].pointee.render(
        own, channels: format.channels, now: now, into: cycle.output)
      if asks { wish = true }
    }
    if wish { bell.ring() }
  }
}

/// The ports of a mix.
struct MixList: @unchecked Sendable, BitwiseCopyable {
  var ports: UnsafeMutablePointer<UnsafeMutablePointer<MixPortState>>
  var count = 0
}

@_noLocks @c func renderMix(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  state.assumingMemoryBound(to: MixState.self).pointee.render(cycle.renderCycle)
  return false
}
