/// Where a unit sends MIDI while it renders: to the host that plays it.
///
/// What is sent at offset k reaches the host in the same cycle, with offset k. It may be sent in any order of
/// offsets; what has one offset stays in the order in which it was sent. Where nobody listens, as when a song is
/// rendered to a file, everything is accepted and forgotten. What keyboards play the server sends by itself: a
/// unit that passed it on would send it twice.
///
/// Realtime: yes. Valid for the cycle that it came with.
public struct MIDIOutput: BitwiseCopyable {
  private let events: UnsafeMutablePointer<OutputEventBuffer>?

  /// Makes one that nobody listens to.
  @_noLocks public init() { events = nil }

  @_noLocks package init(_ events: UnsafeMutablePointer<OutputEventBuffer>) { self.events = events }

  /// - Parameter offset: Frame of the cycle: 0…frames − 1; what lies outside is brought into it.
  /// - Returns: `false` when there is no room; what was accepted is not lost. More may be sent in the next
  ///   cycle.
  @_noLocks public func write(_ message: ChannelMessage, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(.channel(message), at: offset)
  }

  /// - Parameter offset: As of a channel message.
  /// - Returns: `false` when there is no room.
  @_noLocks public func write(_ message: SystemMessage, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(.system(message), at: offset)
  }

  /// - Parameters:
  ///   - bytes: System Exclusive without F0 and F7, 65 520 bytes at most. Copied.
  ///   - offset: As of a channel message.
  /// - Returns: `false` when there is no room, or one of the bytes is above 127.
  @_noLocks public func write(sysEx bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard let events else { return true }
    return events.pointee.append(sysEx: bytes, at: offset)
  }

  /// Passes on an event of a cycle, at its own frame.
  ///
  /// - Returns: `false` when there is no room.
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
