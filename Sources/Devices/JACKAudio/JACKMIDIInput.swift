import CJACK
import RenderCore

/// Converts the MIDI events of a JACK cycle.
///
/// The memory holds ``capacity`` events and ``byteCapacity`` bytes of System Exclusive; further events of a cycle are
/// dropped. Malformed messages are dropped.
///
/// Realtime: yes, except creation.
struct JACKMIDIInput: BitwiseCopyable {
  private let events: UnsafeMutablePointer<MIDIEvent>
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var byteCount = 0
  /// The number of events that were taken.
  private var takenCount = 0

  static let capacity = 4096
  static let byteCapacity = 1 << 16

  init(in memory: RenderMemory) {
    events = memory.make(
      Self.capacity, of: MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0)))
    sysEx = memory.make(Self.byteCapacity, of: 0)
  }

  /// Reads the events of a port's buffer. Those that were read before are forgotten.
  ///
  /// - Parameters:
  ///   - buffer: The buffer of a MIDI port in this cycle.
  ///   - frames: The length of the cycle.
  @_noLocks mutating func read(_ buffer: UnsafeMutableRawPointer, frames: Int) {
    count = 0
    takenCount = 0
    byteCount = 0
    for index in 0..<cjack_midi_count(buffer) {
      var event = jack_midi_event_t()
      guard cjack_midi_get(buffer, index, &event), let bytes = event.buffer else { continue }
      add(UnsafeBufferPointer(start: bytes, count: event.size), at: Int(event.time), frames)
    }
  }

  /// Returns the events of a part of the cycle, in memory that is valid until the next cycle is read. Their offsets are
  /// from the beginning of the part.
  ///
  /// - Parameter part: The frames of the part, which begins where the previous one has ended.
  @_noLocks mutating func take(_ part: Range<Int>) -> MIDICycle {
    let first = takenCount
    while takenCount < count, Int(events[takenCount].offset) < part.upperBound {
      events[takenCount].offset -= UInt32(part.lowerBound)
      takenCount += 1
    }
    return MIDICycle(
      frames: part.count,
      events: UnsafeBufferPointer(start: events + first, count: takenCount - first),
      sysEx: UnsafeBufferPointer(start: sysEx, count: byteCount))
  }

  /// Adds a message.
  ///
  /// - Parameter time: The frame in the cycle. It is moved into the cycle, and not before that of the previous event.
  @_noLocks mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, at time: Int, _ frames: Int) {
    guard count < Self.capacity, let content = content(bytes) else { return }
    var offset = UInt32(truncatingIfNeeded: max(0, min(time, frames - 1)))
    if count > 0 { offset = max(offset, events[count - 1].offset) }
    events[count] = MIDIEvent(offset: offset, content: content)
    count += 1
  }

  @_noLocks private mutating func content(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> MIDIEvent.Content? {
    switch MIDIMessage(bytes) {
    case .channel(let message): return .channel(message)
    case .system(let message): return .system(message)
    case .sysEx(let inner):
      if byteCount + inner.count > Self.byteCapacity { return nil }
      for index in 0..<inner.count { sysEx[byteCount + index] = inner[index] }
      let start = byteCount
      byteCount += inner.count
      return .sysEx(start: UInt32(start), count: UInt32(inner.count))
    case nil: return nil
    }
  }
}
