import Foundation
import NodeDirectory
import NodeProtocol
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct MessagesTests {
  static let component = ComponentDescription(
    type: .instrument, subtype: try! FourCharacterCode("gmsy"),
    manufacturer: try! FourCharacterCode("Ptvo"))
  static let port = try! PortDescription(
    component: component, name: "Portative: Synth", version: try! SemanticVersion("1.0.0"),
    icon: "/icon.png", tags: ["piano"])
  static let state = UnitState(
    component: component, parameters: ["gain": 0.5], data: "AAEC")
  static let peer = Peer(name: "a \"host\" ♪", processID: 7, icon: "/i.png", url: "https://x.y")
  static let rendering = PortReport.Rendering(
    sampleRate: 48_000, maximumFrames: 64, isOffline: false, isRealtime: true, cycles: 5,
    load: 0.25, malformedEvents: 1, belatedEvents: 2, unsentEvents: 3,
    unit: [UnitStatus("voices", 9)])

  // The same as JSON.
  static let componentText =
    #""type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo""#
  static let portText =
    "{\(componentText), "
    + #""name": "Portative: Synth", "version": "1.0.0", "icon": "/icon.png", "tags": ["piano"]}"#
  static let stateText =
    #"{"version": 1, "component": {\#(componentText)}, "parameters": {"gain": 0.5}, "data": "AAEC"}"#
  static let peerText =
    #"{"name": "a \"host\" ♪", "processID": 7, "icon": "/i.png", "url": "https://x.y"}"#
  static let renderingText = #"""
    {"sampleRate": 48000, "maximumFrames": 64, "isOffline": false, "isRealtime": true, "cycles": 5,
    "load": 0.25, "malformedEvents": 1, "belatedEvents": 2, "unsentEvents": 3,
    "unit": [{"name": "voices", "value": 9}]}
    """#

  @Test(
    arguments: [
      (#"{"hello": {"protocol": 1, "host": \#(peerText)}}"#, .hello(protocol: 1, host: peer)),
      (
        #"{"hello": {"protocol": 2, "host": {"name": "", "processID": 0}}}"#,
        .hello(protocol: 2, host: Peer(name: "", processID: 0))
      ),
      (#"{"report": {"from": 5}}"#, .report(from: 5)),
      (#"{"open": {"component": {\#(componentText)}}}"#, .open(component: component)),
      (#"{"describe": {"component": {\#(componentText)}}}"#, .describe(component: component)),
      (
        #"""
        {"initialize": {"_0": {"sampleRate": 48000, "inputChannels": 0, "channels": 2,
        "maximumFrames": 1024, "isOffline": true, "priority": 80}}}
        """#,
        .initialize(Initialization(Format(), isOffline: true, priority: 80))
      ),
      (#"{"uninitialize": {}}"#, .uninitialize),
      (#"{"park": {"reason": 1}}"#, .park(reason: .late)),
      (#"{"siblings": {"names": ["a", "b"]}}"#, .siblings(names: ["a", "b"])),
      (#"{"parameters": {"from": 3}}"#, .parameters(from: 3)),
      (#"{"values": {}}"#, .values),
      (#"{"set": {"values": {"delay.time": 0.25}}}"#, .set(values: ["delay.time": 0.25])),
      (#"{"presets": {"from": 0}}"#, .presets(from: 0)),
      (#"{"usePreset": {"number": 1}}"#, .usePreset(number: 1)),
      (#"{"save": {}}"#, .save),
      (#"{"restore": {"state": \#(stateText)}}"#, .restore(state: state)),
      (
        #"""
        {"takes": {"commands": ["togglePlay", "toggleRecord", "rewind", "start", "stop", "continue",
        "jump", "loop"]}}
        """#,
        .takes(commands: RemoteCommand.Kind.allCases)
      ),
      (#"{"commanded": {"number": 7, "isDone": true}}"#, .commanded(number: 7, isDone: true)),
      (
        #"{"command": {"_0": {"jump": {"beat": -4}}, "component": {\#(componentText)}}}"#,
        .command(.jump(beat: -4), component: component)
      ),
      (#"{"show": {}}"#, .show),
    ] as [(String, HostMessage)])
  func `a host's message has the documented JSON`(text: String, message: HostMessage) throws {
    let text = #"{"id": 3, "message": \#(text)}"#
    let packet = try decode(text)
    #expect(packet.id == 3)
    #expect(packet.message == message)
    #expect(try json(packet) == json(text))
  }

  @Test(
    arguments: [
      (#"{"welcome": {"protocol": 1, "node": \#(peerText)}}"#, .welcome(protocol: 1, node: peer)),
      (
        #"{"report": {"_0": {"node": \#(peerText), "ports": []}, "count": 7}}"#,
        .report(NodeReport(node: peer, ports: []), count: 7)
      ),
      (
        #"""
        {"report": {"_0": {"node": \#(peerText), "sound": "jack", "ports": [
        {"port": \#(portText), "host": \#(peerText), "commands": ["stop", "continue"],
        "players": ["Keys"], "rendering": \#(renderingText),
        "song": {"isPlaying": true, "isRecording": false, "isLooping": false, "beat": 1.5,
        "tempo": 120, "meter": "6/8"}},
        {"port": \#(portText), "players": []}]}, "count": 2}}
        """#,
        .report(
          NodeReport(
            node: peer, sound: "jack",
            ports: [
              PortReport(
                port: port, host: peer, commands: [.stop, .continue], players: ["Keys"],
                song: HostSong(
                  isPlaying: true, isRecording: false, isLooping: false, beat: 1.5, tempo: 120,
                  meter: "6/8"), rendering: rendering),
              PortReport(port: port, host: nil, rendering: nil),
            ]), count: 2)
      ),
      (#"{"opened": {"port": \#(portText)}}"#, .opened(port: port)),
      (
        #"{"described": {"port": \#(portText), "latency": 64, "parameters": 3}}"#,
        .described(port: port, latency: 64, parameters: 3)
      ),
      (
        #"{"initialized": {"latency": 64, "tail": 100, "parameters": 3}}"#,
        .initialized(latency: 64, tail: 100, parameters: 3)
      ),
      (#"{"initialized": {"latency": 64, "parameters": 0}}"#, .initialized(latency: 64)),
      (#"{"uninitialized": {}}"#, .uninitialized),
      (
        #"{"refused": {"_0": {"code": "portInUse", "message": "it is"}}}"#,
        .refused(ProtocolError(.portInUse, "it is"))
      ),
      (#"{"parked": {"reason": 2}}"#, .parked(reason: .notRendered)),
      (#"{"withdrawn": {}}"#, .withdrawn),
      (
        #"""
        {"parameters": {"_0": {"parameters": [{"identifier": "on", "name": "On", "unit": "toggle",
        "minimum": 0, "maximum": 1, "defaultValue": 1, "scale": "linear",
        "valueNames": ["off", "on"]}], "groups": []}, "count": 1}}
        """#,
        .parameters(ParameterTree([Parameter(toggle: "on", "On", default: true)]), count: 1)
      ),
      (#"{"values": {"_0": [0.5, -1e30]}}"#, .values([0.5, -1e30])),
      (
        #"{"presets": {"_0": [{"name": "Soft", "values": {"on": 0}}], "count": 9}}"#,
        .presets([Preset("Soft", ["on": 0])], count: 9)
      ),
      (#"{"state": {"_0": \#(stateText)}}"#, .state(state)),
      (#"{"done": {}}"#, .done),
      (#"{"changed": {"latency": 1}}"#, .changed(latency: 1, tail: nil)),
      (
        #"{"command": {"_0": {"loop": {"isOn": true}}, "number": 7}}"#,
        .command(.loop(isOn: true), number: 7)
      ),
      (#"{"show": {}}"#, .show),
    ] as [(String, NodeMessage)])
  func `a node's message has the documented JSON`(text: String, message: NodeMessage) throws {
    let text = #"{"id": 4294967295, "message": \#(text)}"#
    let packet = try JSONDecoder().decode(Packet<NodeMessage>.self, from: Data(text.utf8))
    #expect(packet.message == message)
    #expect(try json(packet) == json(text))
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

  private func json(_ packet: some Encodable) throws -> NSDictionary {
    try json(String(decoding: JSONEncoder().encode(packet), as: UTF8.self))
  }

  private func json(_ text: String) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }
}
