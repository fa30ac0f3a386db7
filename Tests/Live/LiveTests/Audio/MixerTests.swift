import ConnectionTestSupport
import Glibc
import LocalSystem
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LiveAudio
@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) final class MixerTests {
  let signal = DeferredWorkSignal()
  let device = ManualDevice(Format(maximumFrames: 480))
  private var now: Int64 = 1_000_000_000

  deinit { signal.destroy() }

  private func mixer(_ ports: [MixPort]) throws -> Mixer {
    let mixer = Mixer(device.format, signal: signal)
    mixer.set(ports, isRunning: false)
    try device.start(mixer.renderer) { _ in }
    return mixer
  }

  private func port(_ input: LiveInput = LiveInput()) -> (port: MixPort, unit: PulseUnit) {
    let unit = PulseUnit(device.format)
    return (MixPort(unit, input, unit.format), unit)
  }

  private func cycle() throws -> (left: [Float], right: [Float]) {
    let result = try #require(device.cycle(480, now: now))
    now += 10_000_000
    return result
  }

  @Test func `a mix without ports is silence`() throws {
    let mixer = try mixer([])
    let (left, right) = try cycle()
    #expect(left.allSatisfy { $0 == 0 } && right.allSatisfy { $0 == 0 })
    #expect(!mixer.isAudible)
  }

  @Test func `a port that plays NaN is silent in these frames, and disturbs no other`() throws {
    let input = LiveInput()
    let invalid = MixPort(InvalidSampleUnit(), input, device.format)
    let (other, _) = port()
    for port in [invalid, other] {
      port.begin()
      port.isEnabled = true
    }
    let mixer = try mixer([invalid, other])
    defer { withExtendedLifetime(mixer) {} }
    _ = try cycle()
    // Keys 0 and 1 are NaN and infinity.
    for key: UInt8 in [0, 1] {
      input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 100)), from: .init(1), at: now)
      for _ in 0..<2 { #expect(try cycle().left.allSatisfy { $0.isFinite }) }
    }
    #expect(try #require(input.playbackStatistics).invalidSamples == 2)
  }

  @Test func `cycles whose rendering takes longer than they last are counted`() throws {
    let input = LiveInput()
    var faults = PulseUnit.Faults()
    // Every third cycle takes twice its time.
    (faults.delay, faults.delayedEvery) = (20_000_000, 3)
    let port = MixPort(PulseUnit(device.format, faults), input, device.format)
    port.begin()
    port.isEnabled = true
    let mixer = try mixer([port])
    defer { withExtendedLifetime(mixer) {} }
    for (count, least) in [(2, 0), (1, 1), (2, 1), (1, 2)] {
      for _ in 0..<count { _ = try cycle() }
      #expect(try #require(input.playbackStatistics).lateCycles >= least)
    }
    // The machine may be busy, but not in most of two hundred short cycles.
    #expect(try lateCycles(of: PulseUnit(device.format), cycles: 200) < 100)
    port.end()
  }

  private func lateCycles(of unit: PulseUnit, cycles: Int) throws -> Int {
    let input = LiveInput()
    let port = MixPort(unit, input, device.format)
    port.begin()
    port.isEnabled = true
    let mixer = try mixer([port])
    for _ in 0..<cycles { _ = try cycle() }
    return try withExtendedLifetime(mixer) { try #require(input.playbackStatistics).lateCycles }
  }

  @Test func `one port is mixed bit for bit after its fade-in`() throws {
    let input = LiveInput()
    let (port, _) = port(input)
    port.begin()
    port.isEnabled = true
    let mixer = try mixer([port])
    for _ in 0..<2 { _ = try cycle() }
    input.send(on(60), from: keyboard, at: now - 5_000_000)
    let (left, right) = try cycle()
    #expect(left.enumerated().filter { $0.element != 0 }.map(\.element) == [60])
    #expect(right == (0..<480).map { Float(960 + $0) })
    #expect(mixer.isAudible)
    let figures = try #require(input.playbackStatistics)
    #expect(figures.cycles == 3 && figures.format == device.format && figures.load > 0)
    port.end()
    let last = try #require(input.playbackStatistics)
    #expect(last.cycles == 3 && last.load == 0)
    #expect(last.unit == figures.unit)
  }

  @Test func `the figures of a port go on when it is played again, and count on after silence`()
    throws
  {
    let input = LiveInput()
    let source = SilenceableSource(CountingSource())
    func play() throws -> [UnitStatus] {
      let port = MixPort(try source.makeUnit(device.format), input, device.format)
      port.begin()
      try #require(port.unit as? any SilenceableUnit).silence()
      port.end()
      return try #require(input.playbackStatistics).unit
    }
    #expect(try play() == [UnitStatus("notes", 10), UnitStatus("most voices", 7)])
    #expect(try play() == [UnitStatus("notes", 20), UnitStatus("most voices", 7)])
  }

  @Test func `several ports are added`() throws {
    let ports = [port().port, port().port]
    for port in ports { port.isEnabled = true }
    let mixer = try mixer(ports)
    for _ in 0..<2 { _ = try cycle() }
    #expect(try cycle().right == (0..<480).map { Float(2 * (960 + $0)) })
    withExtendedLifetime(mixer) {}
  }

  @Test func `a port has the peaks of both channels since they were last taken`() throws {
    let input = LiveInput()
    let (port, _) = port(input)
    port.begin()
    port.isEnabled = true
    let mixer = try mixer([port])
    for _ in 0..<2 { _ = try cycle() }
    // The left channel has the number of each key, and the right one counts frames.
    #expect(port.takePeaks() == StereoPeaks(left: 0, right: 959))
    input.send(on(60), from: keyboard, at: now - 5_000_000)
    _ = try cycle()
    _ = try cycle()
    #expect(port.takePeaks() == StereoPeaks(left: 60, right: 1919))
    #expect(port.takePeaks() == StereoPeaks())
    port.end()
    withExtendedLifetime(mixer) {}
  }

  @Test func `a port that has faded out has no peaks`() throws {
    let (port, _) = port()
    port.isEnabled = true
    let mixer = try mixer([port])
    _ = try cycle()
    port.isEnabled = false
    for _ in 0..<2 { _ = try cycle() }
    _ = port.takePeaks()
    _ = try cycle()
    #expect(port.takePeaks() == StereoPeaks())
    withExtendedLifetime(mixer) {}
  }

  @Test func `a port fades in and out within 10 ms, without a step`() throws {
    let (port, _) = port()
    port.isEnabled = true
    let mixer = try mixer([port])
    // The right channel of the unit counts frames.
    let rising = try cycle().right
    for frame in 0..<480 {
      #expect(abs(rising[frame] - Float(frame) * Float(frame + 1) / 480) < 0.1)
    }
    #expect(try cycle().right[0] == 480)
    port.isEnabled = false
    let falling = try cycle().right
    for frame in 0..<480 {
      #expect(abs(falling[frame] - Float(960 + frame) * Float(479 - frame) / 480) < 0.1)
    }
    #expect(try cycle().right.allSatisfy { $0 == 0 })
    #expect(!port.isAudible)
    withExtendedLifetime(mixer) {}
  }

  @Test func `a disabled port is rendered until its tail has ended, and then not`() throws {
    let input = LiveInput()
    let unit = PulseUnit(Format(outputChannels: 1, maximumFrames: 480))
    let device = ManualDevice(unit.format)
    let mixer = Mixer(unit.format, signal: signal)
    let port = MixPort(unit, input, unit.format)
    port.begin()
    mixer.set([port], isRunning: false)
    try device.start(mixer.renderer) { _ in }
    for number in 0..<400 { _ = device.cycle(480, now: Int64(number) * 10_000_000) }
    let cycles = unit.cycles
    #expect((200...201).contains(cycles))
    input.send(on(1), from: keyboard, at: 4_000_000_000)
    for number in 400..<402 { _ = device.cycle(480, now: Int64(number) * 10_000_000) }
    #expect(unit.cycles > cycles)
  }

  @Test func `the device's thread follows a change of ports`() throws {
    let mixer = try mixer([])
    let (port, unit) = port()
    port.isEnabled = true
    let isOver = Flag()
    let deviceCycles = Atomic(0)
    // A dedicated thread, because there may be only two threads for tests.
    let thread = TestThread { [device] in
      var now: Int64 = 1_000_000_000
      while !isOver.isRaised {
        _ = device.cycle(480, now: now)
        now += 10_000_000
        deviceCycles.add(1, ordering: .releasing)
        usleep(500)
      }
    }
    #expect(mixer.set([port], isRunning: true))
    #expect(eventually { unit.cycles > 0 })
    #expect(mixer.set([], isRunning: true))
    let (cycles, before) = (unit.cycles, deviceCycles.load(ordering: .acquiring))
    #expect(eventually { deviceCycles.load(ordering: .acquiring) > before + 10 })
    #expect(unit.cycles == cycles)
    isOver.raise()
    thread.join()
  }

  @Test func `a device whose cycle waits for seconds in freewheel is not taken for a lost one`()
    throws
  {
    let words = SharedWords(count: 1)
    defer { words.destroy() }
    words[0].store(1)
    let mixer = Mixer(device.format, signal: signal, freewheeling: words[0])
    try device.start(mixer.renderer) { _ in }
    let thread = TestThread { [device] in
      usleep(1_200_000)
      _ = device.cycle(480, now: 1_000_000_000)
    }
    #expect(mixer.set([], isRunning: true))
    thread.join()
  }

  @Test func `a device whose thread does not respond is detected`() throws {
    let mixer = try mixer([])
    #expect(!mixer.set([], isRunning: true))
  }

  @Test func `a device that responds too late may continue with either list of ports`() throws {
    var old: PulseUnit? = PulseUnit(device.format)
    var new: PulseUnit? = PulseUnit(device.format)
    weak let oldUnit = old
    weak let newUnit = new
    let mixer = try mixer([MixPort(old!, LiveInput(), device.format)])
    _ = try cycle()
    #expect(!mixer.set([MixPort(new!, LiveInput(), device.format)], isRunning: true))
    (old, new) = (nil, nil)
    #expect(oldUnit != nil && newUnit != nil)
    _ = try cycle()
    #expect(mixer.set([], isRunning: false))
    #expect(oldUnit == nil && newUnit == nil)
  }

  @Test func `a mix keeps its ports and its recording for a device that still plays`() throws {
    var unit: PulseUnit? = PulseUnit(device.format)
    var ring: MixRing? = MixRing(capacity: 1 << 12)
    weak let playedUnit = unit
    weak let usedRing = ring
    var mixer: Mixer? = Mixer(device.format, signal: signal, recording: ring)
    mixer?.set([MixPort(unit!, LiveInput(), device.format)], isRunning: false)
    try device.start(mixer!.renderer) { _ in }
    (unit, ring) = (nil, nil)
    _ = try cycle()
    #expect(playedUnit != nil && usedRing != nil)
    device.stop()
    mixer = nil
    #expect(playedUnit == nil && usedRing == nil)
  }
}

/// Makes units that have played five notes.
private struct CountingSource: RenderUnitSource {
  func makeUnit(_ format: Format) -> any RenderUnit { CountingUnit(format) }
}

private final class CountingUnit: UnitWrapper {
  let wrapped: any RenderUnit
  let status = [UnitStatus("notes", 5), UnitStatus("most voices", 7)]

  init(_ format: Format) { wrapped = PulseUnit(format) }
}
