import LivePlayer
import MIDIFile
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SongTransportTests {
  private let rate = 48_000

  private func transport(_ file: StandardMIDIFile = Songs.silent()) throws -> SongTransport {
    SongTransport(try file.timeline(sampleRate: rate).beatMap)
  }

  /// Calls `look` after each of many random cycles of a random song, with random commands in between.
  private func wander(
    seed: UInt64, _ look: (SongTransport, _ frames: Int, _ song: StandardMIDIFile) throws -> Void
  ) throws {
    let rate = usualRate(seed)
    var numbers = Seeded(seed)
    let song = Songs.random(&numbers)
    var transport = SongTransport(try song.timeline(sampleRate: rate).beatMap)
    for _ in 0..<300 {
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0: transport.start(countIn: .random(in: 0...2, using: &numbers))
      case 1: transport.stop()
      case 2, 3: transport.continue()
      case 4: transport.rewind()
      case 5: transport.jump(toBeat: .random(in: -4...60, using: &numbers))
      case 6, 7:
        let start = max(0, transport.beat + .random(in: -2...2, using: &numbers))
        let length = Double.random(in: 0...2, using: &numbers)
        try? transport.setLoop(from: start, to: start + length)
      case 8: transport.endLoop()
      default: break
      }
      let frames = Int.random(in: 1...8192, using: &numbers)
      transport.advance(by: frames)
      try look(transport, frames, song)
    }
  }

  @Test(arguments: 0..<10)
  func `covers each cycle completely, and continues at its position`(seed: UInt64) throws {
    var last: SongSegment?
    try wander(seed: seed) { transport, frames, _ in
      var offset = 0
      for stretch in transport.segments {
        #expect(stretch.offset == offset && stretch.frames > 0)
        if !stretch.isEntry, let last { #expect(stretch.begin == last.end) }
        offset += stretch.frames
        last = stretch
      }
      #expect(offset == frames)
    }
  }

  @Test(arguments: 0..<10)
  func `has the beat of every frame`(seed: UInt64) throws {
    let rate = usualRate(seed)
    try wander(seed: seed) { transport, frames, song in
      let reckoning = Reckoning(song, rate)
      #expect(transport.points.first?.offset == 0)
      for stretch in transport.segments where stretch.isPlaying {
        for step in Set(stride(from: 0, to: stretch.frames, by: 97)).union([stretch.frames - 1]) {
          let offset = stretch.offset + step
          let point = transport.points.last { Int($0.offset) <= offset }!
          let now = point.transport.after(
            frames: offset - Int(point.offset), sampleRate: Double(rate))
          let frame = stretch.begin + Int64(step)
          #expect(now.songFrame == frame)
          #expect(abs(now.beat - reckoning.beat(at: frame)) < 1e-9)
        }
      }
    }
  }

  @Test func `jumps back exactly at the end of a loop`() throws {
    var wraps = 0
    for seed in UInt64(0)..<10 {
      try wander(seed: seed) { transport, _, _ in
        guard let loop = transport.loop else { return }
        for (stretch, next) in zip(transport.segments, transport.segments.dropFirst()) {
          #expect(stretch.end == loop.frames.upperBound)
          #expect(next.begin == loop.frames.lowerBound && next.isEntry)
          #expect(transport.points.contains { Int($0.offset) == next.offset })
          wraps += 1
        }
      }
    }
    #expect(wraps > 20)
  }

  @Test func `cycle: the transport does not depend on how time is cut into cycles`() throws {
    var numbers = Seeded(7)
    let map = try Songs.random(&numbers).timeline(sampleRate: rate).beatMap
    var (whole, parts) = (SongTransport(map), SongTransport(map))
    whole.start(countIn: 1)
    parts.start(countIn: 1)
    try whole.setLoop(from: 1, to: 2.3)
    try parts.setLoop(from: 1, to: 2.3)
    whole.advance(by: 200_000)
    var (done, frames) = (0, [Int64]())
    while done < 200_000 {
      let length = min(200_000 - done, Int.random(in: 1...3000, using: &numbers))
      parts.advance(by: length)
      for stretch in parts.segments { frames += stretch.begin..<stretch.end }
      done += length
    }
    #expect(whole.segments.flatMap { Array($0.begin..<$0.end) } == frames)
    #expect(whole.frame == parts.frame)
  }

  @Test func `loops between the frames of its bounds' ticks`() throws {
    var numbers = Seeded(8)
    let timeline = try Songs.random(&numbers, ticks: 96).timeline(sampleRate: rate)
    var transport = SongTransport(timeline.beatMap)
    for _ in 0..<100 {
      let start = Int64.random(in: 0...5000, using: &numbers)
      let end = start + Int64.random(in: 50...5000, using: &numbers)
      try transport.setLoop(from: Double(start) / 96, to: Double(end) / 96)
      #expect(
        transport.loop?.frames == timeline.frame(ofTick: start)..<timeline.frame(ofTick: end))
    }
  }

  @Test func `loops several times in a cycle`() throws {
    var transport = try transport()
    try transport.setLoop(from: 1, to: 1.02)
    transport.jump(toBeat: 1)
    transport.continue()
    transport.advance(by: 1000)
    #expect(transport.segments.map(\.offset) == [0, 480, 960])
    #expect(transport.segments.map(\.begin) == [24_000, 24_000, 24_000])
    #expect(transport.points.map(\.transport.beat) == [1, 1, 1])
  }

  @Test func `refuses a loop below a hundredth of a second, and keeps the one it has`() throws {
    var transport = try transport()
    try transport.setLoop(from: 0, to: 4)
    #expect(throws: LoopError.tooShort(start: 1, end: 1.0199, frames: 478, shortest: 480)) {
      try transport.setLoop(from: 1, to: 1.0199)
    }
    #expect(throws: LoopError.tooShort(start: 2, end: 1, frames: -24_000, shortest: 480)) {
      try transport.setLoop(from: 2, to: 1)
    }
    #expect(throws: LoopError.beforeSong(-1)) { try transport.setLoop(from: -1, to: 1) }
    #expect(transport.loop?.beats == 0..<4)
  }

  @Test(arguments: [-Double.infinity, -1e300, 1e300, .infinity, .nan])
  func `ignores a jump to an invalid beat`(beat: Double) throws {
    var transport = try transport(Songs.silent(.ticksPerQuarter(1), [(0, .tempo(0xFF_FFFF))]))
    transport.jump(toBeat: beat)
    transport.continue()
    transport.advance(by: 1000)
    #expect(transport.segments.count == 1)
    #expect(transport.points[0].transport.beat.isFinite)
    #expect(throws: LoopError.self) { try transport.setLoop(from: beat, to: beat) }
  }

  @Test func `continues when it is beyond the loop`() throws {
    var transport = try transport()
    try transport.setLoop(from: 0, to: 1)
    transport.jump(toBeat: 1)
    transport.continue()
    transport.advance(by: 48_000)
    #expect(transport.segments.count == 1)
    #expect(transport.beat == 3)
  }

  @Test func `is stopped until it is started, and stays where it is stopped`() throws {
    var transport = try transport()
    transport.advance(by: 100)
    #expect(!transport.points[0].transport.isPlaying)
    #expect(transport.frame == 0)
    transport.continue()
    transport.advance(by: 100)
    transport.stop()
    transport.advance(by: 100)
    #expect(transport.segments[0].begin == 100 && transport.segments[0].end == 100)
    #expect(transport.points.map(\.transport.songFrame) == [100])
  }

  @Test func `counts in before the song, which begins on its exact frame`() throws {
    let metas: [(Int64, MetaEvent)] = [
      (0, .tempo(437_000)), (0, .timeSignature(TimeSignature(numerator: 7, denominatorPower: 3)!)),
    ]
    var transport = try transport(Songs.silent(.ticksPerQuarter(480), metas))
    transport.start(countIn: 2)
    transport.advance(by: 200_000)
    // Fourteen eighth notes of 437 000 µs per quarter note.
    #expect(
      transport.segments == [
        SongSegment(offset: 0, frames: 200_000, begin: -146_832, isPlaying: true, isEntry: true)
      ])
    let first = transport.points[0].transport
    #expect(first.meter == Meter(7, 8) && first.barStart == -7)
    #expect(abs(first.beat + 7) < 1e-12)
    #expect(transport.points.count == 1)
  }

  @Test func `reports each change of tempo and meter on its frame`() throws {
    let metas: [(Int64, MetaEvent)] = [
      (480, .tempo(250_000)),
      (960, .timeSignature(TimeSignature(numerator: 3, denominatorPower: 2)!)),
    ]
    var transport = try transport(Songs.silent(.ticksPerQuarter(480), metas))
    transport.isRecording = true
    transport.start()
    transport.advance(by: 48_000)
    #expect(transport.points.map(\.offset) == [0, 24_000, 36_000])
    #expect(transport.points.map(\.transport.tempo) == [120, 240, 240])
    #expect(transport.points.map(\.transport.beat) == [0, 1, 2])
    #expect(transport.points.map(\.transport.barStart) == [0, 0, 2])
    #expect(transport.points.map(\.transport.meter.count) == [4, 4, 3])
    #expect(transport.points.map(\.transport.isRecording) == [true, true, true])
  }

  @Test func `has no beats if ticks are parts of time code`() throws {
    var transport = try transport(Songs.silent(.timeCode(.fps25, ticksPerFrame: 40)))
    transport.jump(toBeat: 2)
    transport.advance(by: 1)
    #expect(transport.points[0].transport.provides == [.state, .songFrame])
    #expect(transport.points[0].transport.songFrame == 48_000)
  }

  @Test func `does not drift over a day`() throws {
    var transport = try transport(Songs.silent(.ticksPerQuarter(480), [(0, .tempo(499_999))]))
    transport.start()
    for _ in 0..<100_000 { transport.advance(by: 41_472) }
    let beats = 100_000 * 41_472 / Double(rate) * 1e6 / 499_999
    #expect(abs(transport.beat - beats) < 1e-9)
  }
}

/// Computes beats by summing the durations of a file's tempi.
private struct Reckoning {
  private var segments: [(seconds: Double, beat: Double, perBeat: Double)] = [(0, 0, 0.5)]
  private let rate: Double

  init(_ file: StandardMIDIFile, _ rate: Int) {
    self.rate = Double(rate)
    guard case .ticksPerQuarter(let ticks) = file.division else { return }
    for event in file.tracks[0].events {
      guard case .meta(let meta) = event.content, let tempo = meta.tempo else { continue }
      let last = segments[segments.count - 1]
      let beat = Double(event.tick) / Double(ticks)
      let seconds = last.seconds + (beat - last.beat) * last.perBeat
      if event.tick == 0 { segments.removeAll() }
      segments.append((seconds, beat, Double(tempo) / 1e6))
    }
  }

  func beat(at frame: Int64) -> Double {
    let seconds = Double(frame) / rate
    let segment = segments.last { $0.seconds <= seconds } ?? segments[0]
    return segment.beat + (seconds - segment.seconds) / segment.perBeat
  }
}
