/// One turn of rendering: how many frames, and the events that fall into them.
///
/// The memory belongs to the caller and need only last for the call it is given to.
///
/// Realtime: yes.
public struct MIDICycle: BitwiseCopyable {
  /// How many frames to render: 1 or more.
  public var frames: Int
  /// In order of their offsets; those of one offset in the order in which they act.
  public var events: UnsafeBufferPointer<MIDIEvent>
  /// The bytes of all System Exclusive messages in `events`.
  public var sysEx: UnsafeBufferPointer<UInt8>

  @_noLocks
  public init(
    frames: Int, events: UnsafeBufferPointer<MIDIEvent>, sysEx: UnsafeBufferPointer<UInt8>
  ) {
    self.frames = frames
    self.events = events
    self.sysEx = sysEx
  }
}
