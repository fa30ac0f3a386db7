import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct BridgeStateTests {
  let sequencer = RecordedSequencer()
  let recorder = InputRecorder()
  var state: BridgeState
  let port: PortAddress
  let keys = PortAddress(client: 24, port: 0)
  let pads = PortAddress(client: 28, port: 0)

  init() throws {
    sequencer.others = [keys, pads].map {
      SequencerPort(
        address: $0, clientName: $0.client == 24 ? "Keys" : "Pads", name: "MIDI 1", sends: true,
        receives: true)
    }
    state = try BridgeState(sequencer, wiring: WiringOfAll()) { 1_000_000 }
    port = try state.add(portNamed: "Organ", input: recorder.input)
  }

  @Test mutating func `an event plays its port at its time`() throws {
    let flute = InputRecorder()
    let other = try state.add(portNamed: "Flute", input: flute.input)
    sequencer.time = 400_000
    try take(
      event(.messages([note(60)]), from: keys, to: other, at: 100_000),
      event(.messages([note(62)]), from: keys, to: port, at: 300_000))
    #expect(
      flute.drain() == [.init(content: .channel(.noteOn, 60, 100), source: 1, time: 700_000)])
    #expect(
      recorder.drain() == [.init(content: .channel(.noteOn, 62, 100), source: 1, time: 900_000)])
  }

  @Test mutating func `the policy's connections are made from the beginning`() throws {
    #expect(
      sequencer.connections.suffix(2) == [
        .init(sender: keys, receiver: port), .init(sender: pads, receiver: port),
      ])
    try take(announced(.subscribed(sender: keys, receiver: port)))
    #expect(recorder.input.hasSources)
    #expect(state.events == [.wired(sender: "Keys", port: "Organ")])
  }

  @Test mutating func `a failed connection is reported`() throws {
    sequencer.others.removeAll { $0.address == pads }
    let flute = try state.add(portNamed: "Flute", input: LiveInput())
    #expect(state.events == [.notWired(.cannotConnect(sender: pads, receiver: flute))])
  }

  @Test mutating func `unplugging a keyboard ends what it holds and has moved, and no more`() throws
  {
    try take(
      announced(.subscribed(sender: keys, receiver: port)),
      announced(.subscribed(sender: pads, receiver: port)),
      event(.messages([note(60), bend]), from: keys), event(.messages([note(62)]), from: pads))
    _ = recorder.drain()
    // The kernel announces it to the port first and then to all clients.
    try take(
      event(
        .announcement(.unsubscribed(sender: keys, receiver: port)), from: .announcements, to: port),
      announced(.portExited(keys)), announced(.clientExited(24)))
    #expect(recorder.drain().map(\.content) == end)
    #expect(recorder.input.hasSources)
    #expect(
      state.events == [
        .wired(sender: "Keys", port: "Organ"), .wired(sender: "Pads", port: "Organ"),
        .unwired(sender: "Keys", port: "Organ"),
      ])
    #expect(policy.changes.last == .vanished(sequencer.others[0]))
  }

  @Test mutating func `the policy receives only disconnections by the user`()
    throws
  {
    let end = Announcement.unsubscribed(sender: keys, receiver: port)
    try take(event(.announcement(end), from: .announcements, to: port))
    #expect(policy.changes.last != .unsubscribed(sender: keys, receiver: port))
    try take(announced(end))
    #expect(policy.changes.last == .unsubscribed(sender: keys, receiver: port))
  }

  @Test mutating func `a client that ends without a connection ends as a source`() throws {
    let program = PortAddress(client: 130, port: 5)
    try take(
      event(.messages([note(60), bend]), from: program), announced(.clientExited(129)))
    #expect(recorder.drain().count == 2)
    try take(announced(.clientExited(130)))
    #expect(recorder.drain().map(\.content) == end)
  }

  @Test mutating func `after an overrun all sources end, and all ports are read again`()
    throws
  {
    try take(
      announced(.subscribed(sender: keys, receiver: port)),
      event(.messages([note(60), bend]), from: keys))
    _ = recorder.drain()
    sequencer.connections = [.init(sender: pads, receiver: port)]
    state.events = []
    sequencer.events = [.failure(.overrun), .success(event(.messages([note(62)]), from: pads))]
    #expect(try state.readEvents() == true)
    #expect(try !state.readEvents())
    #expect(recorder.drain().map(\.content) == end + [.channel(.noteOn, 62, 100)])
    #expect(
      state.events == [
        .overrun, .unwired(sender: "Keys", port: "Organ"), .wired(sender: "Pads", port: "Organ"),
      ])
    #expect(policy.changes.filter { if case .vanished = $0 { true } else { false } }.count == 2)
    #expect(recorder.input.hasSources)
  }

  @Test mutating func `a removed port receives earlier events, and its sources end`() throws {
    try take(announced(.subscribed(sender: keys, receiver: port)))
    sequencer.events = [.success(event(.messages([bend, note(60)]), from: keys))]
    try state.remove(port)
    #expect(
      recorder.drain().map(\.content)
        == [.channel(.pitchBend, 0, 127), .channel(.noteOn, 60, 100)] + end)
    #expect(!recorder.input.hasSources)
    #expect(policy.changes.last == .ownPortRemoved(port))
    try take(event(.messages([note(60)]), from: keys))
    #expect(recorder.drain().isEmpty)
  }

  @Test mutating func `events of unknown ports are ignored, and dropped events are reported`()
    throws
  {
    try take(
      event(.messages([note(60)]), from: keys, to: PortAddress(client: 128, port: 99)),
      event(.outOfRange(kind: 6), from: keys))
    #expect(recorder.drain().isEmpty)
    #expect(state.events == [.dropped(port: "Organ", DroppedEvents(outOfRange: 1))])
  }

  @Test mutating func `only announcements of the system count`() throws {
    try take(
      event(.announcement(.subscribed(sender: keys, receiver: port)), from: pads, to: port))
    #expect(!recorder.input.hasSources)
  }

  private var policy: WiringOfAll { (state.wiring as? WiringOfAll) ?? WiringOfAll() }

  private mutating func take(_ events: SequencerEvent...) throws {
    sequencer.events += events.map(Result.success)
    while try state.readEvents() {}
  }

  private func note(_ key: UInt8) -> ChannelMessage {
    ChannelMessage(.noteOn, channel: 0, key, 100)
  }

  private let bend = ChannelMessage(.pitchBend, channel: 0, 0, 127)
  /// The messages by which a source ends that has struck key 60 and moved its wheel.
  private let end: [MIDIContent] = [.channel(.noteOff, 60, 64), .channel(.pitchBend, 0, 64)]

  private func event(
    _ content: SequencerEvent.Content, from source: PortAddress, to receiver: PortAddress? = nil,
    at time: UInt64? = nil
  ) -> SequencerEvent {
    SequencerEvent(source: source, destination: receiver ?? port, time: time, content: content)
  }

  private func announced(_ announcement: Announcement) -> SequencerEvent {
    event(.announcement(announcement), from: .announcements, to: state.watch.announcementPort)
  }
}

/// Connects every sender with every receiver.
struct WiringOfAll: WiringPolicy {
  var changes: [PortChange] = []
  private var senders: [PortAddress] = []
  private var receivers: [PortAddress] = []

  mutating func react(to happening: PortChange) -> [WiringAction] {
    changes.append(happening)
    switch happening {
    case .appeared(let port) where port.sends:
      senders.append(port.address)
      return receivers.map { .connect(sender: port.address, receiver: $0) }
    case .ownPortAdded(let port):
      receivers.append(port.address)
      return senders.map { .connect(sender: $0, receiver: port.address) }
    case .vanished(let port): senders.removeAll { $0 == port.address }
    default: break
    }
    return []
  }
}
