import LocalSystem
import RenderCore

/// The state that a sound device's thread works on.
///
/// ``Mixer`` allocates and frees it on another thread.
struct MixState {
  let format: Format
  /// Whether the times of cycles are those of ``MonotonicClock``.
  let isRealTime: Bool
  /// Two lists of ports: one is in use, the other may be written.
  let lists: UnsafeMutablePointer<MixList>
  /// The number of the list to use. Written by ``Mixer``.
  let posted: SharedWord
  /// The number of the list in use. Written by the device's thread.
  let seen: SharedWord
  /// The number of cycles that the device has requested.
  let cycles: SharedWord
  /// Woken when a unit has deferred work.
  let signal: DeferredWorkSignal
  /// Scratch memory for the audio of one port.
  let port: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Silence, as the input of effects if the device has no audio input.
  let silentInput: AudioInput
  /// Not 0 while the device requests cycles without a deadline; `nil`: it never does.
  let freewheeling: SharedWord?
  /// Replaces the device's transport, except in cycles without a deadline; `nil` to keep that.
  let link: UnsafeMutablePointer<LinkFollower>?
  /// Renders audio that is no port's.
  let mixInput: UnsafeMutablePointer<MixInputState>
  var freewheelStart = FreewheelStart()
  /// Whether the device requests cycles without a deadline.
  var isFreewheeling: Bool { @_noLocks get { freewheeling.map { $0.value != 0 } ?? false } }

  /// Renders a cycle of the device.
  @_noLocks mutating func render(_ cycle: RenderCycle) {
    let number = posted.value
    if seen.value != number { seen.store(number) }
    cycles.store(cycles.value &+ 1)
    let frames = min(cycle.frames, format.maximumFrames)
    for channel in 0..<format.outputChannels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    var own = cycle
    own.output = UnsafePointer(port)
    if own.input.count < format.outputChannels { own.input = silentInput }
    own.midi.frames = frames
    let now = isRealTime ? MonotonicClock.now : cycle.hostTime
    let list = lists[Int(number & 1)]
    let isFreewheeling = isFreewheeling
    own.isFreewheeling = isFreewheeling
    if !isFreewheeling, let link {
      own.transport = link.pointee.transport(at: cycle.hostTime, frames: frames)
    }
    let isPlaying = own.transport.first.map { $0.transport.isPlaying } ?? false
    var hasDeferredWork = false
    if let step = freewheelStart.follow(isFreewheeling: isFreewheeling, isPlaying: isPlaying) {
      for i in 0..<list.count { list.ports[i].pointee.request(step) }
      hasDeferredWork = true
    }
    for i in 0..<list.count {
      let needsDeferredWork = list.ports[i].pointee.render(
        own, channels: format.outputChannels, now: now,
        waiting: isFreewheeling ? signal : nil, into: cycle.output)
      if needsDeferredWork { hasDeferredWork = true }
    }
    if mixInput.pointee.render(
      cycle, frames: frames, channels: format.outputChannels, into: cycle.output)
    {
      hasDeferredWork = true
    }
    list.recording.record(
      cycle.output, channels: format.outputChannels, frames: cycle.frames, at: cycle.position)
    if hasDeferredWork { signal.wake() }
  }
}

/// The ports of a mix, and what receives it.
struct MixList: @unchecked Sendable, BitwiseCopyable {
  var ports: UnsafeMutablePointer<UnsafeMutablePointer<MixPortState>>
  var count = 0
  var recording: MixTap
}

@_noLocks func renderMix(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  state.assumingMemoryBound(to: MixState.self).pointee.render(cycle.renderCycle)
  return false
}
