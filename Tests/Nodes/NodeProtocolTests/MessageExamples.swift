import Foundation
import NodeProtocol
import RenderCore
import Testing

/// A message of the protocol as Swift encodes it and as it is documented.
struct MessageExample: Sendable, CustomTestStringConvertible {
  /// The key of the message's schema: its method and kind.
  let name: String
  /// The type of its parameters, its result or its error.
  let content: any (Decodable & Sendable).Type
  /// The packet that Swift sends.
  let packet: [UInt8]
  /// The packet as JSON text.
  let text: String
  /// Decodes a packet, and returns whether it is the same message.
  let decode: @Sendable ([UInt8]) throws -> Bool

  var testDescription: String { name }
}

extension MessageExample {
  /// At least one example for each message.
  static let all = ofHosts + ofControls + toUnits + ofNodes + commands + errors

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
    load: 0.25, malformedEvents: 1, lateEvents: 2, droppedEvents: 3, invalidSamples: 4,
    invalidInputSamples: 5, lateCycles: 6, unit: [UnitStatus("voices", 9)])

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
    "load": 0.25, "malformedEvents": 1, "lateEvents": 2, "droppedEvents": 3,
    "invalidSamples": 4, "invalidInputSamples": 5, "lateCycles": 6, "unit": [{"name": "voices", "value": 9}]}
    """#

  private static func report(sound: String, _ ports: [PortReport]) -> NodeReport {
    var report = NodeReport(node: peer, sound: sound, ports: ports)
    report.song = NodeReport.Song(name: "Waltz", position: -1.5, length: 60, isPlaying: true)
    return report
  }

  /// Requests of a host, and their responses.
  static var ofHosts: [MessageExample] {
    var examples: [MessageExample] = []
    examples += make(
      Hello(protocol: VersionRange(1...2), features: ["x"], peer: peer),
      #"{"protocol": {"minimum": 1, "maximum": 2}, "features": ["x"], "peer": \#(peerText)}"#,
      Hello.Response(protocol: 2, features: [], peer: peer),
      #"{"protocol": 2, "features": [], "peer": \#(peerText)}"#)
    examples += make(
      GetReport(offset: 5), #"{"offset": 5}"#,
      GetReport.Response(
        report(
          sound: "jack",
          [
            PortReport(
              port: port, host: peer, commands: [.stop, .continue], players: ["Keys"],
              song: HostSong(
                isPlaying: true, isRecording: false, isLooping: false, beat: 1.5, tempo: 120,
                meter: "6/8"), rendering: rendering,
              roundTrips: [
                PortReport.RoundTrips(
                  host: Peer(name: "a", processID: 7), median: 83.5, longest: 210)
              ]),
            PortReport(port: port, host: nil, rendering: nil),
          ]), total: 7),
      #"""
      {"peer": \#(peerText), "sound": "jack", "total": 7,
      "song": {"name": "Waltz", "position": -1.5, "length": 60, "isPlaying": true}, "items": [
      {"port": \#(portText), "host": \#(peerText), "commands": ["stop", "continue"],
      "players": ["Keys"], "rendering": \#(renderingText),
      "song": {"isPlaying": true, "isRecording": false, "isLooping": false, "beat": 1.5,
      "tempo": 120, "meter": "6/8"},
      "roundTrips": [{"host": {"name": "a", "processID": 7}, "median": 83.5, "longest": 210}]},
      {"port": \#(portText), "players": []}]}
      """#)
    examples += make(
      OpenPort(component: component), #"{"component": {\#(componentText)}}"#,
      OpenPort.Response(port: port), #"{"port": \#(portText)}"#)
    examples += make(
      DescribePort(component: component, host: 7),
      #"{"component": {\#(componentText)}, "host": 7}"#,
      DescribePort.Response(
        port: port, unit: UnitProperties(latency: 64, tail: 100, parameterCount: 3)),
      #"""
      {"port": \#(portText), "unit": {"latency": 64, "tail": 100, "parameterCount": 3}}
      """#)
    examples += make(
      InitializePort(Format(), isOffline: true, priority: 80, takeUnit: 7),
      #"""
      {"sampleRate": 48000, "inputChannels": 0, "outputChannels": 2, "maximumFrames": 1024,
      "isOffline": true, "priority": 80, "takeUnit": 7}
      """#,
      UnitProperties(latency: 64), #"{"latency": 64, "parameterCount": 0}"#)
    examples += make(UninitializePort(), "{}", Done(), "{}")
    examples += make(
      ForwardCommand(.jump(beat: -4), component: component),
      #"{"command": {"type": "jump", "beat": -4}, "component": {\#(componentText)}}"#,
      Done(), "{}")
    return examples
  }

  /// Requests about controls, and their responses.
  static var ofControls: [MessageExample] {
    var control = ControlReport(.fineController, .parameter, origin: .learned)
    control.number = 21
    control.channel = 1
    control.keyboard = "Keys"
    control.port = "Test: Piano"
    control.parameter = "gain"
    control.from = 3
    control.to = -6
    control.picksUp = false
    control.relative = .offset
    control.problem = "gone"
    let controlText = #"""
      {"origin": "learned", "message": "fineController", "number": 21, "channel": 1,
      "keyboard": "Keys", "effect": "parameter", "port": "Test: Piano", "parameter": "gain",
      "from": 3, "to": -6, "picksUp": false, "relative": "offset", "problem": "gone"}
      """#
    var examples: [MessageExample] = []
    examples += make(
      LearnControl(
        of: component, parameter: "gain", from: 3, to: -6, picksUp: false, relative: .signMagnitude,
        isNote: true,
        seconds: 30),
      #"""
      {"component": {\#(componentText)}, "parameter": "gain", "from": 3, "to": -6,
      "picksUp": false, "relative": "signMagnitude", "isNote": true, "seconds": 30}
      """#,
      LearnControl.Response(control: control, warning: "full"),
      #"{"control": \#(controlText), "warning": "full"}"#)
    examples += make(
      GetControls(offset: 2), #"{"offset": 2}"#, ItemList(items: [control], total: 3),
      #"{"items": [\#(controlText)], "total": 3}"#)
    examples += make(
      ClearControls(.parameter, port: "Test: Piano", parameter: "gain"),
      #"{"scope": "parameter", "port": "Test: Piano", "parameter": "gain"}"#,
      ClearControls.Response(count: 1, warning: "full"), #"{"count": 1, "warning": "full"}"#)
    return examples
  }

  /// Requests to a unit, and their responses.
  static var toUnits: [MessageExample] {
    var examples: [MessageExample] = []
    examples += make(
      GetParameters(offset: 3), #"{"offset": 3}"#,
      GetParameters.Response(
        items: [Parameter(toggle: "on", "On", default: true)], total: 1,
        groups: [ParameterTree.Group("delay", "Delay")]),
      #"""
      {"items": [{"identifier": "on", "name": "On", "unit": "toggle", "minimum": 0, "maximum": 1,
      "defaultValue": 1, "scale": "linear", "valueNames": ["off", "on"]}], "total": 1,
      "groups": [{"identifier": "delay", "name": "Delay"}]}
      """#)
    examples += make(
      GetValues(), "{}", GetValues.Response(values: [0.5, -1e30]), #"{"values": [0.5, -1e30]}"#)
    examples += make(
      SetParameters(values: ["delay.time": 0.25]), #"{"values": {"delay.time": 0.25}}"#, Done(),
      "{}")
    examples += make(
      GetPresets(offset: 0), #"{"offset": 0}"#,
      ItemList(items: [Preset("Soft", ["on": 0])], total: 9),
      #"{"items": [{"name": "Soft", "values": {"on": 0}}], "total": 9}"#)
    examples += make(
      Panic(component: component), #"{"component": {\#(componentText)}}"#, Done(), "{}")
    examples += make(
      GetScenes(offset: 1), #"{"offset": 1}"#,
      GetScenes.Response(items: ["Chorus"], total: 2, setListCount: 1, current: "Verse"),
      #"{"items": ["Chorus"], "total": 2, "setListCount": 1, "current": "Verse"}"#)
    examples += make(
      ChooseScene(name: "Verse"), #"{"name": "Verse"}"#, ChooseScene.Response(scene: "Verse"),
      #"{"scene": "Verse"}"#)
    examples += make(
      ChooseScene(step: -1), #"{"step": -1}"#, ChooseScene.Response(scene: "Verse"),
      #"{"scene": "Verse"}"#)
    examples += make(
      Transpose(semitones: -2), #"{"semitones": -2}"#, Transpose.Response(transposition: 1),
      #"{"transposition": 1}"#)
    examples += make(
      Transpose(step: 1), #"{"step": 1}"#, Transpose.Response(transposition: 2),
      #"{"transposition": 2}"#)
    examples += make(
      SaveScene(name: "Verse", replaces: true), #"{"name": "Verse", "replaces": true}"#,
      SaveScene.Response(file: "/c.json"), #"{"file": "/c.json"}"#)
    examples += make(
      GetZones(component: component), #"{"component": {\#(componentText)}}"#,
      GetZones.Response(zones: "[]"), #"{"zones": "[]"}"#)
    examples += make(
      SetZones(component: component, zones: "[]"),
      #"{"component": {\#(componentText)}, "zones": "[]"}"#, Done(), "{}")
    examples += songs
    examples += make(
      GetTake(component: component, seconds: 90, keepsSilence: true, offset: 3),
      #"{"component": {\#(componentText)}, "seconds": 90, "keepsSilence": true, "offset": 3}"#,
      GetTake.Response(
        data: "TVRoZA==", total: 7,
        take: TakeProperties(
          sampleRate: 48_000,
          ports: [.init(name: "Test: X", sound: "Y", notes: 5, unit: 7, left: 0.5, right: 1)],
          firstNote: 12,
          isWhole: true, hasLosses: false, limit: 1800)),
      #"""
      {"data": "TVRoZA==", "total": 7, "take": {"sampleRate": 48000,
      "ports": [{"name": "Test: X", "sound": "Y", "notes": 5, "unit": 7, "left": 0.5, "right": 1}],
      "firstNote": 12, "isWhole": true,
      "hasLosses": false, "limit": 1800}}
      """#)
    examples += make(UsePreset(index: 1), #"{"index": 1}"#, Done(), "{}")
    let file = FileReference(
      path: "/fonts/a.sf2", hash: "99aa06d3014798d86001c324468d497f")
    let fileText = #"{"path": "/fonts/a.sf2", "hash": "99aa06d3014798d86001c324468d497f"}"#
    examples += make(
      GetFiles(), "{}", GetFiles.Response(files: [UnitFile("soundfont", "SoundFont", file)]),
      #"{"files": [{"identifier": "soundfont", "name": "SoundFont", "file": \#(fileText)}]}"#)
    examples += make(
      SetFile(identifier: "soundfont", file: file),
      #"{"identifier": "soundfont", "file": \#(fileText)}"#, Done(), "{}")
    examples += make(
      SaveState(), "{}", SaveState.Response(state: state), #"{"state": \#(stateText)}"#)
    examples += make(
      RestoreState(state: state), #"{"state": \#(stateText)}"#, Done(), "{}")
    examples += make(
      SaveStatePart(offset: 3), #"{"offset": 3}"#,
      SaveStatePart.Response(data: "eyJ2", total: 99), #"{"data": "eyJ2", "total": 99}"#)
    examples += make(
      LoadStatePart(data: "eyJ2", offset: 3, total: 99),
      #"{"data": "eyJ2", "offset": 3, "total": 99}"#, Done(), "{}")
    return examples
  }

  /// Messages of a node, and notifications.
  static var ofNodes: [MessageExample] {
    var examples: [MessageExample] = []
    examples += make(
      TransportCommand(.loop(isOn: true)), #"{"command": {"type": "loop", "isOn": true}}"#,
      TransportCommand.Response(isDone: true), #"{"isDone": true}"#)
    examples += make(ParkPort(reason: .late), #"{"reason": "late"}"#)
    examples += make(PeerNodeNames(names: ["a", "b"]), #"{"names": ["a", "b"]}"#)
    examples += make(
      SupportedCommands(commands: RemoteCommand.Kind.allCases),
      #"""
      {"commands": ["togglePlay", "toggleRecord", "rewind", "start", "stop", "continue", "jump",
      "loop"]}
      """#)
    examples += make(ShowWindow(), "{}")
    examples += make(ShowPage(link: "http://x/#y"), #"{"link": "http://x/#y"}"#)
    examples += make(PortParked(reason: .notRendered), #"{"reason": "notRendered"}"#)
    examples += make(PortRemoved(), "{}")
    examples += make(SettingsChanged(), "{}")
    examples += make(TimingChanged(latency: 1, tail: nil), #"{"latency": 1}"#)
    examples += make(TimingChanged(latency: 0, tail: 5), #"{"latency": 0, "tail": 5}"#)
    return examples
  }

  /// A transport command of each type.
  static var commands: [MessageExample] {
    let commands: [RemoteCommand] = [
      .togglePlay, .toggleRecord, .rewind, .start, .stop, .continue, .jump(beat: 4),
      .loop(isOn: false),
    ]
    return RemoteCommand.Kind.allCases.flatMap { kind in
      let values = [.jump: #", "beat": 4"#, .loop: #", "isOn": false"#][kind] ?? ""
      return make(
        TransportCommand(commands.first { $0.kind == kind }!),
        #"{"command": {"type": "\#(kind.rawValue)"\#(values)}}"#)
    }
  }

  static var errors: [MessageExample] {
    [
      make(
        ProtocolError(.portInUse, "it is", field: "params", holder: peer), id: 7,
        #"""
        {"id": 7, "error": {"code": "portInUse", "message": "it is",
        "data": {"field": "params", "holder": \#(peerText)}}}
        """#),
      make(
        ProtocolError(
          FormatError(field: "outputChannels", value: 2, allowed: 34...34), of: "Test: X"), id: 8,
        #"""
        {"id": 8, "error": {"code": "unsupportedFormat",
        "message": "Test: X: outputChannels must be 34, but is 2",
        "data": {"field": "params.outputChannels", "allowed": {"minimum": 34, "maximum": 34}}}}
        """#),
      make(
        ProtocolError(.badMessage, "no"), id: nil,
        #"{"error": {"code": "badMessage", "message": "no"}}"#),
    ]
  }

  /// Returns a request and its response.
  static func make<R: Request>(
    _ request: R, _ params: String, _ response: R.Response, _ result: String
  ) -> [MessageExample] {
    make(request, params) + [
      MessageExample(
        name: "\(R.method) response", content: R.Response.self,
        packet: try! MessageEncoder.response(response, id: .max),
        text: #"{"id": 4294967295, "result": \#(result)}"#
      ) {
        let message = try ReceivedMessage($0)
        return try message.result(R.Response.self) == response
          && message.kind == .response(id: .max)
      }
    ]
  }

  private static func make<R: Request>(_ request: R, _ params: String) -> [MessageExample] {
    [
      MessageExample(
        name: "\(R.method) request", content: R.self,
        packet: try! MessageEncoder.request(request, id: 3),
        text: #"{"id": 3, "method": "\#(R.method)", "params": \#(params)}"#
      ) {
        let message = try ReceivedMessage($0)
        return try message.parameters(R.self) == request
          && message.kind == .request(id: 3, method: R.method)
      }
    ]
  }

  private static func make<N: NodeProtocol.Notification>(
    _ notification: N, _ params: String
  ) -> [MessageExample] {
    [
      MessageExample(
        name: "\(N.method) notification", content: N.self,
        packet: try! MessageEncoder.notification(notification),
        text: #"{"method": "\#(N.method)", "params": \#(params)}"#
      ) {
        let message = try ReceivedMessage($0)
        return try message.parameters(N.self) == notification
          && message.kind == .notification(method: N.method)
      }
    ]
  }

  private static func make(_ error: ProtocolError, id: UInt32?, _ text: String) -> MessageExample {
    MessageExample(
      name: "error response", content: ProtocolError.self,
      packet: try! MessageEncoder.error(error, id: id), text: text
    ) {
      try ReceivedMessage($0).kind == .error(id: id, error)
    }
  }
}
