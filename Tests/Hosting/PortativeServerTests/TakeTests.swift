import AudioFile
import FluidSynthEngine
import Foundation
import LiveAudio
import LiveMIDI
import LocalSystem
import MIDIFile
import NodeProtocol
import NodeServer
import OfflineRenderer
import PortativeServer
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

/// A port that a test plays through its live input, on a device whose cycles the test renders.
private final class PlayedPort {
  let recorder: TakeRecorder
  let input = LiveInput()
  private(set) var heard: (left: [Float], right: [Float]) = ([], [])
  private let device: ManualDevice
  private let unit: any RenderUnit
  private let port: MixPort
  private let mixer: Mixer
  private let signal = DeferredWorkSignal()
  private let maximumFrames: Int
  private var position: Int64 = 0

  init(
    rate: Int, cycle: Int, settings: InstrumentSettings = InstrumentSettings(),
    recorder: TakeRecorder = TakeRecorder()
  ) throws {
    let format = Format(sampleRate: rate, maximumFrames: cycle)
    self.recorder = recorder
    maximumFrames = cycle
    unit = try InstrumentSource(soundFont: .open(bundledSoundFont), settings: settings)
      .makeUnit(format)
    recorder.begin(sampleRate: rate)
    port = MixPort(unit, input, format, tap: recorder.tap(for: "Test: Piano"))
    mixer = Mixer(format, signal: signal)
    mixer.set([port], isRunning: false)
    port.begin()
    port.isEnabled = true
    device = ManualDevice(format)
    try device.start(mixer.renderer) { _ in }
  }

  deinit {
    device.stop()
    port.end()
    signal.destroy()
  }

  /// Renders frames in cycles of the greatest length, or of random lengths up to it.
  func render(_ frames: Int, _ random: inout Seeded, isRandom: Bool = false) {
    var left = frames
    while left > 0 {
      let length = isRandom ? Int.random(in: 1...maximumFrames, using: &random) : maximumFrames
      let count = min(left, length)
      unit.performDeferredWork()
      guard let output = device.cycle(count, now: 0) else { return }
      heard.left += output.left
      heard.right += output.right
      left -= count
    }
  }

  func send(_ content: MIDIContent, _ source: UInt8 = 1) {
    input.send(content, from: .init(source), at: MonotonicClock.now)
  }

  /// Plays notes, controllers, programs and System Exclusive at random, from two keyboards.
  func play(_ random: inout Seeded, isRandom: Bool, steps: Int = 60) {
    // The port fades in within 10 ms.
    render(maximumFrames * 20 + 5000, &random, isRandom: isRandom)
    for step in 0..<steps {
      let key = UInt8.random(in: 40...80, using: &random)
      let channel = UInt8.random(in: 0..<3, using: &random)
      let source = UInt8.random(in: 1...2, using: &random)
      switch step % 9 {
      case 0: send(.channel(ChannelMessage(.programChange, channel: channel, key / 2)), source)
      case 1: send(.channel(ChannelMessage(.controlChange, channel: channel, 93, key)), source)
      case 2: send(.channel(ChannelMessage(.pitchBend, channel: channel, 0, key)), source)
      // Master volume.
      case 3: send(.sysEx([0x7F, 0x7F, 4, 1, 0, key]), source)
      case 4:
        send(.channel(ChannelMessage(.controlChange, channel: channel, 64, key * 3 / 2)), source)
      case 5: send(.channel(ChannelMessage(.noteOn, channel: channel, key, 0)), source)
      default: send(.channel(ChannelMessage(.noteOn, channel: channel, key, key)), source)
      }
      render(Int.random(in: 1...3000, using: &random), &random, isRandom: isRandom)
    }
  }
}

/// Returns the samples of a song that `render` renders.
private func rendered(
  _ bytes: [UInt8], rate: Int, start: Double = 0,
  _ change: (inout RenderSettings) -> Void = { _ in }
) throws -> (left: [Float], right: [Float]) {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.sampleRate = rate
  settings.start = .seconds(start)
  change(&settings)
  let path = "\(folder.path)/a.raw"
  let file = try RenderedFile(
    to: .file(path), format: AudioFormat(.raw, bits: .b32f), sampleRate: rate,
    measuresLoudness: false)
  _ = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings)
    .render(try StandardMIDIFile(decoding: bytes), to: file)
  let samples = try Data(contentsOf: URL(filePath: path)).withUnsafeBytes {
    Array($0.bindMemory(to: Float.self))
  }
  return (
    stride(from: 0, to: samples.count, by: 2).map { samples[$0] },
    stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
  )
}

/// Returns the first frame that differs, up to the last one that both have.
private func difference(_ a: [Float], _ b: [Float]) -> Int? {
  zip(a, b).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }?.offset
}

@Suite(.timeLimit(.minutes(5))) struct TakeTests {
  @Test(arguments: [
    (48_000, 256, false), (44_100, 64, false), (96_000, 1024, true), (8000, 100, true),
    (48_000, 33, true), (22_050, 512, false), (11_025, 17, true),
  ])
  func `a take renders to the bits that were heard`(
    rate: Int, cycle: Int, isRandom: Bool
  ) throws {
    var random = Seeded(UInt64(rate + cycle))
    let port = try PlayedPort(rate: rate, cycle: cycle)
    port.play(&random, isRandom: isRandom)
    let takes = RecordedTakes(port.recorder)
    let take = takes.take(of: nil, seconds: nil, keepsSilence: true)
    #expect(take.properties.isWhole && take.properties.sampleRate == rate)
    #expect(take.properties.ports.map(\.name) == ["Test: Piano"])
    let file = try rendered(take.file, rate: rate)
    let frames = min(port.heard.left.count, Int(try length(take.file, rate)))
    #expect(frames > port.heard.left.count / 2 && file.left.count >= frames)
    #expect(port.heard.left[..<frames].contains { abs($0) > 0.001 })
    // The mix fades the port in within 10 ms; the effects are not quite silent.
    let begin = rate / 100 + 1
    #expect(
      difference(Array(port.heard.left[begin..<frames]), Array(file.left[begin...])) == nil)
    #expect(
      difference(Array(port.heard.right[begin..<frames]), Array(file.right[begin...])) == nil)

    // The part from the first note is what render --from renders.
    let first = take.properties.firstNote
    let part = try rendered(take.file, rate: rate, start: Double(first) / Double(rate))
    #expect(difference(Array(port.heard.left[first..<frames]), part.left) == nil)
  }

  /// The frame of the last event. Held keys are released there, which was not heard.
  private func length(_ bytes: [UInt8], _ rate: Int) throws -> Int64 {
    try StandardMIDIFile(decoding: bytes).timeline(sampleRate: rate).events.last?.frame ?? 0
  }

  @Test func `without effects, a take that begins with the first note has the bits as well`() throws
  {
    var random = Seeded(5)
    var settings = InstrumentSettings()
    settings.effects = Effects(reverb: false, chorus: false)
    settings.gain = 0.4
    let port = try PlayedPort(rate: 48_000, cycle: 128, settings: settings)
    port.play(&random, isRandom: true)
    let takes = RecordedTakes(port.recorder)
    let whole = takes.take(of: nil, seconds: nil, keepsSilence: true)
    let take = takes.take(of: nil, seconds: nil, keepsSilence: false)
    #expect(take.properties.firstNote == 0 && whole.properties.firstNote > 5000)
    let file = try rendered(take.file, rate: 48_000) {
      $0.effects = settings.effects
      $0.gain = settings.gain
    }
    let heard = Array(port.heard.left[whole.properties.firstNote...])
    let frames = Int(try length(take.file, 48_000))
    #expect(frames > 20_000 && heard.contains { abs($0) > 0.001 })
    #expect(difference(Array(heard.prefix(frames)), file.left) == nil)
  }

  @Test func `a node's answer has the take as a file, or nothing`() throws {
    let recorder = TakeRecorder(TakeLimits(seconds: 60))
    let takes = RecordedTakes(recorder)
    let nothing = takes.take(of: nil, seconds: nil, keepsSilence: false)
    #expect(nothing.file.isEmpty && nothing.properties == .empty(limit: 60))
  }
}
