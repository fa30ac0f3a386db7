import RenderCore

/// A recorded event in the FIFO. The bytes of a System Exclusive message are in the following slots.
struct MIDIRecordingSlot: BitwiseCopyable {
  /// The frame in the song.
  var frame: Int64 = 0
  /// The number of the take, from 0.
  var take: UInt32 = 0
  /// The number of System Exclusive bytes.
  var count: UInt32 = 0
  var content = MIDIEvent.Content.sysEx(start: 0, count: 0)

  @_noLocks init() {}

  static var size: Int { @_noLocks get { MemoryLayout<MIDIRecordingSlot>.stride } }

  @_noLocks static func count(forBytes count: Int) -> Int { (count + size - 1) / size }
}
