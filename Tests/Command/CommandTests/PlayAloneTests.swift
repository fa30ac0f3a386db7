import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// Songs that are played without a server.
@Suite(.timeLimit(.minutes(5))) struct PlayAloneTests {
  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    song = try user.folder.put(shortSong())
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: user.folder(name)))
  }

  private func size(_ count: Int) -> Data {
    withUnsafeBytes(of: UInt32(count).littleEndian) { Data($0) }
  }

  @Test(arguments: [
    [], ["--timing", "stock"], ["--gain", "-6", "--reverb", "off", "--transpose", "3"],
    ["--rate", "44100", "--chorus", "off", "--polyphony", "3"],
  ])
  func `options for the sound have the bits of a rendered song`(options: [String]) throws {
    for verb in ["render", "play"] { try write("\(verb).wav", verb, options) }
    #expect(try bytes("play.wav") == bytes("render.wav"))
  }

  private func write(_ name: String, _ verb: String, _ options: [String]) throws {
    let result = try user.run(arguments: [verb, "-q", "-o", user.folder(name), song] + options)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(arguments: ["exact", "stock"])
  func `parameters that render sets have the bits of the unit with these parameters`(timing: String)
    throws
  {
    let options = [
      "--timing", timing, "--set", "envelope.attack=2400", "--set", "filter.cutoff=-2400",
      "--set", "vibrato.depth=60", "--set", "tuning=30", "--set", "reverb.room=0.9", "--set",
      "reverb.damping=0.9",
    ]
    for verb in ["render", "play"] { try write("\(verb).wav", verb, options) }
    #expect(try bytes("play.wav") == bytes("render.wav"))
    try write("plain.wav", "render", ["--timing", timing])
    #expect(try bytes("plain.wav") != bytes("render.wav"))
    // Each parameter has an effect.
    for index in stride(from: 2, to: options.count, by: 2) {
      try write("one.wav", "render", ["--timing", timing] + options[index...index + 1])
      #expect(try bytes("one.wav") != bytes("plain.wav"), "\(options[index + 1])")
    }
  }

  @Test func `the SoundFont in a song is played`() throws {
    let font = try Data(contentsOf: URL(filePath: bundledSoundFont))
    let bankOffset = Data("LIST".utf8) + size(14) + Data("INFODBNK".utf8) + size(2) + Data([0, 0])
    let midi = try bytes("song.mid")
    let content =
      Data("RMIDdata".utf8) + size(midi.count) + midi + Data(count: midi.count % 2) + bankOffset
      + font
    let rmid = try user.folder.put(Data("RIFF".utf8) + size(content.count) + content, "song.rmi")
    for verb in ["render", "play"] {
      for (name, options) in [("own", []), ("other", ["--no-embedded"])] {
        let file = user.folder("\(verb)-\(name).wav")
        let result = try user.run(
          arguments: [verb, "-q", "-s", "/usr/share/sounds/sf2/TimGM6mb.sf2", "-o", file, rmid]
            + options)
        #expect(result.exitCode == 0, "\(result.errors)")
      }
    }
    #expect(try bytes("play-own.wav") == bytes("render-own.wav"))
    #expect(try bytes("play-other.wav") == bytes("render-other.wav"))
    #expect(try bytes("play-own.wav") != bytes("play-other.wav"))
  }

  @Test func `no other process can find the instrument, and it leaves no files`() throws {
    let player = try user.start(
      "play", "--audio", "none", "--record", user.folder("take.wav"),
      try user.folder.put(endlessSong(), "a.mid"))
    try player.wait { player.errors.contains("recording to") }
    #expect(
      try user.run("list", "--status", "--json").outputText.objects.allSatisfy { $0["node"] == nil }
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: user.folder("run")) == [])
    player.send(SIGKILL)
    _ = try player.result()
    #expect(try FileManager.default.contentsOfDirectory(atPath: user.folder("run")) == [])
  }

  @Test
  func `the songs of folders and lists are played in order, except those that cannot be read`()
    throws
  {
    for name in ["list/2.mid", "list/1.mid", "list/deep/3.mid"] {
      try user.folder.createFile(name, shortSong())
    }
    try user.folder.createFile("list/1b.mid", Data("no song".utf8))
    let result = try user.run(
      "play", "--json", "--audio", "none", "--to", "0.1", "--tail", "exact", user.folder("list"),
      song)
    #expect(result.exitCode == 3, "\(result.errors)")
    #expect(result.errors.contains("1b.mid' cannot be read as a MIDI file"))
    let played = result.outputText.objects.compactMap { $0["song"] as? [String: Any] }
    #expect(
      played.map { $0["input"] as? String }
        == ["list/1.mid", "list/2.mid", "list/deep/3.mid", "song.mid"].map { user.folder($0) })
    let shuffled = try user.run(
      "play", "--json", "--audio", "none", "--to", "0.1", "--tail", "exact", "--shuffle",
      user.folder("list/1.mid"), song)
    #expect(shuffled.outputText.objects.compactMap { $0["song"] }.count == 2)
  }

  @Test func `a song of a list that lacks a part is passed over`() throws {
    let other = try user.folder.put(songBytes([Note(tick: 0, key: 60)], endTick: 480), "b.mid")
    let result = try user.run(
      "play", "--json", "--audio", "none", "--to", "0.1", "--tail", "exact", "--only", "drums",
      other,
      song)
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("b.mid'") && result.errors.contains("'drums' has no notes"))
    #expect(result.outputText.objects.compactMap { $0["song"] }.count == 1)
  }

  @Test func `a folder without songs is refused`() throws {
    try FileManager.default.createDirectory(
      atPath: user.folder("none"), withIntermediateDirectories: true)
    let result = try user.run("play", "--audio", "none", user.folder("none"))
    #expect(result.exitCode == 3)
    #expect(result.errors.hasPrefix("portative: no song found in '"))
  }

  @Test func `a SoundFont that does not exist is refused before anything plays`() throws {
    let result = try user.run("play", "--audio", "none", "--soundfont", "none.sf2", song)
    #expect(result.exitCode == 5)
    #expect(result.errors.contains("none.sf2"))
  }
}
