import ConnectionTestSupport
import NodeProtocol
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Tests of a host whose node sends random messages.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct HostNonsenseTests {
  @Test func `a host survives any messages of a node, and leaks nothing`() throws {
    let count = Faults.count(usual: 5000)
    let sent = Atomic(0)
    let state = UnitState(component: pulses(), parameters: ["gain": 2], data: "AQ==")
    let random = Mutex(Seeded(Faults.seed(1)))
    let node = try HostileNode(packets: { method, id in
      let valid: [any Codable & Sendable] =
        switch method {
        case Hello.method:
          [
            Hello.Response(
              protocol: 2,
              features: random.withLock { Bool.random(using: &$0) } ? Feature.ofPorts : [],
              peer: Peer(name: "x", processID: 1))
          ]
        case OpenPort.method: [OpenPort.Response(port: pulsePort())]
        case InitializePort.method: [UnitProperties(latency: 0, parameterCount: 1)]
        case GetParameters.method:
          [
            GetParameters.Response(
              items: [Parameter(toggle: "on", "On", default: true)], total: 1, groups: [])
          ]
        case GetValues.method: [GetValues.Response(values: [1])]
        case GetPresets.method: [ItemList(items: [Preset("A", ["on": 0])], total: 1)]
        case SaveState.method: [SaveState.Response(state: state)]
        case SaveStatePart.method: [SaveStatePart.Response(data: "e30=", total: 2)]
        default: [Done()]
        }
      let packets = valid.map { try! MessageEncoder.response($0, id: id) }
      let seed = random.withLock { $0.next() }
      // Most first messages are valid, so that later ones are reached.
      if (method == Hello.method || method == OpenPort.method) && seed % 8 != 0 { return packets }
      var babbler = Babbler(
        packets + [
          Babbler.packet(PortParked(reason: .notRendered)), Babbler.packet(PortRemoved()),
          Babbler.packet(TimingChanged(latency: 3, tail: 5)), Babbler.packet(ShowWindow()),
          Babbler.packet(TransportCommand(.jump(beat: 3))),
          Babbler.packet(TransportCommand(.start)),
          try! MessageEncoder.error(ProtocolError(.portInUse, "x"), id: id),
          try! MessageEncoder.error(ProtocolError(.badMessage, "x"), id: nil),
        ], seed: seed)
      let babble = (0..<seed % 12).map { _ in babbler.message() }
      sent.add(babble.count, ordering: .relaxed)
      return seed % 5 == 0 ? nil : babble + packets
    })
    // About six messages are sent in a visit, and more with these.
    let host = try Child("host", node.socketPath, "visits \(count / 5 + 10)")
    try host.await("warm", seconds: Faults.seconds(60))
    let before = host.holdings
    host.go()
    try host.await("done", seconds: Faults.seconds(300))
    #expect(eventually { host.holdings.isBack(to: before) }, "\(before) → \(host.holdings)")
    #expect(sent.load(ordering: .relaxed) >= count)
    Faults.report(
      sent.load(ordering: .relaxed), "messages: host \(before) → \(host.holdings)")
    host.go()
  }
}
