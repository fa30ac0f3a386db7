import Configuration
import Foundation
import LocalSystem
import TestSupport
import Testing

@Test func `reads JSON5 with comments, and paths from home or beside the file`() throws {
  let system = TemporarySystem()
  let file = try system.add(
    "home/.config/portative/config.json", "{ // mine\n soundfont: '~/grand.sf2', later: 1, }")
  let found = try #require(try Configuration(system.environment).soundFont)
  #expect(found.path == "\(system.root)/home/grand.sf2")
  #expect(found.statedIn == file)
  try system.add("home/.config/portative/config.json", #"{"soundfont": "grand.sf2"}"#)
  #expect(
    try Configuration(system.environment).soundFont?.path
      == "\(system.root)/home/.config/portative/grand.sf2")
}

@Test func `the user's file hides the system's, field by field`() throws {
  let system = TemporarySystem()
  try system.add("etc/xdg/portative/config.json", "{soundfont: '/system.sf2'}")
  #expect(try Configuration(system.environment).soundFont?.path == "/system.sf2")
  try system.add("home/.config/portative/config.json", "{}")
  #expect(try Configuration(system.environment).soundFont?.path == "/system.sf2")
  system.environment.variables["XDG_CONFIG_HOME"] = "\(system.root)/elsewhere"
  try system.add("elsewhere/portative/config.json", "{soundfont: '/user.sf2'}")
  #expect(try Configuration(system.environment).soundFont?.path == "/user.sf2")
}

@Test func `reads how long what keyboards play is kept, half an hour by default`() throws {
  let system = TemporarySystem()
  #expect(try Configuration(system.environment).takeSeconds() == 1800)
  for (text, seconds) in [("0", 0.0), ("0.5", 30), ("1440", 86_400)] {
    try system.add("home/.config/portative/config.json", "{takes: {minutes: \(text)}}")
    #expect(try Configuration(system.environment).takeSeconds() == seconds)
  }
  try system.add("home/.config/portative/config.json", "{takes: {}}")
  try system.add("etc/xdg/portative/config.json", "{takes: {minutes: 2}}")
  #expect(try Configuration(system.environment).takeSeconds() == 120)
  for text in ["-1", "1441", "1e300"] {
    try system.add("home/.config/portative/config.json", "{ takes: {minutes: \(text)}}")
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration(system.environment).takeSeconds()
    }
    #expect(error?.description.contains("1:") == true)
    #expect(error?.description.contains("'takes.minutes' must be 0 to 1440") == true)
  }
}

@Test func `reads what happens to keyboards, field by field`() throws {
  let system = TemporarySystem()
  #expect(try Configuration(system.environment).midi == MIDISettings())
  try system.add(
    "etc/xdg/portative/config.json", "{midi: {connect: 'none', ignore: ['Drums']}}")
  try system.add(
    "home/.config/portative/config.json",
    "{midi: {ignore: ['nano*']}, ports: [{name: 'A: B', subtype: 'abcd', keyboards: ['Nord*']}]}")
  let found = try Configuration(system.environment)
  #expect(found.midi.connect == .nothing)
  #expect(found.midi.ignore == ["nano*"])
  #expect(found.ports?.first?.keyboards == ["Nord*"])
}

@Test func `reads the names of keyboards, which name some keyboard`() throws {
  let system = TemporarySystem()
  let file = try system.add(
    "etc/xdg/portative/config.json",
    "{midi: {names: [{name: 'Lower', is: 'Nord*', serial: '7', at: '*-1.2'}]}}")
  let names = try #require(try Configuration(system.environment).midi.names?.first)
  #expect(names.name == "Lower" && names.product == "Nord*")
  #expect(names.serial == "7" && names.socket == "*-1.2")
  try system.add("etc/xdg/portative/config.json", "{midi: {names: [{name: 'Lower'}]}}")
  let error = #expect(throws: ConfigurationError.self) { try Configuration(system.environment) }
  #expect(
    error?.description.hasPrefix("\(file):1:17: 'midi.names[0]': it names no keyboard: add is")
      == true, "\(error?.description ?? "")")
}

@Test(arguments: [
  ("{soundfont: 3}", "1:13: 'soundfont' must be a text, but is 3"),
  ("\n []", "2:2: it must be an object, but is a list"),
  ("{soundfont:", "1:12: the file ends where a value is expected"),
  ("", "1:1: the file is empty: write {}"),
  ("{midi: []}", "1:8: 'midi' must be an object, but is a list"),
  ("{midi: {ignore: '*'}}", "1:17: 'midi.ignore' must be a list, but is '*'"),
  ("{ports: [\n {name: 'A: B'}]}", "2:2: 'ports[0].subtype' is missing"),
  (
    "{ports: [{name: 'A: B', subtype: 'abcd', polyphony: 1.5}]}",
    "1:53: 'ports[0].polyphony': it must be a whole number, but is 1.5"
  ),
  (
    "{midi: {}, ports: [],\r\n  midi: {}}",
    "2:3: 'midi' is a duplicate of the field at line 1, column 2: remove one of them"
  ),
  (
    "{midi: {connect: 'all'}}",
    "1:18: 'midi.connect': it must be hardware or none, but is 'all'"
  ),
  (
    "{ports: [{name: 'A: B', subtype: 'abcd', keyboards: 'Nord'}]}",
    "1:53: 'ports[0].keyboards' must be a list, but is 'Nord'"
  ),
])
func `names the file and the invalid field`(content: String, reason: String) throws {
  let system = TemporarySystem()
  let file = try system.add("etc/xdg/portative/config.json", content)
  let error = #expect(throws: ConfigurationError.self) { try Configuration(system.environment) }
  #expect(error?.description == "\(file):\(reason)")
}

@Test func `an unknown field is listed with its position and the known fields`() throws {
  let system = TemporarySystem()
  let file = try system.add(
    "etc/xdg/portative/config.json",
    "{port: 1,\n ports: [{name: 'A: B', subtype: 'abcd', parameters: {any: 1}, prest: {bank: 0}}]}")
  let fields = try Configuration(system.environment).unknownFields
  #expect(fields.map(\.location) == ["\(file):1:2", "\(file):2:64"])
  #expect(fields.map(\.path) == ["port", "ports[0].prest"])
  #expect(fields.map(\.name) == ["port", "prest"])
  #expect(
    fields.first?.known == [
      "controls", "midi", "outputs", "ports", "scenes", "setList", "soundfont", "takes",
    ])
  #expect(fields.last?.known.contains("preset") == true)
}

@Test func `the error about a missing field names a misspelt one`() throws {
  let system = TemporarySystem()
  try system.add("etc/xdg/portative/config.json", "{ports: [{nmae: 'A: B', subtype: 'abcd'}]}")
  let error = try #require(throws: ConfigurationError.self) {
    try Configuration(system.environment)
  }
  #expect(error.reason == "'ports[0].name' is missing")
  #expect(error.unknownFields.map(\.name) == ["nmae"])
}

@Test func `a relative path of a file in the working folder stays in that folder`() throws {
  let system = TemporarySystem()
  let file = "portative-\(UInt64.random(in: 0 ... .max)).json"
  try Data("{soundfont: 'a.sf2'}".utf8).write(to: URL(filePath: file))
  defer { unlink(file) }
  #expect(try Configuration(system.environment, file: file).soundFont?.path == "./a.sf2")
}

@Test func `the file is optional`() throws {
  #expect(try Configuration(TemporarySystem().environment).soundFont == nil)
  #expect(try Configuration(ProcessEnvironment(variables: [:], root: "/none")).soundFont == nil)
}
