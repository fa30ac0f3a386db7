import RenderCore

/// A recorded event's place in the FIFO; the bytes of a System Exclusive message lie in the slots after it.
struct MIDIRecordingSlot: BitwiseCopyable {
  /// In the song.
  var frame: Int64 = 0
  /// Which pass through the song, from 0.
  var take: UInt32 = 0
  /// Bytes of System Exclusive.
  var count: UInt32 = 0
  var content = MIDIEvent.Content.sysEx(start: 0, count: 0)

  @_noLocks init() {}

  static var size: Int { @_noLocks get { MemoryLayout<MIDIRecordingSlot>.stride } }

  @_noLocks static func count(forBytes count: Int) -> Int { (count + size - 1) / size }
}
