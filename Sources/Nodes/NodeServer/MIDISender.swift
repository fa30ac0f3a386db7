import LocalSystem
import NodeProtocol
import RenderCore

/// Sends MIDI from a port to its host: the output of the unit, and the input from keyboards that play the port.
///
/// Realtime: yes, except creation. Threads: the port's render thread.
struct MIDISender {
  private let events: UnsafeMutablePointer<OutputEventBuffer>
  private var writer: EventWriter
  /// The number of dropped events, in the shared memory.
  private let refusedCounter: SharedWord

  init(_ segment: Segment, in memory: RenderMemory) {
    events = memory.make(
      OutputEventBuffer(
        slots: SegmentLayout.eventSlots, slotSize: SegmentLayout.slotSize, in: memory))
    writer = EventWriter(segment, .toHost)
    refusedCounter = segment.counters.refusedEvents
  }

  /// The output for the events of the current cycle.
  var output: MIDIOutput { @_noLocks get { MIDIOutput(events) } }

  /// The number of events dropped since creation because the FIFO was full.
  var refused: Int { @_noLocks get { events.pointee.refused &+ failedWrites } }
  private var failedWrites = 0
  private var publishedRefused = 0

  @_noLocks func begin(frames: Int) { events.pointee.begin(frames: frames, room: writer.free) }

  /// Sends the events written since ``begin(frames:)``. Must be called before the cycle is answered.
  ///
  /// - Parameter position: The position of the cycle's first frame in the host's stream.
  @_noLocks mutating func send(from position: Int64) {
    let cycle = events.pointee.inOrder()
    for event in cycle.events {
      // Fails only if the host has decreased its read position, because the buffer was limited to the free slots.
      if !write(event.content, of: cycle, at: position + Int64(event.offset)) { failedWrites += 1 }
    }
    if refused != publishedRefused {
      publishedRefused = refused
      refusedCounter.store(UInt32(truncatingIfNeeded: refused))
    }
    if !cycle.events.isEmpty { writer.publish() }
  }

  @_noLocks private mutating func write(
    _ content: MIDIEvent.Content, of cycle: MIDICycle, at frame: Int64
  ) -> Bool {
    switch content {
    case .channel(let message): return writer.write(message, at: frame)
    case .system(let message): return writer.write(message, at: frame)
    case .sysEx(let start, let count):
      guard writer.begin(sysEx: Int(count), at: frame) else { return false }
      guard let bytes = cycle.sysEx.baseAddress else { return true }
      var index = Int(start)
      while index < Int(start) + Int(count) {
        writer.append(bytes + index)
        index += SegmentLayout.slotSize
      }
      return true
    }
  }
}
