import ConnectionTestSupport
import LocalSystem
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LiveAudio
@testable import LiveMIDI
@testable import RenderCore

/// Songs that a graph plays without a deadline.
@Suite(.timeLimit(.minutes(5))) struct FreewheelTests {
  @Test
  func `a song begins with the first cycle without a deadline, and where the transport starts`() {
    var start = FreewheelStart()
    let cycles: [(isFreewheeling: Bool, isPlaying: Bool, step: FreewheelStart.Step?)] = [
      (false, false, nil), (false, true, nil), (true, true, .begin), (true, true, nil),
      (true, false, nil), (true, true, .song), (false, true, .end), (false, false, nil),
      (true, false, .begin), (true, true, .song), (false, false, .end), (true, true, .begin),
    ]
    for (index, cycle) in cycles.enumerated() {
      let step = start.follow(
        isFreewheeling: cycle.isFreewheeling, isPlaying: cycle.isPlaying)
      #expect(step == cycle.step, "cycle \(index)")
    }
  }

  @Test
  func `what a song without a deadline changes ends with it, so that the next one begins alike`()
    throws
  {
    let device = ManualDevice(Format(maximumFrames: 480))
    let work = DeferredWorkThread()
    try work.start()
    let words = SharedWords(count: 1)
    defer {
      work.stop()
      words.destroy()
    }
    let unit = SettingUnit()
    let port = MixPort(unit, LiveInput(), device.format)
    work.add(for: unit) { try? port.performDeferredWork() }
    port.begin()
    port.isEnabled = true
    let mixer = Mixer(device.format, signal: work.signal, freewheeling: words[0])
    mixer.set([port], isRunning: false)
    try device.start(mixer.renderer) { _ in }
    func cycle() { _ = device.cycle(480, now: 1_000_000_000) }
    unit.setting.withLock { $0 = 5 }
    for _ in 0..<2 {
      words[0].store(1)
      cycle()
      #expect(unit.setting.withLock { $0 } == 5)
      // The song sets a controller.
      unit.setting.withLock { $0 = 100 }
      words[0].store(0)
      cycle()
      #expect(eventually { unit.setting.withLock { $0 } == 5 })
    }
    device.stop()
    port.end()
    withExtendedLifetime(mixer) {}
  }

  @Test func `a song without a deadline begins with a new unit, at once and without what sounded`()
    throws
  {
    let device = ManualDevice(Format(maximumFrames: 480))
    let work = DeferredWorkThread()
    try work.start()
    let words = SharedWords(count: 1)
    defer {
      work.stop()
      words.destroy()
    }
    let unit = try SilenceableSource(CountingSource()).makeUnit(device.format)
    let port = MixPort(unit, LiveInput(), device.format)
    work.add(for: unit) { try? port.performDeferredWork() }
    port.begin()
    port.isEnabled = true
    let mixer = Mixer(device.format, signal: work.signal, freewheeling: words[0])
    mixer.set([port], isRunning: false)
    try device.start(mixer.renderer) { _ in }
    func cycle() throws -> [Float] { try #require(device.cycle(480, now: 1_000_000_000)).left }
    for _ in 0..<2 { _ = try cycle() }
    #expect(try cycle() == (960..<1440).map(Float.init))
    words[0].store(1)
    #expect(try cycle() == (0..<480).map(Float.init))
    #expect(try cycle() == (480..<960).map(Float.init))
    words[0].store(0)
    #expect(try cycle() == (960..<1440).map(Float.init))
    device.stop()
    port.end()
    withExtendedLifetime(mixer) {}
  }
}

/// A silent unit with one setting.
private final class SettingUnit: RenderUnit {
  let setting = Mutex<UInt8>(0)
  private let memory = RenderMemory()
  private nonisolated(unsafe) let count: UnsafeMutablePointer<Int>

  init() { count = memory.make(0) }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(count), renderCount) }

  func save() -> [UInt8] { [setting.withLock { $0 }] }

  func restore(_ data: [UInt8]) { setting.withLock { $0 = data.first ?? 0 } }
}

/// Makes units whose samples count the frames since they were made.
private struct CountingSource: RenderUnitSource {
  func makeUnit(_ format: Format) -> any RenderUnit { CountingUnit() }
}

private final class CountingUnit: RenderUnit {
  private let memory = RenderMemory()
  private nonisolated(unsafe) let count: UnsafeMutablePointer<Int>

  init() { count = memory.make(0) }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(count), renderCount) }
}

@_noLocks private func renderCount(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let (cycle, count) = (cycle.renderCycle, state.assumingMemoryBound(to: Int.self))
  for frame in 0..<cycle.frames {
    for channel in 0..<2 { cycle.output[channel][frame] = Float(count.pointee + frame) }
  }
  count.pointee += cycle.frames
  return false
}
