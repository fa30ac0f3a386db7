import ContentHash
import Foundation
import LocalSystem
import NodeHost
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of `set`, and of `info` for ports.
@Suite(.timeLimit(.minutes(5))) struct SettingsTests {
  private let user: TemporaryUser

  init() throws {
    user = try TemporaryUser()
    try user.configure(
      #"{ ports: [{ name: "Test: Piano", subtype: "pian" }, { name: "Test: Echo", subtype: "echo", unit: "delay" }] }"#
    )
  }

  private func set(_ settings: String...) throws -> ProgramResult {
    try user.run(arguments: ["set", "piano"] + settings)
  }

  private func value(_ name: String) throws -> String {
    try user.run("info", "piano", name).outputText.trimmingCharacters(in: .newlines)
  }

  @Test func `what is set is shown, in the form in which it can be set again`() throws {
    try user.serve()
    #expect(
      try set("gain=-3.5", "reverb.room=0.4", "chorus.on=off", "preset=church organ").exitCode == 0)
    #expect(try value("gain") == "-3.5")
    #expect(try value("chorus.on") == "off")
    #expect(try value("preset") == "Church Organ")
    #expect(try value("preset.program") == "19")
    let lines = try user.run("info", "--settings", "piano").outputText.split(separator: "\n").map(
      String.init)
    #expect(lines.contains("reverb.room=0.4"))
    // The preset is also a bank and a program.
    #expect(try set("preset=0:0", "gain=0").exitCode == 0)
    #expect(try user.run(arguments: ["set", "piano"] + lines).exitCode == 0)
    #expect(
      try user.run("info", "--settings", "piano").outputText.split(separator: "\n").map(String.init)
        == lines)
  }

  @Test func `a SoundFont is chosen, and programs and parameters remain`() throws {
    try user.serve()
    let font = try user.folder.put(
      Data(contentsOf: URL(filePath: bundledSoundFont)), "My Font.sf2")
    #expect(try set("preset=0:16", "gain=-6").exitCode == 0)
    #expect(try set("soundfont=\(font)").exitCode == 0)
    #expect(try value("soundfont").hasSuffix("/My Font.sf2"))
    #expect(try value("preset.program") == "16")
    #expect(try value("gain") == "-6")
  }

  @Test(arguments: [
    ("gian=3", "Test: Piano has no parameter 'gian': did you mean gain?"),
    ("gain=99", "Test: Piano: gain must be -96 to 24 dB, but is 99"),
    ("gain=loud", "gain must be a number from -96 to 24, but is 'loud'"),
    ("chorus.on=maybe", "chorus.on must be one of off, on, but is 'maybe'"),
    ("preset=violinn", "there is no preset 'violinn': did you mean 'Violin'?"),
    ("preset=guitar", "'guitar' is ambiguous: it matches "),
    ("soundfont=/missing.sf2", "cannot read the SoundFont /missing.sf2: No such file or directory"),
    ("loud", "a setting must be NAME=VALUE, as in gain=-3, but is 'loud'"),
  ])
  func `a setting that is wrong is refused with a sentence, and changes nothing`(
    setting: String, sentence: String
  ) throws {
    try user.serve()
    let before = try user.run("info", "--settings", "piano").outputText
    let result = try set("reverb.room=0.9", setting)
    #expect(result.exitCode != 0)
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(try user.run("info", "--settings", "piano").outputText == before)
  }

  @Test func `a port whose node is not running is not set`() throws {
    #expect(try user.run("serve", "--install", "-q").exitCode == 0)
    let result = try set("gain=3")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("the node 'portative' of Test: Piano is not running"))
  }

  @Test func `panic succeeds for all nodes, for a port, and without a node`() throws {
    #expect(try user.run("panic").exitCode == 0)
    try user.serve()
    #expect(try user.run("panic").exitCode == 0)
    #expect(try user.run("panic", "piano").exitCode == 0)
    #expect(try user.run("panic", "pyano").exitCode == 2)
    #expect(try value("gain") == "0")
  }

  @Test func `presets are found by words, in ports and in SoundFonts`() throws {
    try user.serve()
    func names(_ words: String...) throws -> [String] {
      try user.run(arguments: ["info", "--presets"] + words).outputText.split(separator: "\n")
        .dropFirst()
        .map { String($0.drop { $0 != " " }.drop { $0 == " " }) }
    }
    #expect(try names("church", "organ") == ["Church Organ"])
    #expect(try names("--port", "piano", "church") == ["Church Organ"])
    #expect(try names(bundledSoundFont, "0:19") == ["Church Organ"])
    #expect(try names("--port", "echo").count > 1)
    #expect(try names(bundledSoundFont).count > 100)
    let none = try user.run("info", "--presets", "--port", "piano", "theremin")
    #expect(none.exitCode == 2 && none.outputText == "")
    #expect(none.errors.contains("no preset of Test: Piano matches 'theremin'"))
    let port = try user.run("info", "--presets", "test")
    #expect(port.exitCode == 2 && port.errors.contains("use --port 'test'"), "\(port.errors)")
    #expect(try user.run("info", "--presets", "/missing.sf2").exitCode == 5)
  }

  @Test func `scenes are listed, chosen by name, and stepped through`() throws {
    #expect(try user.run("scene").errors.contains("no node is running"))
    try user.configure(
      #"{ ports: [{ name: "Test: Piano", subtype: "pian" }], scenes: [{ name: "Verse", ports: { "Test: Piano": { preset: "Church Organ" } } }, { name: "Chorus" }, { name: "Extra" }], setList: ["Verse", "Chorus"] }"#
    )
    try user.serve()
    #expect(try user.run("scene", "next").outputText == "Verse\n")
    #expect(try user.run("scene", "next").outputText == "Chorus\n")
    let end = try user.run("scene", "next")
    #expect(end.exitCode == 2 && end.errors.contains("'Chorus' is the last scene"))
    #expect(try user.run("scene", "extra").outputText == "Extra\n")
    let list = try user.run("scene").outputText
    #expect(
      list == """
        NUMBER  SCENE
        1       Verse
        2       Chorus
                Extra   current

        """, "\(list)")
    let wrong = try user.run("scene", "Vers2")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("did you mean 'Verse'?"))
    #expect(try user.run("scene", "a", "b").exitCode == 2)
    #expect(try user.run("scene", "--node", "none").errors.contains("'none' is not running"))
  }

  @Test func `what keyboards play is transposed, within limits`() throws {
    try user.serve()
    #expect(try user.run("scene", "--transpose", "-2").outputText == "-2\n")
    #expect(try user.run("scene", "--transpose", "37").errors.contains("-36 to 36"))
    let host = AudioHost(
      name: "test", environment: ProcessEnvironment(variables: user.variables))
    let error = #expect(throws: ConnectionError.self) { try host.transpose(37, of: "portative") }
    #expect(
      "\(try #require(error))".contains(
        "the transposition must be -36 to 36 semitones, but is 37"))
    #expect(try host.transpose(36, of: "portative") == 36)
  }

  @Test func `zones are set live, and saved as a scene that a new server plays`() throws {
    try user.configure(
      """
      { // My ports
        ports: [{ name: "Test: Piano", subtype: "pian" }] }
      """)
    let server = try user.serve()
    #expect(try user.run("info", "piano", "zones").outputText == "[]\n")
    let zones = #"[{keys: "..B3", preset: "0:32"}, {keys: "C4..", transpose: 12}]"#
    #expect(try user.run("set", "piano", "zones=\(zones)").exitCode == 0)
    #expect(try set("reverb.room=0.4").exitCode == 0)
    let shown = try user.run("info", "piano", "zones").outputText
    #expect(shown.contains(#""keys": "C-1..B3", "preset": "0:32""#), "\(shown)")
    #expect(try user.run("set", "piano", "zones=[{keys: 3}]").exitCode == 3)
    let saved = try user.run("scene", "save", "Split")
    #expect(saved.outputText.hasPrefix("saved in ") && saved.outputText.hasSuffix("config.json\n"))
    #expect(try user.run("scene", "save", "Split").errors.contains("add --replace"))
    #expect(try user.run("scene", "save", "Split", "--replace").exitCode == 0)
    #expect(try user.run("scene").outputText.contains("1       Split  current"))
    server.send(SIGTERM)
    _ = try server.result()
    try user.serve()
    #expect(try user.run("info", "piano", "zones").outputText == "[]\n")
    #expect(try user.run("scene", "Split").outputText == "Split\n")
    #expect(try user.run("info", "piano", "zones").outputText.contains("reverb.room"))
    #expect(try user.run("set", "piano", "zones=").exitCode == 0)
    #expect(try user.run("info", "none", "zones").errors.contains("none"))
  }

  @Test func `a check of the configuration names presets of zones and scenes that do not exist`()
    throws
  {
    let port = #"{ name: "Test: Piano", subtype: "pian""#
    try user.configure("{ ports: [\(port), zones: [{ preset: \"Fretlss Bass\" }] }] }")
    let zones = try user.run("serve", "--check")
    #expect(zones.exitCode == 3 && zones.errors.contains("did you mean 'Fretless Bass'?"))
    try user.configure(
      "{ ports: [\(port) }], scenes: [{ name: \"A\", ports: { \"Test: Piano\": { soundfont: \"/none.sf2\" } } }] }"
    )
    let scenes = try user.run("serve", "--check")
    #expect(scenes.exitCode == 3 && scenes.errors.contains("cannot read the SoundFont /none.sf2"))
    #expect(scenes.errors.contains("1 of 1 scenes cannot be played"))
  }
}
