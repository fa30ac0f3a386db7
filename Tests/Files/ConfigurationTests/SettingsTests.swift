import TestSupport
import Testing

@testable import Configuration

@Test func `a setting names the place in the file that has it, or none`() throws {
  let system = TemporarySystem()
  func setting(_ name: String) throws -> Configuration.Setting {
    try #require(
      try Configuration(system.environment).settings().first { $0.name == name })
  }
  #expect(
    try Configuration(system.environment).settings().map(\.name) == [
      "ports", "midi.connect", "midi.ignore", "midi.names", "scenes", "setList", "takes.minutes",
      "controls",
      "outputs",
    ])
  #expect(try Configuration(system.environment).settings().allSatisfy { $0.source == nil })
  #expect(try setting("takes.minutes").value == .number(30))
  #expect(try setting("ports").value == .none)

  let site = try system.add(
    "etc/xdg/portative/config.json",
    "{midi: {connect: 'none', ignore: ['A']},\n takes: {minutes: 2}, soundfont: 'x.sf2'}")
  let own = try system.add(
    "home/.config/portative/config.json",
    "{\n midi: {ignore: null}, takes: {},\n controls: [{program: 'any', does: 'panic'}]}")
  // A null, and an object without the field, set nothing.
  #expect(try setting("midi.ignore").source == .init(file: site, line: 1, column: 34))
  #expect(try setting("midi.ignore").value == .list(["A"]))
  #expect(try setting("midi.connect").value == .text("none"))
  #expect(try setting("takes.minutes").source == .init(file: site, line: 2, column: 19))
  #expect(try setting("takes.minutes").value == .number(2))
  #expect(try setting("controls").source == .init(file: own, line: 3, column: 12))
  #expect(try setting("controls").value == .list(["program changes: panic"]))
}
