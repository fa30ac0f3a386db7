import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct OutputWiringTests {
  private var wiring = OutputWiring()
  private let output = SequencerPort(
    address: PortAddress(client: 129, port: 0), clientName: "Portative Outputs", name: "Module",
    sends: true, receives: false)
  private let module = SequencerPort(
    address: PortAddress(client: 24, port: 0), clientName: "Blofeld", name: "Blofeld MIDI 1",
    sends: true, receives: true)
  private let connection: [WiringAction]

  init() {
    connection = [.connect(sender: output.address, receiver: module.address)]
  }

  @Test mutating func `a module is connected when it appears, and again when it returns`() {
    _ = wiring.set([OutputWiring.Rule(name: "Module", modules: ["blofeld*"])])
    #expect(wiring.react(to: .ownPortAdded(output)) == [])
    for _ in 1...2 {
      #expect(wiring.react(to: .appeared(module)) == connection)
      #expect(wiring.react(to: .changed(module)) == [])
      #expect(wiring.react(to: .vanished(module)) == [])
    }
  }

  @Test mutating func `a module that was there is connected with the output, or by a new rule`() {
    #expect(wiring.react(to: .appeared(module)) == [])
    #expect(wiring.react(to: .ownPortAdded(output)) == [])
    #expect(wiring.set([OutputWiring.Rule(name: "Module", modules: ["Blofeld"])]) == connection)
    #expect(wiring.react(to: .ownPortRemoved(output.address)) == [])
    #expect(wiring.react(to: .ownPortAdded(output)) == connection)
  }

  @Test mutating func `other modules, senders and a server's own ports are not connected`() {
    _ = wiring.set([OutputWiring.Rule(name: "Module", modules: ["*"])])
    _ = wiring.react(to: .ownPortAdded(output))
    let sender = SequencerPort(
      address: PortAddress(client: 28, port: 0), clientName: "Keys", name: "Keys", sends: true,
      receives: false)
    let own = SequencerPort(
      address: PortAddress(client: 128, port: 1), clientName: "Portative", name: "Stage",
      sends: false, receives: true)
    #expect(wiring.react(to: .appeared(sender)) == [])
    #expect(wiring.react(to: .appeared(own)) == [])
    _ = wiring.set([OutputWiring.Rule(name: "Module", modules: ["JV*"])])
    #expect(wiring.react(to: .appeared(module)) == [])
  }
}
