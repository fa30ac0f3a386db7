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
}
