import CJACK
import LiveAudio
import LocalSystem
import RenderCore

/// Writes the MIDI that a renderer sends to a JACK port.
///
/// The renderer may send as much as JACK's buffer for the cycle has room for; more is refused, and reported. When the
/// renderer has stopped, what it has sent ends: notes, pedals, and positions of wheels.
///
/// Realtime: yes, except creation.
struct JACKMIDIOutput: BitwiseCopyable {
  /// `nil`: the client has no such port.
  private let port: OpaquePointer?
  private let events: UnsafeMutablePointer<OutputEventBuffer>
  /// JACK's buffer in the current cycle.
  private var buffer: UnsafeMutableRawPointer?
  private var sent = SourceState()
  /// Not 0 while other programs may hold notes that the renderer has sent.
  private let isHolding: SharedWord
  private let flags: DeviceEventFlags
  /// The number of messages that were refused and reported.
  private var refused = 0

  /// The bytes of JACK's buffer that are counted for a short message, and for as many bytes of System Exclusive. JACK uses
  /// 12, PipeWire 8.
  private static var slotSize: Int { @_noLocks get { 16 } }
  /// The length of JACK's and PipeWire's buffers in slots.
  private static var slots: Int { @_noLocks get { 32_768 / slotSize } }

  init(
    _ port: OpaquePointer?, holding isHolding: SharedWord, _ flags: DeviceEventFlags,
    in memory: RenderMemory
  ) {
    self.port = port
    self.isHolding = isHolding
    self.flags = flags
    let slots = port == nil ? 0 : Self.slots
    events = memory.make(OutputEventBuffer(slots: slots, slotSize: Self.slotSize, in: memory))
  }

  /// Begins a cycle, in which nothing is sent yet.
  @_noLocks mutating func begin(frames: Int) {
    guard let port, let buffer = cjack_buffer(port, UInt32(frames)) else { return buffer = nil }
    self.buffer = UnsafeMutableRawPointer(buffer)
    cjack_midi_clear(buffer)
  }

  /// Returns the output for the events of a part of the cycle.
  @_noLocks func begin(_ part: Range<Int>) -> MIDIOutput {
    guard let buffer else { return MIDIOutput() }
    events.pointee.begin(frames: part.count, room: cjack_midi_room(buffer) / Self.slotSize)
    return MIDIOutput(events)
  }

  /// Writes the events of a part of the cycle, whose offsets are from the beginning of the part.
  @_noLocks mutating func send(_ part: Range<Int>) {
    guard let buffer else { return }
    let cycle = events.pointee.inOrder()
    MIDIOutput(events).follow(into: &sent, after: 0)
    var failed = 0
    for event in cycle.events
    where !write(event.content, of: cycle, at: part.lowerBound + Int(event.offset), buffer) {
      failed += 1
    }
    isHolding.store(sent.isEmpty ? 0 : 1)
    let count = events.pointee.refused
    if count + failed != refused { flags.count(refusedMIDI: count + failed - refused) }
    refused = count
  }

  /// Ends what the renderer has sent, which has stopped. A word shows in the next cycle that this is done.
  @_noLocks mutating func end() {
    guard let buffer else { return }
    if sent.isEmpty { isHolding.store(0) }
    begin(0..<1).end(&sent)
    let cycle = events.pointee.inOrder()
    for event in cycle.events { _ = write(event.content, of: cycle, at: 0, buffer) }
  }

  @_noLocks private func write(
    _ content: MIDIEvent.Content, of cycle: MIDICycle, at frame: Int,
    _ buffer: UnsafeMutableRawPointer
  ) -> Bool {
    let count = cycle.byteCount(of: content)
    guard let bytes = cjack_midi_reserve(buffer, UInt32(truncatingIfNeeded: frame), count) else {
      return false
    }
    cycle.write(content, to: bytes)
    return true
  }
}
