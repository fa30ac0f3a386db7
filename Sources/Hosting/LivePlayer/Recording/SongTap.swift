package import LiveAudio
import LiveMIDI
import LocalSystem
package import RenderCore

/// Passes the output of a song and keyboard input, with the song's frames, from the render thread to a ``RecordedSong``.
///
/// Realtime: yes. Threads: one at a time. The ring of its mix and its FIFO must outlive it.
package struct SongTap: BitwiseCopyable {
  private let mix: MixTap
  private let fifo: EventFIFO.Writer
  private let lost: SharedWord
  /// The number of recorded frames.
  private var position: Int64 = 0
  /// The number of the take of keyboard input. A new take starts wherever the song is discontinuous.
  private var take: UInt32 = 0
  private var takeIsEmpty = true
  private var expected: Int64?

  /// - Parameters:
  ///   - mix: Receives the output; each recording begins at position 0.
  ///   - fifo: Receives the events with their frames in the song and the numbers of their takes, and
  ///     ``SystemMessage/stop`` at the end of each take. Counts the events for which it has no room.
  package init(_ mix: MixTap, _ fifo: TakeFIFO) {
    (self.mix, self.fifo, lost) = (mix, fifo.events.writer, fifo.lostCount)
  }

  /// Records output.
  ///
  /// - Parameter frames: The number of frames; none if it is 0 or less.
  @_noLocks mutating func record(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) {
    mix.record(output, channels: 2, frames: frames, at: position)
    position += Int64(max(0, frames))
  }

  /// Records the channel messages and System Exclusive in a segment of a cycle, unless the song is stopped.
  ///
  /// - Parameters:
  ///   - segment: A segment of the song. The segments of a cycle must be recorded in their order.
  ///   - cycle: The input events.
  @_noLocks package mutating func record(_ segment: SongSegment, of cycle: MIDICycle) {
    if !segment.isPlaying || segment.isEntry || expected != segment.begin { endTake() }
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
  @_noLocks package mutating func endTake() {
    defer { expected = nil }
    guard let expected, !takeIsEmpty else { return }
    let event = EventFIFO.Event(time: expected, number: take, content: .system(.stop))
    if !fifo.write(event) { lost.increase() }
    take += 1
    takeIsEmpty = true
  }

  /// Ends the recording, if there is one.
  @_noLocks mutating func end() {
    endTake()
    position = 0
  }
}
