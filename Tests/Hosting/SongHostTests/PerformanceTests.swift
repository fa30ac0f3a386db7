import LiveAudio
import LiveMIDI
import LivePlayer
import MIDIFile
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PerformanceTests {
  private let rate = 48_000

  private func note(_ key: UInt8, _ velocity: UInt8 = 100) -> ChannelMessage {
    ChannelMessage(.noteOn, channel: 0, key, velocity)
  }

  /// Returns a song with tempi of at least 180 beats per minute, so that a tick is never longer than a frame.
  private func quickSong(_ numbers: inout Seeded) -> StandardMIDIFile {
    var (tick, metas) = (Int64(0), [(Int64, MetaEvent)]())
    for _ in 0..<50 {
      metas.append((tick, .tempo(.random(in: 100_000...333_333, using: &numbers))))
      tick += Int64.random(in: 0...500, using: &numbers)
    }
    return Songs.silent(.ticksPerQuarter(.random(in: 24...960, using: &numbers)), metas)
  }

  @Test(arguments: 0..<5)
  func `a recording has the same frames after it was written and read`(seed: UInt64) throws {
    let rate = usualRate(seed)
    var numbers = Seeded(seed)
    var recording = try Recording(quickSong(&numbers), rate: rate)
    recording.transport.start()
    var expected: [(frame: Int64, message: ChannelMessage)] = []
    for _ in 0..<200 {
      let begin = recording.transport.frame
      let frames = Int.random(in: 1...4000, using: &numbers)
      let offsets = (0..<4).map { _ in Int.random(in: 0..<frames, using: &numbers) }.sorted()
      let events = offsets.map {
        (
          $0,
          ChannelMessage(
            .keyPressure, channel: .random(in: 0...15, using: &numbers),
            .random(in: 0...127, using: &numbers), .random(in: 0...127, using: &numbers))
        )
      }
      expected += events.map { (begin + Int64($0.0), $0.1) }
      recording.record(events, frames)
    }
    let heard = try recording.played()
    #expect(heard.map(\.frame) == expected.map(\.frame))
    #expect(heard.map(\.message) == expected.map(\.message))
  }

  @Test func `a recording uses the nearest tick if ticks are longer than frames`() throws {
    var recording = try Recording(Songs.silent(.ticksPerQuarter(480), [(0, .tempo(1_500_000))]))
    recording.transport.start()
    recording.record((0..<1000).map { ($0 * 7, note(60, 0)) }, 7000)
    let heard = try recording.played()
    // 32 640 ticks for 72 000 frames: half a tick is 1.1 frames.
    for (index, event) in heard.enumerated() { #expect(abs(event.frame - Int64(index) * 7) <= 1) }
  }

  @Test func `has the song's tempi and meters, on the song's frames`() throws {
    var numbers = Seeded(9)
    let timeline = try Songs.random(&numbers).timeline(sampleRate: rate)
    let map = timeline.beatMap
    let again = try Performance().file(along: map).timeline(sampleRate: rate).beatMap
    for frame in stride(from: Int64(-50_000), to: timeline.endFrame + 50_000, by: 1234) {
      #expect(abs(again.beat(at: frame) - map.beat(at: frame)) < 1e-12)
      #expect(again.tempo(at: frame) == map.tempo(at: frame))
      #expect(again.bar(at: frame) == map.bar(at: frame))
    }
    #expect(again.changes == map.changes)
  }

  @Test func `has a take for every pass of a loop, its notes ended where the pass ends`() throws {
    var recording = try Recording(Songs.silent(.ticksPerQuarter(480), [(0, .tempo(250_000))]))
    try recording.transport.setLoop(from: 0, to: 1)
    recording.transport.start()
    // Passes are 12 000 frames long; nothing is played in the third.
    recording.record([(100, note(60)), (11_999, note(62)), (12_000, note(64))], 36_000)
    recording.record([(500, note(65)), (600, note(65, 0))], 1000)
    recording.end()
    #expect(try recording.performance.file(along: recording.map).tracks.count == 4)
    let passes = try (1...3).map { take in
      try recording.played(take: take).map {
        "\($0.frame) \($0.message.data1) \($0.message.endsNote)"
      }
    }
    #expect(
      passes == [
        ["100 60 false", "11999 62 false", "12000 60 true", "12000 62 true"],
        ["0 64 false", "12000 64 true"], ["500 65 false", "600 65 true"],
      ])
  }

  @Test func `begins notes held from the count-in with the song, and leaves out those that ended`()
    throws
  {
    var recording = try Recording(Songs.silent())
    recording.transport.start(countIn: 1)
    recording.record(
      [(10, note(60)), (20, note(60, 0)), (30, note(62)), (96_000 + 480, note(62, 0))], 100_000)
    let heard = try recording.played()
    #expect(heard.map(\.frame) == [0, 480])
    #expect(heard.map(\.message) == [note(62), note(62, 0)])
  }

  @Test func `records nothing while the song is stopped`() throws {
    var recording = try Recording(Songs.silent())
    recording.record([(10, note(60))], 100)
    #expect(recording.performance.isEmpty)
  }

  @Test func `keeps System Exclusive of any length that fits, again and again`() throws {
    var recording = try Recording(Songs.silent(), capacity: 64)
    recording.transport.start()
    var sent: [[UInt8]] = []
    for length in 0..<1600 {
      let bytes = (0..<length).map { UInt8(($0 * 7 + length) & 0x7F) }
      let event = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: UInt32(length)))
      let lost = recording.fifo.lost
      recording.record([event], bytes, 10)
      if recording.fifo.lost == lost { sent.append(bytes) }
    }
    let file = try recording.file()
    let kept = file.tracks[1].events.compactMap {
      if case .sysEx(let bytes) = $0.content { bytes } else { nil }
    }
    #expect(kept == sent)
    // Lengths from 0 to 63 slots of 24 bytes.
    #expect(sent.count == 63 * 24 + 1)
  }

  @Test func `refuses events without room, and keeps the stored ones`() throws {
    var recording = try Recording(Songs.silent(), capacity: 4)
    recording.transport.start()
    let notes = (0..<10).map { offset in (offset, note(UInt8(offset), 0)) }
    recording.record(notes, 100)
    #expect(recording.fifo.lost == 6)
    #expect(try recording.played().map(\.message.data1) == [0, 1, 2, 3])
  }

  @Test func `can be written when it was recorded hours into the song`() throws {
    var recording = try Recording(Songs.silent(.ticksPerQuarter(480), [(0, .tempo(250_000))]))
    recording.transport.jump(toBeat: 100_000)
    recording.transport.continue()
    recording.record([(7, note(60, 0))], 100)
    #expect(try recording.played().map(\.frame) == [1_200_000_007])
  }
}

/// Keyboard input that is recorded with a song, cycle by cycle.
private struct Recording {
  let map: BeatMap
  let fifo: TakeFIFO
  var transport: SongTransport
  var tap: SongTap
  private(set) var performance = Performance()

  /// - Parameter capacity: The number of slots for the events of a cycle.
  init(_ song: StandardMIDIFile, rate: Int = 48_000, capacity: Int = 1024) throws {
    map = try song.timeline(sampleRate: rate).beatMap
    fifo = TakeFIFO(capacity: capacity)
    transport = SongTransport(map)
    tap = SongTap(.none, fifo)
  }

  /// Records a cycle.
  mutating func record(_ events: [(Int, ChannelMessage)], _ frames: Int) {
    let events = events.map { MIDIEvent(offset: UInt32($0.0), content: .channel($0.1)) }
    record(events, [], frames)
  }

  mutating func record(_ events: [MIDIEvent], _ sysEx: [UInt8], _ frames: Int) {
    transport.advance(by: frames)
    events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer { sysEx in
        let cycle = MIDICycle(frames: frames, events: events, sysEx: sysEx)
        for segment in transport.segments { tap.record(segment, of: cycle) }
      }
    }
    performance.drain(fifo.events.reader)
  }

  /// Ends the take.
  mutating func end() {
    tap.endTake()
    performance.drain(fifo.events.reader)
  }

  /// The file after it was written and read.
  func file() throws -> StandardMIDIFile {
    try StandardMIDIFile(decoding: performance.file(along: map).encoded())
  }

  /// Returns frame and message of every event of a take in the file.
  func played(take: Int = 1) throws -> [(frame: Int64, message: ChannelMessage)] {
    let file = try file()
    #expect(file.repairs.isEmpty)
    #expect(file.trackNames[take] == "take \(take)")
    return try file.timeline(sampleRate: map.sampleRate).events.filter { $0.track == take }.map {
      guard case .channel(let message) = $0.message else { throw CancellationError() }
      return ($0.frame, message)
    }
  }
}
