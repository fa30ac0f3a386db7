import Foundation
import NodeProtocol
import RenderCore

/// The text of `Schemas/protocol.schema.json`, which is made from the types of the messages.
///
/// The types give the fields and which of them are required. The tables add what types cannot express.
final class ProtocolSchema {
  typealias Schema = [String: Any]

  /// Limits of other fields.
  private let others: [(limits: Schema, fields: String)] = [
    (["maxLength": PortDescription.maximumNameLength, "pattern": ".: ."], "PortDescription.name"),
    (["pattern": "^/"], "PortDescription.icon"),
    (["minLength": 1, "maxLength": 64], "SaveScene.name"),
    (["pattern": "^[0-9a-f]{32}$"], "FileReference.hash"),
    (["contentEncoding": "base64", "maxLength": UnitState.longestData], "UnitState.data"),
    (["items": ["type": "string", "minLength": 1]], "PortDescription.tags"),
  ]

  private static func schema(_ limits: NumberLimits) -> Schema {
    if let values = limits.values {
      return values.count == 1 ? ["const": values[0]] : ["enum": values]
    }
    let bounds = [
      "minimum": limits.minimum, "maximum": limits.maximum, "exclusiveMinimum": limits.above,
      "exclusiveMaximum": limits.below,
    ]
    // Whole numbers without a fraction.
    return bounds.compactMapValues { $0 }.mapValues { Int(exactly: $0) as Any? ?? $0 as Any }
  }

  private lazy var facts: [String: Schema] = {
    let units = MessageLimits.numbers.map {
      (Self.schema($0.limits).merging(["unit": $0.unit]) { $1 }, $0.fields)
    }
    let lengths = MessageLimits.lengths.map { (["maxLength": $0.limit] as Schema, $0.fields) }
    let counts = MessageLimits.counts.map { (["maxItems": $0.limit] as Schema, $0.fields) }
    return Dictionary(
      uniqueKeysWithValues: (units + lengths + counts + others).flatMap { facts, fields in
        fields.split(separator: " ").map { (String($0), facts) }
      })
  }()

  /// The entries of the tables that no field has used.
  private lazy var unused = Set(facts.keys)

  /// No message has these fields of the tables.
  struct UnusedFacts: Error { let fields: Set<String> }

  /// The schema of numbers of channels, from a minimum to a maximum.
  private static func range(_ counts: ClosedRange<Int>) -> Schema {
    let number = schema(
      NumberLimits(minimum: Double(counts.lowerBound), maximum: Double(counts.upperBound))
    ).merging(["type": "integer", "unit": "channels"]) { $1 }
    return [
      "type": "object", "required": ["minimum", "maximum"],
      "properties": ["minimum": number, "maximum": number],
    ]
  }

  /// Types whose JSON has a form of its own, with an example of it.
  private let forms: [(type: any Decodable.Type, schema: Schema, example: String)] = [
    (Bool.self, ["type": "boolean"], "false"),
    (Int.self, ["type": "integer"], "1"),
    (Int32.self, ["type": "integer"], "1"),
    (Double.self, ["type": "number"], "1"),
    (Float.self, ["type": "number", "unit": "as the parameter says"], "1"),
    // The name of a port, and a path.
    (String.self, ["type": "string"], #""/a: b""#),
    (FourCharacterCode.self, ["type": "string", "pattern": "^[ -~]{4}$"], #""abcd""#),
    (
      PortChannels.self,
      [
        "type": "object", "required": ["inputs", "outputs"],
        "properties": [
          "inputs": ProtocolSchema.range(Format.inputChannelCounts),
          "outputs": ProtocolSchema.range(Format.outputChannelCounts),
        ],
      ],
      #"{"inputs": {"minimum": 0, "maximum": 0}, "outputs": {"minimum": 2, "maximum": 2}}"#
    ),
    (
      SemanticVersion.self, ["type": "string", "pattern": #"^[0-9]+\.[0-9]+\.[0-9]+$"#], #""1.0.0""#
    ),
    // Later versions have other codes.
    (ProtocolError.Code.self, ["type": "string"], #""other""#),
    (RemoteCommand.self, ["oneOf": RemoteCommand.Kind.allCases.map(command)], #"{"type": "stop"}"#),
  ]

  private static func command(_ kind: RemoteCommand.Kind) -> Schema {
    var fields: Schema = ["type": ["const": kind.rawValue]]
    if kind == .jump { fields["beat"] = ["type": "number", "unit": "quarter notes"] }
    if kind == .loop { fields["isOn"] = ["type": "boolean"] }
    return object(fields, required: Array(fields.keys))
  }

  private static func object(_ fields: Schema, required: [String]) -> Schema {
    var schema: Schema = ["type": "object"]
    if !fields.isEmpty { schema["properties"] = fields }
    if !required.isEmpty { schema["required"] = required.sorted() }
    return schema
  }

  /// The schemas of structures and messages, by their names.
  private var definitions: [String: Schema] = [:]

  /// Returns the text, with a line for each definition.
  static func text(of messages: [MessageExample]) throws -> String {
    let schema = ProtocolSchema()
    for message in messages { try schema.add(message) }
    if !schema.unused.isEmpty { throw UnusedFacts(fields: schema.unused) }
    func json(_ value: Any) throws -> String {
      let options: JSONSerialization.WritingOptions = [
        .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed,
      ]
      return String(
        decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self
      )
    }
    let names = schema.definitions.keys.sorted()
    let choices = try names.filter { $0.contains(" ") }.map {
      try json(["$ref": "#/$defs/" + $0.replacing(" ", with: "%20")])
    }
    let definitions = try names.map { "\(try json($0)): \(try json(schema.definitions[$0]!))" }
    return """
      {"$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A packet on the control socket of the Portative protocol, version \(VersionRange.supported.maximum)",
      "description": "Documentation/Protocol.md has the meaning. The schema of each message is in $defs under its method and kind. Unknown fields are ignored. 'make schemas' writes this file from the types of the messages.",
      "anyOf": [
      \(choices.joined(separator: ",\n"))
      ],
      "$defs": {
      \(definitions.joined(separator: ",\n"))
      }}

      """
  }

  private func add(_ message: MessageExample) throws {
    guard definitions[message.name] == nil else { return }
    var fields: Schema = ["id": try field("id", of: message.name, Int.self).schema]
    var required = ["id"]
    let content = try structure(message.content).schema
    if message.name == "error response" {
      fields["error"] = content
      required = ["error"]
    } else if message.name.hasSuffix(" response") {
      fields["result"] = content
      required.append("result")
    } else {
      fields["method"] = ["const": message.name.split(separator: " ")[0]]
      fields["params"] = content
      required.append("method")
      if content["required"] != nil { required.append("params") }
      if message.name.hasSuffix(" notification") {
        fields["id"] = nil
        required.removeFirst()
      }
    }
    definitions[message.name] = Self.object(fields, required: required)
  }

  /// Returns the schema of a structure, and a value of it.
  private func structure<T: Decodable>(_ type: T.Type) throws -> (schema: Schema, value: T) {
    let recorder = FieldRecorder(of: Self.name(type), self)
    let value = try T(from: recorder)
    let required = recorder.fields.keys.filter { !recorder.optional.contains($0) }
    return (Self.object(recorder.fields, required: required), value)
  }

  /// Returns the schema of a type, and a value of it.
  private func form<T: Decodable>(_ type: T.Type) throws -> (schema: Schema, value: T) {
    if let form = forms.first(where: { $0.type == type }) {
      return (form.schema, try JSONDecoder().decode(T.self, from: Data(form.example.utf8)))
    }
    if let list = type as? any ListForm.Type {
      return (["type": "array", "items": try form(list.element).schema], list.empty as! T)
    }
    if let map = type as? any MapForm.Type {
      let element = try form(map.element).schema
      return (["type": "object", "additionalProperties": element], map.empty as! T)
    }
    if let choice = type as? any (CaseIterable & Encodable).Type {
      return (["enum": try choice.names], choice.any as! T)
    }
    let (schema, value) = try structure(type)
    definitions[Self.name(type)] = schema
    return (["$ref": "#/$defs/\(Self.name(type))"], value)
  }

  /// Returns the schema of a field with the facts about it, and a value of it.
  fileprivate func field<T: Decodable>(
    _ field: String, of owner: String, _ type: T.Type
  ) throws -> (schema: Schema, value: T) {
    let (schema, value) = try form(type)
    let name = facts["\(owner).\(field)"] == nil ? field : "\(owner).\(field)"
    unused.remove(name)
    return (schema.merging(facts[name] ?? [:]) { $1 }, value)
  }

  /// The name of a type without its module.
  private static func name(_ type: any Decodable.Type) -> String {
    String(String(reflecting: type).drop { $0 != "." }.dropFirst())
  }
}

/// Records the fields that a type decodes, and gives it values.
private final class FieldRecorder: Decoder {
  let owner: String
  let schema: ProtocolSchema
  var fields: ProtocolSchema.Schema = [:]
  var optional: Set<String> = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(of owner: String, _ schema: ProtocolSchema) { (self.owner, self.schema) = (owner, schema) }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(recorder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unknownForm }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unknownForm }

  var unknownForm: DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "add the form of \(owner) to ProtocolSchema.forms"))
  }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: FieldRecorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(type, key) }

    private func value<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
      let name = key.stringValue
      let (schema, value) = try recorder.schema.field(name, of: recorder.owner, type)
      recorder.fields[name] = schema
      return value
    }

    /// Called before optional fields are decoded.
    func contains(_ key: Key) -> Bool {
      recorder.optional.insert(key.stringValue)
      return true
    }

    func decodeNil(forKey _: Key) -> Bool { false }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy _: NestedKey.Type, forKey _: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw recorder.unknownForm }
    func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer {
      throw recorder.unknownForm
    }
    func superDecoder() throws -> any Decoder { throw recorder.unknownForm }
    func superDecoder(forKey _: Key) throws -> any Decoder { throw recorder.unknownForm }
  }
}

private protocol ListForm {
  static var element: any Decodable.Type { get }
  static var empty: Self { get }
}

private protocol MapForm {
  static var element: any Decodable.Type { get }
  static var empty: Self { get }
}

extension Array: ListForm where Element: Decodable {
  fileprivate static var element: any Decodable.Type { Element.self }
  fileprivate static var empty: Self { [] }
}

extension Dictionary: MapForm where Key == String, Value: Decodable {
  fileprivate static var element: any Decodable.Type { Value.self }
  fileprivate static var empty: Self { [:] }
}

extension CaseIterable where Self: Encodable {
  /// The cases as JSON.
  fileprivate static var names: Any {
    get throws { try JSONSerialization.jsonObject(with: JSONEncoder().encode(Array(allCases))) }
  }

  fileprivate static var any: Any { Array(allCases)[0] }
}
