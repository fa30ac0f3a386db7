package import RenderCore
import Threads

/// Writes down what is played while a song is recorded, with the song's frames.
///
/// Realtime: yes. Threads: one at a time. Its FIFO must outlive it.
package struct MIDIRecordingWriter: BitwiseCopyable {
  private let slots: UnsafeMutablePointer<MIDIRecordingSlot>
  private let capacity: Int
  private let written: SharedWord
  private let read: SharedWord
  /// The pass through the song: a new one wherever it does not go on.
  private(set) var take: UInt32
  private var takeIsEmpty = true
  private var expected: Int64?
  /// Events that found no room, since the beginning.
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

  /// Writes down the channel messages and System Exclusive of a cycle; nothing where the song stands.
  ///
  /// - Parameters:
  ///   - cycle: What was played, with offsets in the order in which it was.
  ///   - stretches: Where the song was in this cycle.
  @_noLocks package mutating func record(
    _ cycle: MIDICycle, _ stretches: UnsafeBufferPointer<SongSegment>
  ) {
    var next = 0
    for place in 0..<stretches.count {
      let stretch = stretches[place]
      if !stretch.isPlaying || stretch.isEntry || expected != stretch.begin { end() }
      let end = stretch.offset + stretch.frames
      let isLast = place == stretches.count - 1
      while next < cycle.events.count, isLast || Int(cycle.events[next].offset) < end {
        let event = cycle.events[next]
        next += 1
        if !stretch.isPlaying { continue }
        write(event, of: cycle, at: stretch.begin + Int64(event.offset) - Int64(stretch.offset))
      }
      expected = stretch.isPlaying ? stretch.end : nil
    }
  }

  /// Ends the take, if there is one, where the song was last: what sounds ends there.
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
