package import RenderCore
import Threads

/// Records keyboard input with the song's frames.
///
/// Realtime: yes. Threads: one at a time. Its FIFO must outlive it.
package struct MIDIRecordingWriter: BitwiseCopyable {
  private let slots: UnsafeMutablePointer<MIDIRecordingSlot>
  private let capacity: Int
  private let written: SharedWord
  private let read: SharedWord
  /// The number of the take. A new take starts wherever the song is discontinuous.
  private(set) var take: UInt32
  private var takeIsEmpty = true
  private var expected: Int64?
  /// The number of events refused because the FIFO was full.
  package private(set) var refused = 0

  init(
    slots: UnsafeMutablePointer<MIDIRecordingSlot>, capacity: Int, written: SharedWord,
    read: SharedWord, firstTake: UInt32 = 0
  ) {
    take = firstTake
    self.slots = slots
    self.capacity = capacity
    self.written = written
    self.read = read
  }

  /// Records the channel messages and System Exclusive of a cycle, unless the song is stopped.
  ///
  /// - Parameters:
  ///   - cycle: The input events in the order of their offsets.
  ///   - segments: The segments of the song in this cycle.
  @_noLocks package mutating func record(
    _ cycle: MIDICycle, _ segments: UnsafeBufferPointer<SongSegment>
  ) {
    var next = 0
    for index in 0..<segments.count {
      let segment = segments[index]
      if !segment.isPlaying || segment.isEntry || expected != segment.begin { end() }
      let end = segment.offset + segment.frames
      let isLast = index == segments.count - 1
      while next < cycle.events.count, isLast || Int(cycle.events[next].offset) < end {
        let event = cycle.events[next]
        next += 1
        if !segment.isPlaying { continue }
        write(event, of: cycle, at: segment.begin + Int64(event.offset) - Int64(segment.offset))
      }
      expected = segment.isPlaying ? segment.end : nil
    }
  }

  /// Ends the current take, if any, at the last frame of the song. Sounding notes end there.
  @_noLocks package mutating func end() {
    defer { expected = nil }
    guard let expected, !takeIsEmpty else { return }
    var slot = MIDIRecordingSlot()
    slot.frame = expected
    slot.take = take
    slot.content = .system(.stop)
    write(slot, UnsafeBufferPointer(start: nil, count: 0))
    take += 1
    takeIsEmpty = true
  }

  @_noLocks private mutating func write(_ event: MIDIEvent, of cycle: MIDICycle, at frame: Int64) {
    var slot = MIDIRecordingSlot()
    slot.frame = frame
    slot.take = take
    slot.content = event.content
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    switch event.content {
    case .channel: break
    case .system: return
    case .sysEx(let start, let count):
      bytes = UnsafeBufferPointer(rebasing: cycle.sysEx[Int(start)..<Int(start) + Int(count)])
      slot.count = count
    }
    takeIsEmpty = false
    write(slot, bytes)
  }

  @_noLocks private mutating func write(
    _ slot: MIDIRecordingSlot, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    let dataSlots = MIDIRecordingSlot.count(forBytes: bytes.count)
    let position = written.value
    if Int(position &- read.value) + 1 + dataSlots > capacity {
      refused += 1
      return
    }
    slots[Int(position) & (capacity - 1)] = slot
    for number in 0..<dataSlots {
      let index = (Int(position) + 1 + number) & (capacity - 1)
      let begin = number * MIDIRecordingSlot.size
      UnsafeMutableRawPointer(slots + index).copyMemory(
        from: bytes.baseAddress.unsafelyUnwrapped + begin,
        byteCount: min(MIDIRecordingSlot.size, bytes.count - begin))
    }
    written.store(position &+ UInt32(1 + dataSlots))
  }
}
