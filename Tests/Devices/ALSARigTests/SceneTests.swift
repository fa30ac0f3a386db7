import Foundation
import ProgramTestSupport
import SoundTestSupport
import TestSupport
import Testing

/// Tests of zones and scenes, and of `set` and `take`, with keyboards that are plugged in.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct SceneTests {
  @Test
  func `a foot switch changes the scene of the next note, and a take has a track for each sound`()
    throws
  {
    let user = try TemporaryUser()
    try user.configure(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag", zones: [
          { keys: "..B3", preset: "Church Organ" }, { keys: "C4.." } ] }],
        scenes: [
          { name: "Verse", ports: { "Test: Stage": { preset: "Violin" } } },
          { name: "Chorus", ports: { "Test: Stage": { zones: [
            { preset: "Trumpet" }, { preset: "Church Organ", transpose: -12 } ] } } },
        ],
        controls: [{ controller: 80, does: "nextScene" }] }
      """)
    let server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("played by Stage Piano")
    try server.says("sound: hw:Loopback,0: 48000 Hz")
    // The sounds are made before the device plays.
    try keyboard.send("90 30 64 90 48 64")
    try keyboard.send("B0 50 7F B0 50 00 90 4A 64")
    try server.says("scene: Verse")
    #expect(try user.run("scene", "chorus").outputText == "Chorus\n")
    try keyboard.send("90 4C 64 80 30 40 80 48 40 80 4A 40 80 4C 40")
    let file = user.folder("take.mid")
    let expected = [
      "Test: Stage, Church Organ: 2 notes", "Test: Stage: 1 note", "Test: Stage, Violin: 1 note",
      "Test: Stage, Trumpet: 1 note",
    ]
    var text = ""
    try wait {
      text = try user.run("take", "--overwrite", "-o", file).outputText
      return expected.allSatisfy(text.contains) ? () : nil
    }
    #expect(text.contains("each sound of the zones has a track of its own"), "\(text)")
    let audio = user.folder("b.wav")
    #expect(try user.run("take", "-o", user.folder("b.mid"), "--audio", audio).exitCode == 0)
    #expect(peak(leftChannel(of: audio)) > 0.01)
  }

  @Test func `scenes mix a SoundFont and a plugin, whose held notes sound on and are in the take`()
    throws
  {
    let user = try TemporaryUser()
    user.variables["LV2_PATH"] = try TestPlugins.path()
    _ = try user.folder.put(Data("0.25".utf8), "config/portative/quarter.txt")
    // The plugin plays 0.25, or 0.125 of its preset, while a note is held.
    try user.configure(
      """
      { ports: [
          { name: "Test: Stage", subtype: "stag", keyboards: ["Stage*"] },
          { name: "Test: Sampler", subtype: "smpl", keyboards: ["Stage*"],
            lv2: "\(TestPlugins.sampler)", files: { "sample-file": "quarter.txt" } },
        ],
        scenes: [
          { name: "File", ports: {
            "Test: Stage": { zones: [{ keys: "C5..", preset: "Church Organ" }] },
            "Test: Sampler": { zones: [{ keys: "..B4" }] } } },
          { name: "Kit", ports: {
            "Test: Stage": { zones: [{ keys: "C5..", preset: "Violin" }] },
            "Test: Sampler": { preset: "Kit", zones: [{ keys: "..B4", level: -20 }] } } },
        ] }
      """)
    let server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("Test: Sampler: played by Stage Piano")
    try server.says("sound: hw:Loopback,0: 48000 Hz")
    #expect(try user.run("scene", "File").outputText == "File\n")
    func levels() throws -> [Float] { try Recorder(in: user.folder, seconds: 2).left() }
    /// Waits until the level of the sampler alone is heard.
    func hear(_ level: Float) throws {
      try wait { try levels().contains { abs($0 - level) < 1e-4 } ? () : nil }
    }
    // The scene is chosen with the first note at the latest.
    try keyboard.send("90 30 64")
    try hear(0.25)
    #expect(try user.run("scene", "Kit").outputText == "Kit\n")
    try hear(0.25)
    try keyboard.send("90 32 64")
    try hear(0.2625)
    try keyboard.send("90 48 64")
    try wait { try levels().contains { abs($0 - 0.2625) > 0.003 } ? () : nil }
    try keyboard.send("80 48 40 80 30 40")
    try hear(0.0125)
    try keyboard.send("80 32 40")
    try hear(0)
    try keyboard.send("90 30 64")
    try hear(0.0125)
    try keyboard.send("80 30 40")
    try hear(0)
    let audio = user.folder("take.wav")
    let take = try user.run(
      "take", "30s", "Test: Sampler", "-o", user.folder("take.mid"), "--audio", audio)
    #expect(take.exitCode == 0, "\(take.errors)")
    #expect(take.outputText.contains("Test: Sampler, Kit: "), "\(take.outputText)")
    #expect(leftChannel(of: audio).contains { abs($0 - 0.0125) < 1e-4 })
  }

  @Test func `a zone whose plugin hangs when it starts is silent alone, and is named`() throws {
    let user = try TemporaryUser()
    user.variables["LV2_PATH"] = try TestPlugins.path()
    // The preset has a state that the plugin never restores.
    try user.configure(
      """
      { ports: [{ name: "Test: Tone", subtype: "tone", keyboards: ["Stage*"],
          lv2: "urn:portative:test:hanging" }],
        scenes: [{ name: "Both", ports: { "Test: Tone": { zones: [
          { keys: "..B3", preset: "Endless" }, { keys: "C4..", level: -6 } ] } } }] }
      """)
    let server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("sound: hw:Loopback,0: 48000 Hz")
    #expect(try user.run("scene", "Both").outputText == "Both\n")
    try server.says("Test: Tone, zone 'Endless' takes long to start, and is silent until then")
    func levels() throws -> [Float] { try Recorder(in: user.folder, seconds: 2).left() }
    try keyboard.send("90 30 64")
    #expect(try levels().allSatisfy { $0 == 0 })
    try keyboard.send("90 3C 64")
    try wait { try levels().contains { $0 > 0.05 } ? () : nil }
  }

  @Test func `what is set acts on the next note of a keyboard`() throws {
    let user = try TemporaryUser.withKeys()
    let server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("played by Stage Piano")
    try server.says("sound: hw:Loopback,0: 48000 Hz")
    func peak(_ key: String) throws -> Float {
      let recorder = try Recorder(in: user.folder, seconds: 3)
      try keyboard.send("90 \(key) 64")
      let peak = recorder.left().map(abs).max() ?? 0
      try keyboard.send("80 \(key) 40")
      return peak
    }
    let loud = try peak("3C")
    #expect(loud > 0.001)
    #expect(try user.run("set", "keys", "gain=-20").exitCode == 0)
    _ = try peak("3C")
    let quiet = try peak("3C")
    #expect(abs(quiet / loud - 0.1) < 0.03, "\(quiet / loud)")
  }
}
