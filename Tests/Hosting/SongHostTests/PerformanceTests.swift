import LiveMIDI
import MIDIFile
import RenderCore
import SongHost
import TestSupport
import Testing

@Suite struct PerformanceTests {
  private let rate = 48_000

  private func note(_ key: UInt8, _ velocity: UInt8 = 100) -> ChannelMessage {
    ChannelMessage(.noteOn, channel: 0, key, velocity)
  }

  /// Records a cycle.
  private func record(
    _ events: [(Int, ChannelMessage)], _ frames: Int, _ transport: inout SongTransport,
    _ writer: inout MIDIRecordingWriter
  ) {
    transport.advance(by: frames)
    let events = events.map { MIDIEvent(offset: UInt32($0.0), content: .channel($0.1)) }
    events.withUnsafeBufferPointer { events in
      let cycle = MIDICycle(frames: frames, events: events)
      for segment in transport.segments { writer.record(segment, of: cycle) }
    }
  }

  /// Returns frame and message of every event of a take, after the file was written and read.
  private func played(
    _ performance: Performance, _ map: BeatMap, take: Int, rate: Int = 48_000
  ) throws -> [(frame: Int64, message: ChannelMessage)] {
    let bytes = try performance.file(along: map).encoded()
    let file = try StandardMIDIFile(decoding: bytes)
    #expect(file.repairs.isEmpty)
    #expect(file.tracks[take].name == "take \(take)")
    return try file.timeline(sampleRate: rate).events.filter { $0.track == take }.map {
      guard case .channel(let message) = $0.message else { throw CancellationError() }
      return ($0.frame, message)
    }
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
  func `is on the same frames after it was written and read`(seed: UInt64) throws {
    let rate = usualRate(seed)
    var numbers = Seeded(seed)
    let map = try quickSong(&numbers).timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.start()
    var expected: [(frame: Int64, message: ChannelMessage)] = []
    for _ in 0..<200 {
      let begin = transport.frame
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
      record(events, frames, &transport, &writer)
      performance.drain(fifo.reader)
    }
    let heard = try played(performance, map, take: 1, rate: rate)
    #expect(heard.map(\.frame) == expected.map(\.frame))
    #expect(heard.map(\.message) == expected.map(\.message))
  }

  @Test func `is on the nearest tick where ticks are longer than frames`() throws {
    let map = try Songs.silent(.ticksPerQuarter(480), [(0, .tempo(1_500_000))])
      .timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.start()
    record((0..<1000).map { ($0 * 7, note(60, 0)) }, 7000, &transport, &writer)
    performance.drain(fifo.reader)
    let heard = try played(performance, map, take: 1)
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
    let map = try Songs.silent(.ticksPerQuarter(480), [(0, .tempo(250_000))])
      .timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    try transport.setLoop(from: 0, to: 1)
    transport.start()
    // Passes are 12 000 frames long; nothing is played in the third.
    record([(100, note(60)), (11_999, note(62)), (12_000, note(64))], 36_000, &transport, &writer)
    record([(500, note(65)), (600, note(65, 0))], 1000, &transport, &writer)
    writer.end()
    performance.drain(fifo.reader)
    #expect(try performance.file(along: map).tracks.count == 4)
    let passes = try (1...3).map { take in
      try played(performance, map, take: take).map {
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
    let map = try Songs.silent().timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.start(countIn: 1)
    record(
      [(10, note(60)), (20, note(60, 0)), (30, note(62)), (96_000 + 480, note(62, 0))], 100_000,
      &transport, &writer)
    performance.drain(fifo.reader)
    let heard = try played(performance, map, take: 1)
    #expect(heard.map(\.frame) == [0, 480])
    #expect(heard.map(\.message) == [note(62), note(62, 0)])
  }

  @Test func `records nothing while the song stands`() throws {
    let map = try Songs.silent().timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    record([(10, note(60))], 100, &transport, &writer)
    performance.drain(fifo.reader)
    #expect(performance.isEmpty)
  }

  @Test func `keeps System Exclusive of any length that fits, again and again`() throws {
    let map = try Songs.silent().timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 64)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.start()
    var sent: [[UInt8]] = []
    for length in 0..<1500 {
      let bytes = (0..<length).map { UInt8(($0 * 7 + length) & 0x7F) }
      let fits = 1 + (length + 23) / 24 <= 64
      let refused = writer.refused
      transport.advance(by: 10)
      bytes.withUnsafeBufferPointer { bytes in
        let event = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: UInt32(bytes.count)))
        withUnsafePointer(to: event) { event in
          let cycle = MIDICycle(frames: 10, events: .init(start: event, count: 1), sysEx: bytes)
          for segment in transport.segments { writer.record(segment, of: cycle) }
        }
      }
      if writer.refused == refused { sent.append(bytes) } else { #expect(!fits) }
      performance.drain(fifo.reader)
    }
    let file = try StandardMIDIFile(decoding: performance.file(along: map).encoded())
    let kept = file.tracks[1].events.compactMap {
      if case .sysEx(let bytes) = $0.content { bytes } else { nil }
    }
    #expect(kept == sent)
    #expect(sent.count > 1400)
  }

  @Test func `refuses what finds no room, and keeps what it has`() throws {
    let map = try Songs.silent().timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 4)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.start()
    record((0..<10).map { ($0, note(UInt8($0), 0)) }, 100, &transport, &writer)
    #expect(writer.refused == 6)
    performance.drain(fifo.reader)
    #expect(try played(performance, map, take: 1).map(\.message.data1) == [0, 1, 2, 3])
  }

  @Test func `can be written when it was played hours into the song`() throws {
    let map = try Songs.silent(.ticksPerQuarter(480), [(0, .tempo(250_000))])
      .timeline(sampleRate: rate).beatMap
    let fifo = EventFIFO(capacity: 1024)
    var (transport, performance) = (SongTransport(map), Performance())
    var writer = MIDIRecordingWriter(fifo.writer)
    transport.jump(toBeat: 100_000)
    transport.continue()
    record([(7, note(60, 0))], 100, &transport, &writer)
    performance.drain(fifo.reader)
    #expect(try played(performance, map, take: 1).map(\.frame) == [100_000 * 12_000 + 7])
  }
}
