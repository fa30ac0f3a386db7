import Threads

/// Someone who renders a port and hears what is played into it meanwhile.
///
/// Realtime: no; ``events`` is.
///
/// `@unchecked Sendable`: the events belong to the render thread.
package final class LiveInputConsumer: @unchecked Sendable {
  private let input: LiveInput
  private let role: LiveInput.Listener
  private let fifo = InputFIFO()
  /// For the render thread; ends with this.
  package let events: UnsafeMutablePointer<LiveEventMerger>

  /// - Parameter host: Room for what the host has, if that is who listens.
  package init(
    to input: LiveInput, as role: LiveInput.Listener, sampleRate: Int,
    host room: EventCapacity = .none
  ) {
    self.input = input
    self.role = role
    events = .allocate(capacity: 1)
    events.initialize(
      to: LiveEventMerger(reader: fifo.reader, sampleRate: sampleRate, room: room))
  }

  /// To be called when nobody renders with ``events`` any more.
  deinit {
    events.pointee.destroy()
    events.deallocate()
  }

  /// Begins to listen.
  package func begin() { input.setConsumer(fifo, of: role, at: MonotonicClock.now) }

  /// Ends it: what is down is let go, to be heard in the cycles that still follow.
  package func end() { input.setConsumer(nil, of: role, at: MonotonicClock.now) }
}
