import Dispatch
import FluidSynthEngine
import Foundation
import RenderCore
import Synchronization
import Testing

/// Tests of a port whose lanes one thread provisions while another renders.
@Suite(.timeLimit(.minutes(5))) struct LaneProvisioningTests {
  private func port(_ settings: InstrumentSettings = live) throws -> ExactInstrument {
    let port = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    try port.supply()
    return port
  }

  @Test func `lanes made while another thread renders give the bits of lanes made before`() throws {
    let performance = crescendo
    let frames = 240_000
    let reference = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: live)
      .play(performance, frames: frames, cycles: { 256 })
    let port = try port()
    let first = port.statistics.lanes
    var cycle = 0
    let recording = try withSupplier(of: port) { waitForSupply in
      try port.play(performance, frames: frames, cycles: { 256 }) { _ in
        // Wait so that the supplier is at most 40 ms behind.
        cycle += 1
        if cycle % 8 == 0 { waitForSupply() }
      }
    }
    #expect(recording == reference)
    #expect(recording.statistics.inexactOnsets == 0)
    #expect(recording.statistics.lanes > max(first, recording.statistics.mostLanes))
  }

  @Test func `at any pace of the supplier, no note is silent and the render thread continues`()
    throws
  {
    let performance = busyPerformance(seed: 5)
    let reference = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: live)
      .play(performance, frames: 150_000)
    let port = try port()
    let recording = try withSupplier(of: port) { _ in
      try port.play(performance, frames: 150_000, cycles: { 64 }) { _ in }
    }
    #expect(recording.statistics.silentNotes == reference.statistics.silentNotes)
    #expect(difference(recording, reference, from: 0) < -6)
  }

  @Test func `requests lanes before it lacks them`() throws {
    let port = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: live)
    #expect(port.needsSupply)
    try port.supply()
    #expect(!port.needsSupply)
    var performance = Performance()
    performance.add(0, .programChange, 0, 19)
    for i in 0..<10 { performance.note(i * 1000, 0, 50 + i, 100, length: 48_000) }
    let recording = try port.play(performance, frames: 12_000, cycles: { 256 }) { _ in }
    #expect(recording.statistics.inexactOnsets == 0)
    #expect(port.needsSupply)
  }

  @Test func `every note of a burst beyond the lanes sounds, and the late ones are counted`()
    throws
  {
    var burst = Performance()
    burst.add(0, .programChange, 1, 19)
    for i in 0..<200 { burst.note(1000, i % 2, 24 + i / 2, 100, length: 20_000) }
    let exact = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: live)
      .play(burst, frames: 24_000)
    let port = try port()
    let recording = try port.play(burst, frames: 24_000, cycles: { 256 }) { _ in }
    let statistics = recording.statistics
    // The SoundFont has no sample for some of these keys.
    #expect(statistics.notes == 200 && statistics.silentNotes == exact.statistics.silentNotes)
    #expect(statistics.mostVoices == exact.statistics.mostVoices)
    #expect(statistics.inexactOnsets == 200 - statistics.lanes)
    #expect(port.needsSupply)
    // All notes are on one frame, so that even notes without a lane are on time, and the output has all
    // sound.
    #expect(difference(recording, exact, from: 1064) < -80)
  }

  @Test func `a note in the overflow is late by less than a block`() throws {
    // The first note sets the block grid; the second falls between two blocks.
    let both = try notes([60, 67], apart: 30, laneless: true).left
    let first = try notes([60], laneless: true).left
    let begin = (0..<both.count).first { both[$0] != first[$0] } ?? 0
    #expect(begin >= 1030 && begin < 1030 + 64)
  }

  @Test func `notes in the overflow end as others do`() throws {
    let recording = try notes([60, 64, 67], laneless: true, length: 3000)
    #expect(recording.left[3500...4000].contains { abs($0) > 1e-3 })
    #expect(recording.left[40_000...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [false, true])
  func `notes in lanes and in the overflow act on each other`(lanesComeFirst: Bool) throws {
    // A closed hi-hat chokes an open one; a repeated key ends its previous note; mono continues.
    let port = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: dry)
    if lanesComeFirst { try port.reserveLanes(3) }
    var first = Performance()
    first.note(0, 9, 46, 127, length: 100)
    first.add(0, .programChange, 0, 19)
    first.add(0, .noteOn, 0, 60, 100)
    first.add(0, .programChange, 1, 19)
    first.add(0, .controlChange, 1, 68, 127)
    first.add(0, .noteOn, 1, 48, 100)
    _ = try port.play(first, frames: 4096) { _ in }
    #expect(port.statistics.inexactOnsets == (lanesComeFirst ? 0 : 3))
    if !lanesComeFirst { try port.reserveLanes(3) }
    var second = Performance()
    second.note(0, 9, 42, 1, length: 100)
    second.add(0, .noteOn, 0, 60, 1)
    second.add(0, .noteOff, 0, 60, 0)
    second.add(0, .noteOn, 1, 50, 1)
    second.add(0, .noteOff, 1, 50, 0)
    second.add(0, .noteOff, 1, 48, 0)
    let recording = try port.play(second, frames: 96_000) { _ in }
    #expect(recording.statistics.silentNotes == 0)
    #expect(recording.left[90_000...].allSatisfy { $0 == 0 })
  }

  @Test
  func `legato presets are requested, loaded by another thread, and then play like own presets`()
    throws
  {
    var shared = live
    shared.ownsPresets = false
    var asking = Performance()
    asking.add(0, .controlChange, 0, 68, 127)
    var passage = Performance()
    for i in 0..<12 { passage.note(640 + i * 6400, 0, 60 + i, 100, length: 8000) }

    let port = try port(shared)
    #expect(!port.needsSupply)
    _ = try port.play(asking, frames: 1024) { _ in }
    #expect(port.needsSupply)
    try port.supply()
    #expect(!port.needsSupply)
    let recording = try port.play(passage, frames: 90_000) { _ in }

    func played(_ settings: InstrumentSettings) throws -> RenderedSound {
      let instrument = try self.port(settings)
      _ = try instrument.play(asking, frames: 1024) { _ in }
      return try instrument.play(passage, frames: 90_000) { _ in }
    }
    #expect(try recording == played(live))
    // With shared presets only, each note is struck again.
    let struck = try self.port(shared)
    _ = try struck.play(asking, frames: 1024) { _ in }
    #expect(try struck.play(passage, frames: 90_000) { _ in } != recording)
  }

  private func notes(
    _ keys: [Int], apart: Int = 0, laneless: Bool, length: Int = 30_000
  ) throws -> RenderedSound {
    let port = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: dry)
    if !laneless { try port.supply() }
    var performance = Performance()
    performance.add(0, .programChange, 0, 19)
    for (i, key) in keys.enumerated() {
      performance.note(1000 + i * apart, 0, key, 100, length: length)
    }
    return try port.play(performance, frames: 48_000) { _ in }
  }
}

/// Returns the level of the difference relative to the sound, in decibels.
private func difference(_ a: RenderedSound, _ b: RenderedSound, from start: Int) -> Double {
  var error = 1e-30
  var power = 1e-30
  for i in start..<a.left.count {
    error += pow(Double(a.left[i]) - Double(b.left[i]), 2)
    power += pow(Double(b.left[i]), 2)
  }
  return 10 * log10(error / power)
}

/// Without effects, the output is zero after a note has ended, regardless of the library's reverb.
private let dry = InstrumentSettings(
  effects: Effects(reverb: false, chorus: false), maximumFrames: 1024)
private let live = InstrumentSettings(effects: Effects(), maximumFrames: 1024)

/// A performance with an increasing number of simultaneous notes.
private var crescendo: Performance {
  var performance = busyPerformance(seed: 8, seconds: 4)
  for i in 0..<160 { performance.note(i * 1200, i % 9, 40 + i % 50, 80, length: 30_000 + i * 300) }
  return performance
}

/// Runs `body` while another thread supplies the port whenever needed.
///
/// - Parameter body: Receives a function that waits until no supply is needed.
private func withSupplier<Result>(
  of port: ExactInstrument, _ body: (_ waitForSupply: () -> Void) throws -> Result
) throws -> Result {
  let isOver = Mutex(false)
  let failure = Mutex<(any Error)?>(nil)
  let done = DispatchSemaphore(value: 0)
  // Not a thread of a pool, because all pool threads may be waiting here.
  Thread.detachNewThread {
    while !isOver.withLock({ $0 }) {
      do { if port.needsSupply { try port.supply() } } catch { failure.withLock { $0 = error } }
    }
    done.signal()
  }
  defer {
    isOver.withLock { $0 = true }
    done.wait()
  }
  let result = try body { while port.needsSupply {} }
  if let error = failure.withLock({ $0 }) { throw error }
  return result
}
