/// The number of frames in a cycle, and the MIDI events in it.
///
/// The memory belongs to the caller, and is valid only during the call that receives the cycle.
///
/// Realtime: yes.
public struct MIDICycle: BitwiseCopyable {
  /// The number of frames to render: 1 or more.
  public var frames: Int
  /// The events in the order of their offsets; events with the same offset are in the order in which they take effect.
  public var events: UnsafeBufferPointer<MIDIEvent>
  /// The bytes of all System Exclusive messages in `events`.
  public var sysEx: UnsafeBufferPointer<UInt8>

  @_noLocks
  public init(
    frames: Int, events: UnsafeBufferPointer<MIDIEvent> = UnsafeBufferPointer(start: nil, count: 0),
    sysEx: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    self.frames = frames
    self.events = events
    self.sysEx = sysEx
  }
}

// Messages as MIDI cables carry them: System Exclusive with F0 and F7.
extension MIDICycle {
  /// Returns the number of bytes of the message of an event of the cycle.
  @_noLocks package func byteCount(of content: MIDIEvent.Content) -> Int {
    switch content {
    case .channel(let message): 1 + ChannelMessage.dataCount(ofStatus: message.status)
    case .system(let message): 1 + (SystemMessage.dataCount(ofStatus: message.status) ?? 0)
    case .sysEx(_, let count): Int(count) + 2
    }
  }

  /// Writes the bytes of the message of an event of the cycle.
  ///
  /// - Parameter bytes: Memory for ``byteCount(of:)`` bytes.
  @_noLocks package func write(
    _ content: MIDIEvent.Content, to bytes: UnsafeMutablePointer<UInt8>
  ) {
    let count = byteCount(of: content)
    switch content {
    case .channel(let message):
      Self.write(message.status, message.data1, message.data2, count: count, to: bytes)
    case .system(let message):
      Self.write(message.status, message.data1, message.data2, count: count, to: bytes)
    case .sysEx(let start, _):
      bytes[0] = 0xF0
      for index in 1..<count - 1 { bytes[index] = sysEx[Int(start) + index - 1] }
      bytes[count - 1] = 0xF7
    }
  }

  @_noLocks private static func write(
    _ status: UInt8, _ data1: UInt8, _ data2: UInt8, count: Int,
    to bytes: UnsafeMutablePointer<UInt8>
  ) {
    bytes[0] = status
    if count > 1 { bytes[1] = data1 }
    if count > 2 { bytes[2] = data2 }
  }
}

/// A MIDI message and the frame of the current cycle at which it takes effect.
///
/// Realtime: yes.
public struct MIDIEvent: Sendable, BitwiseCopyable {
  /// The frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  public var content: Content

  /// The message of an event.
  public enum Content: Sendable, BitwiseCopyable {
    case channel(ChannelMessage)
    /// System Exclusive: `count` bytes from `start` in the cycle's ``MIDICycle/sysEx``, without the
    /// leading F0 and the closing F7.
    case sysEx(start: UInt32, count: UInt32)
    /// A system common or real-time message, such as clock or song position. A unit may ignore it.
    case system(SystemMessage)
  }

  @_noLocks
  public init(offset: UInt32, content: Content) {
    self.offset = offset
    self.content = content
  }

  /// Whether this is a note-on with a velocity above 0.
  package var startsNote: Bool {
    @_noLocks get { if case .channel(let message) = content { message.startsNote } else { false } }
  }

  /// Whether this is a note-off, or a note-on with a velocity of 0.
  package var endsNote: Bool {
    @_noLocks get { if case .channel(let message) = content { message.endsNote } else { false } }
  }
}
