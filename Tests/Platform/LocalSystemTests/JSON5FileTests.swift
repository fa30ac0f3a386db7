import Glibc
import LocalSystem
import TestSupport
import Testing

private struct Song: Codable, Equatable {
  var name: String
  var parts: [Part] = []
  struct Part: Codable, Equatable { var channel: Int }
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

@Test func `a file that could not be read again is not written, and the earlier one remains`()
  throws
{
  let system = TemporarySystem()
  let path = try system.add("x.json", "{name: 'a', parts: []}")
  // An object has quotation marks, names and a line end, too.
  for count in [JSON5File.maximumLength - 10, 2 * JSON5File.maximumLength] {
    let song = Song(name: String(repeating: "x", count: count))
    let error = try #require(throws: WholeFile.Failure.self) { try JSON5File.write(song, to: path) }
    #expect(error.code == EFBIG)
    #expect(
      error.description.contains(
        " bytes, but can have at most 1048576: remove something from it first"))
    #expect(try JSON5File.read(Song.self, at: path) == Song(name: "a"))
    let document = try JSON5Document(Array("['\(song.name)\(song.name)']".utf8))
    #expect(throws: WholeFile.Failure.self) {
      try JSON5File.write(document, to: path, mode: 0o600)
    }
    #expect(try JSON5File.read(Song.self, at: path) == Song(name: "a"))
  }
  let song = Song(name: String(repeating: "x", count: JSON5File.maximumLength - 50))
  try JSON5File.write(song, to: path)
  #expect(try JSON5File.read(Song.self, at: path) == song)
}

private struct Lines: StoredContent, Equatable {
  static let currentVersion = 1
  var version = currentVersion
  var lines: [String] = []
}

@Test func `stored settings that are too long are refused, and the earlier ones remain`() throws {
  let system = TemporarySystem()
  let file = StoredFile<Lines>(path: "\(system.root)/stored/x.json")
  // Every character that JSON must escape, and some that it may.
  let texts = ["\u{1B}\n\"\\\u{202E}\u{2028}\u{7F}\0", String(repeating: "x", count: 1000)]
  try file.update {
    $0.lines = texts
    return true
  }
  let error = try #require(throws: StoredFileError.self) {
    try file.update {
      $0.lines += (0..<1100).map { "\($0)\(texts[1])" }
      return true
    }
  }
  let message = error.message(about: "lines")
  #expect(message.contains("but can have at most 1048576: remove something"), "\(message)")
  #expect(try file.read().lines == texts)
}
