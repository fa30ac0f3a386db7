import FluidSynthEngine
import Foundation
import RenderCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChannelSnapshotTests {
  /// Returns random messages for all channel state that is saved, without notes.
  private func history(_ seed: UInt64) -> UnitPerformance {
    var random = Seeded(seed)
    var unit = UnitPerformance()
    func number() -> Int { Int.random(in: 0..<128, using: &random) }
    for frame in 0..<600 {
      let channel = Int.random(in: 0..<16, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: unit.performance.add(frame, .programChange, channel, number())
      case 1: unit.performance.add(frame, .controlChange, channel, 0, number() % 3)
      case 2: unit.performance.add(frame, .pitchBend, channel, number(), number())
      case 3:
        // A registered parameter: bend range, fine tuning or coarse tuning.
        let parameter = number() % 3
        let value = parameter == 0 ? number() % 13 : 50 + number() % 28
        for (controller, value) in [(101, 0), (100, parameter), (6, value), (38, 0)] {
          unit.performance.add(frame, .controlChange, channel, controller, value)
        }
      case 4:
        // A generator by NRPN: filter cutoff or attack.
        for (controller, value) in [(99, 120), (98, number() % 2 == 0 ? 8 : 26), (38, 0), (6, 60)] {
          unit.performance.add(frame, .controlChange, channel, controller, value)
        }
      case 6 where frame % 5 == 0:
        let address: [(UInt8, UInt8, UInt8)] = [
          (0x00, 0x04, 60), (0x00, 0x06, 10), (0x00, 0x05, 0x45), (0x01, 0x33, 20),
          (0x01, 0x38, 5), (0x11, 0x15, 1), (0x14, 0x16, 0x30), (0x15, 0x02, 0x02),
          (0x16, 0x41, 0x30), (0x17, 0x2A, 0x50),
        ]
        let (middle, low, value) = address.randomElement(using: &random)!
        unit.performance.gs(frame, [0x40, middle, low], value, 0)
      case 5 where frame % 7 == 0:
        unit.performance.add(frame, .controlChange, channel, 126 + number() % 2, 1)
      default:
        let controllers = [1, 2, 5, 7, 8, 10, 11, 64, 65, 66, 67, 68, 71, 74, 91, 93]
        let controller = controllers.randomElement(using: &random)!
        unit.performance.add(frame, .controlChange, channel, controller, number())
      }
    }
    return unit
  }

  private var notes: UnitPerformance {
    var unit = UnitPerformance()
    for i in 0..<96 {
      unit.performance.note(i * 300, i % 16, 45 + i % 30, 40 + i % 80, length: 2000)
    }
    return unit
  }

  @Test(arguments: [Timing.exact, .stock], [1, 2, 3, 4] as [UInt64])
  func `a restored unit has the bits of the saved unit`(
    timing: Timing, seed: UInt64
  ) throws {
    let saved = try makeUnit(timing, effects: .off)
    _ = saved.play(history(seed), frames: 640)
    let restored = try makeUnit(timing, effects: .off)
    try restored.restore(saved.save())
    #expect(restored.save() == saved.save())
    let reference = saved.play(notes, frames: 40_000)
    #expect(restored.play(notes, frames: 40_000) == reference)
    #expect(restored.save() == saved.save())
    #expect(try makeUnit(timing, effects: .off).play(notes, frames: 40_000) != reference)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `an empty state resets a unit`(timing: Timing) throws {
    let unit = try makeUnit(timing, effects: .off)
    let fresh = unit.save()
    _ = unit.play(history(7), frames: 640)
    #expect(unit.save() != fresh)
    try unit.restore([])
    #expect(
      try unit.play(notes, frames: 40_000)
        == makeUnit(timing, effects: .off).play(notes, frames: 40_000))
  }

  @Test(arguments: [Timing.exact, .stock])
  func `sounding notes follow the restored state`(timing: Timing) throws {
    let bent = try makeUnit(timing, effects: .off)
    var bend = UnitPerformance()
    bend.performance.add(0, .pitchBend, 0, 0, 127)
    _ = bent.play(bend, frames: 64)
    func play(restoring: Bool) throws -> [[Float]] {
      let unit = try makeUnit(timing, effects: .off)
      var note = UnitPerformance()
      note.performance.add(0, .noteOn, 0, 60, 100)
      _ = unit.play(note, frames: 640)
      if restoring { try unit.restore(bent.save()) }
      return unit.play(UnitPerformance(), frames: 4000)
    }
    #expect(try play(restoring: true) != play(restoring: false))
  }

  @Test func `the parameters follow the restored state`() throws {
    let saved = try makeUnit()
    var performance = UnitPerformance()
    performance.performance.add(0, .programChange, 0, 40)
    _ = saved.play(performance, frames: 64)
    let restored = try makeUnit()
    try restored.restore(saved.save())
    _ = restored.play(UnitPerformance(), frames: 64)
    #expect(restored.parameters?.all["preset.program"] == 40)
  }

  @Test(arguments: [0, 20, 40])
  func `a preset that is set after a state was restored is played, also before the first cycle`(
    program: Int
  ) throws {
    let saved = try makeUnit()
    var performance = UnitPerformance()
    performance.performance.add(0, .controlChange, 0, 0, 8)
    performance.performance.add(0, .programChange, 0, 40)
    _ = saved.play(performance, frames: 64)
    let restored = try makeUnit()
    try restored.restore(saved.save())
    try restored.parameters?.set(["preset.program": Float(program), "preset.bank": 0])
    // As the settings of players are kept while the sound device is closed.
    let next = try makeUnit()
    try next.restore(restored.save())
    try next.parameters?.set(restored.parameters?.all ?? [:])
    for unit in [restored, next] {
      _ = unit.play(UnitPerformance(), frames: 64)
      #expect(unit.parameters?.all["preset.program"] == Float(program))
      #expect(unit.parameters?.all["preset.bank"] == 0)
    }
  }

  @Test func `a program that is set after a state was restored is of the restored bank`() throws {
    let saved = try makeUnit()
    var performance = UnitPerformance()
    performance.performance.add(0, .controlChange, 0, 0, 8)
    performance.performance.add(0, .programChange, 0, 40)
    _ = saved.play(performance, frames: 64)
    let restored = try makeUnit()
    try restored.restore(saved.save())
    try restored.parameters?.set(["preset.program": 20])
    _ = restored.play(UnitPerformance(), frames: 64)
    #expect(restored.parameters?.all["preset.program"] == 20)
    #expect(restored.parameters?.all["preset.bank"] == 8)
  }

  @Test func `states are saved and restored during rendering, and the last one applies`() throws {
    let unit = try makeUnit(effects: .off)
    let other = try makeUnit(effects: .off)
    _ = other.play(history(5), frames: 640)
    let (fresh, saved) = (unit.save(), other.save())
    let isOver = Atomic(false)
    let keeper = Thread {
      for i in 0..<200 {
        try? unit.restore(i % 2 == 0 ? fresh : saved)
        _ = unit.save()
      }
      isOver.store(true, ordering: .releasing)
    }
    keeper.start()
    while !isOver.load(ordering: .acquiring) { _ = unit.play(UnitPerformance(), frames: 64) }
    _ = unit.play(UnitPerformance(), frames: 64)
    #expect(unit.save() == saved)
  }

  @Test func `a broken state changes nothing`() throws {
    let unit = try makeUnit()
    _ = unit.play(history(3), frames: 640)
    let saved = unit.save()
    #expect(throws: StateError.self) { try unit.restore(Array(saved.dropLast())) }
    #expect(unit.save() == saved)
  }
}
