import Foundation
import Glibc
import JACKTestSupport
import ProgramTestSupport
import TestSupport
import Testing

/// The ends of programs that play a port of `serve --audio jack`. What is heard is recorded to a file.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "install jackd2 for this: make test-packages"),
  .serialized)
struct JACKSourceTests {
  private let user: TemporaryUser
  private let jack: TestJACKServer
  private let disk: TemporaryFolder
  private let connection = ["Keys:out", "Portative General MIDI:midi_in"]

  init() throws {
    (user, jack, disk) = (try TemporaryUser(), try TestJACKServer(), try TemporaryFolder())
    user.variables["JACK_DEFAULT_SERVER"] = jack.name
    user.variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    try user.configureOnePort()
  }

  /// The greatest of the last 12 000 frames that were heard.
  private var level: Float {
    let count: UInt64 = 24_000 * 4
    guard let name = disk.names.first(where: { $0.hasSuffix(".partial") }),
      let file = FileHandle(forReadingAtPath: disk(name)), let size = try? file.seekToEnd(),
      size > count, (try? file.seek(toOffset: size / 4 * 4 - count)) != nil,
      let data = try? file.readToEnd()
    else { return 0 }
    return data.withUnsafeBytes { bytes in
      peak(
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) })
    }
  }

  private func jack(_ program: String, _ arguments: [String]) throws -> Program {
    try Program(arguments, program: "/usr/bin/\(program)", variables: user.variables)
  }

  /// - Parameter end: Ends the sequencer, or its connection.
  private func play(_ end: (Program) throws -> Void) throws {
    let server = try user.serve("--audio", "jack", "--record", disk("live.wav"))
    defer { server.send(SIGKILL) }
    try server.wait { server.errors.contains("recording to ") }
    #expect(try user.run("set", "General MIDI", "preset=church organ").exitCode == 0)
    // A note of two seconds, again and again.
    let sequencer = try jack("jack_midiseq", ["Keys", "96000", "0", "60", "95999"])
    defer { sequencer.send(SIGKILL) }
    try sequencer.wait { (try? jack("jack_connect", connection).result().exitCode) == 0 }
    #expect(eventually { level > 0.01 })
    try end(sequencer)
    #expect(eventually { level < 0.001 })
  }

  @Test func `notes end: those of a JACK client that is killed`() throws {
    try play { $0.send(SIGKILL) }
  }

  @Test func `notes end: those of a connection that ends`() throws {
    try play { _ in
      let result = try jack("jack_disconnect", connection).result()
      #expect(result.exitCode == 0)
    }
  }
}
