import LocalSystem
package import RenderCore

/// A consumer of a live input, for the thread that renders the port.
///
/// Realtime: no, except ``events``.
///
/// `@unchecked Sendable`: the events belong to the render thread.
package final class LiveInputConsumer: @unchecked Sendable {
  private let input: LiveInput
  private let role: LiveInput.ConsumerRole
  private let fifo: InputFIFO
  private let memory = RenderMemory()
  /// The events for the render thread, valid as long as the consumer exists, which must be as long as a thread
  /// uses them.
  package let events: UnsafeMutablePointer<LiveEventMerger>

  /// - Parameters:
  ///   - input: The live input.
  ///   - role: Whether a host or the sound device renders the port.
  ///   - unit: The unit that receives the events.
  ///   - sampleRate: Frames per second.
  ///   - capacity: The maximum number of events of the host in a cycle, if a host renders the port.
  package init(
    to input: LiveInput, as role: LiveInput.ConsumerRole, of unit: (any RenderUnit)? = nil,
    sampleRate: Int, host capacity: EventCapacity = .none
  ) {
    self.input = input
    self.role = role
    fifo = InputFIFO(for: unit)
    events = memory.make(
      LiveEventMerger(
        fifo, sampleRate: sampleRate, hostCapacity: capacity, playsZones: role == .device,
        in: memory))
  }

  /// Starts receiving events.
  package func begin() { input.add(fifo, as: role, at: MonotonicClock.now) }

  /// Stops receiving events. Held keys and pedals are released, which takes effect in the next cycles.
  package func end() { input.remove(fifo, at: MonotonicClock.now) }
}
