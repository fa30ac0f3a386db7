import ConnectionTestSupport
import SoundTestSupport
import TestSupport
import Testing
import Threads

@testable import LiveAudio
@testable import LiveMIDI
@testable import RenderCore

/// Songs that a graph plays without a deadline.
@Suite(.timeLimit(.minutes(5))) struct FreewheelTests {
  @Test
  func `a song begins with the first cycle without a deadline, and where the transport starts`() {
    var start = FreewheelStart()
    let cycles: [(isFreewheeling: Bool, isPlaying: Bool, begins: Bool)] = [
      (false, false, false), (false, true, false), (true, true, true), (true, true, false),
      (true, false, false), (true, true, true), (false, true, false), (false, false, false),
      (true, false, true), (true, true, true), (false, false, false), (true, true, true),
    ]
    for (index, cycle) in cycles.enumerated() {
      let begins = start.follow(
        isFreewheeling: cycle.isFreewheeling, isPlaying: cycle.isPlaying)
      #expect(begins == cycle.begins, "cycle \(index)")
    }
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

@_noLocks @c private func renderCount(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let (cycle, count) = (cycle.renderCycle, state.assumingMemoryBound(to: Int.self))
  for frame in 0..<cycle.frames {
    for channel in 0..<2 { cycle.output[channel][frame] = Float(count.pointee + frame) }
  }
  count.pointee += cycle.frames
  return false
}
