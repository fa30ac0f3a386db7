import Foundation
import NodeProtocol
import TestSupport
import Testing

/// Tests of `Schemas/protocol.schema.json`.
@Suite(.timeLimit(.minutes(5))) struct ProtocolSchemaTests {
  @Test func `the schema is the one that is made from the messages`() throws {
    let made = try ProtocolSchema.text(of: MessageExample.all)
    let path = repositoryFile("Schemas/protocol.schema.json")
    // As `make schemas` does.
    if ProcessInfo.processInfo.environment["PORTATIVE_WRITES_SCHEMAS"] != nil {
      try Data(made.utf8).write(to: URL(filePath: path))
    }
    let isMade = try String(contentsOfFile: path, encoding: .utf8) == made
    #expect(isMade, "the messages have changed: run 'make schemas'")
  }

  @Test func `each message has an example, from which its schema is made`() throws {
    #expect(try Set(MessageExample.all.map(\.name)) == Self.messages())
  }

  /// Returns the methods and kinds of all messages in the sources.
  private static func messages() throws -> Set<String> {
    let folder = repositoryFile("Sources/Nodes/NodeProtocol/Messages")
    var names: Set<String> = ["error response"]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let pattern =
        /: (Request|ListRequest|BytesRequest|Notification) \{\s+package static let method = "(\w+)"/
      for match in text.matches(of: pattern) {
        let kinds = match.1 == "Notification" ? ["notification"] : ["request", "response"]
        names.formUnion(kinds.map { "\(match.2) \($0)" })
      }
    }
    return names
  }

  @Test func `each message matches its schema`() throws {
    let lines = MessageExample.all.flatMap { example in
      [example.text, String(decoding: example.packet, as: UTF8.self)].map {
        Self.line(example.name, isValid: true, $0)
      }
    }
    let faults = try Self.faults(lines)
    #expect(faults == "", "\(faults)")
  }

  @Test func `the schemas refuse what the decoder refuses`() throws {
    var lines: [String] = []
    for example in MessageExample.all {
      let whole = try JSONDecoder().decode(JSONValue.self, from: Data(example.text.utf8))
      for damaged in whole.damaged {
        let packet = try JSONEncoder().encode(damaged)
        if (try? example.decode(Array(packet))) != nil { continue }
        lines.append(
          Self.line(example.name, isValid: false, String(decoding: packet, as: UTF8.self)))
      }
    }
    #expect(lines.count > 300)
    for (name, text) in Self.wrong {
      let example = try #require(MessageExample.all.first { $0.name == name })
      #expect(throws: (any Error).self, "\(text)") { try example.decode(Array(text.utf8)) }
      lines.append(Self.line(name, isValid: false, text))
    }
    let faults = try Self.faults(lines)
    #expect(faults == "", "\(faults)")
  }

  /// Messages with a value that does not exist or is out of range.
  private static let wrong: [(name: String, text: String)] = [
    (
      "open request",
      #"{"id": 4294967296, "method": "open", "params": {"component": {\#(MessageExample.componentText)}}}"#
    ),
    (
      "open request",
      #"{"id": -1, "method": "open", "params": {"component": {\#(MessageExample.componentText)}}}"#
    ),
    (
      "open request",
      #"{"id": 0.5, "method": "open", "params": {"component": {\#(MessageExample.componentText)}}}"#
    ),
    component("gms"), component("gmsyy"), component("gmsä"), component("gms\\n"),
    component("gmsy", type: "synth"),
    (
      "initialize request",
      #"""
      {"id": 1, "method": "initialize", "params": {"sampleRate": 44100.5, "inputChannels": 0,
      "outputChannels": 2, "maximumFrames": 64, "isOffline": false, "priority": 0}}
      """#
    ),
    (
      "initialize request",
      #"""
      {"id": 1, "method": "initialize", "params": {"sampleRate": 1e30, "inputChannels": 0,
      "outputChannels": 2, "maximumFrames": 64, "isOffline": false, "priority": 0}}
      """#
    ),
    ("park notification", #"{"method": "park", "params": {"reason": "bored"}}"#),
    ("parked notification", #"{"method": "parked", "params": {"reason": "Late"}}"#),
    (
      "supportedCommands notification",
      #"{"method": "supportedCommands", "params": {"commands": ["start", "fly"]}}"#
    ),
    command(#"{"type": "fly"}"#), command(#"{"type": "jump"}"#),
    command(#"{"type": "loop", "isOn": 1}"#), command(#"{"type": "jump", "beat": "4"}"#),
    port(#""name": "Synth", "version": "1.0.0""#), port(#""name": "A: B", "version": "1.0""#),
    port(#""name": "A: B", "version": "1.0.0", "icon": "x.png""#),
    port(#""name": "A: B", "version": "1.0.0", "tags": [""]"#),
    (
      "parameters response",
      #"""
      {"id": 1, "result": {"items": [{"identifier": "a", "name": "A", "unit": "furlongs", "minimum": 0, "maximum": 1,
      "defaultValue": 1, "scale": "linear", "valueNames": []}], "total": 1, "groups": []}}
      """#
    ),
    (
      "parameters response",
      #"""
      {"id": 1, "result": {"items": [{"identifier": "a", "name": "A", "unit": "none", "minimum": 0, "maximum": 1,
      "defaultValue": 1, "scale": "curved", "valueNames": []}], "total": 1, "groups": []}}
      """#
    ),
  ]

  private static func component(
    _ subtype: String, type: String = "effect"
  ) -> (name: String, text: String) {
    (
      "open request",
      #"""
      {"id": 1, "method": "open", "params": {"component":
      {"type": "\#(type)", "subtype": "\#(subtype)", "manufacturer": "Acme"}}}
      """#
    )
  }

  private static func command(_ command: String) -> (name: String, text: String) {
    (
      "transportCommand request",
      #"{"id": 1, "method": "transportCommand", "params": {"command": \#(command)}}"#
    )
  }

  private static func port(_ fields: String) -> (name: String, text: String) {
    (
      "open response",
      #"{"id": 1, "result": {"port": {\#(MessageExample.componentText), \#(fields)}}}"#
    )
  }

  private static func line(_ name: String, isValid: Bool, _ packet: String) -> String {
    #"{"message": "\#(name)", "isValid": \#(isValid), "packet": \#(packet)}"#
      .replacing("\n", with: " ")
  }

  private static func faults(_ lines: [String]) throws -> String {
    let folder = try TemporaryFolder()
    let text = lines.joined(separator: "\n")
    return try validationFaults([folder.put(Data(text.utf8), "packets.json")])
  }
}

/// Any JSON.
private enum JSONValue: Codable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// This value with one field removed or one value of another type, in all ways.
  var damaged: [JSONValue] {
    var all: [JSONValue] = [.boolean(true), .number(7), .string("7"), .list([]), .object([:])]
    switch self {
    case .object(let object):
      for (name, value) in object {
        all.append(.object(object.filter { $0.key != name }))
        all += value.damaged.map { .object(object.merging([name: $0]) { $1 }) }
      }
    // The schema of a parameter cannot compare its numbers.
    case .number: all.remove(at: 1)
    case .list(let list):
      for (index, value) in list.enumerated() {
        all += value.damaged.map { .list(list[..<index] + [$0] + list[(index + 1)...]) }
      }
    default: break
    }
    return all
  }
}
