import Foundation
import JACKTestSupport
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// A JACK server that ends and comes back while a song is played to it.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "install jackd2 for this: make test-packages"),
  .serialized)
struct PlayDeviceTests {
  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    let notes = (0..<16).map { Note(tick: $0 * 480, key: 60, length: 240) }
    song = try user.folder.put(songBytes(notes, endTick: 16 * 480))
    try user.serve()
  }

  private func play(on server: TestJACKServer, _ arguments: String...) throws -> Program {
    var variables = user.variables
    variables["JACK_DEFAULT_SERVER"] = server.name
    variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    // A server that has just started does not accept clients yet.
    for _ in 0..<100 {
      let player = try Program(
        ["play", "--node", "last", "--audio", "jack", "--tail", "exact"] + arguments + [song],
        variables: variables)
      let isPlaying: Void? = try? player.wait { player.errors.contains("recording to") }
      if isPlaying != nil { return player }
      usleep(100_000)
    }
    throw CancellationError()
  }

  @Test(arguments: [1024, 4096])
  func `a server that returns at the same rate is used again, and the recording is complete`(
    frames: Int
  ) throws {
    let server = try TestJACKServer(frames: 1024)
    let take = user.folder("take.wav")
    let player = try play(on: server, "--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.end(SIGKILL)
    try player.wait {
      player.errors.contains("; it is used again when it returns")
    }
    let next = try TestJACKServer(after: server, frames: frames)
    let result = try player.result()
    next.end()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.errors.contains("the sound device has returned: jack: 48000 Hz, \(frames) frames"),
      "\(result.errors)")
    #expect(samples(take).count == 2 * 384_000)
    // The sound lasts to the end.
    #expect(peak(samples(take).suffix(2 * 24_000)) > 0.005)
    #expect(!user.folder.names.contains("take-2.wav"))
  }

  @Test func `at another rate the song continues at its position, in another recording`() throws {
    let server = try TestJACKServer()
    let take = user.folder("take.wav")
    let player = try play(on: server, "--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.end(SIGKILL)
    try player.wait {
      player.errors.contains("; it is used again when it returns")
    }
    let next = try TestJACKServer(after: server, rate: 44_100)
    let result = try player.result()
    next.end()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("the sound device has returned: jack: 44100 Hz"))
    let (first, second) = (samples(take).count / 2, samples(user.folder("take-2.wav")).count / 2)
    // Together they have the length of the song, to the frame.
    let rest = 352_800 - Int((Double(first) * 44_100 / 48_000).rounded())
    #expect(second == rest)
  }

  @Test func `a server that hangs is treated as lost`() throws {
    let server = try TestJACKServer()
    let take = user.folder("take.wav")
    let player = try play(on: server, "--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.suspend()
    try player.wait {
      player.errors.contains(
        "the sound device is lost: the device requests no more audio; it is used again when it returns"
      )
    }
    server.end(SIGKILL)
    let next = try TestJACKServer(after: server)
    let result = try player.result()
    next.end()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.errors.contains("the sound device has returned: jack: 48000 Hz"), "\(result.errors)")
    #expect(samples(take).count == 2 * 384_000)
  }

  @Test
  func
    `a server that stays absent ends the song after --timeout, with a complete recording`()
    throws
  {
    let server = try TestJACKServer()
    let take = user.folder("take.wav")
    let player = try play(on: server, "--record", take, "--timeout", "0.5")
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.end(SIGKILL)
    let result = try player.result()
    #expect(result.exitCode == 1)
    #expect(
      result.errors.contains("portative: the sound device is lost: the JACK server has ended"))
    #expect(result.errors.contains("recorded \(take)"))
    #expect(samples(take).count > 2 * 30_000)
  }
}
