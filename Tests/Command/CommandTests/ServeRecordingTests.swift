import Foundation
import Glibc
import JACKTestSupport
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// `serve --record` while JACK's sequencer plays, when the server is killed and when the disk is full.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "install jackd2 for this: make test-packages"),
  .serialized)
struct ServeRecordingTests {
  private let user: TemporaryUser
  private let jack: TestJACKServer
  private let disk: TemporaryFolder

  init() throws {
    (user, jack, disk) = (try TemporaryUser(), try TestJACKServer(), try TemporaryFolder())
    user.variables["JACK_DEFAULT_SERVER"] = jack.name
    user.variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    try user.configureOnePort()
  }

  /// Starts a server that records, and a sequencer that plays a note every 12 000 frames.
  private func play() throws -> (server: Program, sequencer: Program) {
    let server = try user.serve("--audio", "jack", "--record", disk("live.wav"))
    try server.wait { server.errors.contains("recording to ") }
    let sequencer = try Program(
      ["Keys", "24000", "0", "60", "6000", "12000", "64", "6000"],
      program: "/usr/bin/jack_midiseq", variables: user.variables)
    try sequencer.wait {
      let connection = try? Program(
        ["Keys:out", "Portative General MIDI:midi_in"], program: "/usr/bin/jack_connect",
        variables: user.variables
      ).result()
      return connection?.exitCode == 0
    }
    return (server, sequencer)
  }

  /// The frames and keys of the notes in a MIDI file, by default that of the recording; none if there is no file.
  private func notes(
    _ name: String = "live-Portative: General MIDI.mid"
  ) -> [(frame: Int64, key: UInt8)] {
    let path = disk(name)
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let song = try? StandardMIDIFile(decoding: Array(data)).timeline(sampleRate: 48_000)
    else { return [] }
    return song.events.compactMap { event in
      guard case .channel(let message) = event.message, message.startsNote else { return nil }
      return (event.frame, message.data1)
    }
  }

  /// Expects the sequencer's notes in turn, each once. Those of cycles that JACK has missed are not in the file, because the
  /// sequencer never sent them.
  private func expectSequence(_ notes: [(frame: Int64, key: UInt8)]) {
    for (first, second) in zip(notes, notes.dropFirst()) {
      #expect([60, 64].contains(first.key))
      let intervals: Int64 = first.key == second.key ? 2 : 1
      #expect(second.frame - first.frame >= 12_000 * intervals)
    }
  }

  @Test func `a recording begins with the first cycle, not before`() throws {
    let (server, sequencer) = try play()
    defer { sequencer.send(SIGKILL) }
    let begin = ContinuousClock.now
    try server.wait { notes().count >= 4 }
    server.send(SIGTERM)
    #expect(try server.result().exitCode == 0)
    let seconds = Double((ContinuousClock.now - begin).components.seconds)
    let audio = samples(disk("live-Portative: General MIDI.wav"))
    // Of the time before, it has at most what the connection of the sequencer has taken.
    #expect(Double(audio.count) / 96_000 < seconds + 20)
    let first = try #require(notes().first)
    #expect(Double(first.frame) / 48_000 < 20)
  }

  @Test(arguments: ["wav", "mid"])
  func `a server whose recording exists does not start`(ending: String) throws {
    let path = disk("live-Portative: General MIDI.\(ending)")
    try Data("mine".utf8).write(to: URL(filePath: path))
    let server = try user.start(
      "serve", "--midi", "none", "--audio", "jack", "--record", disk("live.wav"))
    let result = try server.result()
    #expect(result.exitCode == 4)
    #expect(
      result.errors.hasSuffix(
        "portative: '\(path)' exists: choose another name, or move the file\n"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    #expect(disk.names.count == 1)
  }

  @Test func `a take and a recording have the same time, also where the device missed cycles`()
    throws
  {
    let (server, sequencer) = try play()
    defer { sequencer.send(SIGKILL) }
    try server.wait { notes().count >= 4 }
    // JACK continues without the server.
    server.send(SIGSTOP)
    usleep(2_000_000)
    server.send(SIGCONT)
    let before = notes().count
    try server.wait { notes().count >= before + 4 }
    let take = try user.run("take", "-o", disk("take.mid"))
    #expect(take.exitCode == 0, "\(take.errors)")
    server.send(SIGTERM)
    #expect(try server.result().exitCode == 0)
    let (taken, recorded) = (notes("take.mid"), notes())
    let first = try #require(recorded.first).frame
    for (one, other) in zip(taken, recorded) {
      #expect(one.frame == other.frame - first && one.key == other.key)
    }
    #expect(taken.count >= before + 4)
    // The sequencer plays every 12 000 frames, but the server does not receive what it plays meanwhile.
    let longest = zip(taken, taken.dropFirst()).map { $1.frame - $0.frame }.max()
    #expect(longest ?? 0 > 80_000)
  }

  @Test func `a server that is killed leaves both files, and each note is on its frame`() throws {
    let (server, sequencer) = try play()
    defer { sequencer.send(SIGKILL) }
    try server.wait { notes().count >= 4 }
    server.send(SIGKILL)
    #expect(try server.result().signal == SIGKILL)
    let written = notes()
    expectSequence(written)
    let partial = try #require(disk.names.first { $0.hasSuffix(".partial") })
    let audio = samples(disk(partial))
    #expect(audio.count > 2 * 48_000)
    let onset = try #require(audio.firstIndex { abs($0) > 1e-4 }) / 2
    let first = try #require(written.first).frame
    // FluidSynth's reverb is not quite silent, and a note begins quietly.
    #expect(first..<first + 480 ~= Int64(onset), "onset \(onset), note \(first)")
    #expect(disk.names.count == 2)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
  func `what is played while the disk is full survives that the server is killed`() throws {
    try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=2m") == 0)
    defer { umount2(disk.path, CInt(MNT_DETACH)) }
    let (server, sequencer) = try play()
    defer { sequencer.send(SIGKILL) }
    try server.wait { server.errors.contains("No space left on device") }
    #expect(server.errors.contains("the sound continues"))
    let before = notes().count
    // More than was played until then and is written late.
    try server.wait { notes().count > before + 24 }
    server.send(SIGKILL)
    _ = try server.result()
    expectSequence(notes())
    #expect(notes().count > before + 24)
  }
}
