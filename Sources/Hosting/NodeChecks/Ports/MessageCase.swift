import RenderCore

/// A packet, and what a node must answer.
///
/// Source: `Documentation/Protocol.md`.
struct MessageCase {
  /// How far the connection is when the packet is sent.
  var stage = RawConnection.Stage.connected
  let packet: String
  /// The expected error; `nil` for a result.
  var code: String?
  /// Whether the answer has the packet's ID, which is 9.
  var hasID = true
  /// The beginning of the path of the field at fault.
  var field: String?
  /// Whether the node closes the connection.
  var ends = false

  private static func request(_ method: String, _ params: String = "{}") -> String {
    #"{"id": 9, "method": "\#(method)", "params": \#(params)}"#
  }

  private static func hello(_ versions: ClosedRange<Int>) -> String {
    #"{"protocol": {"minimum": \#(versions.lowerBound), "maximum": \#(versions.upperBound)}, "#
      + #""features": [], "peer": {"name": "x", "processID": 1}}"#
  }

  /// A valid request, to which every node answers with a result.
  static let report = request("report", #"{"offset": 0}"#)

  static func all(for node: CheckedNode) -> [Self] {
    malformed + sequence(node) + fields(node) + unit(node)
  }

  /// What is not a message.
  private static let malformed = [
    Self(packet: "nonsense", code: "badMessage", hasID: false),
    Self(packet: "[]", code: "badMessage", hasID: false),
    Self(packet: "null", code: "badMessage", hasID: false),
    Self(packet: "{}", code: "badMessage", hasID: false),
    Self(packet: #"{"id": 9}"#, code: "badMessage"),
    Self(packet: #"{"id": 9, "method": 5}"#, code: "badMessage"),
    Self(packet: #"{"id": 9, "method": "report", "result": {}}"#, code: "badMessage"),
    Self(packet: #"{"id": -1, "method": "values"}"#, code: "badMessage", hasID: false),
    Self(packet: #"{"id": 4294967296, "method": "values"}"#, code: "badMessage", hasID: false),
    Self(packet: #"{"id": "9", "method": "values"}"#, code: "badMessage", hasID: false),
    Self(packet: request("report", "[]"), code: "badMessage"),
    Self(packet: report + "}", code: "badMessage", hasID: false),
    Self(packet: String(repeating: "[", count: 60_000), code: "badMessage", hasID: false),
    Self(
      packet: #"{"id": 9, "method": "\#(String(repeating: "x", count: 65_536))"}"#,
      code: "badMessage", hasID: false),
  ]

  /// Methods, most of them at the wrong time.
  private static func sequence(_ node: CheckedNode) -> [Self] {
    let component = #"{"component": \#(node.componentText)}"#
    let initialize = request("initialize", "{\(node.formatText), \"priority\": 0}")
    return [
      Self(packet: request("fly"), code: "unknownMethod"),
      Self(packet: request("open", component), code: "badSequence"),
      Self(packet: request("describe", component), code: "badSequence"),
      Self(packet: report),
      Self(packet: request("uninitialize")),
      Self(packet: #"{"id": 9, "method": "uninitialize"}"#),
      Self(stage: .greeted, packet: request("values"), code: "badSequence"),
      Self(stage: .greeted, packet: initialize, code: "badSequence"),
      Self(stage: .opened, packet: request("open", component), code: "badSequence"),
      Self(stage: .opened, packet: request("saveState"), code: "badSequence"),
      Self(
        stage: .opened, packet: request("setParameters", #"{"values": {}}"#), code: "badSequence"),
      Self(stage: .initialized, packet: initialize, code: "badSequence"),
      // Before the unit is there, also if the parameters are wrong.
      Self(stage: .opened, packet: request("setParameters"), code: "badSequence"),
      Self(stage: .opened, packet: request("usePreset"), code: "badSequence"),
      Self(stage: .opened, packet: request("usePreset", #"{"index": 0}"#), code: "badSequence"),
      Self(stage: .greeted, packet: request("hello", hello(2...2)), code: "badSequence"),
    ]
  }

  /// Fields that are missing, of another type or out of range.
  private static func fields(_ node: CheckedNode) -> [Self] {
    let initialize = request("initialize", "{\(node.formatText), \"priority\": 0}")
    return [
      Self(packet: request("hello"), code: "badMessage", field: "params"),
      Self(
        packet: request("hello", hello(3...4)), code: "versionMismatch", ends: true),
      Self(packet: request("hello", hello(1...9))),
      Self(stage: .greeted, packet: request("open"), code: "badMessage", field: "params.component"),
      Self(
        stage: .greeted,
        packet: request("open", #"{"component": {"type": "effect", "manufacturer": "Acme"}}"#),
        code: "badMessage", field: "params.component.subtype"),
      Self(
        stage: .greeted, packet: request("open", #"{"component": \#(otherComponent)}"#),
        code: "noSuchPort"),
      Self(
        stage: .opened, packet: request("initialize", "{\(node.formatText)}"), code: "badMessage",
        field: "params"),
      Self(
        stage: .opened, packet: initialize.replacing("48000", with: "7999"),
        code: "unsupportedFormat"),
      Self(
        stage: .opened,
        packet: initialize.replacing(#""maximumFrames": 64"#, with: #""maximumFrames": 65537"#),
        code: "unsupportedFormat"),
      Self(
        stage: .opened,
        packet: initialize.replacing(
          #""outputChannels": \#(node.format.outputChannels),"#, with: #""outputChannels": 65,"#),
        code: "unsupportedFormat"),
      Self(
        stage: .opened,
        packet: initialize.replacing(
          #""inputChannels": \#(node.format.inputChannels),"#, with: #""inputChannels": 65,"#),
        code: "unsupportedFormat"),
      // No descriptor is attached.
      Self(stage: .opened, packet: initialize, code: "unusableMemory"),
    ]
  }

  /// Requests to the unit.
  private static func unit(_ node: CheckedNode) -> [Self] {
    func state(_ component: String, version: Int = 1) -> String {
      request(
        "restoreState",
        #"{"state": {"version": \#(version), "component": \#(component), "parameters": {}, "data": ""}}"#
      )
    }
    let start = #"{"component": \#(node.componentText), "command": {"type": "start"}}"#
    return [
      Self(
        stage: .initialized, packet: request("setParameters", #"{"values": {"no": 1}}"#),
        code: "badParameter"),
      Self(
        stage: .initialized, packet: request("setParameters"), code: "badMessage",
        field: "params.values"),
      Self(
        stage: .initialized, packet: request("usePreset", #"{"index": 99999}"#),
        code: "noSuchPreset"),
      Self(
        stage: .initialized, packet: request("usePreset", #"{"index": -1}"#), code: "noSuchPreset"),
      Self(stage: .initialized, packet: state(node.componentText, version: 2), code: "badState"),
      Self(stage: .initialized, packet: state(otherComponent), code: "badState"),
      Self(stage: .initialized, packet: state(node.componentText)),
      Self(stage: .initialized, packet: request("saveState")),
      // Nobody accepts commands.
      Self(stage: .opened, packet: request("forwardCommand", start), code: "commandFailed"),
    ]
  }

  private static let otherComponent =
    #"{"type": "effect", "subtype": "none", "manufacturer": "None"}"#
}

extension MessageCase {
  /// Sends the packet, and returns what is wrong with the answer; `nil` if nothing is.
  func check(_ node: CheckedNode) throws(CheckFault) -> String? {
    let connection = try RawConnection(node, at: stage)
    let answer = try connection.ask(packet)
    if answer.error?.code != code {
      return "answers \(answer.error?.code ?? "with a result") instead of \(code ?? "with one")"
    }
    if answer.id != (hasID ? 9 : nil) {
      return "answers with \(answer.id.map { "the id \($0)" } ?? "no id")"
    }
    if let field, answer.error?.data?.field?.hasPrefix(field) != true {
      return "names \(answer.error?.data?.field ?? "no field") instead of \(field)"
    }
    if answer.error?.message.isEmpty == true { return "gives no reason" }
    if ends { return try connection.receive() == nil ? nil : "keeps the connection" }
    return try connection.ask(Self.report).hasResult ? nil : "answers no report afterwards"
  }
}
