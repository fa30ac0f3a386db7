import Configuration
import LocalSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ZoneSettingsTests {
  private func zone(_ text: String) throws -> ZoneSettings {
    let document = try JSON5Document(Array(text.utf8))
    return try document.decode(ZoneSettings.self)
  }

  @Test(arguments: [
    (#""C2..B3""#, UInt8(36)...59), (#""C4..""#, 60...127), (#""..B3""#, 0...59),
    (#""60""#, 60...60), (#""C-1..G9""#, 0...127), (#""F#3..Bb4""#, 54...70), ("[36, 59]", 36...59),
    (#""c#-1..db-1""#, 1...1),
  ])
  func `keys are names or numbers`(text: String, keys: ClosedRange<UInt8>) throws {
    #expect(try zone("{ keys: \(text) }").keys?.keys == keys)
  }

  @Test(arguments: [
    (#"keys: "B3..C2""#, "the lowest key is above the highest"),
    (#"keys: "H2..C3""#, "'H2' is not a key"), (#"keys: "G#9""#, "'G#9' is not a key"),
    (#"keys: "128""#, "'128' is not a key"), ("keys: [5, 3]", "exchange them"),
    ("keys: [0, 128]", "of 0 to 127"), ("keys: [1]", "[lowest, highest]"),
    ("keys: [1.5, 3]", "[lowest, highest]"), ("velocities: [0, 127]", "of 1 to 127"),
    ("channel: 17", "it must be 1 to 16, but is 17"), ("channel: 0", "it must be 1 to 16"),
    ("transpose: 200", "it must be -127 to 127"), ("transpose: 0.5", "'transpose'"),
    ("level: 40", "it must be -60 to 12"), ("pan: -101", "it must be -100 to 100"),
    (#"velocity: "softt""#, "linear, soft, hard"), ("velocity: 0", "from 1 to 127"),
    ("velocity: [[1, 2], [1, 3]]", "ascending order"), ("velocity: []", "ascending order"),
    ("velocity: [[1]]", "a point must be"), (#"controllers: "some""#, "all, none or a list"),
    ("controllers: [120]", "0 to 119"), (#"controllers: ["bent"]"#, "bend, pressure or program"),
    ("routes: [{ from: 64, to: 1 }]", "not a pedal (64 to 69), but is 64"),
    ("routes: [{ from: 1, to: 120 }]", "0 to 119"),
    ("routes: [{ from: 1 }]", "routes[0].to' is missing"),
    (#"routes: [{ from: "bend", to: 1 }]"#, "a controller or pressure"),
    ("routes: [{ from: 1, to: 2, range: [0] }]", "the values at 0 and at 127"),
    ("routes: [{ from: 1, to: 2, range: [0, 128] }]", "from 0 to 127, but is 128"),
    (#"mode: "duo""#, "poly, mono or legato"),
    ("portamento: {}", "it must have time"),
    ("portamento: { time: 1, perOctave: 1 }", "it must have time"),
    ("portamento: { time: 0 }", "it must be 1 to 16383 milliseconds, but is 0"),
    (#"portamento: { time: 1, when: "never" }"#, "always or legato, but is 'never'"),
    ("outputChannel: 0", "it must be 1 to 16, but is 0"),
    ("preset: { bank: 0 }", "'preset.program' is missing"),
  ])
  func `values out of range are refused with the limit and the value`(
    text: String, message: String
  ) {
    do {
      _ = try zone("{ \(text) }")
      Issue.record("no error for \(text)")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test func `portamento is written as it is read`() throws {
    for text in [
      #"{"portamento":{"time":120}}"#, #"{"portamento":{"perOctave":200,"when":"legato"}}"#,
    ] {
      #expect(Configuration.json(try zone(text)) == text)
    }
  }

  @Test func `routes of controllers are written as they are read`() throws {
    let text =
      #"{"routes":[{"curve":"soft","from":2,"range":[127,20],"to":11},{"from":"pressure","to":1}]}"#
    let settings = try zone(text)
    #expect(settings.routes?.count == 2)
    #expect(Configuration.json(settings) == text)
  }

  @Test func `what modules receive is written as it is read`() throws {
    let text =
      #"{"name":"A","ports":{},"send":[{"bank":[87,64],"channel":2,"output":"M","program":12},"#
      + #"{"bank":5,"controllers":{"10":0,"7":127},"output":"N"}]}"#
    let scene = try JSON5Document(Array(text.utf8)).decode(SceneSettings.self)
    #expect(Configuration.json(scene) == text)
    #expect(scene.send?[1].channel == nil && scene.send?[1].controllers == [7: 127, 10: 0])
  }

  @Test(arguments: [
    ("bank: [1]", "controllers 0 and 32"), ("bank: [1, 128]", "each 0 to 127"),
    ("bank: 128", "it must be 0 to 127, but is 128"), ("program: -1", "it must be 0 to 127"),
    ("channel: 17", "it must be 1 to 16"), (#"controllers: { "120": 1 }"#, "has 120: 1"),
    (#"controllers: { "7": 128 }"#, "has 7: 128"), (#"controllers: { volume: 1 }"#, "has volume"),
  ])
  func `what modules cannot receive is refused`(text: String, message: String) {
    do {
      let text = #"{ name: "A", send: [{ output: "M", \#(text) }] }"#
      _ = try JSON5Document(Array(text.utf8)).decode(SceneSettings.self)
      Issue.record("no error for \(text)")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test func `presets are names or numbers, and controllers lists`() throws {
    #expect(try zone(#"{ preset: "Grand" }"#).sound.preset == .name("Grand"))
    #expect(
      try zone("{ preset: { bank: 128, program: 3 } }").sound.preset
        == .number(bank: 128, program: 3))
    #expect(
      try zone(#"{ controllers: [1, "bend"] }"#).controllers == .only([.controller(1), .bend]))
    #expect(try zone(#"{ velocity: 90 }"#).velocity == .points([[1, 90]]))
  }
}
