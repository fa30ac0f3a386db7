import RenderCore
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct PortWatchTests {
  let sequencer = RecordedSequencer()
  var watch: PortWatch
  let keys = Self.port(24, "Keys")
  let pads = Self.port(28, "Pads")

  init() throws { watch = try PortWatch(sequencer) }

  @Test mutating func `existing ports are reported as new, except the program's own`() throws {
    sequencer.others = [keys, pads]
    _ = try sequencer.addPort(named: "Organ")
    #expect(
      sequencer.connections == [
        .init(sender: .announcements, receiver: PortAddress(client: 128, port: 0))
      ])
    #expect(try watch.rescan() == [.appeared(keys), .appeared(pads)])
  }

  @Test mutating func `a port appears and disappears`() throws {
    #expect(try watch.rescan() == [])
    sequencer.others = [keys]
    #expect(try take(.clientStarted(24), .portStarted(keys.address)) == [.appeared(keys)])
    sequencer.others = []
    #expect(try take(.portExited(keys.address), .clientExited(24)) == [.vanished(keys)])
  }

  @Test mutating func `a port that was replaced since the last check is reported as both`() throws {
    sequencer.others = [keys]
    _ = try watch.rescan()
    #expect(
      try take(
        .portExited(keys.address), .clientExited(24), .clientStarted(24),
        .portStarted(keys.address)) == [.vanished(keys), .appeared(keys)])
  }

  @Test mutating func `a port that appeared and disappeared since the last check is not reported`()
    throws
  {
    #expect(try take(.portStarted(keys.address), .portExited(keys.address)) == [])
  }

  @Test mutating func `a port that is announced after it was found is reported once`() throws {
    sequencer.others = [keys]
    #expect(try watch.rescan() == [.appeared(keys)])
    #expect(try take(.clientStarted(24), .portStarted(keys.address)) == [])
  }

  @Test mutating func `only the new name of a port is reported`() throws {
    sequencer.others = [keys]
    _ = try watch.rescan()
    #expect(try take(.portChanged(keys.address)) == [])
    let renamed = Self.port(24, "Ivory")
    sequencer.others = [renamed]
    #expect(try take(.portChanged(keys.address)) == [.changed(renamed)])
    #expect(try take(.portExited(keys.address)) == [.vanished(renamed)])
  }

  @Test mutating func `with a client all its ports disappear`() throws {
    let second = Self.port(24, "Keys 2", 1)
    sequencer.others = [keys, second, pads]
    _ = try watch.rescan()
    #expect(try take(.clientExited(24)) == [.vanished(keys), .vanished(second)])
  }

  @Test
  mutating func `after lost announcements all former ports disappear and all present ports appear`()
    throws
  {
    sequencer.others = [keys, pads]
    _ = try watch.rescan()
    sequencer.others = [pads]
    #expect(
      try watch.rescan() == [.vanished(keys), .vanished(pads), .appeared(pads)])
  }

  @Test mutating func `announcements of other clients are ignored`() throws {
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
