import Glibc
import LiveMIDI
import NodeServer
import RenderCore
import TestSupport
import Testing

@testable import PortativeServer

/// Changes of scenes under held notes, at each offset in a cycle.
@Suite(.timeLimit(.minutes(30))) struct SceneTimingTests {
  private static let frames = 64
  /// The cycles from one change to the next: long enough for the struck note to end.
  private static let cycles = 130
  private static let configuration = """
    { ports: [{ name: "Test: Stage", subtype: "stag", parameters: { "reverb.on": 0, "chorus.on": 0 } }],
      scenes: [
        { name: "Organ", ports: { "Test: Stage": { preset: "Church Organ" } } },
        { name: "Wood", ports: { "Test: Stage": { preset: { bank: 0, program: 115 } } } },
        { name: "Xylophone", ports: { "Test: Stage": { preset: { bank: 0, program: 13 } } } },
      ] }
    """

  private struct Session {
    /// The left channel after the first change.
    var audio: [Float] = []
    /// The notes that began, and those that began late.
    var (notes, late) = (0, 0)
  }

  /// Plays a hundred notes with the organ; then changes the scene and plays a note with it, once for each offset.
  private func play(holds: Bool, strikes: Bool) throws -> Session {
    let player = try ScenePlayer(Self.configuration, frames: Self.frames, isRealTime: false)
    try player.scenes.choose(.named("Organ"))
    try #require(player.connect(sounds: 3))
    for key in UInt8(10)..<110 {
      if holds { player.send(ChannelMessage(.noteOn, channel: 0, key, 100), at: 0) }
      for _ in 0..<4 { _ = player.cycle() }
    }
    var session = Session()
    for offset in 0..<Self.frames {
      try player.scenes.choose(.named(offset % 2 == 0 ? "Wood" : "Xylophone"))
      if strikes { player.send(ChannelMessage(.noteOn, channel: 0, 112, 127), at: offset) }
      for cycle in 0..<Self.cycles {
        if strikes, cycle == 50 {
          player.send(ChannelMessage(.noteOff, channel: 0, 112, 64), at: 0)
        }
        session.audio += player.cycle().prefix(Self.frames)
      }
    }
    for figure in player.input.zoneUnits.values.flatMap(\.status) {
      if figure.name == "notes" { session.notes += figure.value }
      if figure.name == "late notes" { session.late += figure.value }
    }
    return session
  }

  /// The number of changes; `make test-scenes` sets it to 1000.
  private static let changes =
    getenv("PORTATIVE_SCENE_CHANGES").flatMap {
      Int(String(cString: $0))
    } ?? 60

  /// 40 scenes with 120 presets of FluidR3, 142 MB: a chord of ten notes with every change, in cycles that wait for nothing.
  /// Some changes are to a scene that is far away, whose sounds are not loaded ahead.
  @Test func `no change through the set list is late, and no note`() throws {
    let path = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
    try #require(access(path, R_OK) == 0, "install fluid-soundfont-gm")
    let scenes = (0..<40).map { scene in
      let zones = (0..<3).map { zone in
        "{ keys: [\(zone * 43), \(min(127, zone * 43 + 42))], preset: { bank: 0, program: \((scene * 3 + zone) % 125) } }"
      }
      return
        #"{ name: "Scene \#(scene)", ports: { "Test: Stage": { zones: [\#(zones.joined(separator: ", "))] } } }"#
    }
    let player = try ScenePlayer(
      """
      { soundfont: "\(path)", ports: [{ name: "Test: Stage", subtype: "stag" }],
        scenes: [\(scenes.joined(separator: ",\n"))] }
      """, frames: 256, isRealTime: false)
    try player.scenes.choose(.named("Scene 0"))
    try #require(player.connect(sounds: 15, waits: false))
    /// The notes, and the late ones, that the sounds have played.
    func figures() -> [UInt8: [Int]] {
      player.input.zoneUnits.mapValues { unit in
        ["notes", "late notes"].map { name in
          unit.status.first { $0.name == name }?.value ?? 0
        }
      }
    }
    var random = Seeded(1)
    var (place, step) = (0, 1)
    var (lateChanges, played, late) = (0, 0, 0)
    for change in 1...Self.changes {
      let isFar = change % 10 == 0
      if place + step < 0 || place + step >= 40 { step = -step }
      place = isFar ? Int.random(in: 0..<40, using: &random) : place + step
      try player.scenes.choose(.place(place))
      if !isFar, !player.scenes.isPlayed { lateChanges += 1 }
      try #require(
        eventually {
          _ = player.cycle()
          return player.scenes.isPlayed
        })
      let before = figures()
      let keys = (0..<10).map { UInt8(20 + $0 * 9) }
      for key in keys {
        player.send(ChannelMessage(.noteOn, channel: 0, key, 100), at: change % 256)
      }
      for _ in 0..<4 { _ = player.cycle() }
      for (sound, values) in figures() {
        // A sound that was removed and is needed again has a new unit.
        let earlier = before[sound].flatMap { $0[0] <= values[0] ? $0 : nil } ?? [0, 0]
        played += values[0] - earlier[0]
        late += values[1] - earlier[1]
      }
      for key in keys { player.send(ChannelMessage(.noteOff, channel: 0, key, 64), at: 0) }
      try #require(
        eventually {
          _ = player.cycle()
          return player.scenes.isAhead
        })
    }
    #expect(lateChanges == 0)
    #expect(played == 10 * Self.changes)
    #expect(late == 0)
  }

  @Test
  func `a scene changes at each offset without a click, and the next note is new on its frame`()
    throws
  {
    let (held, struck, both) = (
      try play(holds: true, strikes: false), try play(holds: false, strikes: true),
      try play(holds: true, strikes: true)
    )
    #expect(held.late + struck.late + both.late == 0)
    #expect(held.notes == 100 && struck.notes == 64 && both.notes == 164)
    // What sounds is the sum: the held notes are those without a change, and the new ones those without held notes.
    let largest = zip(both.audio, zip(held.audio, struck.audio)).map { abs($0 - ($1.0 + $1.1)) }
      .max()
    #expect(try #require(largest) < 1e-6)
    #expect(held.audio.contains { abs($0) > 0.01 })
    let length = Self.frames * Self.cycles
    for offset in 0..<Self.frames {
      let window = struck.audio[offset * length..<(offset + 1) * length]
      let first = struck.audio[offset % 2 * length..<(offset % 2 + 1) * length]
      let shift = offset - offset % 2
      func difference(_ frames: Int) -> Float {
        zip(window.dropFirst(frames), first).map { abs($0 - $1) }.max() ?? 1
      }
      // The end of the note before is below 0.005.
      #expect(difference(shift) < 0.005, "offset \(offset)")
      #expect(difference(shift + 1) > 0.02, "offset \(offset)")
      #expect(window.prefix(shift).allSatisfy { abs($0) < 0.005 }, "offset \(offset)")
    }
    let (wood, xylophone) = (struck.audio[..<length], struck.audio[length..<2 * length])
    #expect(zip(wood, xylophone).contains { abs($0 - $1) > 0.001 })
  }
}
