import Foundation
import JACKTestSupport
import ProgramTestSupport
import TestSupport
import Testing

/// The loss of the sound device, which is a JACK server here, while `serve` and `play` use it: both do the same.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "install jackd2 for this: make test-packages"),
  .serialized)
struct DeviceLossTests {
  enum Verb: CaseIterable { case serve, play }

  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    try user.configureOnePort()
    song = try user.folder.put(endlessSong())
  }

  /// Starts the program and waits until it plays.
  private func start(_ verb: Verb, on server: TestJACKServer) throws -> Program {
    user.variables["JACK_DEFAULT_SERVER"] = server.name
    user.variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    if verb == .serve {
      let program = try user.serve("--audio", "jack")
      try program.wait { program.errors.contains("sound: jack: 48000 Hz") }
      return program
    }
    try user.serve(node: "instrument")
    let take = user.folder("take.wav")
    // A server that has just started does not accept clients yet.
    for _ in 0..<100 {
      let program = try user.start(
        "play", "--node", "last", "--audio", "jack", "--record", take, song)
      let isPlaying: Void? = try? program.wait {
        user.folder.size(of: ".take.wav.") ?? 0 > 100_000
      }
      if isPlaying != nil { return program }
      usleep(100_000)
    }
    throw CancellationError()
  }

  /// Whether a JACK server has a client that plays.
  private func isPlayed(_ server: TestJACKServer) -> Bool {
    let list = try? Program(
      ["-c"], program: "/usr/bin/jack_lsp", variables: ["JACK_DEFAULT_SERVER": server.name]
    ).result()
    return list?.outputText.contains(":out_left\n   system:playback_1") == true
  }

  private func count(_ text: String, in program: Program) -> Int {
    program.errors.components(separatedBy: text).count - 1
  }

  private let lost = "the sound device is lost: "
  private let returned = "the sound device has returned: "

  @Test(arguments: Verb.allCases)
  func
    `a device that is lost is used again when it returns, at its rate, and both are reported once`(
      verb: Verb
    ) throws
  {
    var server = try TestJACKServer()
    let program = try start(verb, on: server)
    for (number, rate) in [48_000, 44_100].enumerated() {
      server.end(SIGKILL)
      try program.wait { count(lost + "the JACK server has ended", in: program) == number + 1 }
      server = try TestJACKServer(after: server, rate: rate)
      try program.wait { program.errors.contains("\(returned)jack: \(rate) Hz, 1024 frames") }
      #expect(isPlayed(server))
      #expect(count(lost, in: program) == number + 1, "\(program.errors)")
      #expect(count(returned, in: program) == number + 1, "\(program.errors)")
    }
    server.end()
  }

  @Test(arguments: Verb.allCases)
  func `while a device is absent, the reason is reported once`(verb: Verb) throws {
    let server = try TestJACKServer()
    let program = try start(verb, on: server)
    let absence = "no sound from 'jack': no JACK server is running for this user"
    // The server may not have accepted clients yet when the program was started.
    let earlier = count(absence, in: program)
    server.end(SIGKILL)
    try program.wait { count(absence, in: program) > earlier }
    // Longer than the first pauses between attempts.
    usleep(2_500_000)
    #expect(count(absence, in: program) == earlier + 1, "\(program.errors)")
    #expect(count(lost, in: program) == 1)
    let next = try TestJACKServer(after: server)
    try program.wait { program.errors.contains("\(returned)jack: 48000 Hz") }
    next.end()
  }

  @Test func `without a device at the start, serve waits for one, and play fails`() throws {
    let server = try TestJACKServer()
    server.end()
    user.variables["JACK_DEFAULT_SERVER"] = server.name
    user.variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    let program = try user.serve("--audio", "jack")
    let absence = "no sound from 'jack': no JACK server is running for this user"
    try program.wait { program.errors.contains(absence) }
    let result = try user.run("play", "--node", "last", "--audio", "jack", song)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains(absence), "\(result.errors)")
    let next = try TestJACKServer(after: server)
    try program.wait { program.errors.contains("sound: jack: 48000 Hz") }
    #expect(!program.errors.contains(returned))
    next.end()
  }
}
