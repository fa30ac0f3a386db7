import LiveAudio
import MIDIFile
import NodeProtocol
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import LivePlayer

/// Songs that lead the transport of a simulated graph, which is the judge: each note sounds where the transport is at the
/// note's frame.
@Suite(.timeLimit(.minutes(5))) struct GraphSongTests {
  private static let notes = (0..<80).map { index in
    (frame: Int64(index) * 2777, key: UInt8(20 + index), length: Int64(500))
  }

  /// Plays cycles, and returns the notes that began, and those that should have: the transport passed their frames.
  private func play(
    _ song: PlayedSong, _ frames: Int, cycles: [Int] = [256], notes: [Int64] = notes.map(\.frame)
  ) throws -> (heard: [Int], expected: [Int]) {
    let begin = song.left.count
    var (expected, turn) = ([Int](), 0)
    while song.left.count < begin + frames {
      let count = cycles[turn % cycles.count]
      let position = song.left.count
      try song.hear(count, cycles: [count])
      song.device.withTransport { transport in
        guard transport.isRolling else { return }
        let first = transport.frame - Int64(count)
        expected += notes.filter { (first..<first + Int64(count)).contains($0) }
          .map { position + Int($0 - first) }
      }
      turn += 1
    }
    let heard = pulses(song.left).keys.filter { $0 >= begin }.sorted()
    return (heard, expected)
  }

  private func song(loop: Range<Double> = 0..<4, end: Int64? = nil) throws -> PlayedSong {
    let notes = Self.notes.filter { $0.frame + $0.length <= end ?? .max }
    return try PlayedSong(songOfNotes(notes, end: end), loop: loop, timebase: .free)
  }

  @Test(arguments: [[256], [64, 200, 3], [1]])
  func `each note is heard where the graph's transport is at its frame`(cycles: [Int]) throws {
    let song = try song()
    try song.start()
    let (heard, expected) = try play(song, cycles == [1] ? 6000 : 100_000, cycles: cycles)
    #expect(heard == expected)
    #expect(heard.count >= (cycles == [1] ? 2 : 34))
  }

  @Test func `the song goes where another program moves the transport`() throws {
    let song = try song()
    try song.start(at: 20_000)
    var (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    for (turn, frame) in [100_000, 3000, 2777, 100_000, 0].enumerated() {
      _ = song.device.change(.locate(frame: Int64(frame)))
      (heard, expected) = try play(song, 30_000 + 100 * turn)
      #expect(heard == expected)
      #expect(heard.count >= 8)
    }
    _ = song.device.change(.locate(frame: 5000))
    _ = song.device.change(.locate(frame: 9000))
    (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
  }

  @Test func `notes end when the transport stops, and the song continues with it`() throws {
    let song = try PlayedSong(
      songOfNotes([(0, 50, 40_000), (30_000, 60, 100)]), timebase: .free)
    try song.start()
    _ = try play(song, 10_000)
    #expect(song.host.song.isPlaying)
    #expect(pulses(song.right).isEmpty)
    song.host.execute(.stop)
    let stopped = try play(song, 20_000, notes: [])
    #expect(stopped.heard.isEmpty)
    #expect(!song.host.song.isPlaying)
    // It has ended soon after.
    let ends = pulses(song.right)
    #expect(ends.values.contains(50))
    #expect(ends.keys.allSatisfy { $0 < 10_000 + 2 * 4800 })
    song.host.execute(.continue)
    let (heard, expected) = try play(song, 30_000, notes: [30_000])
    #expect(heard == expected)
    #expect(heard.count == 1)
  }

  @Test func `a loop moves the transport back, and commands move it`() throws {
    let song = try song(loop: 0.5..<1)
    try song.host.loop()
    try song.start()
    var (heard, expected) = try play(song, 60_000)
    // The transport passes the end of the loop by less than a cycle, and misses as much of its beginning.
    #expect(heard.filter { !expected.contains($0) }.count <= 4)
    #expect(heard.count >= 15)
    song.host.execute(.loop(isOn: false))
    song.host.execute(.jump(beat: 2))
    (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    song.host.execute(.rewind)
    (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    song.host.execute(.togglePlay)
    #expect(try play(song, 1000, notes: []).heard.isEmpty)
    song.host.execute(.togglePlay)
    (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    #expect(heard.count >= 8)
  }

  @Test func `a song that a graph does not wait for plays on its frames a moment later`() throws {
    let song = try song()
    song.device.withTransport { $0.waits = false }
    try song.start()
    _ = try play(song, 9600)
    var (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    song.device.withTransport { $0.frame = 100_000 }
    _ = try play(song, 9600)
    (heard, expected) = try play(song, 30_000)
    #expect(heard == expected)
    // Missed cycles.
    for _ in 0..<3 {
      song.device.withTransport { $0.frame += 512 }
      _ = try play(song, 512)
      (heard, expected) = try play(song, 8000)
      #expect(heard == expected)
      #expect(!heard.isEmpty)
    }
  }

  @Test func `a song that is over remains so while the transport goes on`() throws {
    let song = try song(end: 20_000)
    try song.start()
    _ = try play(song, 40_000)
    #expect(!song.host.song.isPlaying)
    #expect(song.host.song.frame == 20_000)
    song.host.execute(.rewind)
    let (heard, expected) = try play(song, 10_000)
    #expect(heard == expected)
    #expect(heard.count >= 3)
  }

  @Test func `positions count bars, beats and tempo as the song does`() throws {
    let metas: [(Int64, MetaEvent)] = [
      (0, .tempo(500_000)),
      (96_000, .timeSignature(TimeSignature(numerator: 7, denominatorPower: 3)!)),
      (180_000, .tempo(333_333)),
      (250_001, .timeSignature(TimeSignature(numerator: 3, denominatorPower: 2)!)),
    ]
    let map = try songOfNotes([(0, 50, 10)], end: 500_000, metas).timeline(sampleRate: 48_000)
      .beatMap
    let table = BarTable(map)
    defer { table.destroy() }
    for frame in stride(from: Int64(0), to: 600_000, by: 997) {
      let (position, bar) = (table.position(at: frame), map.bar(at: frame))
      let beat = map.beat(at: frame)
      #expect(position.bar == bar.number, "frame \(frame)")
      #expect((position.barStart - bar.start).magnitude < 1e-6)
      #expect(position.tempo == map.tempo(at: frame))
      let inBar = max(0, beat - bar.start) / Meter(bar.signature).beatLength
      #expect((position.beatsInBar - inBar).magnitude < 1e-6)
    }
  }
}
