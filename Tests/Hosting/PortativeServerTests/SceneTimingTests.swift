import LiveMIDI
import NodeServer
import RenderCore
import TestSupport
import Testing

@testable import PortativeServer

/// Changes of scenes under held notes, at each offset in a cycle.
@Suite(.timeLimit(.minutes(5))) struct SceneTimingTests {
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
