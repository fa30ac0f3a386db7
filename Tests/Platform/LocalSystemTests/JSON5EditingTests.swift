import Foundation
import TestSupport
import Testing

@testable import LocalSystem

@Test(arguments: [
  // A list over several lines, with and without a comma and comments.
  (
    "{\n  scenes: [\n    {name: 'A'}, // first\n    // end\n  ],\n}\n",
    "{\n  scenes: [\n    {name: 'A'}, // first\n    // end\n    {n: 1},\n  ],\n}\n"
  ),
  (
    "{\n\tscenes: [\n\t\t1 // one\n\t]\n}",
    "{\n\tscenes: [\n\t\t1, // one\n\t\t{n: 1}\n\t]\n}"
  ),
  ("{scenes: [\n  1\n]}", "{scenes: [\n  1,\n  {n: 1}\n]}"),
  // A list in one line.
  ("{scenes: [1]} // x", "{scenes: [1, {n: 1}]} // x"),
  ("{scenes: [1, /* a, b */]}", "{scenes: [1, /* a, b */ {n: 1}]}"),
  ("{'scenes': [1 /* , */ ]}", "{'scenes': [1 /* , */, {\"n\": 1} ]}"),
  ("{\r\n  scenes: []\r\n}", "{\r\n  scenes: [\r\n    {n: 1}\r\n  ]\r\n}"),
  ("\u{FEFF}{scenes: [\n// none\n]}", "\u{FEFF}{scenes: [\n// none\n  {n: 1}\n]}"),
])
func `an element is added without a change of the rest`(text: String, expected: String) throws {
  let document = try JSON5Document(Array(text.utf8))
  let count: Int
  guard case .list(let values) = try #require(document.root[[.field("scenes")]]).content else {
    Issue.record("not a list")
    return
  }
  count = values.count
  let changed = try document.setting("{\"n\":1}", at: [.field("scenes"), .element(count)])
  #expect(String(decoding: changed.bytes, as: UTF8.self) == expected)
  guard case .list(let after) = try #require(changed.root[[.field("scenes")]]).content else {
    Issue.record("not a list")
    return
  }
  #expect(after.map(\.json) == values.map(\.json) + ["{\"n\":1}"])
}

@Test(arguments: [
  ("{\n}\n", "{\n  \"new\": true\n}\n"), ("{}", "{\n  \"new\": true\n}"),
  ("{a: 1}", "{a: 1, new: true}"), ("{\n  a: 1, // x\n}", "{\n  a: 1, // x\n  new: true,\n}"),
  ("{new: [1] /* x */, b: 2}", "{new: true /* x */, b: 2}"),
])
func `a field is added or replaced without a change of the rest`(
  text: String, expected: String
) throws {
  let changed = try JSON5Document(Array(text.utf8)).setting("true", at: [.field("new")])
  #expect(String(decoding: changed.bytes, as: UTF8.self) == expected)
}

@Test(arguments: [
  // What means the same keeps its text.
  ("{a: 0x10, b: 'x' /* b */}", "{\"a\":16,\"b\":\"x\"}", "{a: 0x10, b: 'x' /* b */}"),
  ("{a: 1, /* a */ b: [1, 2, 3]}", "{\"b\":[1,5],\"a\":1}", "{a: 1, /* a */ b: [1, 5]}"),
  (
    "{\n  a: 1, // one\n  b: 2, // two\n  // end\n}\n", "{\"a\":1,\"c\":3}",
    "{\n  a: 1, // one\n  // two\n  // end\n  c: 3,\n}\n"
  ),
  // Lines that become empty disappear, with each kind of line end.
  ("{\n  a: 1,\n  b: 2\n}", "{\"a\":1}", "{\n  a: 1\n}"),
  ("{\r\n  a: 1,\r\n  b: 2,\r\n}", "{\"b\":2}", "{\r\n  b: 2,\r\n}"),
  ("[1 /* , */, 2 /* , */]", "[1]", "[1 /* , */ /* , */]"),
  ("[1 /* x */, 2]", "[]", "[/* x */]"),
  ("{a: {b: 1}}", "{\"a\":[1]}", "{a: [1]}"),
])
func `a value is changed to another without a change of what remains`(
  text: String, json: String, expected: String
) throws {
  let changed = try JSON5Document(Array(text.utf8)).merging(json, at: [])
  #expect(String(decoding: changed.bytes, as: UTF8.self) == expected)
}

@Test(arguments: 0..<200) func `a changed value always has the new meaning`(seed: UInt64) throws {
  var random = Seeded(seed)
  func value(_ depth: Int) -> (json: String, json5: String) {
    func blank() -> String {
      ["", " ", "\n  ", " /* , */ ", " // x\n", "\r\n\t"].randomElement(using: &random)!
    }
    let comma = Bool.random(using: &random)
    switch depth > 2 ? 2 : Int.random(in: 0..<3, using: &random) {
    case 0:
      let names = ["a", "b", "c", "d e"].filter { _ in Bool.random(using: &random) }.shuffled(
        using: &random)
      let fields = names.map { (name: "\"\($0)\"", value: value(depth + 1)) }
      return (
        "{" + fields.map { "\($0.name):\($0.value.json)" }.joined(separator: ",") + "}",
        "{" + blank()
          + fields.map { "\($0.name)\(blank()):\(blank())\($0.value.json5)\(blank())" }
          .joined(separator: "," + blank()) + (comma && !fields.isEmpty ? "," + blank() : "") + "}"
      )
    case 1:
      let count = Int.random(in: 0..<4, using: &random)
      let values = (0..<count).map { _ in value(depth + 1) }
      return (
        "[" + values.map(\.json).joined(separator: ",") + "]",
        "[" + blank() + values.map { $0.json5 + blank() }.joined(separator: "," + blank())
          + (comma && !values.isEmpty ? "," + blank() : "") + "]"
      )
    default:
      let number = Int.random(in: 0..<3, using: &random)
      return ("\(number)", number == 2 ? "0x2" : "\(number)")
    }
  }
  func meaning(_ text: String) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    let data = try JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }
  for _ in 0..<20 {
    let (old, new) = (value(0), value(0))
    let document = try JSON5Document(Array(old.json5.utf8))
    let changed = try document.merging(new.json, at: [])
    let text = String(decoding: changed.bytes, as: UTF8.self)
    #expect(
      try meaning(changed.root.json) == meaning(new.json), "\(old.json5) to \(new.json): \(text)")
    #expect(try document.merging(old.json, at: []).bytes == document.bytes)
  }
}

@Test func `a long value is written over several lines, which have the same meaning`() throws {
  let long = "[" + (0..<40).map { "{\"a b\":\($0),\"c\":[1,2]}" }.joined(separator: ",") + "]"
  let text = JSON5Document.formatted(long)
  #expect(try JSON5Document(Array(text.utf8)).root.json == long)
  #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 } && text.contains("\n"))
}

@Test(arguments: [[JSON5Step.field("a"), .field("b")], [.field("l"), .element(2)], [.element(0)]])
func `a value without a place is refused`(path: [JSON5Step]) throws {
  let document = try JSON5Document(Array("{a: 1, l: [1]}".utf8))
  #expect(throws: JSON5File.Failure.self) { try document.setting("true", at: path) }
}
