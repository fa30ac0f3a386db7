import Configuration
import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing
import portative

/// Songs played live without a device, in cycles so long that even a busy machine is in time.
@Suite(.timeLimit(.minutes(5))) struct LivePlayTests {
  private let user: TemporaryUser
  private let song: String
  private let server: Program

  init() throws {
    user = try TemporaryUser()
    song = try user.folder.put(shortSong())
    server = try user.serve()
  }

  private func play(_ arguments: String..., song other: String? = nil) throws -> Program {
    try Program(
      ["play", "--node", "last", "--audio", "none", "--cycle", "4096"] + arguments + [
        other ?? song
      ],
      variables: user.variables)
  }

  @Test func `a recording has the bits of the song rendered through the same node`() throws {
    let (take, file) = (user.folder("take.wav"), user.folder("file.wav"))
    let played = try play("--record", take, "--tail", "1").result()
    #expect(played.exitCode == 0, "\(played.errors)")
    #expect(played.errors.contains("recording to \(take), 48000 Hz\n"))
    #expect(played.errors.contains("recorded \(take): 0:02\n"))
    #expect(
      try user.run("play", "--node", "last", "-q", "-o", file, "--bits", "32f", "--tail", "1", song)
        .exitCode == 0)
    let (heard, rendered) = (samples(take), samples(file))
    #expect(heard == rendered)
    #expect(!user.folder.names.contains("take.mid"))
  }

  @Test(arguments: ["exact", "0.3", "bar"])
  func `a recording with a tail of fixed length ends on its exact frame`(tail: String) throws {
    let (take, file) = (user.folder("take.wav"), user.folder("file.wav"))
    let played = try play("--record", take, "--tail", tail).result()
    #expect(played.exitCode == 0, "\(played.errors)")
    #expect(
      try user.run(
        "play", "--node", "last", "-q", "-o", file, "--bits", "32f", "--tail", tail, song
      ).exitCode == 0)
    #expect(samples(take) == samples(file))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a loop with a complete recording, and the program by that signal`(
    signal: Int32
  ) throws {
    let take = user.folder("take.wav")
    let player = try play("--loop", "--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 620_000 }
    player.send(signal)
    let result = try player.result()
    #expect(result.signal == signal)
    #expect(result.errors.contains("recorded \(take): 0:0"))
    let heard = samples(take)
    #expect(heard.count >= 2 * 75_000)
    // The song has 50 000 frames, so it has looped.
    #expect(peak(heard[(2 * 50_000)...]) > 0.01)
    #expect(!user.folder.names.contains { $0.hasSuffix(".partial") })
  }

  @Test func `bars are counted in with clicks, and the song begins after them`() throws {
    let (take, plain) = (user.folder("take.wav"), user.folder("plain.wav"))
    for (path, words) in [(take, ["--count-in", "1"]), (plain, [])] {
      let result = try Program(
        [
          "play", "--node", "last", "-q", "--audio", "none", "--cycle", "4096", "--tail", "exact",
          "--record", path,
        ]
          + words + [song],
        variables: user.variables
      ).result()
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    let (counted, heard) = (samples(take), samples(plain))
    for beat in 0..<4 {
      let begin = 2 * 24_000 * beat
      #expect(peak(counted[begin..<begin + 2000]) > 0.1)
      // Only dither remains.
      #expect(peak(counted[(begin + 20_000)..<(begin + 2 * 24_000)]) < 2 / 32_768)
    }
    let length = 2 * 40_000
    let difference = zip(counted[(2 * 96_000)...].prefix(length), heard).map { $0 - $1 }
    // The dither differs, since its sequence starts at frame 0 of the recording.
    #expect(difference.count == length && peak(difference) < 3 / 32_768)
  }

  @Test func `--from begins there, without the sound of earlier notes`() throws {
    let notes = [Note(tick: 0, key: 60, length: 100), Note(tick: 1440, key: 72, length: 100)]
    let late = try user.folder.put(songBytes(notes, endTick: 1600), "late.mid")
    let take = user.folder("take.wav")
    let result = try play("--from", "1", "--record", take, song: late).result()
    #expect(result.exitCode == 0, "\(result.errors)")
    let heard = samples(take)
    #expect(peak(heard[..<(2 * 23_900)]) < 2 / 32_768)
    #expect(peak(heard[(2 * 24_000)...]) > 0.01)
  }

  @Test func `a recording that cannot begin is an error before the song starts`() throws {
    for (path, code) in [("/nowhere/take.wav", Int32(4)), (user.folder("take.xyz"), 2)] {
      let result = try play("--record", path).result()
      #expect(result.exitCode == code)
      #expect(result.errors.contains(code == 2 ? "portative play: " : "portative: "))
      #expect(!result.errors.contains("recorded"))
    }
  }

  @Test(arguments: [("take.wav", "take.wav"), ("take.wav", "take.mid"), ("song.wav", "song.mid")])
  func `a recording replaces neither a file nor the song`(name: String, existing: String) throws {
    let (path, file) = (user.folder(name), user.folder(existing))
    if existing != "song.mid" { try Data("mine".utf8).write(to: URL(filePath: file)) }
    let before = try Data(contentsOf: URL(filePath: file))
    let names = user.folder.names
    let result = try play("--record", path).result()
    #expect(result.exitCode == 4)
    #expect(
      result.errors.hasSuffix(
        "portative: '\(file)' exists: choose another name, or move the file\n"))
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
    #expect(user.folder.names.filter { $0 != "state" } == names)
  }

  @Test func `a recording has the samples that were heard, in 32-bit float`() throws {
    let take = user.folder("take.wav")
    #expect(try play("--record", take, "--tail", "exact").result().exitCode == 0)
    let file = try Data(contentsOf: URL(filePath: take))
    let format = try #require(file.firstRange(of: Data("fmt ".utf8))?.upperBound)
    // Format 3 is float.
    #expect(file[format + 4] == 3 && file[format + 18] == 32)
  }

  @Test func `a player that is killed leaves what it has recorded`() throws {
    let player = try play("--loop", "--record", user.folder("take.wav"))
    // More than one second, after which the header is written.
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 1_200_000 }
    player.send(SIGKILL)
    #expect(try player.result().signal == SIGKILL)
    let partial = try #require(user.folder.names.first { $0.hasSuffix(".partial") })
    #expect(samples(user.folder(partial)).count > 2 * 48_000)
  }

  @Test func `a full disk ends the recording, and the song continues to its end`() throws {
    let notes = (0..<5).map { Note(tick: $0 * 960, key: 60, length: 100) }
    let long = try user.folder.put(songBytes(notes, endTick: 5000), "long.mid")
    // The unit is blocks of 512 bytes. 1000 suffice for a connection's memory, but not for the recording.
    let player = try Program(
      [
        "play", "--node", "last", "--audio", "none", "--cycle", "2048", "--tail", "exact",
        "--record",
        user.folder("take.wav"), long,
      ],
      variables: user.variables,
      through: ["/bin/sh", "-c", "ulimit -f 1000; exec \"$@\"", "sh"])
    let began = ContinuousClock.now
    let result = try player.result()
    #expect(result.exitCode == 4)
    #expect(
      result.errors.contains(
        "warning: the recording has ended, the sound continues: cannot write"))
    #expect(ContinuousClock.now - began > .seconds(5))
    let partial = try #require(user.folder.names.first { $0.contains("take.wav") })
    #expect(partial.hasSuffix(".partial") && result.errors.contains(partial))
    #expect(samples(user.folder(partial)).count > 2 * 48_000)
  }

  @Test func `there is no panel without a terminal`() throws {
    let result = try play("--tail", "exact").result()
    #expect(result.exitCode == 0)
    #expect(result.output.isEmpty)
    #expect(!result.errors.contains("\u{1B}"))
  }

  @Test func `contradictory options are refused`() throws {
    for words in [["--count-in", "1", "--from", "0.5"], ["--loop-bars", "9-12"]] {
      let result = try Program(
        ["play", "--node", "last", "--audio", "none"] + words + [song], variables: user.variables
      ).result()
      #expect(result.exitCode == 2, "\(words)")
    }
    let file = try user.run(
      "play", "--node", "last", "--count-in", "1", "-o", user.folder("x.wav"), song)
    #expect(file.exitCode == 2)
  }
}
