/// The MIDI output of a unit, through which it sends events to its host while it renders.
///
/// An event sent at offset k reaches the host in the same cycle with offset k. Events may be sent in any order of
/// offsets; events with the same offset keep the order in which they were sent. Without a receiver, for example when a
/// song is rendered to a file, all events are accepted and discarded. The server itself sends the host the events of
/// keyboards: a unit that forwarded them would send them twice.
///
/// Realtime: yes. Valid during its cycle.
public struct MIDIOutput: BitwiseCopyable {
  private let events: UnsafeMutablePointer<OutputEventBuffer>?

  /// Makes an output without a receiver.
  @_noLocks public init() { events = nil }

  @_noLocks package init(_ events: UnsafeMutablePointer<OutputEventBuffer>) { self.events = events }

  /// The number of events that were sent in this cycle.
  package var count: Int { @_noLocks get { events?.pointee.count ?? 0 } }

  /// Updates the state of a source from the events that it has sent in this cycle.
  ///
  /// - Parameter first: The number of events to leave out.
  @_noLocks package func follow(into sent: inout SourceState, after first: Int) {
    events?.pointee.follow(into: &sent, after: first)
  }

  /// Ends at the beginning of the cycle what a source has sent, as far as there is room.
  @_noLocks package func end(_ sent: inout SourceState) {
    sent.end { write($0, at: 0) }
  }

  /// Sends a channel message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - offset: The frame within the cycle, 0…frames − 1; clamped to that range.
  /// - Returns: `false` if there is no room. Accepted events are never lost. The next cycle has room again.
  @_noLocks public func write(_ message: ChannelMessage, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(.channel(message), at: offset)
  }

  /// Sends a system common or real-time message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - offset: The frame within the cycle, 0…frames − 1; clamped to that range.
  /// - Returns: `false` if there is no room.
  @_noLocks public func write(_ message: SystemMessage, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(.system(message), at: offset)
  }

  /// Sends a System Exclusive message.
  ///
  /// - Parameters:
  ///   - bytes: The message without F0 and F7, at most 65 520 bytes. They are copied.
  ///   - offset: The frame within the cycle, 0…frames − 1; clamped to that range.
  /// - Returns: `false` if there is no room or a byte is above 127.
  @_noLocks public func write(sysEx bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(sysEx: bytes, at: offset)
  }

  /// Forwards an event of a cycle at its own offset.
  ///
  /// - Returns: `false` if there is no room.
  @_noLocks public func pass(_ event: MIDIEvent, of cycle: MIDICycle) -> Bool {
    let offset = Int(event.offset)
    switch event.content {
    case .channel(let message): return write(message, at: offset)
    case .system(let message): return write(message, at: offset)
    case .sysEx(let start, let count):
      let bytes = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
      return write(sysEx: UnsafeBufferPointer(rebasing: bytes), at: offset)
    }
  }
}
