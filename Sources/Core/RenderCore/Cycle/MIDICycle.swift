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
