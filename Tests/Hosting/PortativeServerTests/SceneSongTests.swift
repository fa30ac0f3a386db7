import LiveMIDI
import LocalSystem
import MIDIFile
import NodeProtocol
import NodeServer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import TestSupport
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(10))) struct SceneSongTests {
  private static let scenes = #"""
    scenes: [
      { name: "Verse", track: { file: "verse.mid", level: -3 } },
      { name: "Solo", text: "go on" },
      { name: "Chorus", track: { file: "chorus.wav", start: false }, tempo: 90 },
      { name: "Broken", track: { file: "none.mid" } },
      { name: "End", track: "stop" },
      { name: "Count", track: { file: "verse.mid", countIn: 2, transpose: 2, muted: [2, 9] }, tempo: 60 },
      { name: "Click", track: "stop", tempo: 100, click: true },
    ]
    """#

  private func stage(_ rest: String = "") throws -> SongStage {
    let stage = try SongStage(Self.scenes + rest)
    try stage.add("verse.mid", TestSong.long.encoded())
    let audio = (0..<96_000).map { Float($0 % 100) / 200 }
    try stage.add("chorus.wav", TestSong.wave(audio, audio))
    return stage
  }

  private func choose(_ name: String, _ stage: SongStage) throws {
    try stage.server.scenes.choose(.named(name))
  }

  @Test func `a song starts with its scene, plays on without one, and stops when a scene says so`()
    throws
  {
    let stage = try stage()
    try choose("Verse", stage)
    #expect(eventually { stage.song.status.song?.isPlaying == true })
    try stage.play(seconds: 1)
    #expect(stage.peak() > 0.001)
    try choose("Solo", stage)
    try stage.play(seconds: 1)
    #expect(stage.song.status.song?.isPlaying == true)
    try choose("End", stage)
    #expect(eventually { stage.song.status.song == nil })
    #expect(eventually { stage.log.messages.contains("song: 'verse.mid' removed") })
  }

  @Test func `the song of the next scene is read ahead, and again if its file changes`() throws {
    let stage = try stage()
    let path = "\(stage.user.system.root)/config/portative/chorus.wav"
    #expect(stage.song.reader.preparedPath == nil)
    try stage.server.scenes.choose(.named("Solo"))
    #expect(eventually { stage.song.reader.preparedPath == path })
    // Longer than before.
    let audio = [Float](repeating: 0.25, count: 144_000)
    try stage.add("chorus.wav", TestSong.wave(audio, audio))
    try stage.server.scenes.choose(.step(1))
    #expect(eventually { abs((stage.song.report?.length ?? 0) - 3) < 0.01 })
    try choose("Solo", stage)
    #expect(eventually { stage.song.reader.preparedPath == path })
    let revision = try #require(stage.song.status.song).revision
    try choose("Chorus", stage)
    // Until then, the song of the earlier scene would start.
    #expect(eventually { stage.song.status.song.map { $0.revision != revision } ?? false })
    try stage.song.execute(.start)
    try stage.play(seconds: 1)
    #expect(stage.peak(ofLast: 0.5) == 0.25)
  }

  @Test func `audio waits for a control, and a file that is missing leaves what plays`() throws {
    let stage = try stage(
      #", controls: [{ note: 24, does: "toggleTrack" }, { note: 25, does: "stopTrack" }]"#)
    stage.input.sourceNames = ["Keyboard"]
    try choose("Chorus", stage)
    #expect(eventually { stage.song.status.song?.kind == .audio })
    try stage.play(seconds: 1)
    #expect(stage.song.status.song?.isPlaying == false)
    #expect(stage.song.status.song?.tempo == 90)
    stage.send(ChannelMessage(.noteOn, channel: 0, 24, 100))
    try stage.play { stage.song.status.song?.isPlaying == true }
    try choose("Broken", stage)
    let path = "\(stage.user.system.root)/config/portative/none.mid"
    let message = "error: the song of the scene is not played: there is no song '\(path)'"
    #expect(eventually { stage.log.messages.contains(message) })
    try stage.play(seconds: 0.5)
    #expect(stage.song.status.song?.name == "chorus.wav")
    stage.send(ChannelMessage(.noteOn, channel: 0, 25, 100))
    try stage.play { stage.song.status.song?.isPlaying == false }
  }

  @Test func `a scene counts in, transposes, mutes and sets the tempo`() throws {
    let stage = try stage()
    try choose("Count", stage)
    #expect(eventually { stage.song.status.song?.isPlaying == true })
    let song = try #require(stage.song.status.song)
    #expect(song.countIn == 2)
    #expect(song.transposition == 2)
    #expect(song.tempoPercent == 50)
    // Two bars of four seconds.
    #expect(song.position < -6)
    try stage.play(seconds: 9)
    #expect((stage.song.status.song?.position ?? -9) > 0)
    // The first beat of the count-in is heard at once.
    #expect(stage.left.prefix(48_000).contains { abs($0) > 0.1 })
  }

  @Test func `the metronome clicks alone in the tempo of the scene, and follows taps`() throws {
    let stage = try stage(
      #", controls: [{ note: 24, does: "toggleClick" }, { note: 25, does: "tapTempo" }]"#)
    stage.input.sourceNames = ["Keyboard"]
    try choose("Click", stage)
    #expect(eventually { stage.song.status.song?.kind == .click })
    #expect(stage.song.status.song?.tempo == 100)
    try stage.play(seconds: 2)
    #expect(stage.peak(ofLast: 1) > 0.1)
    stage.send(ChannelMessage(.noteOn, channel: 0, 24, 100))
    try stage.play { stage.song.status.song == nil }
    #expect(!stage.song.status.isClicking)
  }

  @Test func `taps set the mean tempo of the last beats, from the third one on`() {
    var tap = TapTempo()
    #expect(tap.tap(at: 0) == nil)
    #expect(tap.tap(at: 500_000_000) == nil)
    #expect(tap.tap(at: 1_000_000_000) == 120)
    // A pause begins anew.
    #expect(tap.tap(at: 9_000_000_000) == nil)
    #expect(tap.tap(at: 9_600_000_000) == nil)
    #expect(tap.tap(at: 10_200_000_000) == 100)
    for beat in 1...20 { _ = tap.tap(at: 10_200_000_000 + Int64(beat) * 1_000_000_000) }
    #expect(tap.tap(at: 31_200_000_000) == 60)
  }

  @Test(arguments: [
    (#"track: "off""#, #"it must be "stop" or { file: "PATH" }, but is "off""#),
    (#"track: { file: "a", countIn: 17 }"#, "it must be 0 to 16, but is 17"),
    (#"track: { file: "a", muted: [0] }"#, "it must have the numbers of channels, 1 to 16"),
    ("tempo: 10", "it must be 20 to 400, but is 10"),
  ]) func `a scene with an impossible song is refused`(_ field: String, _ reason: String) {
    let error = #expect(throws: (any Error).self) {
      try SongStage("scenes: [{ name: \"A\", \(field) }]")
    }
    #expect(error.map { "\($0)".contains(reason) } == true)
  }
}
