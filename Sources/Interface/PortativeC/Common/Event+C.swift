import CPortative
import RenderCore

// Realtime: yes.
extension portative_event {
  /// - Parameter cycle: The cycle with the event.
  @_noLocks init(_ event: MIDIEvent, of cycle: MIDICycle) {
    self.init()
    offset = event.offset
    switch event.content {
    case .channel(let channel): message = (channel.status, channel.data1, channel.data2)
    case .system(let system): message = (system.status, system.data1, system.data2)
    case .sysEx(let start, let count):
      message.0 = 0xF0
      system_exclusive_count = count
      if let bytes = cycle.sysEx.baseAddress { system_exclusive = bytes + Int(start) }
    }
  }

  /// The bytes of a System Exclusive message without F0 and F7.
  var systemExclusiveBytes: UnsafeBufferPointer<UInt8> {
    @_noLocks get {
      UnsafeBufferPointer(start: system_exclusive, count: Int(system_exclusive_count))
    }
  }

  /// The event; `nil` if it is malformed. The bytes of a System Exclusive message begin at index 0.
  var event: MIDIEvent? {
    @_noLocks get {
      let (status, data1, data2) = message
      if status == 0xF0 {
        return MIDIEvent(
          offset: offset, content: .sysEx(start: 0, count: system_exclusive_count))
      }
      if let message = ChannelMessage(status: status, data1: data1, data2: data2) {
        return MIDIEvent(offset: offset, content: .channel(message))
      }
      if let message = SystemMessage(status: status, data1: data1, data2: data2) {
        return MIDIEvent(offset: offset, content: .system(message))
      }
      return nil
    }
  }
}

extension portative_event {
  /// Makes an event of one complete message, which is not copied; `nil` if it is malformed.
  @_noLocks init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.init()
    switch MIDIMessage(bytes) {
    case .channel(let channel): message = (channel.status, channel.data1, channel.data2)
    case .system(let system): message = (system.status, system.data1, system.data2)
    case .sysEx(let inner):
      message.0 = 0xF0
      system_exclusive = inner.baseAddress
      system_exclusive_count = UInt32(truncatingIfNeeded: inner.count)
    case nil: return nil
    }
  }
}
