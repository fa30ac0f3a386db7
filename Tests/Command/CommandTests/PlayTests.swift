import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing
import portative

/// Through the port of a server, and through the song's own instrument.
private let instruments = [["--node", "last"], []]

@Test(arguments: instruments)
func `a song that is played has the bits of a rendered one`(node: [String]) throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  try user.serve()
  #expect(try render(song, "-o", user.folder("rendered.wav")).exitCode == 0)
  let rendered = try Data(contentsOf: URL(filePath: user.folder("rendered.wav")))
  for cycle in ["64", "1024", "random"] {
    let result = try user.run(
      arguments: ["play", "--cycle", cycle, "-o", user.folder("played.wav"), song] + node)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try Data(contentsOf: URL(filePath: user.folder("played.wav"))) == rendered)
    #expect(
      result.errors.contains(
        /[0-9]+ cycles, none late; round trip [0-9.]+ us, 99 % within [0-9.]+ us\n$/)
        != node.isEmpty)
  }
}

@Test func `the output can be piped`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  try user.serve()
  let piped = try user.run("play", "--node", "last", "-q", "--raw", "-o", "-", song)
  #expect(piped.exitCode == 0)
  #expect(piped.errors == "")
  #expect(
    try user.run("play", "--node", "last", "-q", "-o", user.folder("x.raw"), song).exitCode == 0)
  #expect(piped.output.count > 200_000)
  #expect(try piped.output == Data(contentsOf: URL(filePath: user.folder("x.raw"))))
}

@Test func `a paced song plays in real time, leaves no file and reports its cycles`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  try user.serve()
  let began = ContinuousClock.now
  let result = try user.run(
    "play", "--node", "last", "--json", "--audio", "none", "--tail", "exact", song)
  #expect(result.exitCode == 0, "\(result.errors)")
  // The song ends when its last frame is requested, one cycle before that frame would be heard.
  #expect(ContinuousClock.now - began > .seconds(50_000.0 / 48_000 - 0.03))
  let objects = result.outputText.objects
  #expect(objects.map { $0.keys.filter { $0 != "schema" } } == [["song"], ["cycles"]])
  let cycles = try #require(objects.last?["cycles"] as? [String: Any])
  #expect(cycles["cycles"] as? Int ?? 0 >= 49)
  #expect(cycles["roundTripMedian"] as? Double ?? 0 > 0)
  #expect(cycles["roundTrip99th"] as? Double ?? 0 > 0)
  #expect(cycles["lateCycles"] is Int)
  #expect(cycles["port"] as? String == "Portative: General MIDI")
  #expect(user.folder.names.contains("song.mid") && !user.folder.names.contains("song.wav"))
}

@Test func `--strict refuses a song with warnings, and leaves no file`() throws {
  let user = try TemporaryUser()
  try user.serve()
  let song = try user.folder.put(songBytes([Note(tick: 0, key: 60)], endTick: 100))
  let warned = try user.run("play", "--node", "last", "-o", user.folder("x.wav"), song)
  #expect(warned.exitCode == 0)
  #expect(warned.errors.contains("warning: 1 note never released: ended with the song"))
  let strict = try user.run("play", "--node", "last", "--strict", "-o", user.folder("y.wav"), song)
  #expect(strict.exitCode == 6)
  #expect(!user.folder.names.contains("y.wav"))
}

@Test func `wrong usage has exit code 2`() throws {
  let user = try TemporaryUser()
  for arguments in [
    [], ["a.mid", "b.mid", "-o", "x.wav"], ["a.mid", "b.mid", "--record", "x.wav"],
    ["a.mid", "b.mid", "--loop"], ["a.mid", "--shuffle"], ["a.mid", "--node", "x", "--gain", "3"],
    ["a.mid", "--node", "x", "--soundfont", "x.sf2"], ["a.mid", "-o", "x.wav", "--audio", "none"],
    ["a.mid", "-o", "x.wav", "--cycle", "0"], ["a.mid", "-o", "x.wav", "--loop"],
    ["a.mid", "--audio", "none", "--cycle", "random"],
    ["a.mid", "--audio", "none", "--loop-bars", "5"],
  ] {
    let result = try Program(["play"] + arguments, variables: user.variables).result()
    #expect(result.exitCode == 2)
    #expect(result.errors.hasPrefix("portative play: "))
  }
}

@Test(arguments: instruments)
func `a song with two ports has an instrument for each, and the bits of a rendered one`(
  node: [String]
) throws {
  let user = try TemporaryUser()
  func track(_ port: UInt8, _ program: UInt8) -> StandardMIDIFile.Track {
    StandardMIDIFile.Track([
      .init(tick: 0, .meta(.port(port))),
      .init(tick: 0, .channel(ChannelMessage(.programChange, channel: 0, program))),
      .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 0, 60 + program, 100))),
      .init(tick: 480, .channel(ChannelMessage(.noteOff, channel: 0, 60 + program, 64))),
    ])
  }
  let file = StandardMIDIFile(
    format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track(0, 0), track(1, 48)])
  let song = try user.folder.put(Data(file.encoded()))
  try user.serve()
  #expect(try render(song, "-o", user.folder("rendered.wav")).exitCode == 0)
  let rendered = try Data(contentsOf: URL(filePath: user.folder("rendered.wav")))
  let played = try user.run(
    arguments: ["play", "-o", user.folder("played.wav"), song] + node)
  #expect(played.exitCode == 0, "\(played.errors)")
  #expect(try Data(contentsOf: URL(filePath: user.folder("played.wav"))) == rendered)
  // In real time, the recording begins with a scheduled cycle, before the song.
  let live = try user.run(
    arguments: [
      "play", "--audio", "none", "--tail", "exact", "--record", user.folder("live.wav"), song,
    ] + node)
  #expect(live.exitCode == 0, "\(live.errors)")
  let (heard, wanted) = (samples(user.folder("live.wav")), samples(user.folder("rendered.wav")))
  let length = min(heard.count, 48_000)
  #expect(length > 40_000 && peak(heard) > 0.01)
  #expect(zip(heard[..<length], wanted).allSatisfy { abs($0 - $1) < 1e-4 })
}
