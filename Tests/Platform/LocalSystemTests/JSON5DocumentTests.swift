import TestSupport
import Testing

@testable import LocalSystem

private func json(_ text: String) throws -> String {
  try JSON5Document(Array(text.utf8)).root.json
}

/// The expected results are those of Python's json5 0.9.
@Test(arguments: [
  (
    "\u{FEFF}{a: 1, 'b': \"\\x41\\\n\\u0062\", $c_1: +.5, é: 0x1F, \\u0061b: -5.,}",
    #"{"a":1,"b":"Ab","$c_1":0.5,"é":31,"ab":-5}"#
  ),
  (
    "\u{A0}[1e3,\u{2028}-0XA, // x\r /* y */ 'it\\'s', null, true,\u{3000}]",
    #"[1e3,-10,"it's",null,true]"#
  ),
  ("'\\v\\0\\/\u{2028}\\ud83d\\ude00\\q\t\"'", "\"\\u000b\\u0000/\\u2028😀q\\u0009\\\"\""),
  ("[[],{},]", "[[],{}]"), ("12345678901234567890", "12345678901234567890"),
])
func `JSON5 becomes the same JSON`(text: String, expected: String) throws {
  #expect(try json(text) == expected)
}

/// Python's json5 0.9 rejects these as well, except for numbers that are not finite.
@Test(arguments: [
  "", "//", "/*", "{", "[", "{a}", "{a:}", "{,}", "[,]", "[1,,]", "{a:1 b:2}", "{1a: 1}",
  "{a-b: 1}", "01", "0x",
  "1e", ".", "--1", "1_0", "+", "'", "'\n'", "'\\1'", "'\\u12'", "'\\x4'", "True", "undefined",
  "nul", "1 2",
  "{a: 1}}", "[1}", "{'a' 1}", "/ 1", "NaN", "-Infinity", "1e999", "'\\ud83d'", "\u{301}",
])
func `invalid JSON5 is refused with its line and column`(text: String) {
  let error = #expect(throws: JSON5File.Failure.self) { try json(text) }
  #expect(error?.location != nil)
}

@Test func `lines and columns are counted as in editors`() throws {
  let document = try JSON5Document(Array("{\r\n é: [1,\n\t'ü', {x: 2}] }".utf8))
  let path: [JSON5Step] = [.field("é"), .element(2), .field("x")]
  #expect(path.text == "é[2].x")
  #expect(document.location(of: path) == JSON5Location(line: 3, column: 11))
  #expect(document.location(of: [.field("é"), .element(1)]) == JSON5Location(line: 3, column: 2))
  // A missing value has the location where it would be inserted.
  #expect(document.location(of: [.field("é"), .element(9)]) == JSON5Location(line: 2, column: 5))
}

@Test func `bytes that are not UTF-8 are refused with their line and column`() {
  let error = #expect(throws: JSON5File.Failure.self) {
    try JSON5Document(Array("{\n a: '".utf8) + [0xE9] + Array("'}".utf8))
  }
  #expect(
    error?.description == "line 2, column 6: the byte 0xE9 is not UTF-8: save the file as UTF-8")
}

@Test func `the limit of nesting is below the depth that overflows the stack`() throws {
  #expect(
    try json(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).count == 128)
  let error = #expect(throws: JSON5File.Failure.self) {
    try json(String(repeating: "[", count: 1 << 20))
  }
  #expect(error?.description.hasPrefix("line 1, column 65: ") == true)
}

@Test(arguments: 1...4)
func `damaged text is read or refused, and what is read is JSON`(seed: UInt64) throws {
  var random = Seeded(seed)
  let sound =
    "{ports: [{name: 'A: B', 'x\\u0041': [+.5e-3, 0xFF, null,], \"é\": true /* */}], // z\n}"
  let odd = Array("{}[]:,'\"\\/*+-.eEx0u\n\u{A0}\u{FEFF}".unicodeScalars)
  for _ in 0..<2000 {
    var text = Array(sound.unicodeScalars)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: text.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text.remove(at: index)
      case 1: text.insert(odd.randomElement(using: &random)!, at: index)
      default: text[index] = odd.randomElement(using: &random)!
      }
    }
    let bytes = Array(String(String.UnicodeScalarView(text)).utf8)
    guard let document = try? JSON5Document(bytes) else { continue }
    // JSON is also JSON5, so reading the output again gives the same JSON.
    #expect(try json(document.root.json) == document.root.json)
    // Foundation's decoder accepts the output.
    #expect(throws: Never.self) { try document.decode(Anything.self) }
  }
}

/// Decodes any value.
private struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
