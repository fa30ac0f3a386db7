import Foundation
import RenderCore
import TestSupport
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct MetronomeUnitTests {
  private let player = MetronomePlayer()

  @Test func `without beats from the host there is silence`() {
    #expect(onsets(player.play(frames: 100_000, cycle: 480)) == [])
    var transport = Transport(provides: [.meter, .state, .songFrame])
    transport.isPlaying = true
    let samples = player.play(frames: 100_000, cycle: 480) { _, _ in
      [TransportPoint(offset: 0, transport)]
    }
    #expect(samples.allSatisfy { $0 == 0 })
  }

  @Test func `while the song is stopped there is silence, even in free mode`() throws {
    try player.unit.board.set("free.run", to: 1)
    let samples = player.play(frames: 50_000, cycle: 480) { _, _ in
      [TransportPoint(offset: 0, Transport())]
    }
    #expect(samples.allSatisfy { $0 == 0 })
  }

  @Test(arguments: cycleLengths)
  func `in free mode it clicks from beat 0 in 4/4 at its own tempo`(cycle: Int) throws {
    try player.unit.board.set(["free.run": 1, "free.tempo": 90, "accent.level": 0, "level": -20])
    let samples = player.play(frames: 300_000, cycle: cycle)
    #expect(onsets(samples) == (0..<10).map { $0 * 32_000 })
    let peaks = (0..<9).map { samples[($0 * 32_000)..<($0 * 32_000 + 1440)].map(abs).max()! }
    for (beat, peak) in peaks.enumerated() { #expect((peak > 0.5) == (beat % 4 == 0)) }
  }

  @Test(arguments: cycleLengths)
  func `in free mode its tempo glides with its parameter`(cycle: Int) throws {
    try player.unit.board.set(["free.run": 1, "free.tempo": 60])
    let start = 10_007
    let samples = player.play(frames: 300_000, cycle: cycle) { _, _ in
      []
    } _: { begin, count in
      // From 60 to 240 beats per minute in 100 000 frames.
      (begin..<begin + count).contains(start)
        ? [ParameterChange(offset: UInt32(start - begin), index: 7, value: 240, ramp: 100_000)] : []
    }
    // Integrate the tempo frame by frame.
    var expected: [Int] = []
    var (beat, next) = (0.0, 0.0)
    for frame in 0..<300_000 {
      let part = min(1, max(0, Double(frame - start) / 100_000))
      let step = Double(Float(60 + 180 * part)) / (60 * 48_000)
      // The beat is nearer to this frame than to the next.
      if beat + step / 2 > next + 1e-12 {
        expected.append(frame)
        next += 1
      }
      beat += step
    }
    #expect(onsets(samples) == expected && expected.count > 15)
  }

  @Test
  func `in free mode it starts again without a host's beats, and is silent when switched off`()
    throws
  {
    try player.unit.board.set(["free.run": 1, "free.tempo": 120])
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = 0.5
    let samples = player.play(frames: 100_000, cycle: 1000) { begin, _ in
      (10_000..<50_000).contains(begin)
        ? [TransportPoint(offset: 0, transport.after(frames: begin - 10_000, sampleRate: 48_000))]
        : []
    } _: { begin, _ in
      begin == 90_000 ? [ParameterChange(offset: 5, index: 6, value: 0)] : []
    }
    #expect(onsets(samples) == [0, 10_000 + 12_000, 10_000 + 36_000, 50_000, 74_000])
  }

  @Test(arguments: cycleLengths)
  func `a click has the parameters of its first frame until its end`(cycle: Int) throws {
    try player.unit.board.set(["free.run": 1, "free.tempo": 120])
    let index = try #require(player.unit.board.tree.index(of: "level"))
    let samples = player.play(frames: 100_000, cycle: cycle) { _, _ in
      []
    } _: { begin, count in
      (begin..<begin + count).contains(20_000)
        ? [
          ParameterChange(
            offset: UInt32(20_000 - begin), index: UInt32(index), value: -60, ramp: 50_000)
        ]
        : []
    }
    for beat in 1...2 {
      let level = Float(-12 - 48 * Double(beat * 24_000 - 20_000) / 50_000)
      var click = Click(pitch: 1000, level: level, sampleRate: 48_000)
      for frame in 0..<1440 { #expect(samples[beat * 24_000 + frame] == click.next()) }
    }
  }

  @Test func `cycle: the output does not depend on how it is cut into cycles`() throws {
    var random = Seeded(5)
    // Clicks that begin before the previous one has ended, and changes of all parameters except the tempo.
    let changes = (0..<200).map { _ in
      let index = Int.random(in: 0..<6, using: &random)
      let range = MetronomeParameter.tree.parameters[index]
      return (
        Int.random(in: 0..<48_000, using: &random),
        ParameterChange(
          offset: 0, index: UInt32(index),
          value: .random(in: range.minimum...range.maximum, using: &random),
          ramp: .random(in: 0...3000, using: &random))
      )
    }.sorted { $0.0 < $1.0 }
    var song = HostSong(sampleRate: 48_000)
    song.add(frames: 30_000, tempo: 700_000, at: song.unit * -2)
    song.add(frames: 18_000, tempo: 900_000, at: song.unit * 2, isJump: true)
    let renderings = cycleLengths.map { cycle in
      let player = MetronomePlayer()
      try! player.unit.board.set("free.run", to: 1)
      return player.play(frames: 48_000, cycle: cycle) {
        song.points(from: $0, frames: $1)
      } _: { begin, count in
        changes.filter { (begin..<begin + count).contains($0.0) }.map { frame, change in
          var change = change
          change.offset = UInt32(frame - begin)
          return change
        }
      }
    }
    #expect(renderings[0].contains { $0 != 0 })
    #expect(renderings.allSatisfy { $0 == renderings[0] })
  }

  @Test func `all channels are equal, and every sample is written`() throws {
    let player = MetronomePlayer(channels: 3)
    try player.unit.board.set("free.run", to: 1)
    let channels = player.render(frames: 2000).map(Array.init)
    #expect(channels[0].contains { $0 != 0 } && channels[0].allSatisfy(\.isFinite))
    #expect(channels[1] == channels[0] && channels[2] == channels[0])
  }

  @Test func `its status has the number of clicks`() throws {
    #expect(player.unit.status == [UnitStatus("beats clicked", 0)])
    try player.unit.board.set("free.run", to: 1)
    _ = player.play(frames: 72_001, cycle: 100)
    #expect(player.unit.status == [UnitStatus("beats clicked", 4)])
  }

  @Test func `its latency is 0, and after its tail it is silent`() throws {
    #expect(player.unit.latency == 0)
    let tail = try #require(player.unit.tail)
    var transport = Transport()
    transport.isPlaying = true
    _ = player.render(frames: 1, [TransportPoint(offset: 0, transport)])
    let rest = player.play(frames: 10_000, cycle: 100)
    #expect(rest[tail - 2] != 0)
    #expect(rest[(tail - 1)...].allSatisfy { $0 == 0 })
  }

  @Test func `it has no input`() {
    let error = #expect(throws: FormatError.self) {
      _ = try MetronomeSource().makeUnit(Format(inputChannels: 2))
    }
    #expect(error?.description == "inputChannels must be 0, but is 2")
  }
}

extension MetronomeUnit {
  fileprivate var board: ParameterStore { parameters! }
}
