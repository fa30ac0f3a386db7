import Foundation
import Glibc
import LocalSystem
import NodeProtocol
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// Tests of two independent nodes, `portative serve` and `Examples/node.c`: they answer the same packets, as
/// `Documentation/Protocol.md` says.
@Suite(.timeLimit(.minutes(5))) struct ConformanceTests {
  enum Node: CaseIterable {
    case portative, example

    var component: String {
      switch self {
      case .portative: #"{"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}"#
      case .example: #"{"type": "instrument", "subtype": "tria", "manufacturer": "Acme"}"#
      }
    }

    /// Starts the node.
    ///
    /// - Returns: The path of its socket.
    func start(_ user: TemporaryUser) throws -> (program: Program, socketPath: String) {
      switch self {
      case .portative:
        try user.configureOnePort()
        return (try user.serve(), user.folder("run/portative/portative.socket"))
      case .example:
        let program = try ExamplePrograms.checkedNode.get()
        return (
          try user.startExampleNode(program: program), user.folder("run/portative/acme.socket")
        )
      }
    }
  }

  /// How far a connection is when a packet is sent.
  private enum Stage: Int { case connected, greeted, opened, initialized }

  private struct Case {
    var stage = Stage.connected
    var packet: String
    /// The expected error; `nil` for a result.
    var code: String?
    /// Whether the answer has the packet's ID, which is 9.
    var hasID = true
    /// The beginning of the path of the field at fault.
    var field: String?
    var ends = false
  }

  private static func request(_ method: String, _ params: String = "{}") -> String {
    #"{"id": 9, "method": "\#(method)", "params": \#(params)}"#
  }

  private static let format = #"""
    "sampleRate": 48000, "inputChannels": 0, "outputChannels": 2, "maximumFrames": 64, "isOffline": true
    """#

  private static func cases(_ component: String) -> [Case] {
    let state = #""component": \#(component), "parameters": {}, "data": """#
    let other = #"{"type": "effect", "subtype": "none", "manufacturer": "None"}"#
    let hello = #""features": [], "peer": {"name": "x", "processID": 1}"#
    return [
      // What is not a message.
      Case(packet: "nonsense", code: "badMessage", hasID: false),
      Case(packet: "[]", code: "badMessage", hasID: false),
      Case(packet: "null", code: "badMessage", hasID: false),
      Case(packet: "{}", code: "badMessage", hasID: false),
      Case(packet: #"{"id": 9}"#, code: "badMessage"),
      Case(packet: #"{"id": 9, "method": 5}"#, code: "badMessage"),
      Case(packet: #"{"id": 9, "method": "report", "result": {}}"#, code: "badMessage"),
      Case(packet: #"{"id": -1, "method": "values"}"#, code: "badMessage", hasID: false),
      Case(packet: #"{"id": 4294967296, "method": "values"}"#, code: "badMessage", hasID: false),
      Case(packet: #"{"id": "9", "method": "values"}"#, code: "badMessage", hasID: false),
      Case(packet: request("report", "[]"), code: "badMessage"),
      Case(packet: request("report", #"{"offset": 0}"#) + "}", code: "badMessage", hasID: false),
      Case(
        packet: String(repeating: "[", count: 60_000), code: "badMessage", hasID: false),
      Case(
        packet: #"{"id": 9, "method": "\#(String(repeating: "x", count: 65_536))"}"#,
        code: "badMessage", hasID: false),
      // Methods at the wrong time.
      Case(packet: request("fly"), code: "unknownMethod"),
      Case(packet: request("open", #"{"component": \#(component)}"#), code: "badSequence"),
      Case(packet: request("describe", #"{"component": \#(component)}"#), code: "badSequence"),
      Case(packet: request("report", #"{"offset": 0}"#)),
      Case(packet: request("uninitialize")),
      Case(packet: #"{"id": 9, "method": "uninitialize"}"#),
      Case(stage: .greeted, packet: request("values"), code: "badSequence"),
      Case(
        stage: .greeted, packet: request("initialize", "{\(format), \"priority\": 0}"),
        code: "badSequence"),
      Case(
        stage: .opened, packet: request("open", #"{"component": \#(component)}"#),
        code: "badSequence"),
      Case(stage: .opened, packet: request("saveState"), code: "badSequence"),
      Case(
        stage: .opened, packet: request("setParameters", #"{"values": {}}"#), code: "badSequence"),
      Case(
        stage: .initialized, packet: request("initialize", "{\(format), \"priority\": 0}"),
        code: "badSequence"),
      // Fields.
      Case(packet: request("hello", "{\(hello)}"), code: "badMessage", field: "params"),
      Case(
        packet: request("hello", #"{"protocol": {"minimum": 3, "maximum": 4}, \#(hello)}"#),
        code: "versionMismatch", ends: true),
      Case(packet: request("hello", #"{"protocol": {"minimum": 1, "maximum": 9}, \#(hello)}"#)),
      Case(stage: .greeted, packet: request("open"), code: "badMessage", field: "params.component"),
      Case(
        stage: .greeted,
        packet: request("open", #"{"component": {"type": "effect", "manufacturer": "Acme"}}"#),
        code: "badMessage", field: "params.component.subtype"),
      Case(
        stage: .greeted, packet: request("open", #"{"component": \#(other)}"#), code: "noSuchPort"),
      Case(
        stage: .opened, packet: request("initialize", "{\(format)}"), code: "badMessage",
        field: "params"),
      Case(
        stage: .opened,
        packet: request("initialize", "{\(format), \"priority\": 0}")
          .replacing("48000", with: "7999"), code: "unsupportedFormat"),
      Case(
        stage: .opened,
        packet: request("initialize", "{\(format), \"priority\": 0}")
          .replacing("64", with: "65537"), code: "unsupportedFormat"),
      Case(
        stage: .opened, packet: request("initialize", "{\(format), \"priority\": 0}"),
        code: "unusableMemory"),
      // The unit.
      Case(
        stage: .initialized, packet: request("setParameters", #"{"values": {"no": 1}}"#),
        code: "badParameter"),
      Case(
        stage: .initialized, packet: request("setParameters"), code: "badMessage",
        field: "params.values"),
      Case(
        stage: .initialized, packet: request("usePreset", #"{"index": 99999}"#),
        code: "noSuchPreset"),
      Case(
        stage: .initialized, packet: request("usePreset", #"{"index": -1}"#), code: "noSuchPreset"),
      Case(
        stage: .initialized,
        packet: request("restoreState", #"{"state": {"version": 2, \#(state)}}"#), code: "badState"),
      Case(
        stage: .initialized,
        packet: request(
          "restoreState",
          #"{"state": {"version": 1, "component": \#(other), "parameters": {}, "data": ""}}"#),
        code: "badState"),
      Case(
        stage: .initialized,
        packet: request("restoreState", #"{"state": {"version": 1, \#(state)}}"#)),
      Case(stage: .initialized, packet: request("saveState")),
      Case(
        stage: .opened,
        packet: request(
          "forwardCommand", #"{"component": \#(component), "command": {"type": "start"}}"#),
        code: "commandFailed"),
    ]
  }

  @Test(arguments: Node.allCases)
  func `a node answers each packet with the documented result or error`(node: Node) throws {
    let user = try TemporaryUser()
    let (program, path) = try node.start(user)
    for example in Self.cases(node.component) {
      let wire = try Wire(path)
      var segment: Segment?
      if example.stage.rawValue >= Stage.greeted.rawValue { try wire.greet() }
      if example.stage.rawValue >= Stage.opened.rawValue { try wire.open(node.component) }
      if example.stage == .initialized { segment = try wire.initialize(Self.format) }
      let answer = try wire.ask(example.packet)
      withExtendedLifetime(segment) {}
      let error = answer["error"] as? [String: Any]
      let note = Comment("\(node): \(example.packet.prefix(200)): \(answer)")
      #expect(error?["code"] as? String == example.code, note)
      #expect((answer["result"] != nil) == (example.code == nil), note)
      #expect(answer["id"] as? Int == (example.hasID ? 9 : nil), note)
      if let field = example.field {
        let found = (error?["data"] as? [String: Any])?["field"] as? String
        #expect(found?.hasPrefix(field) == true, note)
      }
      if error != nil { #expect((error?["message"] as? String)?.isEmpty == false, note) }
      if example.ends {
        #expect(try wire.receive() == nil)
      } else {
        #expect(try wire.ask(Self.request("report", #"{"offset": 0}"#))["result"] != nil, note)
      }
    }
    try end(program, node, user)
  }

  @Test(arguments: Node.allCases)
  func `a node ends a connection with the reason`(node: Node) throws {
    let user = try TemporaryUser()
    let (program, path) = try node.start(user)
    let (silent, rude) = (try Wire(path), try Wire(path))
    // Notifications are not answered, even unknown ones.
    for _ in 0..<20 { try rude.send(#"{"method": "fly"}"#) }
    for _ in 0..<16 {
      let answer = try rude.ask("x")
      #expect((answer["error"] as? [String: Any])?["code"] as? String == "badMessage")
    }
    #expect(try rude.receive() == nil)
    let reason = try #require(try silent.receive())
    #expect((reason["error"] as? [String: Any])?["code"] as? String == "badMessage")
    #expect(reason["id"] == nil)
    #expect(try silent.receive() == nil)
    try end(program, node, user)
  }

  @Test(arguments: Node.allCases)
  func `unusable memory is refused, and the host may try again`(node: Node) throws {
    let user = try TemporaryUser()
    let (program, path) = try node.start(user)
    let wire = try Wire(path)
    try wire.greet()
    try wire.open(node.component)
    let format = Format(maximumFrames: 64)
    let request = Self.request("initialize", "{\(Self.format), \"priority\": 0}")
    let other = try Segment.make(Format(maximumFrames: 4096))
    let unsealed = open(user.folder("plain"), O_RDWR | O_CREAT, 0o600)
    ftruncate(unsealed, off_t(SegmentLayout(format).size))
    for descriptor in [other.descriptor, unsealed] {
      let answer = try wire.ask(request, attached: descriptor)
      #expect((answer["error"] as? [String: Any])?["code"] as? String == "unusableMemory")
      close(descriptor)
    }
    let segment = try wire.initialize(Self.format)
    // A cycle with too many frames, and events that are not there, are answered with silence.
    for (number, frames) in [(UInt32(1), UInt32(65)), (2, 0), (3, 64)] {
      segment.cycle.frames = frames
      segment.cycle.posted.store(number)
      segment.cycle.posted.wake()
      #expect(eventually { segment.cycle.answered.value == number })
      #expect((0..<64).allSatisfy { segment.output(channel: 1)[$0] == 0 })
    }
    try end(program, node, user)
  }

  private func end(_ program: Program, _ node: Node, _ user: TemporaryUser) throws {
    program.send(SIGTERM)
    let result = try program.result()
    #expect(result.exitCode == 0, "\(node): \(result.errors)")
    #expect(user.files == [])
  }
}

/// A host that sends any packets.
private final class Wire {
  private let socket: PacketSocket

  init(_ path: String) throws { socket = try PacketSocket(connectingTo: path) }

  func send(_ packet: String, attached: CInt? = nil) throws {
    let bytes = Array(packet.utf8)
    if attached != nil { return try socket.send(bytes, attached: attached) }
    // Not through `PacketSocket`, which refuses packets that are too long.
    let count = Glibc.send(socket.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    try #require(count == bytes.count)
  }

  /// Returns the next packet, or `nil` if the node has closed the connection.
  func receive() throws -> [String: Any]? {
    try #require(socket.waitForPacket(milliseconds: 20_000))
    guard let packet = try socket.receive() else { return nil }
    return try #require(
      JSONSerialization.jsonObject(with: Data(packet.bytes)) as? [String: Any])
  }

  func ask(_ packet: String, attached: CInt? = nil) throws -> [String: Any] {
    try send(packet, attached: attached)
    return try #require(try receive())
  }

  func greet() throws {
    let hello = #""protocol": {"minimum": 2, "maximum": 2}, "features": []"#
    let answer = try ask(
      #"{"id": 1, "method": "hello", "params": {\#(hello), "peer": {"name": "x", "processID": 1}}}"#
    )
    try #require((answer["result"] as? [String: Any])?["protocol"] as? Int == 2)
  }

  /// Opens the port, after the host before has closed it.
  func open(_ component: String) throws {
    let request = #"{"id": 2, "method": "open", "params": {"component": \#(component)}}"#
    let isOpen = try eventually { try ask(request)["result"] != nil }
    try #require(isOpen)
  }

  func initialize(_ format: String) throws -> Segment {
    let made = try Segment.make(Format(maximumFrames: 64))
    let descriptor = OwnedDescriptor(made.descriptor)
    let answer = try withExtendedLifetime(descriptor) {
      try ask(
        #"{"id": 3, "method": "initialize", "params": {\#(format), "priority": 0}}"#,
        attached: descriptor.number)
    }
    try #require(answer["result"] != nil, "\(answer)")
    return made.segment
  }
}
