import CRender
import Foundation
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import FluidSynthEngine

/// Whether the sanitizer is loaded; `make test` runs this suite a second time with it.
private let isChecked = realtime_is_checked() != 0

/// Renders a dense performance under RealtimeSanitizer, which ends the process at the first call that
/// allocates, locks or blocks. Tests without an expectation rely on that.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: isChecked, "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test(arguments: [Effects(), Effects(reverb: false, chorus: false)])
  func `nothing on the exact render path allocates, locks or blocks`(effects: Effects) throws {
    let settings = InstrumentSettings(effects: effects, polyphony: 48, maximumFrames: 256)
    let instrument = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    try instrument.reserveLanes(200)
    play(densePerformance, frames: 96_000) { instrument.render($0, left: $1, right: $2) }
    #expect(instrument.statistics.notes > 300)
    #expect(instrument.statistics.stolenNotes > 0)
  }

  @Test func `nothing on the render path with helper threads allocates, locks or blocks`() throws {
    var settings = InstrumentSettings(polyphony: 48, maximumFrames: 256, threads: 3)
    settings.startsHelpers = true
    let instrument = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    try instrument.reserveLanes(200)
    instrument.state.pointee.lanes.helpers?.pointee.workPerHelper = 1
    let helpers = try #require(instrument.state.pointee.lanes.helpers)
    // On a busy machine, the render thread may be done before a helper runs.
    repeat {
      play(densePerformance, frames: 96_000) { instrument.render($0, left: $1, right: $2) }
    } while helpers.pointee.renderedLanes == 0
    #expect(instrument.statistics.notes > 300)
  }

  @Test
  func `using lanes from another thread, or lacking them, neither allocates, locks nor blocks`()
    throws
  {
    let settings = InstrumentSettings(maximumFrames: 256, ownsPresets: false)
    let instrument = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    // Lanes are lacking as long as no other thread makes them.
    play(densePerformance, frames: 96_000) { instrument.render($0, left: $1, right: $2) }
    #expect(instrument.statistics.inexactOnsets > 0)
    let isOver = Mutex(false)
    let supplier = Thread {
      while !isOver.withLock({ $0 }) {
        if instrument.needsSupply { try? instrument.supply() }
        usleep(20_000)
      }
    }
    supplier.start()
    defer { isOver.withLock { $0 = true } }
    #expect(
      eventually {
        play(densePerformance, frames: 96_000) { instrument.render($0, left: $1, right: $2) }
        return instrument.statistics.lanes > 16
      })
  }

  @Test func `nothing on the stock render path allocates, locks or blocks`() throws {
    let instrument = try StockInstrument(
      soundFont: Fonts.timGM6mb, settings: InstrumentSettings(timing: .stock))
    play(densePerformance, frames: 96_000) { instrument.render($0, left: $1, right: $2) }
    #expect(instrument.statistics.notes > 300)
  }

  @Test(arguments: [Timing.exact, .stock], [Effects(), .off])
  func
    `a unit whose parameters change and whose state is restored neither allocates, locks nor blocks`(
      timing: Timing, effects: Effects
    ) throws
  {
    let unit = try makeUnit(timing, effects: effects)
    try play(restless(unit), on: unit)
  }

  @Test func `a layer neither allocates, locks nor blocks`() throws {
    let unit = try LayerSource(soundFont: .open(Fonts.timGM6mb)).makeUnit(
      Format(sampleRate: 48_000, inputChannels: 2, outputChannels: 2, maximumFrames: 256))
    var performance = restless(unit)
    performance.input = [[Float]](repeating: [Float](repeating: 0.5, count: 60_000), count: 2)
    try play(performance, on: unit)
  }

  @Test(arguments: Timing.allCases)
  func `a unit with 34 channels neither allocates, locks nor blocks`(timing: Timing) throws {
    let settings = InstrumentSettings(timing: timing)
    let unit = try MultiSynthSource(soundFont: .open(Fonts.timGM6mb), settings: settings).makeUnit(
      Format(sampleRate: 48_000, outputChannels: 34, maximumFrames: 256))
    try play(restless(unit), on: unit, channels: 34)
    // Most notes have no lane.
    try play(restless(unit), on: unit, channels: 34, isPrepared: false)
  }

  @Test func `the sanitizer ends a process that allocates`() async {
    await #expect(processExitsWith: .realtimeViolation) {
      realtime_enter()
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 100_000, alignment: 64)
      realtime_exit()
      memory.deallocate()
    }
  }

  @Test func `a tuning message allocates`() async {
    await #expect(processExitsWith: .realtimeViolation) {
      var performance = Performance()
      performance.addSysEx(0, [0x7F, 0x7F, 0x08, 0x08, 0, 0, 1] + (0..<12).map { UInt8(58 + $0) })
      let instrument = try ExactInstrument(
        soundFont: Fonts.timGM6mb, settings: InstrumentSettings())
      play(performance, frames: 64) { instrument.render($0, left: $1, right: $2) }
    }
  }
}

/// A performance with all kinds of musical events and a system reset, but without tuning messages.
private var densePerformance: Performance {
  var performance = busyPerformance(seed: 5, seconds: 1)
  for i in 0..<300 {
    performance.note(i * 200, i % 9, 40 + i % 50, 100, length: 9000)
  }
  for (i, value) in [126, 68, 65, 5, 84].enumerated() {
    performance.add(20_000 + i, .controlChange, 3, value, 64)
  }
  for i in 0..<20 { performance.note(21_000 + i * 300, 3, 50 + i, 90, length: 400) }
  performance.addSysEx(70_000, [0x7E, 0x7F, 0x09, 0x01])
  for (index, message) in [
    "7F 7F 04 01 00 40", "7F 7F 04 02 00 20", "7F 7F 04 03 00 50", "41 10 42 12 40 12 15 01 18",
    "41 10 42 12 40 13 16 45 52", "41 10 42 12 40 14 02 05 25", "41 10 42 12 40 01 30 01 0E",
    "41 10 42 12 40 01 38 05 02", "43 10 4C 08 06 0B 30", "43 10 4C 08 06 03 20",
    "43 10 4C 02 01 0C 20", "43 10 4C 00 00 7E 00",
  ].enumerated() { performance.sysEx(72_000 + 1000 * index, message) }
  return performance.sorted
}

/// Returns the dense performance with jumps and ramps of every parameter.
private func restless(_ unit: any RenderUnit) -> UnitPerformance {
  var performance = UnitPerformance(performance: densePerformance)
  for (index, parameter) in unit.parameters!.tree.parameters.enumerated() {
    let identifier = parameter.identifier
    performance.change(3000 + index * 100, identifier, to: parameter.minimum)
    performance.change(9000 + index * 100, identifier, to: parameter.maximum, ramp: 3000)
    performance.change(30_000 + index * 100, identifier, to: parameter.defaultValue, ramp: 777)
  }
  performance.changes.sort { $0.frame < $1.frame }
  return performance
}

private func play(
  _ performance: UnitPerformance, on unit: any RenderUnit, channels: Int = 2,
  isPrepared: Bool = true
) throws {
  var cycles = 0
  var first: [UInt8] = []
  var error: (any Error)?
  _ = unit.play(
    performance, frames: 60_000, channels: channels, isPrepared: isPrepared, cycles: { 256 }
  ) { renderer, cycle in
    cycles += 1
    do {
      if cycles == 50 { first = unit.save() }
      if cycles == 150 { try unit.restore(first) }
      try unit.parameters?.set("gain", to: Float(cycles % 20))
    } catch let problem {
      error = problem
    }
    realtime_enter()
    _ = renderer.procedure(renderer.state, &cycle)
    realtime_exit()
  }
  #expect(error == nil)
}

/// Divides a performance into cycles of 256 frames beforehand, so that only the render is checked.
private func play(
  _ performance: Performance, frames: Int,
  _ render: (MIDICycle, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
) {
  let length = 256
  var cycles: [[MIDIEvent]] = Array(repeating: [], count: (frames + length - 1) / length)
  for step in performance.steps where step.frame < frames {
    let event = MIDIEvent(offset: UInt32(step.frame % length), content: step.content)
    cycles[step.frame / length].append(event)
  }
  let left = UnsafeMutablePointer<Float>.allocate(capacity: length)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: length)
  defer {
    left.deallocate()
    right.deallocate()
  }
  for events in cycles {
    events.withUnsafeBufferPointer { events in
      performance.sysEx.withUnsafeBufferPointer { sysEx in
        let cycle = MIDICycle(frames: length, events: events, sysEx: sysEx)
        realtime_enter()
        render(cycle, left, right)
        realtime_exit()
      }
    }
  }
}
