import Glibc
import TestSupport
import Testing

@testable import LocalSystem

private struct Song: Decodable, Equatable {
  var name: String
  var parts: [Part] = []
  struct Part: Decodable, Equatable { var channel: Int }
}

@Test func `reads JSON5, and ignores fields it does not know`() throws {
  let system = TemporarySystem()
  let file = try system.add("x.json", "{name: 'a', parts: [{channel: 3, later: 1},], /* c */}")
  #expect(
    try JSON5File.read(Song.self, at: file) == Song(name: "a", parts: [Song.Part(channel: 3)]))
}

@Test(arguments: [
  (
    "{name: 'a', parts: [{channel: 1}, {channel: 'x'}]}",
    "'parts[1].channel' must be a whole number, but is 'x'"
  ),
  ("{name: 'a', parts: [{}]}", "'parts[0].channel' is missing"),
  ("{name: 'a', parts: 3}", "'parts' must be a list, but is 3"),
  ("{name: 'a', parts: [3]}", "'parts[0]' must be an object, but is 3"),
  ("{name: null, parts: []}", "'name' must be a text, but is null"),
  ("{name: 1}", "'name' must be a text, but is 1"),
  ("{parts: []}", "'name' is missing"), ("[]", "it must be an object, but is a list"),
])
func `names the field that is wrong`(content: String, reason: String) throws {
  let system = TemporarySystem()
  let file = try system.add("x.json", content)
  let error = #expect(throws: JSON5File.Failure.self) { try JSON5File.read(Song.self, at: file) }
  #expect(error?.reason == reason)
}

@Test func `distinguishes a missing file from an unreadable one`() throws {
  let system = TemporarySystem()
  #expect(try JSON5File.read(Song.self, at: "\(system.root)/none.json") == nil)
  try system.add("folder/x", "")
  #expect(throws: JSON5File.Failure(reason: "it cannot be read: Is a directory")) {
    try JSON5File.read(Song.self, at: "\(system.root)/folder")
  }
  let pipe = "\(system.root)/pipe.json"
  #expect(mkfifo(pipe, 0o600) == 0)
  #expect(throws: JSON5File.Failure(reason: "it is not a regular file")) {
    try JSON5File.read(Song.self, at: pipe)
  }
  let file = try system.add("x.json", [UInt8](repeating: 32, count: JSON5File.maximumLength + 1))
  #expect(throws: JSON5File.Failure(reason: "it has more than 1048576 bytes")) {
    try JSON5File.read(Song.self, at: file)
  }
}
