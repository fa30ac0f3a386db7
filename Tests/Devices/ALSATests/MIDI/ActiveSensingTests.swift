import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

@testable import ALSA

/// A keyboard behind a MIDI cable: the kernel's client remains when the cable is unplugged.
@Suite(.timeLimit(.minutes(5))) final class ActiveSensingTests {
  private let sequencer = RecordedSequencer()
  private let recorder = InputRecorder()
  private let clock = Clock()
  private var state: BridgeState
  private let port: PortAddress
  private let keys = PortAddress(client: 24, port: 0)
  private let pads = PortAddress(client: 28, port: 0)

  private final class Clock {
    var milliseconds: Int64 = 1
    var now: Int64 { milliseconds * 1_000_000 }
  }

  init() throws {
    sequencer.others = [keys, pads].map {
      SequencerPort(
        address: $0, clientName: $0.client == 24 ? "Keys" : "Pads", name: "MIDI 1", sends: true,
        receives: true)
    }
    let clock = clock
    state = try BridgeState(sequencer, wiring: ManualWiring()) { clock.now }
    port = try state.add(portNamed: "Organ", input: recorder.input)
  }

  /// Advances the time by some milliseconds and delivers events.
  private func after(
    _ milliseconds: Int64, _ contents: SequencerEvent.Content..., from source: PortAddress? = nil
  ) throws {
    clock.milliseconds += milliseconds
    // The queue, whose time equals the clock's, timestamps the events.
    sequencer.time = UInt64(clock.now)
    sequencer.events += contents.map {
      .success(
        SequencerEvent(
          source: source ?? keys, destination: port, time: UInt64(clock.now), content: $0))
    }
    while try state.readEvents() {}
  }

  private func note(_ kind: ChannelMessage.Kind, _ key: UInt8) -> SequencerEvent.Content {
    .messages([ChannelMessage(kind, channel: 0, key, 100)])
  }

  private let sensing = SequencerEvent.Content.system(.activeSensing)

  @Test func `300 ms after the last message that source ends, and no other`() throws {
    try after(0, sensing, note(.noteOn, 60))
    try after(0, .messages([ChannelMessage(.pitchBend, channel: 0, 0, 127)]))
    try after(0, note(.noteOn, 62), from: pads)
    _ = recorder.drain()
    #expect(state.sensingDeadline == clock.now + 330_000_000)
    try after(329)
    #expect(recorder.drain().isEmpty)
    try after(1)
    #expect(
      recorder.drain().map(\.content) == [.channel(.noteOff, 60, 64), .channel(.pitchBend, 0, 64)])
    #expect(state.events == [.fellSilent(sender: "Keys", port: "Organ")])
    #expect(state.sensingDeadline == nil)
    try after(10_000)
    #expect(recorder.drain().isEmpty)
  }

  @Test func `any message restarts the timeout, and Active Sensing itself is not forwarded`() throws
  {
    try after(0, sensing, note(.noteOn, 60))
    for _ in 0..<5 {
      try after(300, sensing)
      try after(300, .system(.clock))
      try after(300, .sysEx([0xF0, 1, 0xF7]))
    }
    #expect(!recorder.drain().contains { $0.content == .channel(.noteOff, 60, 64) })
    try after(0, note(.noteOff, 60))
    #expect(recorder.drain().map(\.content) == [.channel(.noteOff, 60, 100)])
    #expect(state.events.isEmpty)
  }

  @Test func `a source without Active Sensing has no timeout`() throws {
    try after(0, note(.noteOn, 60))
    #expect(state.sensingDeadline == nil)
    try after(3_600_000)
    #expect(recorder.drain().count == 1)
  }

  @Test func `messages that arrived in time count, however late the thread wakes`() throws {
    try after(0, sensing, note(.noteOn, 60))
    // The events have waited in the kernel for four seconds.
    for number in 1...20 {
      sequencer.events.append(
        .success(
          SequencerEvent(
            source: keys, destination: port, time: UInt64(clock.now) + UInt64(number) * 200_000_000,
            content: sensing)))
    }
    try after(4000)
    #expect(recorder.drain().map(\.content) == [.channel(.noteOn, 60, 100)])
    #expect(state.events.isEmpty)
  }

  @Test func `a source that returns plays, and has a timeout from the next Active Sensing`()
    throws
  {
    try after(0, sensing, note(.noteOn, 60))
    try after(400)
    try after(5000, note(.noteOn, 64))
    #expect(
      recorder.drain().map(\.content) == [
        .channel(.noteOn, 60, 100), .channel(.noteOff, 60, 64), .channel(.noteOn, 64, 100),
      ])
    #expect(
      state.events == [
        .fellSilent(sender: "Keys", port: "Organ"), .returned(sender: "Keys", port: "Organ"),
      ])
    #expect(state.sensingDeadline == nil)
    try after(0, sensing)
    try after(400)
    #expect(recorder.drain().map(\.content) == [.channel(.noteOff, 64, 64)])
  }

  @Test func `the timeout ends an incomplete message`() throws {
    try after(0, sensing, .sysEx([0xF0, 1, 2]))
    try after(400)
    try after(0, .sysEx([3, 0xF7]))
    #expect(recorder.drain().isEmpty)
  }
}
