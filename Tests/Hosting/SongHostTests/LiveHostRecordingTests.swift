import LiveMIDI
import MIDIFile
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import SoundTestSupport
import Testing
import Threads

@testable import SongHost

/// Tests of the recordings of a live host.
@Suite(.timeLimit(.minutes(5))) struct LiveHostRecordingTests {
  @Test(arguments: [[256], [100, 7, 256]])
  func `a recording has the audio heard while it is on, frame by frame`(cycles: [Int]) throws {
    let notes = (0..<300).map { (frame: Int64($0) * 97, key: UInt8(1 + $0 % 90), length: Int64(9)) }
    let song = try PlayedSong(songOfNotes(notes))
    try song.start()
    #expect(!song.host.isRecording)
    try song.hear(3000, cycles: cycles)
    for _ in 0..<2 {
      // The command takes effect with the next plan; plans are 256 frames long.
      let begin = (song.left.count / 256 + (song.left.count % 256 == 0 ? 0 : 1) + 3) * 256
      song.host.execute(.toggleRecord)
      try song.hear(5000, cycles: cycles)
      song.host.execute(.toggleRecord)
      #expect(song.host.isRecording)
      while song.host.isRecording { try song.hear(10, cycles: cycles) }
      let recorded = song.host.recordBuffer.drain()
      #expect(recorded.count % 512 == 0 && recorded.count >= 2 * 4000)
      let places = [begin, begin + 256].filter { place in
        place * 1 + recorded.count / 2 <= song.left.count
          && (0..<recorded.count / 2).allSatisfy {
            recorded[2 * $0] == song.left[place + $0]
              && recorded[2 * $0 + 1] == song.right[place + $0]
          }
      }
      #expect(places.count == 1)
      // After the end, nothing more is recorded.
      try song.hear(2000, cycles: cycles)
      #expect(song.host.recordBuffer.drain().isEmpty)
    }
    #expect(song.host.recordBuffer.refused == 0)
  }

  @Test func `keyboard events are recorded on the frame on which they are heard`() throws {
    let song = try PlayedSong(songOfNotes([], end: 500_000), maximumFrames: 4096, mode: .realtime)
    song.host.execute(.toggleRecord)
    try song.start()
    for key in UInt8(1)...40 {
      song.nodes.ports[0][0].input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 90)), from: LiveInput.Source(1),
        at: MonotonicClock.now)
      try song.hear(4000 + Int(key), cycles: [4096])
    }
    try song.hear(4000, cycles: [4000])
    song.host.stop()
    var performance = Performance()
    song.host.drain(into: &performance)
    let file = try performance.file(along: song.timeline.beatMap)
    let events = try file.timeline(sampleRate: 48_000).events
    var written: [Int: Float] = [:]
    for event in events {
      guard case .channel(let message) = event.message, message.startsNote else { continue }
      written[Int(event.frame), default: 0] += Float(message.data1)
    }
    #expect(written == pulses(song.left))
    #expect(written.values.reduce(0, +) == 820)
    // The notes were held to the end and are released there.
    let ends = events.filter { if case .channel(let m) = $0.message { m.endsNote } else { false } }
    #expect(ends.count == 40 && ends.allSatisfy { $0.frame == Int64(song.left.count) })
  }
}
