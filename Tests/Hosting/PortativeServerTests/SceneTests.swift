import Configuration
import Foundation
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PortativeServer

private func note(_ key: UInt8, _ velocity: UInt8 = 100) -> ChannelMessage {
  ChannelMessage(.noteOn, channel: 0, key, velocity)
}

@Suite(.timeLimit(.minutes(5))) struct SceneTests {
  private static let configuration = """
    { ports: [{ name: "Test: Stage", subtype: "stag" }],
      scenes: [
        { name: "Organ", ports: { "Test: Stage": { preset: "Church Organ" } } },
        { name: "Strings", ports: { "Test: Stage": { preset: { bank: 0, program: 48 } } } },
      ],
      setList: ["Organ", "Strings", "Organ"] }
    """

  /// Holds a hundred notes in one scene, changes to another, and plays a note there.
  ///
  /// - Returns: The audio from the change on.
  private func play(
    holds: Bool, changes: Bool, strikes: Bool
  ) throws -> [Float] {
    let player = try ScenePlayer(Self.configuration)
    try player.scenes.choose(.named("Organ"))
    #expect(player.connect(sounds: 2))
    for key in UInt8(10)..<110 {
      if holds { player.send(note(key)) }
      if key % 2 == 0 { _ = player.cycle() }
    }
    if changes { try player.scenes.choose(.named("Strings")) }
    if strikes { player.send(note(112, 127)) }
    var audio: [Float] = []
    for number in 0..<24 {
      if number == 12, holds {
        for key in UInt8(10)..<110 {
          player.send(ChannelMessage(.noteOff, channel: 0, key, 64))
        }
      }
      audio += player.cycle()
    }
    let figures = player.input.zoneUnits.values.flatMap(\.status)
    let notes = figures.filter { $0.name == "notes" }.map(\.value).reduce(0, +)
    #expect(notes == (holds ? 100 : 0) + (strikes ? 1 : 0), "\(figures)")
    #expect(!figures.contains { $0.name == "late notes" && $0.value > 0 })
    return audio
  }

  @Test func `after a change of scene, held notes sound on and the next note has the new sound`()
    throws
  {
    let held = try play(holds: true, changes: false, strikes: false)
    let new = try play(holds: false, changes: true, strikes: true)
    let both = try play(holds: true, changes: true, strikes: true)
    #expect(held.contains { abs($0) > 0.01 } && new.contains { abs($0) > 0.001 })
    let largest = zip(both, zip(held, new)).map { abs($0 - ($1.0 + $1.1)) }.max() ?? 1
    // The rounding of sums in another order.
    #expect(largest < 1e-6)
    // The old sound of the same note is another one.
    let old = try play(holds: false, changes: false, strikes: true)
    #expect(zip(old, new).contains { abs($0 - $1) > 0.001 })
  }

  @Test func `a scene chooses presets and splits of a plugin, whose held notes sound on`() throws {
    try TestPlugins.use()
    let folder = try TemporaryFolder()
    let half = try folder.put(Data("0.5".utf8), "half.txt")
    // The preset has a file of its own.
    let player = try ScenePlayer(
      """
      { ports: [
          { name: "Test: Sampler", subtype: "smpl", lv2: "\(TestPlugins.sampler)", isolation: "shared",
            files: { "sample-file": "\(half)" } },
        ],
        scenes: [
          { name: "Kit", ports: { "Test: Sampler": { preset: "kit" } } },
          { name: "Split", ports: { "Test: Sampler": { zones: [
            { keys: "..B3", preset: "Kit", level: -20 }, { keys: "C4.." } ] } } },
        ] }
      """)
    try player.scenes.choose(.named("Kit"))
    #expect(player.connect(sounds: 2))
    func level() -> Float {
      for _ in 0..<8 { _ = player.cycle() }
      return player.cycle().last ?? 0
    }
    player.send(note(60))
    #expect(level() == 0.125)
    try player.scenes.choose(.named("Split"))
    #expect(level() == 0.125)
    player.send(note(48))
    #expect(abs(level() - 0.1375) < 1e-6)
    player.send(note(72))
    #expect(abs(level() - 0.6375) < 1e-6)
    player.send(ChannelMessage(.noteOff, channel: 0, 60, 64))
    player.send(ChannelMessage(.noteOff, channel: 0, 72, 64))
    #expect(abs(level() - 0.0125) < 1e-6)
    player.send(ChannelMessage(.noteOff, channel: 0, 48, 64))
    #expect(level() == 0)
  }

  @Test func `a scene and the player transpose, and what is held ends on its key`() throws {
    func heard(_ scene: String, _ transposition: Int, key: UInt8) throws -> [Float] {
      let player = try ScenePlayer(
        """
        { ports: [{ name: "Test: Stage", subtype: "stag" }],
          scenes: [{ name: "Plain" }, { name: "Up", transpose: 3, text: "Am F" }] }
        """)
      try player.scenes.choose(.named(scene))
      player.scenes.transpose(.to(transposition))
      #expect(player.connect(sounds: 0))
      player.send(note(key))
      var audio: [Float] = []
      for _ in 0..<10 { audio += player.cycle() }
      player.scenes.transpose(.by(1))
      player.send(ChannelMessage(.noteOff, channel: 0, key, 64))
      for _ in 0..<20 { audio += player.cycle() }
      return audio
    }
    let plain = try heard("Plain", 0, key: 65)
    #expect(plain.contains { abs($0) > 0.01 })
    #expect(try heard("Up", 2, key: 60) == plain)
    #expect(try heard("Plain", 5, key: 60) == plain)
    #expect(try heard("Up", 0, key: 60) != plain)
  }

  @Test func `a scene sends its program first, and its zones play a module and a unit`() throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }],
        outputs: [{ name: "Module" }],
        scenes: [{ name: "A" }, { name: "B", transpose: 2,
          ports: { "Test: Stage": { preset: "Church Organ", zones: [
            { keys: "..B3", output: "Module", outputChannel: 3 }, { keys: "C4.." } ] } },
          send: [{ output: "Module", channel: 3, bank: [87, 64], program: 12,
                   controllers: { "10": 20, "7": 100 } }] }] }
      """)
    try player.scenes.choose(.named("A"))
    #expect(player.connect(sounds: 1))
    #expect(player.module.takeBytes() == [])
    try player.scenes.choose(.named("B"))
    player.send(note(48))
    let settings: [[UInt8]] = [
      [0xB2, 0, 87], [0xB2, 32, 64], [0xC2, 12], [0xB2, 7, 100], [0xB2, 10, 20],
    ]
    #expect(player.module.takeBytes() == settings + [[0x92, 50, 100]])
    for _ in 0..<8 { _ = player.cycle() }
    #expect(player.cycle().allSatisfy { abs($0) < 0.0001 })
    player.send(note(60))
    for _ in 0..<4 { _ = player.cycle() }
    #expect(player.cycle().contains { abs($0) > 0.001 })
    #expect(player.module.takeBytes() == [])
    try player.scenes.choose(.named("A"))
    player.send(ChannelMessage(.noteOff, channel: 0, 48, 64))
    #expect(player.module.takeBytes() == [[0x82, 50, 64]])
    // A module that is connected later gets what the scene has for it.
    player.scenes.sendSettings(toOutput: "Module")
    #expect(player.module.takeBytes() == [])
    try player.scenes.choose(.named("B"))
    _ = player.module.takeBytes()
    player.scenes.sendSettings(toOutput: "Module")
    #expect(player.module.takeBytes() == settings)
    #expect(try player.scenes.zones(of: player.component)?.contains("outputChannel") == true)
  }

  @Test(arguments: [
    (#"zones: [{ output: "Modul" }]"#, "there is no output 'Modul': did you mean 'Module'?"),
    (#"zones: [{ output: "Module", preset: "Organ" }]"#, "'Module' and a sound"),
    ("zones: [{ outputChannel: 2 }]", "have an outputChannel, but no output"),
  ])
  func `a zone with an impossible output is reported with the scene`(
    zones: String, message: String
  ) throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }], outputs: [{ name: "Module" }],
        scenes: [{ name: "A", ports: { "Test: Stage": { \(zones) } } }] }
      """)
    #expect(player.log.messages.contains { $0.contains(message) }, "\(player.log.messages)")
    #expect(throws: Failure.self) { try player.scenes.choose(.named("A")) }
  }

  @Test(arguments: [
    (#"outputs: [], scenes: [{ name: "A", send: [{ output: "M" }] }]"#, "add it to 'outputs'"),
    (#"outputs: [{ name: "M" }, { name: "M" }]"#, "there are two outputs 'M'"),
    (#"outputs: [{ name: "" }]"#, "write 1 to 63 bytes"),
  ])
  func `impossible outputs are errors of the configuration`(text: String, message: String) throws {
    let error = try #require(throws: (any Error).self) {
      try ScenePlayer(#"{ ports: [{ name: "Test: Stage", subtype: "stag" }], \#(text) }"#)
    }
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test func `the next scene, the text and the transposition are shown`() throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }],
        scenes: [{ name: "A" }, { name: "B", transpose: -2, text: "Am F" }] }
      """)
    #expect(player.scenes.status?.next == "A")
    try player.scenes.choose(.step(1))
    #expect(player.scenes.list.next == "B" && player.scenes.list.transposition == 0)
    try player.scenes.choose(.step(1))
    #expect(player.scenes.transpose(.by(100)) == 34)
    let list = player.scenes.list
    #expect(list.current == "B" && list.next == nil && list.text == "Am F")
    #expect(list.transposition == 34 && player.scenes.transpose(.to(0)) == -2)
  }

  @Test func `scenes and their zones are played while a host has the port`() throws {
    func play(hosted: Bool) throws -> [Float] {
      let player = try ScenePlayer(Self.configuration)
      try player.scenes.choose(.named("Organ"))
      #expect(player.connect(sounds: 2))
      let host = LiveInputConsumer(to: player.input, as: .host, sampleRate: 48_000)
      if hosted { host.begin() }
      var audio: [Float] = []
      for scene in ["Organ", "Strings"] {
        try player.scenes.choose(.named(scene))
        player.send(note(60))
        for _ in 0..<40 { audio += player.cycle() }
        player.send(ChannelMessage(.noteOff, channel: 0, 60, 64))
        for _ in 0..<8 { audio += player.cycle() }
      }
      if hosted { host.end() }
      return audio
    }
    let (alone, hosted) = (try play(hosted: false), try play(hosted: true))
    #expect(alone.contains { abs($0) > 0.01 })
    // The port's own unit, whose effects are not quite silent, fades.
    let largest = zip(alone, hosted).map { abs($0 - $1) }.max() ?? 1
    #expect(largest < 1e-6, "\(largest)")
  }

  @Test func `the set list is followed to its ends`() throws {
    let player = try ScenePlayer(Self.configuration)
    let list = SceneList(names: ["Organ", "Strings", "Organ"], setListCount: 3, next: "Organ")
    #expect(player.scenes.list == list)
    #expect(try player.scenes.choose(.step(1)) == "Organ")
    #expect(try player.scenes.choose(.step(1)) == "Strings")
    #expect(try player.scenes.choose(.step(1)) == "Organ")
    let error = try #require(throws: Failure.self) { try player.scenes.choose(.step(1)) }
    #expect(error.message == "'Organ' is the last scene")
    #expect(try player.scenes.choose(.step(-1)) == "Strings")
    #expect(player.scenes.list.current == "Strings")
    #expect(try player.scenes.choose(.named("orga")) == "Organ")
    let unknown = try #require(throws: Failure.self) { try player.scenes.choose(.named("Strinks")) }
    #expect(unknown.message == "there is no scene 'Strinks': did you mean 'Strings'?")
  }

  @Test func `a scene with a missing SoundFont is left out, and what sounds continues`() throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }],
        scenes: [
          { name: "A", ports: { "Test: Stage": { preset: "Church Organ" } } },
          { name: "B", ports: { "Test: Stage": { soundfont: "/none.sf2" } } },
          { name: "C", ports: { "Test: Stage": { preset: "Churhc Organ" } } },
          { name: "D" },
        ] }
      """)
    #expect(player.log.messages.contains { $0.contains("scene 'B' cannot be played: cannot read") })
    #expect(player.log.messages.contains { $0.contains("did you mean 'Church Organ'?") })
    #expect(try player.scenes.choose(.step(1)) == "A")
    let error = try #require(throws: Failure.self) { try player.scenes.choose(.named("B")) }
    #expect(error.message.contains("/none.sf2"))
    #expect(player.scenes.list.current == "A")
    #expect(try player.scenes.choose(.step(1)) == "D")
  }

  @Test func `zones of a port split the keyboard without a scene, with level and place`() throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag", zones: [
        { keys: "..B3", preset: "Church Organ", pan: -100 }, { keys: "C4..", level: -6 } ] }] }
      """)
    #expect(player.connect(sounds: 2))
    player.send(note(48))
    for _ in 0..<4 { _ = player.cycle() }
    let output = player.cycle()
    #expect(output.prefix(ScenePlayer.frames).contains { abs($0) > 0.001 })
    #expect(output.suffix(ScenePlayer.frames).allSatisfy { abs($0) < 0.0001 })
  }

  @Test func `what is set on the port is set on the sounds of its zones, and panic ends them`()
    throws
  {
    let player = try ScenePlayer(Self.configuration)
    try player.scenes.choose(.named("Organ"))
    #expect(player.connect(sounds: 2))
    let main = try #require(player.input.playedUnit)
    try main.parameters?.set(["reverb.room": 0.25, "preset.program": 3])
    player.port.settingsChanged(of: main)
    for unit in player.input.zoneUnits.values {
      #expect(unit.parameters?.all["reverb.room"] == 0.25)
      #expect(unit.parameters?.all["preset.program"] != 3)
    }
    player.send(note(60))
    for _ in 0..<4 { _ = player.cycle() }
    #expect(player.cycle().contains { abs($0) > 0.001 })
    #expect(player.port.silence().isEmpty)
    for _ in 0..<8 { _ = player.cycle() }
    #expect(player.cycle().allSatisfy { abs($0) < 0.0001 })
    player.send(note(62))
    for _ in 0..<4 { _ = player.cycle() }
    #expect(player.cycle().contains { abs($0) > 0.001 })
  }

  @Test func `live zones replace those of the scene until a scene is chosen`() throws {
    let player = try ScenePlayer(Self.configuration)
    #expect(try player.scenes.zones(of: player.component) == nil)
    try player.scenes.choose(.named("Organ"))
    #expect(
      try player.scenes.zones(of: player.component) == #"[{"preset": "Church Organ"}]"#)
    let zones = #"[{"keys": "C-1..B3", "preset": {"bank": 0, "program": 32}, "level": -6}]"#
    try player.scenes.setZones(zones, of: player.component)
    let text = try #require(try player.scenes.zones(of: player.component))
    // What is read can be set again.
    try player.scenes.setZones(text, of: player.component)
    #expect(try player.scenes.zones(of: player.component) == text)
    #expect(player.connect(sounds: 3))
    player.send(note(72))
    for _ in 0..<4 { _ = player.cycle() }
    #expect(player.cycle().allSatisfy { abs($0) < 0.0001 })
    player.send(note(40))
    for _ in 0..<4 { _ = player.cycle() }
    #expect(player.cycle().contains { abs($0) > 0.001 })
    try player.scenes.choose(.named("Organ"))
    #expect(try player.scenes.zones(of: player.component)?.contains("Church Organ") == true)
  }

  @Test(arguments: [
    ("[{keys: 'C5..C4'}]", "the zones:1:9: '[0].keys': the lowest key is above"),
    ("[{kyes: 'C4..'}]", "there is no setting 'kyes'"), ("{", "the zones:1:2"),
    ("[{preset: 'Churhc Organ'}]", "did you mean 'Church Organ'?"),
    ("[{soundfont: '/none.sf2'}]", "/none.sf2"),
    ("[{parameters: {'reverb.rom': 1}}]", "reverb.rom"),
  ])
  func `live zones that cannot be played are refused, and what is played remains`(
    zones: String, reason: String
  ) throws {
    let player = try ScenePlayer(Self.configuration)
    try player.scenes.choose(.named("Organ"))
    let before = try player.scenes.zones(of: player.component)
    let error = try #require(throws: Failure.self) {
      try player.scenes.setZones(zones, of: player.component)
    }
    #expect(error.message.contains(reason), "\(error.message)")
    #expect(try player.scenes.zones(of: player.component) == before)
  }

  @Test func `a scene is saved with what was set, and the comments of the file remain`() throws {
    let player = try ScenePlayer(
      Self.configuration.replacing("scenes: [", with: "scenes: [ // mine"))
    #expect(player.connect(sounds: 2))
    let main = try #require(player.input.playedUnit)
    try main.parameters?.set(["reverb.room": 0.4, "preset.program": 19])
    try player.scenes.setZones(
      "[{keys: '..B3'}, {keys: 'C4..', preset: 'Church Organ'}]", of: player.component)
    _ = try player.scenes.save(as: "Both", replaces: false)
    #expect(try player.file().contains("// mine"))
    #expect(player.scenes.list.names.last == "Both" && player.scenes.list.current == "Both")
    let saved = try #require(try player.scenes.zones(of: player.component))
    let text = saved.filter { !$0.isWhitespace }
    #expect(
      text == #"[{"keys":"C-1..B3","parameters":{"reverb.room":0.4},"#
        + #""preset":{"bank":0,"program":19}},"#
        + #"{"keys":"C4..G9","parameters":{"reverb.room":0.4},"preset":"ChurchOrgan"}]"#)
    let error = try #require(throws: Failure.self) {
      try player.scenes.save(as: "Both", replaces: false)
    }
    #expect(error.message.contains("there is a scene 'Both': add --replace"))
    try player.scenes.setZones("[{keys: 'C4..'}]", of: player.component)
    _ = try player.scenes.save(as: "Both", replaces: true)
    #expect(player.scenes.list.names == ["Organ", "Strings", "Organ", "Both"])
  }

  @Test func `a replaced scene keeps the text and the comments of what has not changed`() throws {
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }],
        scenes: [
          { name: "Both", // the first set
            ports: {
              // two hands
              "Test: Stage": { zones: [
                { keys: "..B3", transpose: 0x0c }, // left
                { keys: [60, 127], preset: 'Church Organ' }, // right
                { keys: "C8..", preset: "Harp" },
              ] } } } ] }
      """)
    #expect(player.connect(sounds: 2))
    try player.scenes.choose(.named("Both"))
    try player.scenes.setZones(
      "[{keys: '..B3', transpose: 12}, {keys: 'C4..', preset: 'Slow Strings'}]",
      of: player.component)
    _ = try player.scenes.save(as: "Both", replaces: true)
    let file = try player.file()
    for text in [
      "// the first set", "// two hands", "{ keys: \"..B3\", transpose: 0x0c }, // left\n",
      "preset: \"Slow Strings\" }, // right\n",
    ] {
      #expect(file.contains(text), "\(file)")
    }
    #expect(!file.contains("Harp") && !file.contains("Church"))
    let zones = try #require(try player.scenes.zones(of: player.component))
    #expect(zones.contains("Strings"))
    // Nothing has changed since.
    _ = try player.scenes.save(as: "Both", replaces: true)
    #expect(try player.file() == file)
  }

  @Test(arguments: ["~/Stage.sf2", "fonts/Stage.sf2", "../portative/fonts/Stage.sf2"])
  func `a saved scene has the path of a SoundFont as the configuration has it`(path: String) throws
  {
    let user = TestUser()
    for name in ["Stage.sf2", "config/portative/fonts/Stage.sf2"] {
      try user.system.add("\(name).folder/file", "")
      try user.system.add("config/portative/fonts/file", "")
      symlink(bundledSoundFont, "\(user.system.root)/\(name)")
    }
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }],
        scenes: [{ name: "A", ports: { "Test: Stage": { zones: [
          { keys: "..B3", soundfont: "\(path)", preset: "Church Organ" }] } } }] }
      """, for: user)
    try player.scenes.choose(.named("A"))
    #expect(player.connect(sounds: 1))
    _ = try player.scenes.save(as: "B", replaces: false)
    #expect(try player.file().components(separatedBy: "\"\(path)\"").count == 3)
    #expect(try !player.file().contains(user.system.root))
    #expect(player.scenes.list.current == "B")
    // A relative path of what is set live is also as it was.
    try player.scenes.setZones(
      "[{soundfont: '\(path)', preset: 'Slow Strings'}]", of: player.component)
    _ = try player.scenes.save(as: "B", replaces: true)
    #expect(try player.file().components(separatedBy: "\"\(path)\"").count == 3)
    #expect(try !player.file().contains(user.system.root))
  }

  /// The file as it is, also if it is longer than what is read.
  private func wholeFile(_ player: ScenePlayer) throws -> [UInt8]? {
    try WholeFile.read("\(player.user.system.root)/config/portative/config.json", limit: 1 << 22)
  }

  @Test(arguments: [
    ("", "the name of a scene cannot be '': write 1 to 64 characters"),
    ("  ", "write 1 to 64 characters"),
    (String(repeating: "é", count: 65), "it has 65 characters, write at most 64"),
    // A character for the reader, and without end for the file.
    ("e" + String(repeating: "\u{301}", count: 100_000), "it has 100001 characters"),
    ("A\u{1B}[31m", #"'A\u{1B}[31m': remove \u{1B}, which is character 2"#),
    ("A\nB", #"'A\nB': remove \n"#), ("A\u{202E}B", #"'A\u{202E}B': remove \u{202E}"#),
    ("A\u{200B}B", #"remove \u{200B}"#), ("\u{FEFF}A", #"remove \u{FEFF}, which is character 1"#),
    ("A\u{E0041}", #"remove \u{000E0041}"#), ("A\u{2028}B", #"remove \u{2028}"#),
  ])
  func `a name that cannot be stored is refused, and the file is not changed`(
    name: String, reason: String
  ) throws {
    let player = try ScenePlayer(Self.configuration)
    let before = try player.file()
    for replaces in [false, true] {
      let error = try #require(throws: Failure.self) {
        try player.scenes.save(as: name, replaces: replaces)
      }
      #expect(error.kind == .usage)
      #expect(error.message.contains(reason), "\(error.message)")
      #expect(error.message.utf8.count < 1000)
    }
    #expect(try player.file() == before)
    let error = try #require(throws: Failure.self) { try player.scenes.choose(.named(name)) }
    #expect(error.message.contains(reason) && error.message.utf8.count < 1000)
  }

  @Test func `a name of 64 characters of any writing is saved and read again`() throws {
    let player = try ScenePlayer(Self.configuration)
    for name in [
      String(repeating: "🎹", count: 64), #"'"\{}[],:// /* */"#, "Lento ma non troppo, 日本語 ♭",
    ] {
      _ = try player.scenes.save(as: name, replaces: false)
      _ = try player.scenes.save(as: name, replaces: true)
      #expect(player.scenes.list.current == name)
    }
    #expect(player.scenes.list.names.count == 6)
  }

  @Test func `a scene for which the file has no room is refused, and the file is not changed`()
    throws
  {
    let player = try ScenePlayer(Self.configuration)
    // What the scene adds has some hundred bytes.
    let room = JSON5File.maximumLength - Self.configuration.utf8.count - 100
    let full = Self.configuration + "/*" + String(repeating: " ", count: room) + "*/"
    try player.user.system.add("config/portative/config.json", full)
    try player.scenes.setZones(
      "[{keys: '..B3', preset: 'Church Organ'}, {keys: 'C4..', preset: 'Slow Strings'}]",
      of: player.component)
    let error = try #require(throws: Failure.self) {
      try player.scenes.save(as: "More", replaces: false)
    }
    #expect(error.kind == .outputNotWritten)
    #expect(
      error.message.contains("but can have at most 1048576: remove something"), "\(error.message)")
    #expect(try wholeFile(player) == Array(full.utf8))
  }

  @Test func `a configuration with the most scenes takes no other, but can replace one`() throws {
    let scenes = (0..<4096).map { #"{ name: "\#($0)" }"# }.joined(separator: ",\n")
    let text = #"{ ports: [{ name: "Test: Stage", subtype: "stag" }], scenes: [\#(scenes)] }"#
    let player = try ScenePlayer(text)
    let error = try #require(throws: Failure.self) {
      try player.scenes.save(as: "More", replaces: false)
    }
    #expect(error.message.contains("has 4096 scenes, and can have at most 4096: replace one"))
    #expect(try wholeFile(player) == Array(text.utf8))
    _ = try player.scenes.save(as: "17", replaces: true)
    #expect(player.scenes.list.current == "17")
  }

  @Test func `texts that hide something are saved as escapes, and read again`() throws {
    let player = try ScenePlayer(Self.configuration)
    try player.scenes.setZones(
      #"[{keyboards: ["A\u001b\u202e\u2028\u200b\ud83c\udfb9\""], keys: "C4.."}]"#,
      of: player.component)
    let zones = try player.scenes.zones(of: player.component)
    _ = try player.scenes.save(as: "Escapes", replaces: false)
    #expect(try player.scenes.zones(of: player.component) == zones)
    #expect(try player.file().contains(#"A\u001b\u202e\u2028\u200b🎹\""#))
  }

  @Test func `a scene is not saved in a file that has become invalid`() throws {
    let player = try ScenePlayer(Self.configuration)
    try player.user.system.add("config/portative/config.json", "{ scenes: [")
    try player.scenes.setZones("[{keys: 'C4..'}]", of: player.component)
    let error = try #require(throws: Failure.self) {
      try player.scenes.save(as: "Both", replaces: false)
    }
    #expect(error.message.contains("config.json:1:"))
    #expect(try player.file() == "{ scenes: [")
  }

  @Test func `a reload keeps the current scene, and the sounds that have not changed`() throws {
    let player = try ScenePlayer(Self.configuration)
    try player.scenes.choose(.named("Strings"))
    #expect(player.connect(sounds: 2))
    let before = player.input.zoneUnits
    try player.load(
      Self.configuration.replacing("setList: [\"Organ\", \"Strings\", \"Organ\"]", with: ""))
    #expect(player.scenes.list.current == "Strings")
    try player.scenes.choose(.step(-1))
    #expect(player.scenes.list.current == "Organ")
    for (number, unit) in player.input.zoneUnits { #expect(before[number] === unit) }
  }

  @Test func `a thousand scenes are loaded, and one far away is played as soon as it is ready`()
    throws
  {
    let scenes = (0..<1000).map { number in
      """
      { name: "S\(number)", ports: { "Test: Stage": { preset: { bank: 0, program: \(number % 128) }, level: \(-Double(number) / 100) } } }
      """
    }
    let player = try ScenePlayer(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }], scenes: [\(scenes.joined(separator: ",\n"))] }
      """)
    #expect(try player.scenes.choose(.step(1)) == "S0")
    #expect(player.connect(sounds: SceneControl.soundsAhead))
    try player.scenes.choose(.named("S700"))
    #expect(
      eventually {
        _ = player.cycle()
        player.send(note(60))
        return player.cycle().contains { abs($0) > 0.001 }
      })
  }

  @Test(arguments: [
    (#"scenes: [{ name: "A" }, { name: "A" }]"#, "two scenes 'A'"),
    (#"scenes: [{ name: "A", ports: { "Test: Stag": {} } }]"#, "did you mean 'Test: Stage'?"),
    (#"scenes: [{ name: "Verse" }], setList: ["Vers"]"#, "did you mean 'Verse'?"),
    (#"scenes: [{ name: "" }]"#, "it cannot be '': write 1 to 64 characters"),
    (
      #"scenes: [{ name: "A\u202eB" }]"#,
      #"it cannot be 'A\u{202E}B': remove \u{202E}, which is character 2"#
    ),
  ])
  func `scenes that contradict themselves are refused with their location`(
    text: String, message: String
  ) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try ScenePlayer(#"{ ports: [{ name: "Test: Stage", subtype: "stag" }], "# + text + " }")
    }
    #expect(error.description.contains(message), "\(error)")
    #expect(error.line == 1 && error.column ?? 0 > 40)
  }
}
