import NodeProtocol
import RenderCore
import Threads

/// What a port sends its host besides audio: the MIDI of its unit, and of the keyboards that play it.
///
/// Realtime: yes, apart from making and destroying it. Threads: the port's render thread.
struct MIDISender {
  private let events: UnsafeMutablePointer<OutputEventBuffer>
  private var writer: EventWriter
  /// How many events found no room, for the host to see.
  private let refusedWord: SharedWord

  /// Allocates. ``destroy()`` must follow.
  init(_ segment: Segment) {
    events = .allocate(capacity: 1)
    events.initialize(
      to: OutputEventBuffer(slots: SegmentLayout.eventSlots, slotSize: SegmentLayout.slotSize))
    writer = EventWriter(segment, .toHost)
    refusedWord = segment.counters.refusedEvents
  }

  func destroy() {
    events.pointee.destroy()
    events.deallocate()
  }

  /// Where to write what is to be sent in the cycle that has begun.
  var output: MIDIOutput { @_noLocks get { MIDIOutput(events) } }

  /// Events that found no room, since the beginning.
  var refused: Int { @_noLocks get { events.pointee.refused &+ takenBack } }
  private var takenBack = 0
  private var told = 0

  @_noLocks func begin(frames: Int) { events.pointee.begin(frames: frames, room: writer.free) }

  /// Sends what was written since ``begin(frames:)``. To be called before the cycle is answered.
  ///
  /// - Parameter position: The cycle's first frame in the host's stream.
  @_noLocks mutating func send(from position: Int64) {
    let cycle = events.pointee.inOrder()
    for event in cycle.events {
      // There is room, unless the host takes back what it said it has read.
      if !write(event.content, of: cycle, at: position + Int64(event.offset)) { takenBack += 1 }
    }
    if refused != told {
      told = refused
      refusedWord.store(UInt32(truncatingIfNeeded: refused))
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
      var place = Int(start)
      while place < Int(start) + Int(count) {
        writer.append(bytes + place)
        place += SegmentLayout.slotSize
      }
      return true
    }
  }
}
