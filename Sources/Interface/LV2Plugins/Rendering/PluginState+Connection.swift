import NodeHost
import RenderCore
import Threads

// The connection that a cycle uses.
extension PluginState {
  /// Without a deadline, the longest wait for a connection in nanoseconds.
  private static var patience: Int64 { @_noLocks get { 10_000_000_000 } }

  /// Returns the connection; `nil` if there is none, or if its unit is to be replaced.
  @_noLocks func takeConnection() -> UnsafeMutablePointer<ActiveConnection>? {
    guard let active = slot.take() else { return nil }
    if active.pointee.restart == signals.restart.value { return active }
    slot.giveBack(active)
    return nil
  }

  /// Waits for a connection, unless the last attempt to connect has failed. Only for a host that renders without a
  /// deadline.
  @_noLocks func awaitConnection() -> UnsafeMutablePointer<ActiveConnection>? {
    let deadline = MonotonicClock.now + Self.patience
    while signals.hasFailed.value == 0, MonotonicClock.now < deadline {
      let arrivals = signals.arrival.value
      if let active = takeConnection() { return active }
      if signals.awaitsRun.value != 0 { reportRun() }
      signals.arrival.wait(while: arrivals, until: deadline)
    }
    return takeConnection()
  }

  /// Wakes the worker, which waits for the first cycle in order to learn the thread's priority.
  @_noLocks func reportRun() {
    signals.priority.store(UInt32(SystemThread.currentPriority))
    if signals.awaitsRun.exchange(1, for: 0) { signals.wakeWorker() }
  }

  /// Requests a new unit with the settings of the current one: an offline unit when freewheeling begins, so that every
  /// note begins on its frame, and when the song begins to play during it, so that the song does not depend on what was
  /// played before; a realtime unit when freewheeling ends.
  @_noLocks func requestUnit() {
    signals.restart.increase()
    signals.wakeWorker()
  }

  /// Brings a new connection's unit to the settings that the host has sent.
  @_noLocks mutating func establish(_ active: ActiveConnection) {
    connectionNumber = active.number
    for channel in UInt8(0)..<16 {
      let count = chase[channel].writeDifference(
        from: ChannelChase(), channel: channel, to: messages)
      for index in 0..<count {
        _ = active.connection._withUnsafeGuaranteedRef { $0.schedule(messages[index], at: 0) }
      }
    }
  }
}
