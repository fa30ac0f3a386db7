import ALSA
import CALSA
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore
import SoundTestSupport
import Synchronization
import Testing

/// Tests with programs that play.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.isRealTime, "needs the ALSA sequencer, in real time: make test-alsa"),
  .serialized)
struct SequencerBridgeTests {
  let test: TestBridge
  let program: ALSASequencer

  init() throws {
    test = try TestBridge()
    program = try ALSASequencer(clientName: "Program")
  }

  @Test func `its port is visible, and its port for announcements is not`() throws {
    let ports = try program.ports().filter { $0.address.client == test.port.client }
    #expect(ports.filter(\.receives).map(\.name) == ["Organ"])
  }

  @Test func `a client that plays without a connection is heard, and its notes end with it`() throws
  {
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOn, 60, 100)])
    var other: ALSASequencer? = try ALSASequencer(clientName: "Other")
    try other?.send(.note(SND_SEQ_EVENT_NOTEON, 62, 100), to: test.port)
    _ = try test.receive(1)
    other = nil
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOff, 62, 64)])
    #expect(test.recorder.drain().isEmpty)
  }

  @Test func `disconnecting releases keys, and counts as the user's action`() throws {
    let sender = try program.addSender(named: "Keys")
    try program.connect(sender, to: test.port)
    try test.waitUntil(hasSources: true)
    var note = snd_seq_event_t.note(SND_SEQ_EVENT_NOTEON, 60, 100)
    note.source.port = sender.port
    try program.send(note, to: test.port)
    _ = try test.receive(1)
    try program.disconnect(sender, from: test.port)
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOff, 60, 64)])
    try test.waitUntil(hasSources: false)
    let end = PortChange.unsubscribed(sender: sender, receiver: test.port)
    _ = try wait { test.log.asked.contains(end) ? true : nil }
    test.tells([
      .wired(sender: "Program", port: "Organ"), .unwired(sender: "Program", port: "Organ"),
    ])
  }

  @Test func `a note with a length becomes note-on and note-off`() throws {
    var note = snd_seq_event_t.note(SND_SEQ_EVENT_NOTE, 60, 100)
    note.data.note.off_velocity = 33
    note.data.note.duration = 20
    try program.schedule(note, to: test.port, at: 0)
    #expect(
      try test.receive(2).map(\.content) == [
        .channel(.noteOn, 60, 100), .channel(.noteOff, 60, 33),
      ])
    #expect(throws: Never.self) { try program.schedule(note, to: test.port, at: 0) }
  }

  @Test(arguments: [1, 256, 13_000])
  func `long System Exclusive arrives complete, in parts of any length`(length: Int) throws {
    let message = (0..<20_000).map { UInt8(($0 * 31) % 128) }
    let bytes = [0xF0] + message + [0xF7]
    // Events of one byte take long, so send fewer.
    let sent = length == 1 ? [0xF0] + message.prefix(500) + [0xF7] : bytes
    for start in stride(from: 0, to: sent.count, by: length) {
      try program.send(sysEx: Array(sent[start..<min(start + length, sent.count)]), to: test.port)
    }
    #expect(try test.receive(1).map(\.content) == [.sysEx(Array(sent.dropFirst().dropLast()))])
  }

  @Test func `the longest event arrives, and does not block others`() throws {
    try program.enlargeOutput()
    let message = (0..<50_000).map { UInt8(($0 * 31) % 128) }
    try program.send(sysEx: [0xF0] + message + [0xF7], to: test.port)
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
    #expect(try test.receive(2).map(\.content) == [.sysEx(message), .channel(.noteOn, 60, 100)])
  }

  @Test func `an overrun is reported, and releases all keys`() throws {
    let sender = try program.addSender(named: "Keys")
    try program.connect(sender, to: test.port)
    try test.waitUntil(hasSources: true)
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
    _ = try test.receive(1)
    try test.log.obstacle.withLock { _ in
      // Report a change to the bridge, which then blocks.
      let passerBy = try ALSASequencer(clientName: "Passer-by")
      let known = test.log.asked.count
      _ = try passerBy.addPort(named: "Door")
      _ = try wait { test.log.asked.count > known ? true : nil }
      for _ in 0...ALSASequencer.capacity {
        try program.schedule(.note(SND_SEQ_EVENT_NOTEON, 62, 100), to: test.port, at: 0)
      }
    }
    _ = try wait { test.log.told.contains(.overrun) ? true : nil }
    #expect(try test.receive(1).map(\.content).last == .channel(.noteOff, 60, 64))
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 64, 100), to: test.port)
    #expect(try test.receive(1).map(\.content) == [.channel(.noteOn, 64, 100)])
    #expect(test.recorder.input.hasSources)
  }

  @Test func `its times are those of the system's clock`() throws {
    let before = MonotonicClock.now
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
    let time = try #require(try test.receive(1).first).time
    // The first sample of the clocks may be wrong by as much as an interrupt is late.
    #expect(time > before - 1_000_000_000)
    #expect(time <= MonotonicClock.now)
  }

  @Test func `stopping a bridge releases all keys and removes its ports`() throws {
    try program.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
    _ = try test.receive(1)
    test.bridge.stop()
    #expect(test.recorder.drain().map(\.content) == [.channel(.noteOff, 60, 64)])
    #expect(try program.ports().filter { $0.address == test.port } == [])
    test.bridge.stop()
  }

  @Test func `a thousand ports are added and removed, and none remains`() throws {
    let before = try program.ports().count
    for _ in 0..<1000 {
      try test.bridge.remove(try test.bridge.add(portNamed: "Flute", input: test.recorder.input))
    }
    #expect(try program.ports().count == before)
    #expect(test.log.told == [])
  }

  @Test func `two hundred programs start, play and end, and no source remains`() throws {
    for _ in 0..<200 {
      var player: ALSASequencer? = try ALSASequencer(clientName: "Player")
      let sender = try #require(try player?.addSender(named: "Keys"))
      try player?.connect(sender, to: test.port)
      try player?.send(.note(SND_SEQ_EVENT_NOTEON, 60, 100), to: test.port)
      #expect(try test.receive(1).map(\.source) == [1])
      player = nil
      #expect(try test.receive(1).map(\.content) == [.channel(.noteOff, 60, 64)])
    }
    try test.waitUntil(hasSources: false)
  }
}
