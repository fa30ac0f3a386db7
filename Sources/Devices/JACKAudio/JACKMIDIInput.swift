import CJACK
import RenderCore

/// Converts the MIDI events of a JACK cycle.
///
/// The memory holds ``capacity`` events and ``byteCapacity`` bytes of System Exclusive; further events of a cycle are
/// dropped. Malformed messages are dropped.
///
/// Realtime: yes, except ``init()`` and ``destroy()``.
struct JACKMIDIInput: BitwiseCopyable {
  private let events: UnsafeMutablePointer<MIDIEvent>
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var byteCount = 0

  static let capacity = 4096
  static let byteCapacity = 1 << 16

  /// Allocates the memory. The owner must call ``destroy()``.
  init() {
    events = .allocate(capacity: Self.capacity)
    events.initialize(
      repeating: MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0)), count: Self.capacity)
    sysEx = .allocate(capacity: Self.byteCapacity)
    sysEx.initialize(repeating: 0, count: Self.byteCapacity)
  }

  func destroy() {
    events.deallocate()
    sysEx.deallocate()
  }

  /// Returns the events of a port's buffer, in memory that is valid until the next call.
  ///
  /// - Parameters:
  ///   - buffer: The buffer of a MIDI port in this cycle.
  ///   - frames: The length of the cycle.
  @_noLocks mutating func read(_ buffer: UnsafeMutableRawPointer, frames: Int) -> MIDICycle {
    count = 0
    byteCount = 0
    for index in 0..<cjack_midi_count(buffer) {
      var event = jack_midi_event_t()
      guard cjack_midi_get(buffer, index, &event), let bytes = event.buffer else { continue }
      add(UnsafeBufferPointer(start: bytes, count: event.size), at: Int(event.time), frames)
    }
    return cycle(frames: frames)
  }

  /// Returns the events that were added.
  @_noLocks func cycle(frames: Int) -> MIDICycle {
    MIDICycle(
      frames: frames, events: UnsafeBufferPointer(start: events, count: count),
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
