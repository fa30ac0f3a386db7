import NodeProtocol
import RenderCore

extension HostState {
  @_noLocks mutating func schedule(_ message: ChannelMessage, at offset: Int) -> ScheduleStatus {
    store.insert(message, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func schedule(_ message: SystemMessage, at offset: Int) -> ScheduleStatus {
    store.insert(message, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func schedule(
    parameter index: Int, to value: Float, over frames: Int, at offset: Int
  ) -> ScheduleStatus {
    if let obstacle = parameters.obstacle(index, value) { return obstacle }
    let change = ParameterChange(
      offset: 0, index: UInt32(index), value: value, ramp: UInt32(clamping: max(0, frames)))
    return store.insert(change, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func setTransport(_ transport: Transport, at offset: Int) -> ScheduleStatus {
    self.transport.insert(transport, at: UInt32(clamping: max(0, offset))) ? .accepted : .full
  }

  @_noLocks mutating func schedule(
    bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    guard let message = MIDIMessage(bytes) else { return .malformed }
    return schedule(message, at: offset)
  }

  @_noLocks mutating func schedule(_ message: MIDIMessage, at offset: Int) -> ScheduleStatus {
    switch message {
    case .channel(let message): schedule(message, at: offset)
    case .system(let message): schedule(message, at: offset)
    case .sysEx(let inner): schedule(inner: inner, at: offset)
    }
  }

  @_noLocks mutating func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    let offset = Int(event.offset)
    switch event.content {
    case .channel(let message): return schedule(message, at: offset)
    case .system(let message): return schedule(message, at: offset)
    case .sysEx(let start, let count):
      let bytes = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
      return schedule(inner: UnsafeBufferPointer(rebasing: bytes), at: offset)
    }
  }

  /// - Parameter inner: The bytes without F0 and F7.
  @_noLocks private mutating func schedule(
    inner: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    var all: UInt8 = 0
    for i in 0..<inner.count { all |= inner[i] }
    if all >= 0x80 { return .malformed }
    if inner.count > SegmentLayout.longestSysEx { return .tooLong }
    return store.insert(sysEx: inner, at: frame(at: offset)) ? .accepted : .full
  }

  /// Returns the frame in the host's stream at an offset from the start of the next cycle; not before that start.
  @_noLocks private func frame(at offset: Int) -> Int64 {
    let (frame, overflows) = nextPosition.addingReportingOverflow(Int64(offset))
    return overflows ? .max : max(frame, nextPosition)
  }
}
