/// A complete MIDI message, decoded from its bytes.
///
/// Realtime: yes.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Data Format".
package enum MIDIMessage: BitwiseCopyable {
  case channel(ChannelMessage)
  case system(SystemMessage)
  /// The bytes between F0 and F7, each 0…127, in the memory that was decoded.
  case sysEx(UnsafeBufferPointer<UInt8>)

  /// - Parameter bytes: One message with its status byte. System Exclusive begins with F0 and ends with F7.
  /// - Returns: `nil` if the bytes are malformed, incomplete or more than one message.
  @_noLocks
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count == 0 { return nil }
    let status = bytes[0]
    if status == 0xF0 {
      guard bytes.count >= 2, bytes[bytes.count - 1] == 0xF7 else { return nil }
      let inner = UnsafeBufferPointer(rebasing: bytes[1..<bytes.count - 1])
      var all: UInt8 = 0
      for index in 0..<inner.count { all |= inner[index] }
      if all >= 0x80 { return nil }
      self = .sysEx(inner)
      return
    }
    let data1 = bytes.count > 1 ? bytes[1] : 0
    let data2 = bytes.count > 2 ? bytes[2] : 0
    if let message = ChannelMessage(status: status, data1: data1, data2: data2),
      bytes.count == 1 + ChannelMessage.dataCount(ofStatus: status)
    {
      self = .channel(message)
    } else if let message = SystemMessage(status: status, data1: data1, data2: data2),
      let count = SystemMessage.dataCount(ofStatus: status), bytes.count == 1 + count
    {
      self = .system(message)
    } else {
      return nil
    }
  }
}

/// The content of a MIDI event that owns its bytes; see ``MIDIEvent`` for events in a cycle.
///
/// Realtime: no.
public enum MIDIContent: Equatable, Sendable {
  case channel(ChannelMessage)
  case system(SystemMessage)
  /// System Exclusive, without F0 and F7.
  case sysEx([UInt8])
}
