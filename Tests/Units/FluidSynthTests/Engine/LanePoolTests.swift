import Foundation
import RenderCore
import Testing

@testable import FluidSynthEngine

private func instrument(
  _ font: String, _ lanePool: LanePool?, gain: Double = 0.2, threads: Int = 1
) throws -> ExactInstrument {
  try ExactInstrument(
    soundFont: .open(font), settings: InstrumentSettings(gain: gain, threads: threads),
    lanePool: lanePool)
}

/// Returns a performance that changes all state a lane may keep: bends and their range, programs, pressures,
/// tunings, legato and pedals.
private func messy(seed: UInt64) -> Performance {
  var performance = busyPerformance(seed: seed, seconds: 1)
  for channel in 0..<8 {
    performance.add(10, .controlChange, channel, 101, 0)
    performance.add(11, .controlChange, channel, 100, 0)
    performance.add(12, .controlChange, channel, 6, 7)
    performance.add(13, .pitchBend, channel, 0, 30)
    performance.add(14, .keyPressure, channel, 60, 100)
    performance.note(20, channel, 60, 90, length: 100_000)
  }
  performance.add(15, .controlChange, 3, 126, 1)
  performance.add(16, .controlChange, 4, 68, 127)
  performance.add(17, .controlChange, 5, 65, 127)
  performance.note(9000, 4, 67, 90, length: 9000)
  if seed % 2 == 0 {
    performance.addSysEx(
      12_000, [0x7F, 0x7F, 0x08, 0x08, 0, 0, 3] + (0..<12).map { UInt8($0 * 9) })
  } else {
    performance.addSysEx(30_000, [0x7E, 0x7F, 0x09, 0x01])
  }
  return performance
}

@Suite(.timeLimit(.minutes(5))) struct LanePoolTests {
  @Test(arguments: [Fonts.fluidR3, Fonts.timGM6mb])
  func `earlier notes of a lane for another instrument are not heard`(font: String) throws {
    let performance = busyPerformance(seed: 3, seconds: 2)
    let frames = performance.end + 48_000
    let fresh = try instrument(font, nil).play(performance, frames: frames)
    let lanePool = LanePool(capacity: 100)
    for seed: UInt64 in 1...4 {
      // It ends while notes sound, and plays other presets.
      let other = try instrument(seed < 3 ? font : Fonts.bundled, lanePool, threads: 2)
      _ = try other.play(messy(seed: seed), frames: 40_000)
    }
    #expect(try instrument(font, lanePool).play(performance, frames: frames) == fresh)
    // Again, with lanes that have played this performance.
    #expect(try instrument(font, lanePool, threads: 3).play(performance, frames: frames) == fresh)
  }

  @Test(arguments: [Fonts.bundled, Fonts.timGM6mb])
  func `notes choke each other in lanes from the pool`(font: String) throws {
    var performance = Performance()
    // An open hi-hat, which a closed one ends.
    performance.add(640, .noteOn, 9, 46, 127)
    performance.add(6400, .noteOn, 9, 42, 100)
    let fresh = try instrument(font, nil).play(performance, frames: 48_000)
    let lanePool = LanePool(capacity: 100)
    for _ in 0..<3 {
      #expect(try instrument(font, lanePool).play(performance, frames: 48_000) == fresh)
    }
  }

  @Test func `lanes of another gain are not used`() throws {
    let performance = busyPerformance(seed: 3, seconds: 1)
    let fresh = try instrument(Fonts.timGM6mb, nil, gain: 0.4).play(performance, frames: 48_000)
    let lanePool = LanePool(capacity: 100)
    _ = try instrument(Fonts.timGM6mb, lanePool).play(performance, frames: 48_000)
    let other = try instrument(Fonts.timGM6mb, lanePool, gain: 0.4)
    #expect(try other.play(performance, frames: 48_000) == fresh)
  }

  @Test func `a lane in the pool keeps no SoundFont`() throws {
    let lanePool = LanePool(capacity: 100)
    weak var font: SoundFont?
    do {
      // A file that no other test opens.
      let copy = FileManager.default.temporaryDirectory
        .appending(path: "portative-pool-\(UInt64.random(in: 0 ... .max)).sf2").path()
      try FileManager.default.copyItem(atPath: Fonts.bundled, toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let opened = try SoundFont.open(copy)
      font = opened
      let instrument = try ExactInstrument(
        soundFont: opened, settings: InstrumentSettings(ownsPresets: false), lanePool: lanePool)
      _ = try instrument.play(busyPerformance(seed: 1, seconds: 1), frames: 30_000)
    }
    #expect(font == nil)
    // The SoundFont that the lanes played has been freed.
    let performance = busyPerformance(seed: 2, seconds: 1)
    let fresh = try instrument(Fonts.timGM6mb, nil).play(performance, frames: 48_000)
    #expect(try instrument(Fonts.timGM6mb, lanePool).play(performance, frames: 48_000) == fresh)
  }

  @Test func `lanes beyond its capacity are freed`() throws {
    let lanePool = LanePool(capacity: 2)
    let performance = busyPerformance(seed: 3, seconds: 1)
    let fresh = try instrument(Fonts.timGM6mb, nil).play(performance, frames: 60_000)
    for _ in 0..<3 {
      #expect(
        try instrument(Fonts.timGM6mb, lanePool).play(performance, frames: 60_000) == fresh)
    }
  }

  @Test(arguments: [1, 3])
  func `lanes that are idle for seconds are put away without a change of the audio`(threads: Int)
    throws
  {
    // Many simultaneous notes, then few for a while, then many again.
    var performance = Performance()
    for key in 0..<40 {
      for start in [0, 900_000] {
        performance.note(start + key * 50, key % 8, 30 + key, 90, length: 2000)
      }
    }
    for beat in 1..<9 { performance.note(beat * 100_000, 1, 60, 90, length: 3000) }
    let memory = RecordingMemory(bytes: 100_000_000)
    let lanePool = LanePool(capacity: 10, memory: memory)
    let kept = try instrument(Fonts.timGM6mb, nil, threads: threads)
    let tidied = try instrument(Fonts.timGM6mb, lanePool, threads: threads)
    var lent: [Int] = []
    func play(_ instrument: ExactInstrument) throws -> RenderedSound {
      try instrument.play(performance, frames: 950_000, cycles: { 1024 }) {
        try instrument.prepare(frames: $0.frames, notes: $0.events.count)
        try instrument.loadSamples(for: $0)
        lent.append(memory.lentBytes)
      }
    }
    let plain = try play(kept)
    lent = []
    #expect(try play(tidied) == plain)
    let lanes = lent.map { $0 / LanePool.laneBytes }
    #expect(lanes.max()! >= 40)
    // About ten lanes in the pool and a few for a note.
    #expect(lanes[lanes.count / 2] <= 10 + 4 * threads)
    #expect(lanes.last! >= 40)
  }

  @Test func `the memory of lanes is lent while the lanes exist`() throws {
    let memory = RecordingMemory(bytes: 100_000_000)
    do {
      let lanePool = LanePool(capacity: 3, memory: memory)
      do {
        let instrument = try instrument(Fonts.timGM6mb, lanePool)
        try instrument.reserveLanes(5)
        #expect(memory.lentBytes == 5 * LanePool.laneBytes)
      }
      #expect(memory.lentBytes == 3 * LanePool.laneBytes)
    }
    #expect(memory.lentBytes == 0)
  }
}
