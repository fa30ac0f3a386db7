import RenderCore

/// Parses the bytes of an escape event like a MIDI receiver.
///
/// Incomplete messages and system common and realtime messages are dropped.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Running Status", "System Real Time".
struct EscapedStream {
  enum Message: Equatable {
    case channel(ChannelMessage)
    /// The range of a complete SysEx message's data in the bytes, without F0 and F7.
    case sysEx(Range<Int>)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var status: UInt8 = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> Message? {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0xF8...0xFF:
        position += 1
      case 0xF0:
        status = 0
        if let range = sysEx() { return .sysEx(range) }
      case 0xF1...0xF7:
        status = 0
        position += 1
      case 0x80...0xEF:
        status = byte
        position += 1
      default:
        if let message = channelMessage() { return .channel(message) }
      }
    }
    return nil
  }

  /// Reads the data bytes of a channel message. Returns `nil`, after at least one byte, if it is incomplete.
  private mutating func channelMessage() -> ChannelMessage? {
    let first = bytes[position]
    position += 1
    guard status != 0 else { return nil }
    guard ChannelMessage.dataCount(ofStatus: status) == 2 else {
      return ChannelMessage(status: status, data1: first, data2: 0)
    }
    guard position < bytes.count,
      let message = ChannelMessage(status: status, data1: first, data2: bytes[position])
    else { return nil }
    position += 1
    return message
  }

  /// Reads a SysEx message up to its F7. Returns `nil`, after its data, if another byte ends it.
  private mutating func sysEx() -> Range<Int>? {
    let start = position + 1
    position = bytes[start...].firstIndex { $0 >= 0x80 } ?? bytes.count
    guard position < bytes.count, bytes[position] == 0xF7 else { return nil }
    defer { position += 1 }
    return start..<position
  }
}
