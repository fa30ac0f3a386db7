import PortativeServer
import Testing

@testable import LocalSystem
@testable import portative

@Suite(.timeLimit(.minutes(5))) struct DoctorOptionsTests {
  private func options(_ text: String) throws -> DoctorOptions {
    try DoctorOptions(arguments: text.split(separator: " ").map(String.init))
  }

  @Test func `the options of a measurement select its devices`() throws {
    let options = try options("--latency hw:1 --audio hw:0 --rate 44100 --period 64 --json")
    #expect(options.latencyInput == "hw:1")
    #expect(options.sound == SoundChoice(device: .alsa("hw:0"), rate: 44_100, period: 64))
    #expect(options.isJSON)
    #expect(try self.options("--latency hw:1").sound == SoundChoice())
    #expect(try self.options("").latencyInput == nil)
  }

  @Test(arguments: [
    ("--period 64", "--period needs --latency INPUT"),
    ("--audio hw:0", "--audio needs --latency INPUT"),
    (
      "--latency hw:1 --audio jack",
      "--audio must be an ALSA device such as hw:0 with --latency, but was 'jack'"
    ),
    (
      "--latency hw:1 --audio none",
      "--audio must be an ALSA device such as hw:0 with --latency, but was 'none'"
    ),
    ("--latency", "--latency needs a value: --latency INPUT"),
    ("now", "doctor takes only options, but got 'now'"),
  ])
  func `contradictory options are wrong usage`(arguments: String, sentence: String) {
    let failure = #expect(throws: Failure.self) { try options(arguments) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.hasPrefix(sentence) == true, "\(failure?.message ?? "")")
  }
}
