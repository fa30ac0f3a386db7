import Foundation
import NodeDirectory
import NodeProtocol
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct MessagesTests {
  static let component = ComponentDescription(
    type: .instrument, subtype: try! FourCharacterCode("gmsy"),
    manufacturer: try! FourCharacterCode("Ptvo"))
  static let port = try! PortDescription(
    component: component, name: "Portative: Synth", version: try! SemanticVersion("1.0.0"),
    icon: "/icon.png", tags: ["piano"])
  static let state = UnitState(
    component: component, parameters: ["gain": 0.5], data: "AAEC")
  static let peer = Peer(name: "a \"host\" ♪", processID: 7, icon: "/i.png", url: "https://x.y")

  @Test(
    arguments: [
      .hello(protocol: 1, host: peer), .hello(protocol: .max, host: Peer(name: "", processID: 0)),
      .report(from: 0), .open(component: component),
      .initialize(Initialization(Format(), isOffline: true, priority: 80)), .uninitialize,
      .park(reason: .late), .siblings(names: ["a", "b"]), .parameters(from: 3), .values,
      .set(values: ["delay.time": 0.25]), .presets(from: 0), .usePreset(number: 1), .save,
      .restore(state: state), .takes(commands: RemoteCommand.Kind.allCases),
      .commanded(number: 7, isDone: true), .command(.jump(beat: -4), component: component), .show,
    ] as [HostMessage])
  func `what a host says is understood`(message: HostMessage) throws {
    let packet = try roundTrip(Packet(id: 3, message))
    #expect(packet.id == 3)
    #expect(packet.message == message)
  }

  @Test(
    arguments: [
      .welcome(protocol: 1, node: peer), .opened(port: port), .initialized(latency: 64),
      .initialized(latency: 64, tail: 100, parameters: 3),
      .parameters(ParameterTree([Parameter(toggle: "on", "On", default: true)]), count: 1),
      .values([0.1, -1e30]), .presets([Preset("Soft", ["on": 0])], count: 9), .state(state), .done,
      .changed(latency: 1, tail: nil), .command(.loop(isOn: true), number: 7), .show,
      .uninitialized, .refused(ProtocolError(.portInUse, "it is")), .parked(reason: .notRendered),
      .withdrawn, .report(NodeReport(node: peer, ports: []), count: 7),
      .report(
        NodeReport(
          node: peer,
          ports: [
            PortReport(
              port: port, host: peer, commands: [.stop, .continue],
              rendering: .init(
                sampleRate: 48_000, maximumFrames: 64, isOffline: false, isRealtime: true,
                cycles: 5,
                load: 0.25, malformedEvents: 1, belatedEvents: 2, unsentEvents: 3,
                unit: [UnitStatus("voices", 9)])),
            PortReport(port: port, host: nil, rendering: nil),
          ]), count: 2),
    ] as [NodeMessage])
  func `what a node says is understood`(message: NodeMessage) throws {
    #expect(try roundTrip(Packet(id: .max, message)).message == message)
  }

  @Test(arguments: [
    (
      #"{"id": 3, "message": {"open": {"component": {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}}}}"#,
      HostMessage.open(component: component)
    ),
    (#"{"id": 1, "message": {"report": {"from": 5}}}"#, .report(from: 5)),
    (#"{"id": 1, "message": {"siblings": {"names": []}}}"#, .siblings(names: [])),
    (#"{"id": 1, "message": {"values": {}}}"#, .values),
    (#"{"id": 1, "message": {"set": {"values": {"gain": 2}}}}"#, .set(values: ["gain": 2])),
    (
      #"{"id": 0, "message": {"takes": {"commands": ["togglePlay", "jump"]}}}"#,
      .takes(commands: [.togglePlay, .jump])
    ),
    (
      #"{"id": 1, "message": {"command": {"_0": {"jump": {"beat": 4}}, "component": {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}}}}"#,
      .command(.jump(beat: 4), component: component)
    ),
    (
      #"{"id": 1, "message": {"hello": {"protocol": 1, "host": {"name": "x", "processID": 2}}}}"#,
      .hello(protocol: 1, host: Peer(name: "x", processID: 2))
    ),
    (
      #"{"id":1,"message":{"initialize":{"_0":{"sampleRate":48000,"inputChannels":0,"channels":2,"maximumFrames":1024,"isOffline":false,"priority":0}}}}"#,
      .initialize(Initialization(Format(), isOffline: false, priority: 0))
    ),
  ])
  func `a message is written as the protocol's page says`(
    text: String, message: HostMessage
  ) throws {
    #expect(try decode(text).message == message)
  }

  @Test func `unknown fields are ignored`() throws {
    let text = #"""
      {"id": 3, "later": [1], "message": {"open": {"sooner": null, "component":
      {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo", "more": {"a": 1}}}}}
      """#
    #expect(try decode(text).message == .open(component: Self.component))
  }

  @Test(arguments: [
    "", "{", "null", "[]", "17", "\u{FEFF}", #"{"id": 1}"#, #"{"message": {"uninitialize": {}}}"#,
    #"{"id": -1, "message": {"uninitialize": {}}}"#,
    #"{"id": 4294967296, "message": {"uninitialize": {}}}"#,
    #"{"id": 1.5, "message": {"uninitialize": {}}}"#, #"{"id": 1, "message": {"dance": {}}}"#,
    #"{"id": 1, "message": {}}"#,
    #"{"id": 1, "message": {"report": {"from": 0}, "uninitialize": {}}}"#,
    #"{"id": 1, "message": {"park": {"reason": 99}}}"#,
    #"{"id": 1, "message": {"open": {"component": {"type": "x", "subtype": "gmsy", "manufacturer": "Ptvo"}}}}"#,
    #"{"id": 1, "message": {"open": {"component": {"type": "effect", "subtype": "gms", "manufacturer": "Ptvo"}}}}"#,
    #"{"id": 1, "message": {"hello": {"protocol": 1e99, "host": {"name": "x", "processID": 2}}}}"#,
    String(repeating: "[", count: 60_000),
    #"{"id":1,"message":"# + String(repeating: #"{"a":"#, count: 10_000),
  ])
  func `invalid messages are refused`(text: String) {
    #expect(throws: (any Error).self) { _ = try decode(text) }
  }

  private func decode(_ text: String) throws -> Packet<HostMessage> {
    try JSONDecoder().decode(Packet<HostMessage>.self, from: Data(text.utf8))
  }

  private func roundTrip<Message>(_ packet: Packet<Message>) throws -> Packet<Message> {
    try JSONDecoder().decode(Packet<Message>.self, from: JSONEncoder().encode(packet))
  }
}
