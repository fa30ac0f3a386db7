import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SourceOriginsTests {
  private let sequencer = RecordedSequencer()
  private let keys = PortAddress(client: 24, port: 0)
  private let pads = PortAddress(client: 24, port: 1)
  private let through = PortAddress(client: 14, port: 0)
  private let filter = PortAddress(client: 130, port: 1)
  private let filterInput = PortAddress(client: 130, port: 0)
  private let known: [PortAddress: SequencerPort]

  init() {
    var known: [PortAddress: SequencerPort] = [:]
    func add(_ address: PortAddress, _ name: String, _ device: DeviceIdentity? = nil) {
      known[address] = SequencerPort(
        address: address, clientName: name, name: "port", sends: true, receives: true,
        device: device)
    }
    let usb = DeviceIdentity(product: "1c75:0288", path: "1")
    add(keys, "Interface", usb)
    add(pads, "Interface", usb)
    add(through, "Midi Through")
    add(PortAddress(client: 14, port: 1), "Midi Through")
    add(filter, "Filter")
    add(filterInput, "Filter")
    self.known = known
  }

  private func wire(_ sender: PortAddress, _ receiver: PortAddress) {
    sequencer.connections.append(.init(sender: sender, receiver: receiver))
  }

  private func areRelated(_ one: PortAddress, _ other: PortAddress) throws -> Bool {
    var origins = SourceOrigins(sequencer, known)
    try origins.find(of: one)
    try origins.find(of: other)
    return origins.haveCommonOrigin(one, other)
  }

  @Test func `two sockets of one interface are two keyboards`() throws {
    #expect(try !areRelated(keys, pads))
  }

  @Test func `Midi Through forwards a keyboard's events by the same port`() throws {
    wire(keys, through)
    #expect(try areRelated(keys, through))
    #expect(try areRelated(through, keys))
    #expect(try !areRelated(pads, through))
    #expect(try !areRelated(keys, PortAddress(client: 14, port: 1)))
  }

  @Test func `a program's ports have the origins of its inputs, also through other programs`()
    throws
  {
    wire(keys, through)
    wire(through, filterInput)
    #expect(try areRelated(keys, filter))
    #expect(try areRelated(through, filter))
    #expect(try !areRelated(pads, filter))
  }

  @Test func `two keyboards through one program are not copies of each other`() throws {
    wire(keys, filterInput)
    wire(pads, filterInput)
    wire(filter, keys)
    #expect(try !areRelated(keys, pads))
    #expect(try areRelated(keys, filter) && areRelated(pads, filter))
  }

  @Test func `the system's port is not an origin`() throws {
    wire(.announcements, filterInput)
    wire(.announcements, through)
    #expect(try !areRelated(filter, through))
  }

  @Test func `a cycle of connections is followed once`() throws {
    wire(filter, through)
    wire(through, filterInput)
    #expect(try areRelated(filter, through))
  }
}
