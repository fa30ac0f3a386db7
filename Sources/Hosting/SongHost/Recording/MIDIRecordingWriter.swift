package import LiveAudio
import LiveMIDI
package import RenderCore
import Threads

/// Records keyboard input with the song's frames.
///
/// Realtime: yes. Threads: one at a time. Its FIFO must outlive it.
package struct MIDIRecordingWriter: BitwiseCopyable {
  private let fifo: EventFIFO.Writer
  private let lost: SharedWord
  /// The number of the take. A new take starts wherever the song is discontinuous.
  private var take: UInt32 = 0
  private var takeIsEmpty = true
  private var expected: Int64?

  /// - Parameter fifo: Receives the events with their frames in the song and the numbers of their takes, and
  ///   ``SystemMessage/stop`` at the end of each take. Counts the events for which it has no room.
  package init(_ fifo: TakeFIFO) { (self.fifo, lost) = (fifo.events.writer, fifo.lostCount) }

  /// Records the channel messages and System Exclusive in a segment of a cycle, unless the song is stopped.
  ///
  /// - Parameters:
  ///   - segment: A segment of the song. The segments of a cycle must be recorded in their order.
  ///   - cycle: The input events.
  @_noLocks package mutating func record(_ segment: SongSegment, of cycle: MIDICycle) {
    if !segment.isPlaying || segment.isEntry || expected != segment.begin { end() }
    guard segment.isPlaying else { return }
    for event in cycle.events {
      let offset = Int(event.offset) - segment.offset
      if offset < 0 || offset >= segment.frames { continue }
      if case .system = event.content { continue }
      takeIsEmpty = false
      let recorded = EventFIFO.Event(
        time: segment.begin + Int64(offset), number: take, content: event.content)
      if !fifo.write(recorded, sysEx: cycle.sysEx) { lost.increase() }
    }
    expected = segment.end
  }

  /// Ends the current take, if any, at the last frame of the song. Sounding notes end there.
  @_noLocks package mutating func end() {
    defer { expected = nil }
    guard let expected, !takeIsEmpty else { return }
    let event = EventFIFO.Event(time: expected, number: take, content: .system(.stop))
    if !fifo.write(event) { lost.increase() }
    take += 1
    takeIsEmpty = true
  }
}
