import ALSA
import Glibc
import RenderCore
import Testing

@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.isRealTime, "needs the ALSA sequencer, in real time: make test-alsa"))
struct ALSASequencerTests {
  @Test func `a client and its ports are visible to others until it is closed`() throws {
    let other = try ALSASequencer(clientName: "Other")
    var ours: ALSASequencer? = try ALSASequencer()
    let client = try #require(ours?.client)
    #expect(client != other.client)
    let organ = try #require(try ours?.addPort(named: "Organ"))
    let flute = try #require(try ours?.addPort(named: "Flute"))
    func seen() throws -> [SequencerPort] {
      try other.ports().filter { $0.address.client == client }
    }
    func port(_ address: PortAddress, _ name: String) -> SequencerPort {
      SequencerPort(
        address: address, clientName: "Portative", name: name, sends: false, receives: true)
    }
    #expect(try seen() == [port(organ, "Organ"), port(flute, "Flute")])
    try ours?.removePort(organ)
    #expect(try seen() == [port(flute, "Flute")])
    ours = nil
    #expect(try seen() == [])
  }

  @Test func `the system's ports exist, and are not devices`() throws {
    let ports = try ALSASequencer(clientName: "Lister").ports()
    let announcements = try #require(ports.first { $0.address == .announcements })
    #expect(announcements.clientName == "System")
    #expect(announcements.sends)
    #expect(!announcements.receives)
    #expect(announcements.device == nil)
  }

  @Test func `connecting or disconnecting twice has no further effect`() throws {
    let sequencer = try ALSASequencer(clientName: "Ear")
    let ear = try sequencer.addPort(named: "Ear")
    for _ in 1...2 { try sequencer.connect(.announcements, to: ear) }
    let other = try ALSASequencer(clientName: "Passer-by")
    _ = try wait { try sequencer.announcement(.clientStarted(other.client)) }
    for _ in 1...2 { try sequencer.disconnect(.announcements, from: ear) }
    while try sequencer.nextEvent() != nil {}
    _ = try other.addPort(named: "Unheard")
    #expect(try sequencer.nextEvent() == nil)
  }

  @Test func `a missing port cannot be connected`() throws {
    let sequencer = try ALSASequencer(clientName: "Lonely")
    let ear = try sequencer.addPort(named: "Ear")
    let nowhere = PortAddress(client: sequencer.client, port: ear.port + 1)
    #expect(throws: SequencerError.cannotConnect(sender: nowhere, receiver: ear)) {
      try sequencer.connect(nowhere, to: ear)
    }
  }

  @Test func `events that are not read in time are lost, which is reported once`() throws {
    let sleeper = try ALSASequencer(clientName: "Sleeper")
    let ear = try sleeper.addPort(named: "Ear")
    let busy = try ALSASequencer(clientName: "Busy")
    for _ in 0...ALSASequencer.capacity { try busy.schedule(controller: 7, 1, to: ear, at: 0) }
    #expect(throws: SequencerError.overrun) {
      for _ in 0..<ALSASequencer.capacity { _ = try wait { try sleeper.nextEvent() } }
    }
    #expect(try sleeper.nextEvent() == nil)
    try busy.schedule(controller: 7, 2, to: ear, at: 0)
    let next = try wait { try sleeper.nextEvent() }
    #expect(next.content == .messages([ChannelMessage(.controlChange, channel: 0, 7, 2)]))
  }

  @Test func `the stated number of events can wait to be read`() throws {
    let sleeper = try ALSASequencer(clientName: "Sleeper")
    let ear = try sleeper.addPort(named: "Ear")
    let busy = try ALSASequencer(clientName: "Busy")
    for _ in 0..<ALSASequencer.capacity { try busy.schedule(controller: 7, 1, to: ear, at: 0) }
    for _ in 0..<ALSASequencer.capacity {
      #expect(try wait { try sleeper.nextEvent() }.source.client == busy.client)
    }
    #expect(try sleeper.nextEvent() == nil)
  }
}

extension ALSASequencer {
  /// Reads events up to an announcement and discards those before it.
  func announcement(_ announcement: Announcement) throws -> Announcement? {
    while let event = try nextEvent() {
      if event.content == .announcement(announcement) { return announcement }
    }
    return nil
  }
}
