import RenderCore
import Testing

@testable import ALSAMIDI

@Suite(.timeLimit(.minutes(1))) struct PortWatchTests {
  let sequencer = RecordedSequencer()
  var watch: PortWatch
  let keys = Self.port(24, "Keys")
  let pads = Self.port(28, "Pads")

  init() throws { watch = try PortWatch(sequencer) }

  @Test mutating func `ports that are there have appeared, our own apart`() throws {
    sequencer.others = [keys, pads]
    _ = try sequencer.addPort(named: "Organ")
    #expect(
      sequencer.connections == [
        .init(sender: .announcements, receiver: PortAddress(client: 128, port: 0))
      ])
    #expect(try watch.rescan() == [.appeared(keys), .appeared(pads)])
  }

  @Test mutating func `a port comes and goes`() throws {
    #expect(try watch.rescan() == [])
    sequencer.others = [keys]
    #expect(try take(.clientStarted(24), .portStarted(keys.address)) == [.appeared(keys)])
    sequencer.others = []
    #expect(try take(.portExited(keys.address), .clientExited(24)) == [.vanished(keys)])
  }

  @Test mutating func `a port that went and came since the last look did both`() throws {
    sequencer.others = [keys]
    _ = try watch.rescan()
    #expect(
      try take(
        .portExited(keys.address), .clientExited(24), .clientStarted(24),
        .portStarted(keys.address)) == [.vanished(keys), .appeared(keys)])
  }

  @Test mutating func `a port that came and went since the last look did neither`() throws {
    #expect(try take(.portStarted(keys.address), .portExited(keys.address)) == [])
  }

  @Test mutating func `a port that is announced after it was found appears once`() throws {
    sequencer.others = [keys]
    #expect(try watch.rescan() == [.appeared(keys)])
    #expect(try take(.clientStarted(24), .portStarted(keys.address)) == [])
  }

  @Test mutating func `a port's new name is told, and only that`() throws {
    sequencer.others = [keys]
    _ = try watch.rescan()
    #expect(try take(.portChanged(keys.address)) == [])
    let renamed = Self.port(24, "Ivory")
    sequencer.others = [renamed]
    #expect(try take(.portChanged(keys.address)) == [.changed(renamed)])
    #expect(try take(.portExited(keys.address)) == [.vanished(renamed)])
  }

  @Test mutating func `a client takes all its ports with it`() throws {
    let second = Self.port(24, "Keys 2", 1)
    sequencer.others = [keys, second, pads]
    _ = try watch.rescan()
    #expect(try take(.clientExited(24)) == [.vanished(keys), .vanished(second)])
  }

  @Test mutating func `after a gap all is vanished that was, and appeared that is`() throws {
    sequencer.others = [keys, pads]
    _ = try watch.rescan()
    sequencer.others = [pads]
    #expect(
      try watch.rescan() == [.vanished(keys), .vanished(pads), .appeared(pads)])
  }

  @Test mutating func `what others than the system say is no announcement`() throws {
    sequencer.others = [keys]
    _ = try watch.rescan()
    for content in [
      SequencerEvent.Content.announcement(.portExited(keys.address)),
      .messages([ChannelMessage(.noteOn, channel: 0, 60, 100)]),
    ] {
      #expect(
        try watch.handle(
          SequencerEvent(
            source: pads.address, destination: .announcements, time: 1, content: content)) == [])
    }
  }

  private mutating func take(_ announcements: Announcement...) throws -> [PortChange] {
    try announcements.flatMap {
      try watch.handle(
        SequencerEvent(
          source: .announcements, destination: PortAddress(client: 128, port: 0), time: nil,
          content: .announcement($0)))
    }
  }

  private static func port(_ client: UInt8, _ name: String, _ port: UInt8 = 0) -> SequencerPort {
    SequencerPort(
      address: PortAddress(client: client, port: port), clientName: name, name: "\(name) MIDI 1",
      sends: true, receives: true)
  }
}
