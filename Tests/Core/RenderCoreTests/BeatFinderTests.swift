import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BeatFinderTests {
  @Test func `beats fall on the nearest frame, and half-way on the later one`() {
    // A beat is 33 075 frames, half a beat 16 537.5.
    let host = Host(sampleRate: 44_100)
    host.finder.divide(by: 2, at: 0)
    #expect(host.cycle(70_000, [(0, song(tempo: 80))]) == [0, 16_538, 33_075, 49_613, 66_150])
  }

  @Test func `a beat has its position in the bar`() {
    let host = Host()
    var transport = song(beat: 6.5, tempo: 240)
    transport.meter = Meter(3, 8)
    transport.barStart = 6
    host.finder.divide(by: 2, at: 0)
    let beats = host.beats(18_001, [(0, transport)])
    #expect(beats.map(\.position) == [6.5, 6.75, 7, 7.25, 7.5, 7.75, 8])
    #expect(beats.map(\.part) == [2, 3, 4, 5, 0, 1, 2])
    #expect(beats.map(\.beginsBar) == [false, false, false, false, true, false, false])
    #expect(beats.map(\.isWhole) == [true, false, true, false, true, false, true])
    #expect(beats.allSatisfy { $0.beats == 3 && $0.parts == 2 && !$0.isBeforeSong })
  }

  @Test func `bars before the beginning of the song have negative numbers`() {
    let host = Host()
    let beats = host.beats(72_001, [(0, song(beat: -2))])
    #expect(beats.map(\.part) == [2, 3, 0, 1])
    #expect(beats.map(\.isBeforeSong) == [true, true, false, false])
  }

  @Test func `without a meter a bar has four quarter notes, counted from the beginning`() {
    let host = Host()
    var transport = song(beat: 2)
    transport.provides = [.beat]
    transport.meter = Meter(7, 16)
    transport.barStart = 0.3
    #expect(host.beats(48_001, [(0, transport)]).map(\.part) == [2, 3, 0])
  }

  @Test func `a song that begins inside a cycle begins on its frame`() {
    let host = Host()
    var waiting = song(beat: 4)
    waiting.isPlaying = false
    #expect(host.cycle(1000, [(0, waiting)]) == [])
    #expect(host.cycle(1000, [(0, waiting), (617, song(beat: 4))]) == [617])
  }

  @Test(arguments: [(0.4, true), (0.5, true), (0.51, false), (0.6, false)])
  func `a song that begins just after a beat has that beat if its frame is the nearest`(
    frames: Double, isFound: Bool
  ) {
    let host = Host()
    #expect(host.cycle(100, [(10, song(beat: 4 + frames / 24_000))]) == (isFound ? [10] : []))
  }

  @Test func `a song that stops on a beat and continues there has the beat twice`() {
    let host = Host()
    var stopped = song(beat: 4 + 5.0 / 24_000)
    stopped.isPlaying = false
    #expect(host.cycle(100, [(0, song(beat: 4)), (5, stopped), (50, song(beat: 4))]) == [0, 50])
  }

  @Test func `a jump skips the beats between`() {
    let host = Host()
    #expect(
      host.cycle(1000, [(0, song(beat: 0.99)), (100, song(beat: 7.999)), (900, song(beat: 3))])
        == [124, 900])
  }

  @Test(arguments: [(9.0, [100]), (11.0, [])])
  func `a beat that jitter skips is found immediately, one that a jump skips is not`(
    milliseconds: Double, expected: [Int]
  ) {
    let host = Host()
    // At frame 0 the song is 240 frames before the beat; at frame 100 it jumps ahead by `milliseconds`.
    let later = song(beat: 4 - 140 / 24_000 + milliseconds * 0.002)
    #expect(host.cycle(1000, [(0, song(beat: 3.99)), (100, later)]) == expected)
  }

  @Test func `no beat is lost where the meter changes, and the place of the song with it`() {
    let host = Host()
    var (four, three) = (song(beat: 3.99), song(beat: 3 + 61 / 24_000))
    (four.songFrame, three.songFrame) = (0, 300)
    (three.meter, three.barStart) = (Meter(3, 4), 3)
    #expect(host.cycle(30_000, [(0, four), (300, three)]) == [240, 24_239])
  }

  @Test(arguments: [(100, [100]), (101, []), (0, [])] as [(Int64, [Int])])
  func `a beat that the song skips although its frames go on is found immediately`(
    songFrame: Int64, expected: [Int]
  ) {
    let host = Host()
    var first = song(beat: 3.99)
    first.songFrame = 7000
    // 60 ms ahead of the tempo.
    var later = song(beat: 4 - 140 / 24_000 + 0.12)
    later.songFrame = 7000 + songFrame
    (first.provides, later.provides) = ([.beat, .songFrame, .state], [.beat, .songFrame, .state])
    #expect(host.cycle(1000, [(0, first), (100, later)]) == expected)
  }

  @Test(arguments: [(9.0, [10]), (11.0, [10, 538])])
  func `a beat is not found again after jitter, but is after a jump`(
    milliseconds: Double, expected: [Int]
  ) {
    let host = Host()
    // 190 frames after the beat, the song jumps back by `milliseconds`: to 242 or 338 frames before it.
    let later = song(beat: 4 + 190.0 / 24_000 - milliseconds * 0.002)
    #expect(host.cycle(1000, [(0, song(beat: 4 - 10.0 / 24_000)), (200, later)]) == expected)
  }

  @Test func `jitter is less than half a division of the grid`() {
    let host = Host()
    // A 32nd note at 960 beats per minute takes 375 frames or 7.8 ms.
    var transport = song(beat: 4, tempo: 960)
    transport.meter = Meter(4, 32)
    transport.barStart = 4
    var later = transport
    later.beat = 4 + 0.125 * 0.6
    #expect(host.cycle(10, [(0, transport), (5, later)]) == [0])
    // At any other meter, 4.8 ms back would be a wobble.
    later.beat = 4 - 1.0 / 3000
    #expect(host.cycle(10, [(0, later)]) == [1])
  }

  @Test
  func `a song that runs backwards slowly is followed, and its beats return when it continues`() {
    let host = Host()
    // Two beats back in steps of 100 frames; each single step is a wobble.
    for step in 0..<480 {
      _ = host.cycle(64, [(0, song(beat: 6.1 - Double(step * 100) / 24_000))])
    }
    #expect(host.cycle(30_000, [(0, song(beat: 4.125))]) == [21_000])
  }

  @Test func `a loop whose start follows its end by a frame has each beat once`() {
    let host = Host()
    // The end lies between frames 100 and 101; the host starts the loop on the latter, exactly at its
    // beginning.
    let end = song(beat: 8 - 100.3 / 24_000)
    #expect(host.cycle(200, [(0, end), (101, song(beat: 4))]) == [100])
    #expect(host.cycle(200, [(0, end), (100, song(beat: 4))]) == [100])
    let next = Host()
    #expect(next.cycle(101, [(0, end)]) == [100])
    #expect(next.cycle(200, [(0, song(beat: 4))]) == [])
  }

  @Test func `the grid may change anywhere, and no beat is found twice`() {
    let host = Host()
    let transport = song(beat: 0, tempo: 60)
    var found = host.cycle(48_010, [(0, transport)])
    host.finder.divide(by: 4, at: 48_010)
    found += host.rest(of: 48_010, 100_000)
    #expect(found == [0, 48_000, 60_000, 72_000, 84_000, 96_000])
  }

  @Test func `without a transport there are no beats, and with one they begin again`() {
    let host = Host()
    #expect(host.cycle(10, []) == [])
    #expect(host.cycle(10, [(0, song(beat: 1))]) == [0])
    #expect(host.cycle(30_000, []) == [])
    #expect(host.cycle(10, [(0, song(beat: 1))]) == [0])
    var silent = song(beat: 1)
    silent.provides = [.meter, .state]
    #expect(host.cycle(10, [(3, silent)]) == [])
  }

  @Test
  func `a transport stays valid in the next cycle until that cycle's first entry`() {
    let host = Host()
    #expect(host.cycle(100, [(0, song(beat: 4 - 250.0 / 24_000))]) == [])
    #expect(host.cycle(100, [(99, song(beat: 4 - 51.0 / 24_000))]) == [])
    #expect(host.cycle(100, [(99, song(beat: 4 + 49.0 / 24_000))]) == [50])
  }

  @Test func `a tempo of 0 has no beats, and a tempo that rises from 0 has`() {
    let host = Host()
    #expect(host.cycle(100, [(0, song(beat: 4, tempo: 0))]) == [0])
    #expect(host.cycle(100, [(0, song(beat: 4, tempo: 0))]) == [])
    var growing = song(beat: 4, tempo: 0)
    growing.tempoSlope = 120.0 / 48_000
    #expect(host.cycle(50_000, [(0, growing)]) == [48_000])
  }

  @Test(
    arguments: [
      .nan, .infinity, -.infinity, 1e300, -1e300, 1e10, 1e18, -1e18, 1e-300, -1, 1_000_000,
    ] as [Double])
  func `any numbers are safe, and no two consecutive frames have beats`(
    number: Double
  ) {
    for change in 0..<4 {
      let host = Host(sampleRate: 8000)
      var transport = song(beat: 3.9)
      if change == 0 { transport.beat = number }
      if change == 1 { transport.tempo = number }
      if change == 2 { transport.tempoSlope = number }
      if change == 3 { transport.barStart = number }
      transport.meter = Meter(65_535, 65_535)
      host.finder.divide(by: 64, at: 0)
      for _ in 0..<3 {
        let found = host.cycle(500, [(0, transport), (250, transport)])
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 + 2 <= $1 })
      }
      // The finder also recovers.
      host.finder.divide(by: 1, at: 500)
      #expect(host.cycle(500, [(0, song(beat: 8 - 100.0 / 4000))]) == [100])
    }
  }

  private func song(beat: Double = 0, tempo: Double = 120) -> Transport {
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = beat
    transport.tempo = tempo
    return transport
  }
}

/// Feeds a finder with cycles.
private final class Host {
  var finder: BeatFinder

  init(sampleRate: Int = 48_000) { finder = BeatFinder(sampleRate: sampleRate) }

  func cycle(_ frames: Int, _ transports: [(Int, Transport)]) -> [Int] {
    beats(frames, transports).map(\.frame)
  }

  func beats(_ frames: Int, _ transports: [(Int, Transport)]) -> [BeatFinder.Beat] {
    let points = transports.map { TransportPoint(offset: UInt32($0.0), $0.1) }
    begin(frames, points)
    var beats: [BeatFinder.Beat] = []
    for point in points {
      take(before: Int(point.offset), into: &beats)
      finder.follow(point.transport, at: Int(point.offset))
    }
    take(before: frames, into: &beats)
    return beats
  }

  /// Continues the current cycle from frame `begin` to frame `end`.
  func rest(of begin: Int, _ end: Int) -> [Int] {
    var beats: [BeatFinder.Beat] = []
    take(before: end, into: &beats)
    return beats.map(\.frame)
  }

  private func take(before end: Int, into beats: inout [BeatFinder.Beat]) {
    while let beat = finder.next(before: end) { beats.append(beat) }
  }

  private func begin(_ frames: Int, _ points: [TransportPoint]) {
    points.withUnsafeBufferPointer { points in
      withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) {
        let cycle = MIDICycle(frames: frames)
        finder.begin(
          RenderCycle(
            midi: cycle, position: 0, hostTime: 0, transport: points,
            output: UnsafePointer($0.baseAddress!)))
      }
    }
  }
}
