import RenderCore

/// The pitch bends and pedals of a resonator's channels, shared between the render thread and other threads; see
/// ``SharedState``.
struct ResonatorChannels: BitwiseCopyable {
  private let state: SharedState

  /// The initial value of a channel. The lower 14 bits are the bend, 0…16383 with 8192 as the center.
  static var initial: UInt32 { @_noLocks get { 8192 } }
  /// The bit of a channel's value that is set while the pedal is down.
  static var pedal: UInt32 { @_noLocks get { 1 << 14 } }

  init(in memory: RenderMemory) {
    state = SharedState(entries: 16, bytes: MemoryLayout<UInt32>.size, in: memory)
    for channel in 0..<16 { publish(channel, bend: 0, isPedalDown: false) }
  }

  /// The values of all 16 channels: the pending ones until they are applied. Threads: any.
  var all: [UInt32] {
    (0..<16).map {
      var value: UInt32 = 0
      state.read($0, to: &value)
      return value
    }
  }

  /// Sets the pending values of all 16 channels. Threads: one at a time.
  func setPending(_ channels: [UInt32]) { state.setPending(channels) }

  /// Publishes the current values of a channel. Threads: the render thread.
  @_noLocks func publish(_ channel: Int, bend: Double, isPedalDown: Bool) {
    var value = UInt32(bend / ResonatorState.bendRange * 8192 + 8192)
    if isPedalDown { value |= Self.pedal }
    state.publish(&value, at: channel)
  }

  /// The number of the pending change; see ``SharedState/pendingChange()``. Threads: the render thread.
  @_noLocks func pendingChange() -> UInt32? { state.pendingChange() }

  @_noLocks func acknowledge(_ change: UInt32) { state.acknowledge(change) }

  /// Returns the pending values of a channel: its bend in semitones, and whether its pedal is down. Threads: the
  /// render thread.
  @_noLocks func pending(_ channel: Int) -> (bend: Double, isPedalDown: Bool) {
    var value: UInt32 = 0
    state.readPending(channel, to: &value)
    let bend = (Double(value & (Self.pedal - 1)) - 8192) / 8192 * ResonatorState.bendRange
    return (bend, value & Self.pedal != 0)
  }
}
