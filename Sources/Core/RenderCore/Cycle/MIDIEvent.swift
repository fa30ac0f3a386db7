/// A MIDI message and the frame of the current cycle at which it acts.
///
/// Realtime: yes.
public struct MIDIEvent: Sendable, BitwiseCopyable {
  /// Frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  public var content: Content

  /// What the event says.
  public enum Content: Sendable, BitwiseCopyable {
    case channel(ChannelMessage)
    /// System Exclusive: `count` bytes from `start` in the cycle's ``Cycle/sysEx``, without the
    /// leading F0 and the closing F7.
    case sysEx(start: UInt32, count: UInt32)
    /// Clock, song position and the like. Units that have no use for it leave it alone.
    case system(SystemMessage)
  }

  @_noLocks
  public init(offset: UInt32, content: Content) {
    self.offset = offset
    self.content = content
  }
}
