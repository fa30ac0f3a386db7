@testable import Configuration
import LocalSystem
import TestSupport
import Testing

@Test func `reads JSON5 with comments, and paths from home or beside the file`() throws {
  let system = TemporarySystem()
  let file = try system.add(
    "home/.config/portative/config.json", "{ // mine\n soundfont: '~/grand.sf2', later: 1, }")
  let found = try #require(try Configuration(system.surroundings).soundFont)
  #expect(found.path == "\(system.root)/home/grand.sf2")
  #expect(found.statedIn == file)
  try system.add("home/.config/portative/config.json", #"{"soundfont": "grand.sf2"}"#)
  #expect(
    try Configuration(system.surroundings).soundFont?.path
      == "\(system.root)/home/.config/portative/grand.sf2")
}

@Test func `the user's file hides the system's, field by field`() throws {
  let system = TemporarySystem()
  try system.add("etc/xdg/portative/config.json", "{soundfont: '/system.sf2'}")
  #expect(try Configuration(system.surroundings).soundFont?.path == "/system.sf2")
  try system.add("home/.config/portative/config.json", "{}")
  #expect(try Configuration(system.surroundings).soundFont?.path == "/system.sf2")
  system.surroundings.variables["XDG_CONFIG_HOME"] = "\(system.root)/elsewhere"
  try system.add("elsewhere/portative/config.json", "{soundfont: '/user.sf2'}")
  #expect(try Configuration(system.surroundings).soundFont?.path == "/user.sf2")
}

@Test func `says what becomes of keyboards, field by field`() throws {
  let system = TemporarySystem()
  #expect(try Configuration(system.surroundings).midi == MIDISettings())
  try system.add(
    "etc/xdg/portative/config.json", "{midi: {connect: 'none', ignore: ['Drums']}}")
  try system.add(
    "home/.config/portative/config.json",
    "{midi: {ignore: ['nano*']}, ports: [{name: 'A: B', subtype: 'abcd', keyboards: ['Nord*']}]}")
  let found = try Configuration(system.surroundings)
  #expect(found.midi.connect == .nothing)
  #expect(found.midi.ignore == ["nano*"])
  #expect(found.ports?.first?.keyboards == ["Nord*"])
}

@Test(arguments: [
  ("{soundfont: 3}", "'soundfont' is not a text"), ("[]", "it is not an object"),
  ("{soundfont:", "it is not JSON5"), ("", "it is not JSON5"),
  ("{midi: []}", "'midi' is not an object"),
  ("{midi: {ignore: '*'}}", "'midi.ignore' is not a list"),
  (
    "{midi: {connect: 'all'}}",
    "'midi.connect': it must be hardware or none, but is 'all'"
  ),
  (
    "{ports: [{name: 'A: B', subtype: 'abcd', keyboards: 'Nord'}]}",
    "'ports[0].keyboards' is not a list"
  ),
])
func `names the file and the field that is of no use`(content: String, reason: String) throws {
  let system = TemporarySystem()
  let file = try system.add("etc/xdg/portative/config.json", content)
  #expect(throws: ConfigurationError(file: file, reason: reason)) {
    try Configuration(system.surroundings)
  }
}

@Test func `there need be none`() throws {
  #expect(try Configuration(TemporarySystem().surroundings).soundFont == nil)
  #expect(try Configuration(Surroundings(variables: [:], root: "/none")).soundFont == nil)
}
