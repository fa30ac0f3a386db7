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
