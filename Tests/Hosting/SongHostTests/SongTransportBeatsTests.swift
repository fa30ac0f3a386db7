import LivePlayer
import MIDIFile
import RenderCore
import TestSupport
import Testing

/// Tests that the beats a unit finds in a host's transport fall on the frames of the song's ticks.
@Suite(.timeLimit(.minutes(5))) struct SongTransportBeatsTests {
  @Test(arguments: 0..<20)
  func `beats fall on the frames of their ticks, whatever the tempo and the meter do`(seed: UInt64)
    throws
  {
    let rate = usualRate(seed)
    let song = try Song(seed, rate)
    var transport = SongTransport(song.timeline.beatMap)
    transport.start()
    let found = beats(&transport, frames: rate * 120, seed)
    #expect(found == song.beats.prefix { $0 < rate * 120 })
    #expect(found.count > 50)
  }

  @Test(arguments: 0..<20)
  func `in a loop, beats fall on the frames of their ticks in every pass`(seed: UInt64) throws {
    let song = try Song(seed, usualRate(seed))
    var transport = SongTransport(song.timeline.beatMap)
    transport.start()
    let first = Double(seed) / 3
    try transport.setLoop(from: first, to: first + 5.3)
    let loop = try #require(transport.loop).frames
    var expected = song.beats.filter { $0 < loop.upperBound }
    for pass in 1..<6 {
      let inside = song.beats.filter { loop.contains(Int64($0)) }
      expected += inside.map { $0 + pass * loop.count }
    }
    let frames = Int(loop.upperBound) + 5 * loop.count
    #expect(beats(&transport, frames: frames, seed) == expected)
  }

  /// Returns the frames of the found beats, in cycles of random length.
  private func beats(_ transport: inout SongTransport, frames: Int, _ seed: UInt64) -> [Int] {
    var numbers = Seeded(seed)
    var finder = BeatFinder(sampleRate: usualRate(seed))
    var found: [Int] = []
    var place = 0
    while place < frames {
      let count = min(.random(in: 1...4096, using: &numbers), frames - place)
      transport.advance(by: count)
      transport.points.withUnsafeBufferPointer { points in
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) {
          let cycle = MIDICycle(frames: count)
          finder.begin(
            RenderCycle(
              midi: cycle, position: 0, hostTime: 0, transport: points,
              output: UnsafePointer($0.baseAddress!)))
        }
        for point in points {
          while let beat = finder.next(before: Int(point.offset)) {
            found.append(place + beat.frame)
          }
          finder.follow(point.transport, at: Int(point.offset))
        }
        while let beat = finder.next(before: count) { found.append(place + beat.frame) }
      }
      place += count
    }
    return found
  }
}

/// A song whose tempo and meter change at random ticks, with the frames of its beats.
private struct Song {
  let timeline: Timeline
  let beats: [Int]

  init(_ seed: UInt64, _ rate: Int) throws {
    var numbers = Seeded(seed)
    var metas: [(Int64, MetaEvent)] = []
    for _ in 0..<40 {
      let tick = Int64.random(in: 0..<480 * 200, using: &numbers)
      metas.append((tick, .tempo(.random(in: 200_000...1_500_000, using: &numbers))))
    }
    // A time signature may occur at any tick and begins a bar there.
    var meters: [(tick: Int64, power: UInt8)] = [(0, 2)]
    for _ in 0..<20 {
      let power = UInt8.random(in: 1...4, using: &numbers)
      let tick = meters.last!.tick + .random(in: 200...9000, using: &numbers)
      meters.append((tick, power))
      let signature = TimeSignature(
        numerator: .random(in: 1...13, using: &numbers), denominatorPower: power)!
      metas.append((tick, .timeSignature(signature)))
    }
    metas.sort { $0.0 < $1.0 }
    timeline = try Songs.silent(.ticksPerQuarter(480), metas).timeline(sampleRate: rate)
    meters.append((1_000_000, 2))
    var beats: [Int] = []
    for (meter, next) in zip(meters, meters.dropFirst()) {
      for tick in stride(from: meter.tick, to: next.tick, by: 1920 >> Int(meter.power)) {
        beats.append(Int(timeline.frame(ofTick: tick)))
      }
    }
    self.beats = beats
  }
}
