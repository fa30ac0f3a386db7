import MIDIFile
import RenderCore
import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct ScheduledCycleTests {
  private let gsReset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
  /// Makes part 5 a rhythm part.
  private let rhythmPart: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x15, 0x15, 0x01, 0x15]
  /// A master volume, which is sent when it is reached.
  private let volume: [UInt8] = [0x7F, 0x7F, 0x04, 0x01, 0x00, 0x40]

  private func event(_ tick: Int64, _ bytes: [UInt8]) -> StandardMIDIFile.Event {
    .init(tick: tick, .sysEx(bytes))
  }

  /// The bytes of a cycle's System Exclusive messages as a render thread sends them.
  private func messages(_ scheduled: ScheduledCycle) -> [[UInt8]] {
    let cycle = MIDICycle(frames: scheduled.frames, sysEx: scheduled.sysEx)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: ShortSysEx.capacity)
    defer { memory.deallocate() }
    return scheduled.events(from: 0, to: scheduled.frames).compactMap { event in
      let message = event.message(cycle, memory)
      guard case .sysEx(let start, let count) = message.event.content else { return nil }
      return Array(message.cycle.sysEx[Int(start)..<Int(start) + Int(count)])
    }
  }

  @Test func `a song that is entered in its middle sends the settings before it`() throws {
    let song = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(24_000),
      tracks: [.init([event(0, gsReset), event(10, rhythmPart), event(5100, volume)])])
    let timeline = try song.timeline(sampleRate: 48_000)
    let memory = RenderMemory()
    defer { memory.release() }
    var scheduled = ScheduledCycle(in: memory)
    var cursor = SongCursor(timeline)
    var waiting: [ScheduledCycle.Event] = []
    let entry = SongSegment(offset: 0, frames: 256, begin: 5000, isPlaying: true, isEntry: true)
    timeline.sysEx.withUnsafeBufferPointer { bytes in
      cursor.withCycle(256, [entry]) { cycle in
        _ = scheduled.fill(
          cycle, SongTransport(timeline.beatMap), Stretch(length: 256, frames: 256, tempo: nil),
          sysEx: bytes, waiting: &waiting)
      }
      let sent = messages(scheduled)
      #expect(sent.first == gsReset && sent.contains(rhythmPart) && sent.last == volume)
    }
  }
}
